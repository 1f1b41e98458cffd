// The alternatives that a value is valid against: the keywords of JSON Schema, as Ajv evaluates them.
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { conditional, either, type ValueSchema } from '../src/index.ts';

function isValid(schema: ValueSchema, value: unknown): boolean {
  return either([schema, 1])(value) !== undefined;
}

/** Patterns are regular expressions. */
function inClient(schema: ValueSchema): ValueSchema {
  if (typeof schema !== 'object') return schema;
  const parts = Object.entries(schema).map(([key, each]) => {
    if (key === 'pattern') return [key, new RegExp(each, 'u')];
    if (key === 'properties' || key === 'patternProperties') {
      const named = Object.entries<ValueSchema>(each).map(
        ([name, inner]) => [name, inClient(inner)] as const,
      );
      if (key === 'properties') return [key, Object.fromEntries(named)];
      return [key, named.map(([name, inner]) => [new RegExp(name, 'u'), inner])];
    }
    if (['allOf', 'anyOf', 'oneOf', 'prefixItems'].includes(key)) return [key, each.map(inClient)];
    return [key, ['items', 'additionalProperties', 'not'].includes(key) ? inClient(each) : each];
  });
  return Object.fromEntries(parts);
}

type Row = readonly [schema: ValueSchema, valid: readonly unknown[], invalid: readonly unknown[]];

const ROWS: readonly Row[] = [
  [true, [null], []],
  [false, [], [null]],
  [() => ({ type: 'null' }), [null], [1]],
  [{ type: 'null' }, [null], [0, false, '', [], {}]],
  [{ type: 'boolean' }, [true, false], [null, 1, 'true']],
  [{ type: 'string' }, [''], [null, 1, []]],
  [{ type: 'integer' }, [1, 1n, -0, 1e300], [0.5, '1']],
  [{ type: 'number' }, [1, 1n, 0.5], ['1', null]],
  [{ type: 'array' }, [[]], [{}, null]],
  [{ type: 'object' }, [{}], [[], null]],
  [{ type: ['string', 'null'] }, ['', null], [1]],
  [{ enum: [1, 'a', null] }, [1, 1n, 'a', null], [2, 2n, '1', true, undefined]],
  [{ enum: [2n ** 60n] }, [2n ** 60n, 2 ** 60], [2n ** 60n + 1n]],
  [{ enum: [[1, { a: 2 }]] }, [[1n, { a: 2 }]], [[1], [1, { a: 3 }], [1, { b: 2 }], [1, {}], 1]],
  [{ enum: [{ 0: 1 }] }, [{ 0: 1 }], [[1], null]],
  [{ enum: [[1]] }, [[1]], [{ 0: 1 }]],
  [{ enum: [{ toString: 1 }] }, [{ toString: 1 }], [{ other: 1 }]],
  [{ minLength: 2 }, ['ab', '🌱🌱', 1], ['a', '🌱']],
  [{ maxLength: 1 }, ['', '🌱', 10, ['a', 'b']], ['ab']],
  [{ pattern: /^\p{L}$/u }, ['ä', 1], ['', '1']],
  [{ minimum: 2 }, [2, 2n, 3, '1'], [1, 1n, 1.9]],
  [{ maximum: 2 }, [2, 2n, 1], [3, 3n, 2.1]],
  [{ exclusiveMinimum: 2 }, [2.1, 3n], [2, 2n, 1]],
  [{ exclusiveMaximum: 2 }, [1.9, 1n], [2, 2n, 3]],
  [{ minimum: 2n ** 53n + 1n }, [2n ** 53n + 1n], [2n ** 53n]],
  [{ minItems: 1 }, [[1], {}, ''], [[]]],
  [{ maxItems: 1 }, [[], [1], { a: 1, b: 2 }], [[1, 2]]],
  [{ minProperties: 1 }, [{ a: 1 }, []], [{}, { a: undefined }]],
  [{ maxProperties: 1 }, [{ a: 1 }, { a: 1, b: undefined }, [1, 2]], [{ a: 1, b: 2 }]],
  [{ required: ['a'] }, [{ a: 1 }, [], 'a'], [{}, { b: 1 }]],
  [{ required: ['toString'] }, [{ toString: 1 }], [{}]],
  [{ items: { type: 'null' } }, [[], [null], { a: 1 }], [[1], [null, 1]]],
  [{ prefixItems: [true, { type: 'null' }] }, [[1], [1, null, 2]], [[1, 2]]],
  [{ prefixItems: [true], items: false }, [[], [1]], [[1, 2]]],
  [{ prefixItems: [false] }, [[]], [[1]]],
  [{ properties: { a: { type: 'null' } } }, [{ a: null, b: 1 }], [{ a: 1 }]],
  [{ patternProperties: [[/^ä/u, { type: 'null' }]] }, [{ ä: null, b: 1 }], [{ ä: 1 }]],
  [{ additionalProperties: false }, [{}], [{ a: 1 }, { toString: 1 }]],
  [{ properties: { a: true }, additionalProperties: false }, [{ a: 1 }], [{ b: 1 }]],
  [{ patternProperties: [[/a/u, true]], additionalProperties: false }, [{ ba: 1 }], [{ b: 1 }]],
  [
    { properties: { ab: { type: 'number' } }, patternProperties: [[/a/u, { maximum: 1 }]] },
    [{ ab: 1 }],
    [{ ab: 2 }, { ab: '' }],
  ],
  [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [0, 3]],
  [{ anyOf: [{ maximum: 1 }, { minimum: 3 }] }, [1, 3], [2]],
  [{ oneOf: [{ maximum: 2 }, { minimum: 1 }] }, [0, 3], [1, 2]],
  [{ oneOf: [{ maximum: 1 }, { minimum: 3 }] }, [1, 3], [2]],
  [{ not: { type: 'null' } }, [1], [null]],
];

describe('an alternative', () => {
  it.each(ROWS)('%j', (schema, valid, invalid) => {
    expect(valid.filter((value) => !isValid(schema, value))).toEqual([]);
    expect(invalid.filter((value) => isValid(schema, value))).toEqual([]);
  });

  it('is one of several', () => {
    const exact = either([{ type: 'number' }, 1], [{ type: 'null' }, { others: 1 }], [true, 1]);
    expect([exact(1), exact(null), exact('')]).toEqual([[1, 1], [{ others: 1 }, 1], [1]]);
    expect(either([false, 1])(1)).toBeUndefined();
  });

  it('of any schema is valid as Ajv says', () => {
    const ajv = new Ajv2020({ strict: false, addUsedSchema: false });
    fc.assert(
      fc.property(schemas, fc.array(values, { minLength: 8, maxLength: 8 }), (schema, all) => {
        const validate = ajv.compile(schema as object);
        for (const value of all) expect(isValid(inClient(schema), value)).toBe(validate(value));
      }),
      { numRuns: 100 },
    );
  });
});

describe('a condition', () => {
  it('selects one of two, of which 0 is none', () => {
    const exact = conditional({ type: 'null' }, 1, { items: 1 });
    expect([exact(null), exact(0)]).toEqual([1, { items: 1 }]);
    expect(conditional(true, 0, 1)(null)).toBeUndefined();
    expect(conditional(false, 1, 0)(null)).toBeUndefined();
  });
});

const count = fc.integer({ min: 0, max: 2 });
const bound = fc.integer({ min: -1, max: 3 });
const name = fc.constantFrom('a', 'b', 'ab');
const scalar = fc.oneof(bound, fc.constantFrom(0.5, null, true, '', 'a', 'ab', 'b🌱'));
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
})).value;
const types = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');
const schemas = fc.letrec<{ schema: ValueSchema }>((tie) => {
  const list = fc.array(tie('schema'), { minLength: 1, maxLength: 2 });
  const map = fc.dictionary(name, tie('schema'), { maxKeys: 2 });
  const keywords = {
    ...{ type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })) },
    ...{ enum: fc.array(values, { minLength: 1, maxLength: 3 }) },
    ...{ required: fc.uniqueArray(name), properties: map, patternProperties: map as never },
    ...{ additionalProperties: tie('schema'), prefixItems: list, items: tie('schema') },
    ...{ allOf: list, anyOf: list, oneOf: list, not: tie('schema') },
    ...{ minimum: bound, maximum: bound, exclusiveMinimum: bound, exclusiveMaximum: bound },
    ...{ minLength: count, maxLength: count, pattern: fc.constantFrom('a', '^b', '.b') },
    ...{ minItems: count, maxItems: count, minProperties: count, maxProperties: count },
  };
  const one = fc
    .constantFrom(...Object.keys(keywords))
    .chain((keyword) => keywords[keyword as 'not'].map((value) => ({ [keyword]: value })));
  const some = fc
    .array(one, { minLength: 1, maxLength: 3 })
    .map((all) => Object.assign({}, ...all));
  return { schema: fc.oneof({ maxDepth: 2 }, fc.boolean(), some) };
}).schema as fc.Arbitrary<ValueSchema>;
