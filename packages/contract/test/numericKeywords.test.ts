// The bounds of numbers: every keyword and every numeric format, on both sides of each bound.
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node } from '@stubwright/contract';
import { isTestAll, runs } from '@stubwright/test-support/testAll';
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

  /** By the digits of the texts, in units of the smaller decimal place. */
  function isMultiple(value: string, step: string): boolean {
    const [a, b] = [value, step].map((text) => {
      const [, sign, whole, fraction = '', exponent = '0'] =
        /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(text)!;
      return {
        units: BigInt(sign + whole! + fraction),
        exponent: Number(exponent) - fraction.length,
      };
    }) as [Decimal, Decimal];
    const least = Math.min(a.exponent, b.exponent);
    const inLeast = ({ units, exponent }: Decimal) => units * 10n ** BigInt(exponent - least);
    return inLeast(a) % inLeast(b) === 0n;
  }
  interface Decimal {
    readonly units: bigint;
    readonly exponent: number;
  }

  it.each([0.01, 0.05, 0.001, 0.25])('%d accepts its multiples of any amount', (multipleOf) => {
    const units = BigInt(Math.round(1000 * multipleOf));
    const step = isTestAll ? 997n : 9_973n;
    for (let at = 0n; at <= 10_000_000n; at += step) {
      const thousandths = at * units;
      const text = `${thousandths / 1000n}.${String(thousandths % 1000n).padStart(3, '0')}`;
      expect([text, errorsOf({ multipleOf }, Number(text))]).toEqual([text, []]);
    }
  });

  it.each([
    [
      0.01,
      [262_144.03, 1_234_567.89, 0.57, 0.58, 0.59, 19.99, -1.1, 8_000_000_000_000.01],
      [1e-12, 262_144.035, 0.575, 1.001, 0.1 + 0.2],
    ],
    [1e-7, [1e-7, 0.3, 123.4567891, 5e-7], [1.5e-7, 1e-8, 1e-300]],
    [1e-300, [1e-300, 5, 1e300], [1.5e-300]],
    [1.5, [3, 1.5e15, 3n * 2n ** 70n], [1, 1.25, 2n ** 70n]],
    [1e23, [1e23, 10n ** 23n, 0, -0], [1, 1e22, 10n ** 22n]],
    [0.1, [2n ** 70n, -0.3, 1.7976931348623157e308], [0.30000000000000004, 5e-324]],
  ])('%d accepts %p and rejects %p', (multipleOf, accepted, rejected) => {
    for (const value of accepted)
      expect([value, errorsOf({ multipleOf }, value)]).toEqual([value, []]);
    for (const value of rejected)
      expect([value, errorsOf({ multipleOf }, value)]).not.toEqual([value, []]);
  });

  it('compares decimal digits', () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }), fc.integer({ min: -30, max: 8 }))
      .map(([units, exponent]) => Number(`${units}e${exponent}`));
    const step = fc.oneof(
      decimal.map(Math.abs).filter((each) => each > 0),
      fc.constantFrom(0.01, 0.001, 0.05, 1e-7, 2.5, 3, 1e9),
    );
    const pair = fc.tuple(step, decimal, fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }));
    fc.assert(
      fc.property(pair, ([multipleOf, other, times]) => {
        for (const value of [other, Number(times) * multipleOf]) {
          const expected = isMultiple(String(value), String(multipleOf));
          expect([value, multipleOf, errorsOf({ multipleOf }, value).length === 0]).toEqual([
            value,
            multipleOf,
            expected,
          ]);
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});
