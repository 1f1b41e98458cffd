// The media types whose bodies are sequences of items, and the schemas of their items.
import type { LocatedNode } from '../document/node.ts';
import { commonTypes, type Schema, type SchemaModel } from '../schema/model.ts';

const JSON_LINES = /^application\/(?:jsonl|x-jsonlines|x-ndjson|ndjson)$/;
const EVENT_STREAM = 'text/event-stream';
const MULTIPART_MIXED = 'multipart/mixed';

/** True for JSON Lines and NDJSON, one value a line. @param type in lower case, without parameters */
export function isJsonLines(type: string): boolean {
  return JSON_LINES.test(type);
}

/** True for JSON text sequences (RFC 7464, RFC 8091). */
export function isJsonSequence(type: string): boolean {
  return type === 'application/json-seq' || type.endsWith('+json-seq');
}

/** True for parts of any media type (RFC 2046, section 5.1.3). */
export function isMultipartMixed(type: string): boolean {
  return type === MULTIPART_MIXED;
}

/** True for server-sent events (WHATWG HTML, section 9.2). */
export function isEventStream(type: string): boolean {
  return type === EVENT_STREAM;
}

/** True for the sequential media types of OpenAPI 3.2.0, section 4.14.4, that the engine reads and writes. */
export function isSequential(type: string): boolean {
  return isEventStream(type) || isJsonLines(type) || isJsonSequence(type) || isMultipartMixed(type);
}

/**
 * @param location a Media Type Object
 * @returns the schema of `itemSchema`, of `x-item-schema` (for OpenAPI 3.0 and 3.1), else of the items of
 *   an array without `prefixItems`; undefined without one
 */
export function itemSchemaOf(
  { node, pointer }: LocatedNode,
  model: SchemaModel,
): Schema | undefined {
  for (const keyword of ['itemSchema', 'x-item-schema']) {
    if (node[keyword] !== undefined) return model.at(`${pointer}/${keyword}`);
  }
  const parts = node.schema === undefined ? [] : model.at(`${pointer}/schema`)!.conjuncts;
  if (commonTypes(parts)?.join() !== 'array') return undefined;
  // The first items have other schemas.
  if (parts.some((each) => each.has('prefixItems'))) return undefined;
  return parts.map((each) => each.child('items')).find((each) => each !== undefined);
}
