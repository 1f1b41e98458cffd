// Compares implication.ts with the validators of the engine, on generated schemas and values.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node, SchemaModel } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { implies } from '../src/schema/implication.ts';
import { IMPLIED, SCHEMA_PAIRS, schemaPairs } from './schemaPairs.ts';

const SCALARS = [
  ...[null, true, false, -1, 0, 0.5, 1, 1.5, 2, 3, 4, 6, 2 ** 31, '', 'a', 'b', 'ab', 'abc', 'ba'],
  ...['2026-01-01', '2026-99-99', '1.2.3.4', '1.2.3.400'],
];
const PARTS = [null, 0, 1, 2, 'a', 'ab', [], {}, { a: 1 }];
const OTHER_NAMES = [
  ...[
    { ab: 'a' },
    { ab: 1 },
    { ab: 'ab' },
    { ba: 'a' },
    { ba: 2 },
    { d: 1 },
    { d: 'ab' },
    { d: null },
  ],
  ...[
    { a: 1, ab: 'a' },
    { a: 1, d: 1 },
    { b: 1, d: 'a' },
    { a: 'a', ab: null, d: 1 },
  ],
];
const OBJECTS = [undefined, ...PARTS].flatMap((a) =>
  [undefined, ...PARTS].flatMap((b) =>
    [undefined, 1].map((c) =>
      Object.fromEntries(Object.entries({ a, b, c }).filter(([, each]) => each !== undefined)),
    ),
  ),
);
const VALUES = [
  ...SCALARS,
  [],
  [[]],
  [['a'], 1],
  [{}, { a: 1 }],
  ['a', 1],
  ['a', 'b'],
  [1, 'b'],
  [1, 2],
  [2, 1],
  ['a'],
  ['a', 'a'],
  [1],
  [1, 1],
  [1, 2, 3],
  [1, 'a'],
  ...OBJECTS,
  ...OTHER_NAMES,
];

const LISTED = ['a', '', 'ab', 1, 0.5, null, [], { a: 1 }, [1, 'a'], { a: 'a', b: [] }];

const names = fc.constantFrom('a', 'b', 'c');
const assertions = fc.record(
  {
    type: fc.oneof(
      fc.constantFrom('object', 'string', 'integer', 'number', 'boolean', 'null', 'array'),
      fc.constantFrom(['object', 'null'], ['string', 'integer'], ['array', 'number']),
    ),
    enum: fc.uniqueArray(fc.constantFrom<unknown>(...LISTED), {
      minLength: 1,
      maxLength: 3,
    }),
    const: fc.constantFrom<unknown>('a', 2, null, {}, [1], { a: { a: 1 }, b: 2 }),
    minimum: fc.constantFrom(0, 1, 1.5),
    exclusiveMaximum: fc.constantFrom(1, 2, 3),
    minLength: fc.constantFrom(1, 2),
    maxLength: fc.constantFrom(0, 1, 2),
    pattern: fc.constantFrom('^a', 'b$', '^[0-9-]*$', '^[0-9.]+$', '^(?!a)'),
    format: fc.constantFrom('date', 'ipv4', 'int32', 'color'),
    multipleOf: fc.constantFrom(0.5, 1, 2, 3, 6),
    maxItems: fc.constantFrom(0, 1, 2),
    minItems: fc.constantFrom(1, 2),
    uniqueItems: fc.boolean(),
    required: fc.uniqueArray(names, { minLength: 1, maxLength: 2 }),
    dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), {
      maxKeys: 2,
    }),
    additionalProperties: fc.boolean(),
    minProperties: fc.constantFrom(1, 2),
    maxProperties: fc.constantFrom(0, 1, 2),
    items: fc.constantFrom<Node | boolean>(
      { const: 1 },
      { not: { const: 1 } },
      { type: 'string' },
      false,
    ),
    prefixItems: fc.constantFrom(
      [{ const: 1 }],
      [{ type: 'integer' }, { type: 'string' }],
      [true, { const: 2 }, { type: 'array' }],
    ),
    contains: fc.constantFrom<Node | boolean>(
      true,
      { const: 1 },
      { const: 2 },
      { enum: [1, 2] },
      { type: 'string' },
    ),
    minContains: fc.constantFrom(0, 1, 2),
    maxContains: fc.constantFrom(0, 1, 2),
    propertyNames: fc.constantFrom<Node>(
      { pattern: '^a' },
      { pattern: '^[ab]' },
      { maxLength: 0 },
      { maxLength: 1, pattern: '^[ab]' },
      { enum: ['a', 'b'] },
      { not: { const: 'a' } },
      { not: { pattern: '^[ab]' } },
    ),
    patternProperties: fc.constantFrom<Node>(
      { '^a': false },
      { '^[ab]': { not: {} } },
      { '^a': {} },
      { '^[ab]': true },
      { '^a': { type: 'string' } },
      { '^a': { type: 'string' }, b$: { minLength: 2 } },
      { '^[ac]': { type: ['integer', 'string'] } },
    ),
    unevaluatedItems: fc.constantFrom<Node | boolean>(false, { type: 'integer' }, { const: 'a' }),
  },
  { requiredKeys: [] },
);
/** A few keywords: many together allow nothing. */
const few = fc
  .tuple(assertions, fc.infiniteStream(fc.nat(2)))
  .map(([all, chances]) =>
    Object.fromEntries(Object.entries(all).filter(() => chances.next().value === 0)),
  );
const { schema } = fc.letrec<{ schema: Node | boolean; composed: Node }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    few,
    fc.boolean(),
    tie('composed'),
  ),
  composed: fc
    .tuple(
      few,
      fc.record(
        {
          properties: fc.dictionary(names, tie('schema'), { maxKeys: 2 }),
          allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          not: tie('schema'),
          if: tie('schema'),
          then: tie('schema'),
          else: tie('schema'),
          dependentSchemas: fc.dictionary(names, tie('schema'), { maxKeys: 1 }),
          additionalProperties: tie('schema'),
          unevaluatedProperties: fc.oneof(fc.constant(false), tie('schema')),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([own, applied]) => ({ ...own, ...applied })),
}));

/** Schemas that may allow every value of the first. */
const RELATED: readonly ((first: Node | boolean, other: Node | boolean) => Node | boolean)[] = [
  (_, other) => other,
  (first, other) => ({ anyOf: [first, other] }),
  (first, other) => ({ oneOf: [first, other] }),
  (first, other) => ({ if: other, else: first }),
  (first, other) => ({ if: first, then: true, else: other }),
  (first, other) => ({ if: first, then: other }),
  (first, other) => ({ if: { not: first }, else: other }),
  (first, other) => ({ if: first, then: first, else: other }),
  (first, other) => ({ allOf: [first], dependentSchemas: { a: other } }),
  (first, other) => ({ not: { allOf: [{ not: first }, other] } }),
];

function comparisonOf(first: Node | boolean, second: Node | boolean) {
  const definition = new Contract({
    openapi: '3.1.0',
    info: { title: 'Toys', version: '1' },
    paths: {},
    components: { schemas: { First: first, Second: second } },
  });
  const model = SchemaModel.of(definition);
  const validators = new Validators(definition, 'request');
  const [was, is] = ['First', 'Second'].map((name) => `/components/schemas/${name}`);
  return {
    isImplied: implies([model.at(was!)!], [model.at(is!)!]),
    isValid: validators.at(was!),
    isAccepted: validators.at(is!),
  };
}

describe('an implication of two schemas', () => {
  it('holds for every value', () => {
    const numRuns = isTestAll ? 600 : 30;
    let proven = 0;
    fc.assert(
      fc.property(schema, schema, fc.constantFrom(...RELATED), (first, other, relate) => {
        const second = relate(first, other);
        const { isImplied, isValid, isAccepted } = comparisonOf(first, second);
        if (!isImplied) return;
        proven++;
        expect(VALUES.filter((each) => isValid(each) && !isAccepted(each))).toEqual([]);
      }),
      { numRuns },
    );
    expect(proven).toBeGreaterThan(numRuns / 4);
  });
});

const both = (...each: readonly unknown[]) => ({
  type: 'array',
  allOf: each.map((value) => ({ contains: { const: value } })),
});
const TWO_OF = { type: 'array', contains: { enum: [1, 2] }, minContains: 2 };

describe('an implication of numbers of items', () => {
  it.each([
    ['two contained values are two of an enum', both(1, 2), TWO_OF],
    ['three are two', both(1, 2, 3), TWO_OF],
    ['two of an enum are both if items are unique', { ...TWO_OF, uniqueItems: true }, both(1, 2)],
    [
      'a unique item matches once',
      { uniqueItems: true, contains: { const: 1 } },
      { contains: { const: 1 }, maxContains: 1 },
    ],
    [
      'no item matches at most none',
      { type: 'array', contains: { const: 1 }, minContains: 0, maxContains: 0 },
      { items: { not: { const: 1 } } },
    ],
    [
      'no item matches if it cannot',
      { type: 'array', items: { type: 'string' }, contains: { const: 1 } },
      false,
    ],
  ])('holds: %s', (_what, first, second) => {
    expect(comparisonOf(first, second).isImplied).toBe(true);
  });

  it.each([
    ['one value may be contained twice', TWO_OF, both(1, 2)],
    [
      'unique items have some values',
      { type: 'array', items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 2 },
      both(1, 2),
    ],
    ['the values of another enum', both(1, 3), TWO_OF],
    [
      'values that may be one item',
      { type: 'array', allOf: [{ contains: { minimum: 1 } }, { contains: { maximum: 2 } }] },
      { minItems: 2 },
    ],
    [
      'repeated items',
      { type: 'array', contains: { const: 1 } },
      { contains: { const: 1 }, maxContains: 1 },
    ],
    [
      'a unique item of several values',
      { type: 'array', uniqueItems: true, contains: { enum: [1, 2] } },
      { contains: { enum: [1, 2] }, maxContains: 1 },
    ],
  ])('does not hold: %s', (_what, first, second) => {
    expect(comparisonOf(first, second).isImplied).toBe(false);
  });
});

describe('the implications of listed schemas', () => {
  it.each(IMPLIED)(
    'hold for every value: $definition.document.openapi',
    ({ definition, implied }) => {
      const validators = new Validators(definition, 'request');
      const valid = new Map(
        implied.map(([schema]) => {
          const validate = validators.at(schema.pointer);
          return [schema, VALUES.map((value) => validate(value))];
        }),
      );
      const wrong = implied.flatMap(([schema, others]) =>
        others.flatMap((other) =>
          VALUES.filter((_, at) => valid.get(schema)![at] && !valid.get(other)![at]).map(
            (value) => [schema.written, other.written, value],
          ),
        ),
      );
      expect(wrong).toEqual([]);
    },
  );

  it('are those of schemaPairs.txt, with the changes; make transcripts writes it', () => {
    expect(schemaPairs()).toBe(readFileSync(SCHEMA_PAIRS, 'utf8'));
  });
});
