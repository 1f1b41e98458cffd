// The bounds of numbers: every keyword and every numeric format, on both sides of each bound.
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node } from '@stubwright/contract';
import fc from 'fast-check';
import { Validators } from '../src/schema/validator.ts';

function errorsOf(schema: Node, value: unknown): readonly string[] {
  const document = { openapi: '3.1.0', components: { schemas: { It: schema } } };
  const validate = new Validators(new Contract(document), 'request').at('/components/schemas/It');
  if (validate(value)) return [];
  return validate.errorsOf(value).map(({ keyword, message }) => `${keyword}: ${message}`);
}

describe.each([
  ['int8', -128n, 127n],
  ['int16', -32_768n, 32_767n],
  ['int32', -2_147_483_648n, 2_147_483_647n],
  ['int64', -9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
  ['uint8', 0n, 255n],
  ['uint16', 0n, 65_535n],
  ['uint32', 0n, 4_294_967_295n],
  ['uint64', 0n, 18_446_744_073_709_551_615n],
])('the format %s', (format, min, max) => {
  const article = format.startsWith('i') ? 'an' : 'a';
  const refused = [`format: expected ${article} ${format} integer`];
  const schema = { type: 'integer', format };

  it('allows its bounds and nothing outside them, as bigints', () => {
    for (const value of [min, min + 1n, 0n, max - 1n, max]) {
      expect([value, errorsOf(schema, value)]).toEqual([value, []]);
    }
    for (const value of [min - 1n, max + 1n]) {
      expect([value, errorsOf(schema, value)]).toEqual([value, refused]);
    }
  });

  it('allows its bounds and nothing outside them, as numbers', () => {
    // Above 2^53 the numbers next to a power of two are further away than 1.
    const step = Math.max(1, 2 ** (max.toString(2).length - 52));
    const [least, above] = [Number(min), Number(max + 1n)];
    for (const value of [least, above - step]) expect(errorsOf(schema, value)).toEqual([]);
    const below = least - Math.max(1, 2 ** (max.toString(2).length - 51));
    for (const value of [below, above, 0.5]) expect(errorsOf(schema, value)).toEqual(refused);
  });

  it('applies to numbers of a schema without type, and to nothing else', () => {
    expect(errorsOf({ format }, max + 1n)).toEqual(refused);
    for (const value of ['a', null, true, [], {}]) expect(errorsOf({ format }, value)).toEqual([]);
  });
});

describe.each([
  ['float', 3.4028234663852886e38, 3.402823466385289e38],
  ['double', Number.MAX_VALUE, 2n ** 1024n],
])('the format %s', (format, greatest, above) => {
  it('allows its greatest and least number and nothing beyond', () => {
    const schema = { type: 'number', format };
    for (const value of [greatest, -greatest, 0.5]) expect(errorsOf(schema, value)).toEqual([]);
    for (const value of [above, -above]) {
      expect(errorsOf(schema, value)).toEqual([`format: expected a ${format} number`]);
    }
  });
});

describe.each([
  ['minimum', '>=', (value: bigint, bound: bigint) => value >= bound],
  ['maximum', '<=', (value: bigint, bound: bigint) => value <= bound],
  ['exclusiveMinimum', '>', (value: bigint, bound: bigint) => value > bound],
  ['exclusiveMaximum', '<', (value: bigint, bound: bigint) => value < bound],
  ['multipleOf', 'multiple of', (value: bigint, bound: bigint) => value % bound === 0n],
] as const)('%s', (keyword, expectation, isMet) => {
  const around = (bound: bigint) => fc.bigInt({ min: -2n, max: 2n }).map((by) => bound + by);
  const pairs = fc
    .bigInt({ min: 1n, max: 2n ** 70n })
    .chain((bound) => fc.record({ bound: fc.constant(bound), value: around(bound) }));
  const expected = (value: bigint, bound: bigint, shown: bigint | number) =>
    isMet(value, bound) ? [] : [`${keyword}: expected to be ${expectation} ${shown}`];

  it('compares integers of any size', () => {
    fc.assert(
      fc.property(pairs, ({ bound, value }) => {
        const errors = errorsOf({ type: 'integer', [keyword]: bound }, value);
        expect(errors).toEqual(expected(value, bound, bound));
      }),
      { numRuns: 40 },
    );
  });

  it('compares a number with a bigint', () => {
    for (const [value, bound] of [
      [41, 42n],
      [42, 42n],
      [43, 42n],
    ] as const) {
      const found = errorsOf({ type: 'integer', [keyword]: bound }, value);
      expect(found).toEqual(expected(BigInt(value), bound, bound));
      const other = errorsOf({ type: 'integer', [keyword]: Number(bound) }, BigInt(value));
      expect(other).toEqual(expected(BigInt(value), bound, bound));
    }
  });

  it('is no error of a value that is no number', () => {
    expect(errorsOf({ [keyword]: 3 }, 'a')).toEqual([]);
    expect(errorsOf({ type: 'integer', [keyword]: 3 }, 0.5)).toEqual(['type: expected integer']);
  });
});

describe('multipleOf', () => {
  it.each([0, -1])('%d is invalid, and ignored', (multipleOf) => {
    expect(errorsOf({ type: 'integer', multipleOf }, 7)).toEqual([]);
  });
});

describe('types', () => {
  const values = {
    null: null,
    boolean: true,
    integer: 1,
    number: 0.5,
    string: '',
    array: [],
    object: {},
  };

  it.each(Object.entries(values))('%s accepts its values only', (type, own) => {
    for (const value of Object.values(values)) {
      const isOwn = value === own || (type === 'number' && value === 1);
      expect(errorsOf({ type }, value)).toEqual(isOwn ? [] : [`type: expected ${type}`]);
      const either = errorsOf({ type: [type, 'null'] }, value);
      expect(either).toEqual(isOwn || value === null ? [] : [expect.stringContaining(type)]);
    }
  });
});
