// For each schema keyword: a schema that uses it, a valid value and an invalid value.
import type { Direction, Node } from '@stubwright/contract';

export type Probe = readonly [
  schema: Node,
  valid: unknown,
  invalid: unknown,
  direction?: Direction,
];

const T = { $ref: '#/components/schemas/T' };
const READ = { type: 'object', required: ['a'], properties: { a: { readOnly: true } } };
const WRITE = { type: 'object', required: ['a'], properties: { a: { writeOnly: true } } };
const RECURSIVE: Probe = [
  { $recursiveAnchor: true, type: 'object', properties: { a: { $recursiveRef: '#' } } },
  { a: {} },
  { a: 1 },
];
export const PROBES: Readonly<Record<string, Probe>> = {
  $ref: [T, 1, 'a'],
  $dynamicRef: [
    { $dynamicAnchor: 'n', type: 'object', properties: { a: { $dynamicRef: '#n' } } },
    { a: {} },
    { a: 1 },
  ],
  $dynamicAnchor: [
    { $dynamicAnchor: 'n', type: 'object', properties: { a: { $dynamicRef: '#n' } } },
    { a: {} },
    { a: 1 },
  ],
  $recursiveRef: RECURSIVE,
  $recursiveAnchor: RECURSIVE,
  $anchor: [{ $ref: '#t', $defs: { t: { $anchor: 't', type: 'integer' } } }, 1, 'a'],
  $id: [{ $ref: 'https://a.b/t', $defs: { t: { $id: 'https://a.b/t', type: 'integer' } } }, 1, 'a'],
  $defs: [{ $ref: '#/components/schemas/S/$defs/t', $defs: { t: { type: 'integer' } } }, 1, 'a'],
  type: [{ type: 'integer' }, 1, 'a'],
  nullable: [{ type: 'string', nullable: true }, null, 1],
  enum: [{ enum: ['a'] }, 'a', 'b'],
  const: [{ const: 'a' }, 'a', 'b'],
  minLength: [{ type: 'string', minLength: 2 }, 'ab', 'a'],
  maxLength: [{ type: 'string', maxLength: 2 }, 'ab', 'abc'],
  pattern: [{ type: 'string', pattern: '^a$' }, 'a', 'b'],
  minimum: [{ type: 'integer', minimum: 2 }, 2, 1],
  maximum: [{ type: 'integer', maximum: 2 }, 2, 3],
  multipleOf: [{ type: 'integer', multipleOf: 2 }, 2, 3],
  items: [{ type: 'array', items: { type: 'integer' } }, [1], ['a']],
  prefixItems: [{ prefixItems: [{ type: 'integer' }] }, [1], ['a']],
  minItems: [{ type: 'array', items: {}, minItems: 1 }, [1], []],
  maxItems: [{ type: 'array', items: {}, maxItems: 1 }, [1], [1, 2]],
  uniqueItems: [{ type: 'array', items: {}, uniqueItems: true }, [1, 2], [1, 1]],
  contains: [{ contains: { type: 'integer' } }, [1], ['a']],
  minContains: [{ contains: { type: 'integer' }, minContains: 2 }, [1, 2], [1]],
  maxContains: [{ contains: { type: 'integer' }, maxContains: 1 }, [1], [1, 2]],
  unevaluatedItems: [{ prefixItems: [true], unevaluatedItems: false }, [1], [1, 2]],
  properties: [{ properties: { a: { type: 'integer' } } }, { a: 1 }, { a: 'a' }],
  patternProperties: [{ patternProperties: { '^a': { type: 'integer' } } }, { a: 1 }, { a: 'a' }],
  additionalProperties: [{ additionalProperties: false }, {}, { a: 1 }],
  unevaluatedProperties: [
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    { a: 1 },
    { b: 1 },
  ],
  propertyNames: [{ propertyNames: { maxLength: 1 } }, { a: 1 }, { ab: 1 }],
  required: [{ required: ['a'] }, { a: 1 }, {}],
  minProperties: [{ minProperties: 1 }, { a: 1 }, {}],
  maxProperties: [{ maxProperties: 1 }, { a: 1 }, { a: 1, b: 1 }],
  dependentRequired: [{ dependentRequired: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
  dependencies: [{ dependencies: { a: ['b'], c: { minProperties: 2 } } }, { a: 1, b: 1 }, { c: 1 }],
  dependentSchemas: [{ dependentSchemas: { a: { required: ['b'] } } }, { a: 1, b: 1 }, { a: 1 }],
  allOf: [{ allOf: [T] }, 1, 'a'],
  anyOf: [{ anyOf: [T, { type: 'boolean' }] }, true, 'a'],
  oneOf: [{ oneOf: [T, { type: 'number' }] }, 1.5, 1],
  not: [{ not: T }, 'a', 1],
  if: [{ if: { required: ['a'] }, then: { required: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
  then: [{ if: { required: ['a'] }, then: { required: ['b'] } }, {}, { a: 1 }],
  else: [{ if: { required: ['a'] }, else: { required: ['b'] } }, { b: 1 }, {}],
  readOnly: [READ, {}, 1, 'request'],
  writeOnly: [WRITE, {}, 1, 'response'],
};

/** Bounds that are booleans in 3.0 and numbers in 3.1. */
export const EXCLUSIVE: Readonly<Record<string, readonly [Probe, Probe]>> = {
  exclusiveMinimum: [
    [{ minimum: 1, exclusiveMinimum: true }, 2, 1],
    [{ exclusiveMinimum: 1 }, 2, 1],
  ],
  exclusiveMaximum: [
    [{ maximum: 2, exclusiveMaximum: true }, 1, 2],
    [{ exclusiveMaximum: 2 }, 1, 2],
  ],
};
