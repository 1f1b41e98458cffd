// Finds the schemas of a document, as opposed to values that only look like schemas.
import type { LocatedNode, Node } from './node.ts';
import { escapeToken } from './pointer.ts';

/** Keywords of JSON Schema with one schema; `items` is an array of schemas before 2020-12. */
const SINGLE = new Set([
  ...['not', 'if', 'then', 'else', 'items', 'contains', 'propertyNames', 'contentSchema'],
  ...['additionalProperties', 'additionalItems', 'unevaluatedProperties', 'unevaluatedItems'],
]);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
/** Keywords with an object of schemas by name. */
const MAPS = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependencies'],
  ...['$defs', 'definitions'],
]);
/** Properties of OpenAPI objects whose own properties have names that the contract chooses. */
const NAMES = new Set([
  ...[
    'paths',
    'webhooks',
    'pathItems',
    'additionalOperations',
    'callbacks',
    'responses',
    'content',
  ],
  ...[
    'headers',
    'parameters',
    'requestBodies',
    'encoding',
    'links',
    'mediaTypes',
    'securitySchemes',
  ],
]);
const HOLDERS = new Set(['schema', 'itemSchema', 'x-item-schema']);

/** An OpenAPI object, a map with names of the contract, a schema, a map of schemas, or any of them. */
type Kind = 'openapi' | 'names' | 'schema' | 'schemas' | 'unknown';

interface Visit extends LocatedNode {
  readonly kind: Kind;
}

/**
 * @param document an OpenAPI document; any other file is a schema, or a part of an OpenAPI document
 * @yields its schemas that are objects, each before its subschemas
 */
export function* schemaLocations(document: Node): Generator<LocatedNode> {
  const kind = document['openapi'] === undefined ? 'unknown' : 'openapi';
  const pending: Visit[] = [{ pointer: '', node: document, kind }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const { pointer, node } = visit;
    if (typeof node !== 'object' || node === null) continue;
    const isSchema = !Array.isArray(node) && (visit.kind === 'schema' || visit.kind === 'unknown');
    if (isSchema) yield { pointer, node };
    for (const [name, child] of Object.entries(node)) {
      const kind = kindOf(visit, name, child);
      if (kind === undefined) continue;
      pending.push({ pointer: `${pointer}/${escapeToken(name)}`, node: child, kind });
    }
  }
}

/** @returns the kind of a property or item; undefined for data */
function kindOf({ kind, node }: Visit, name: string, child: unknown): Kind | undefined {
  if (kind === 'schemas') return 'schema';
  if (kind === 'names') return 'openapi';
  if (Array.isArray(node)) return kind;
  const ofSchema = kind === 'openapi' ? undefined : schemaKind(name, child);
  if (ofSchema !== undefined || kind === 'schema') return ofSchema;
  if (HOLDERS.has(name)) return 'schema';
  if (name === 'schemas') return 'schemas';
  if (NAMES.has(name)) return 'names';
  return isData(name) ? undefined : kind;
}

function schemaKind(name: string, child: unknown): Kind | undefined {
  if (MAPS.has(name)) return 'schemas';
  if (Array.isArray(child)) return LISTS.has(name) ? 'schema' : undefined;
  return SINGLE.has(name) ? 'schema' : undefined;
}

function isData(name: string): boolean {
  return (
    ['example', 'examples', 'enum', 'const', 'default'].includes(name) || name.startsWith('x-')
  );
}
