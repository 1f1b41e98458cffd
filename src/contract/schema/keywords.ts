// The keywords of OpenAPI's schemas: which of them hold schemas, and what those that differ from
// JSON Schema 2020-12 become there.
import type { Definition, Node, Place } from '../definition/definition.ts';

export const SUBSCHEMA = new Set([
  'not',
  'if',
  'then',
  'else',
  'items',
  'contains',
  'propertyNames',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
]);
export const SUBSCHEMAS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
/** Those that speak of the same value, not of its parts. */
export const IN_PLACE = new Set(['not', 'if', 'then', 'else', 'allOf', 'anyOf', 'oneOf']);
export const NAMED_SUBSCHEMAS = new Set(['properties', 'patternProperties', 'dependentSchemas']);
/** Words that say nothing of validity, or that are translated by name below. */
export const LEFT_OUT = new Set([
  ...[
    '$id',
    '$schema',
    '$anchor',
    '$dynamicAnchor',
    '$comment',
    '$vocabulary',
    '$defs',
    'definitions',
    'nullable',
    'discriminator',
  ],
  ...[
    'title',
    'description',
    'default',
    'example',
    'examples',
    'deprecated',
    'externalDocs',
    'xml',
  ],
  ...['readOnly', 'writeOnly', 'contentEncoding', 'contentMediaType', 'contentSchema'],
]);
/** The words that bound an int64; Ajv's own compare doubles. */
const INT64_BOUNDS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'enum',
  'const',
];

/** @returns the schemas directly inside one schema, and the one that it refers to */
export function subschemas(definition: Definition, place: Place): Place[] {
  const words = Object.keys(Object(place.node));
  const single = words.filter((word) => SUBSCHEMA.has(word) && !Array.isArray(place.node[word]));
  const lists = words.filter((word) => SUBSCHEMAS.has(word) || NAMED_SUBSCHEMAS.has(word));
  const target = definition.schemaTarget(place);
  return [
    ...(target === undefined ? [] : [target]),
    ...single.map((word) => definition.step(place, word)),
    ...lists.flatMap((word) => {
      const list = definition.step(place, word);
      return Object.keys(list.node).map((name) => definition.step(list, name));
    }),
  ];
}

/** True for an integer of 64 bits: a bigint in the generated types and at run time. */
export function isInt64(schema: Node): boolean {
  const types: unknown[] = [schema.type].flat();
  return schema.format === 'int64' && (types.includes('integer') || types.includes('number'));
}

/** True for bytes: 3.0's `format: binary`, 3.1's `contentMediaType` without `contentEncoding`. */
export function isBinary(schema: Node): boolean {
  const isRaw = schema.contentMediaType !== undefined && schema.contentEncoding === undefined;
  return schema.type === 'string' && (schema.format === 'binary' || isRaw);
}

export function binarySchema({ type: _, format: __, ...schema }: Node): Node {
  return { ...schema, binary: true };
}

/** 3.0's boolean exclusiveMinimum and exclusiveMaximum become bounds of their own. */
export function exclusiveBounds(schema: Node): void {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    const isExclusive = schema[exclusive] && schema[bound] !== undefined;
    delete schema[exclusive];
    if (isExclusive) {
      schema[exclusive] = schema[bound];
      delete schema[bound];
    }
  }
}

/** The keyword `int64` takes over the type and every bound, since Ajv's own know no bigint. */
export function int64Schema({ type, format: _, ...schema }: Node): Node {
  const bounds: Node = {};
  for (const word of INT64_BOUNDS) {
    if (schema[word] === undefined) continue;
    bounds[word] = schema[word];
    delete schema[word];
  }
  const otherTypes = [type].flat().filter((each) => each !== 'integer' && each !== 'number');
  return { ...schema, int64: { otherTypes, bounds } };
}
