// How a client reads and sends values: the schemas that apply to one, its shape as text, and its media type.

import {
  type Content,
  inPlaceSchemas,
  isBigint,
  isBinary,
  isEventStream,
  isXml,
  parseMediaType,
  propertySchemas,
  type Schema,
} from '@stubwright/contract';
import { typesIn, type Validators } from '@stubwright/contract/validation';
import { mediaContentOf, mediaKindOf } from '@stubwright/contract/values';

type TextShape =
  | string
  | { readonly items: TextShape }
  | { readonly properties: Readonly<Record<string, TextShape>>; readonly others?: TextShape };

const MAX_DEPTH = 3;

export function textShape(schemas: readonly Schema[], depth = 0): TextShape {
  const parts = inPlace(schemas);
  const types = new Set(shapeTypes(parts));
  if (depth < MAX_DEPTH && types.has('object')) return objectShape(parts, depth);
  if (depth < MAX_DEPTH && types.has('array')) {
    const items = parts.flatMap((part) => part.child('items') ?? []);
    return { items: textShape(items, depth + 1) };
  }
  return scalarsIn(types).join(' ') || 'string';
}

function scalarsIn(types: ReadonlySet<string>): string[] {
  return ['bigint', 'number', 'boolean', 'null', 'string'].filter((type) => types.has(type));
}

function objectShape(parts: readonly Schema[], depth: number): TextShape {
  const others = parts.flatMap((part) => part.child('additionalProperties') ?? []);
  return {
    properties: propertiesIn(parts, (list) => textShape(list, depth + 1)),
    ...(others.length > 0 && { others: textShape(others, depth + 1) }),
  };
}

/** @returns the types that the schemas allow; `bigint` for integers of 64 bits */
export function shapeTypes(parts: readonly Schema[]): string[] {
  return parts.flatMap((schema) =>
    typesIn(schema).map((type) => {
      if (type !== 'integer' && type !== 'number') return type;
      // A listed integer without `type` is one that a number cannot represent.
      const isExact = isBigint(schema) || (type === 'integer' && schema.types === undefined);
      return isExact ? 'bigint' : 'number';
    }),
  );
}

/** True if every string is binary. */
export function isBinaryValue(schema: Schema | undefined): boolean {
  if (schema === undefined) return false;
  const texts = inPlace([schema]).filter(({ types }) => types?.has('string'));
  return texts.length > 0 && texts.every(isBinary);
}

/** @returns the schemas, and all that may apply to the same value: those that are written first */
export function inPlace(schemas: readonly Schema[]): Schema[] {
  const found = new Set(schemas);
  for (const schema of found) for (const inner of inPlaceSchemas(schema)) found.add(inner);
  return [...found];
}

/** @returns what `written` makes of the schemas of each declared property */
function propertiesIn<Written>(
  parts: readonly Schema[],
  written: (schemas: readonly Schema[]) => Written,
): Record<string, Written> {
  const names = new Set(parts.flatMap((part) => [...part.map('properties').keys()]));
  return Object.fromEntries(
    Array.from(names, (name) => [name, written(propertySchemas(new Set(parts), name, false))]),
  );
}

export function propertyIn(schema: Schema | undefined, name: string): Schema | undefined {
  if (schema === undefined) return undefined;
  return inPlace([schema]).flatMap((part) => part.map('properties').get(name) ?? [])[0];
}

export type MediaCategory =
  | ('json' | 'lines' | 'events' | 'form' | 'multipart' | 'xml')
  | ('text' | 'bytes');

/** @returns a status as the client writes it: `4XX`, `default` */
export function statusKey(status: string): string {
  return status.toUpperCase().replace('DEFAULT', 'default');
}

/** @param key of the content, a media type or a range */
export function mediaCategory(
  key: string,
  content: Content,
  validators: Validators,
): MediaCategory {
  const type = parseMediaType(key)?.type ?? key;
  // Without a schema, the data of an event is text.
  if (isEventStream(type)) return 'events';
  const { name } = mediaKindOf(type, mediaContentOf(content, validators));
  // Without a codec in the client: text of any schema.
  if (isXml(type) && !isBinaryValue(content.schema)) return 'xml';
  if (name === 'sequence') return 'lines';
  return name === 'opaque' || name === 'xml' ? 'bytes' : name;
}
