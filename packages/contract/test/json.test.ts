import { describe, expect, it } from '@jest/globals';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import {
  MAX_DEPTH,
  parseJsonBody,
  parseJsonText,
  stringifyJson,
  toText,
} from '../src/json/json.ts';

const token = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', ' ', '"a"', '"b":', '"\\u0061"', '\\', '"', '0', '1', '-', '.'],
  ...['e', '1e5', '0.5', '9007199254740993', '9007199254740992', '1e16', 'true', 'null', '7'],
);

describe('parseJsonBody', () => {
  const outcomeOf = (parse: () => unknown) => {
    try {
      return { value: parse() };
    } catch (error) {
      return { message: (error as Error).message };
    }
  };
  const expectSame = (text: string) => {
    expect(outcomeOf(() => parseJsonBody(Buffer.from(text), text))).toEqual(
      outcomeOf(() => parseJsonText(text)),
    );
  };

  it('has the result of parseJsonText for tokens in any order', () => {
    const tokens = fc.array(fc.oneof(token, fc.constantFrom('E', '"é🌱"', 'false', '+')));
    fc.assert(
      fc.property(tokens, (all) => expectSame(all.join(''))),
      { numRuns: runs(5_000) },
    );
  });

  it('has the result of parseJsonText for JSON', () => {
    const number = fc
      .tuple(fc.bigInt(-(10n ** 18n), 10n ** 18n), fc.constantFrom('', '.0', '.25', 'e1', 'E-3'))
      .map(([digits, rest]) => `${digits}${rest}`);
    const { json } = fc.letrec<{ json: string }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        number,
        fc.oneof(fc.string(), fc.constantFrom('a:b', 'e1')).map((text) => JSON.stringify(text)),
        fc.array(tie('json'), { maxLength: 3 }).map((items) => `[${items}]`),
        fc
          .array(fc.tuple(fc.constantFrom('"a"', '"b"', '"\\u0061"'), tie('json')), {
            maxLength: 3,
          })
          .map((members) => `{${members.map((each) => each.join(': '))}}`),
      ),
    }));
    fc.assert(fc.property(json, expectSame), { numRuns: runs(2_000) });
  });

  it.each([MAX_DEPTH, MAX_DEPTH + 1])('limits the nesting at %d', (depth) => {
    expectSame('['.repeat(depth) + ']'.repeat(depth));
    expectSame('[[]]'.repeat(depth));
  });
});

describe('parseJsonText', () => {
  it.each<[string, unknown]>([
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807.0', 9223372036854775807n],
    ['9.223372036854775807e18', 9223372036854775807n],
    ['9007199254740992', 9007199254740992],
    ['0e99999', 0],
    ['"9007199254740993"', '9007199254740993'],
    ['{"a":[9007199254740993]}', { a: [9007199254740993n] }],
    ['"\\ud83c\\udf31"', '\u{1f331}'],
  ])('reads %s exactly', (text, value) => {
    expect(parseJsonText(text)).toEqual(value);
  });

  it.each(['0.99999999999999999999', '9007199254740992.5', '1e-400', '1e400', '-1e400'])(
    'refuses %s, which a double would turn into another integer',
    (text) => {
      expect(() => parseJsonText(text)).toThrow(expect.objectContaining({ number: 40001 }));
    },
  );

  it.each([
    ['{"a":1,"a":1}'],
    ['{"a":1,"\\u0061":2}'],
    ['[{"b":{"a":1,"a":[]}}]'],
    ['{"a":{"x":1,"y":2},"a":0}'],
    ['{"__proto__":1,"__proto__":2}'],
    ['{"7":1,"b":2,"7":3}'],
    ['{"a":9007199254740993,"a":9007199254740993}'],
  ])('refuses %s, which has duplicate keys', (text) => {
    expect(() => parseJsonText(text)).toThrow(
      expect.objectContaining({ number: 40001, message: expect.stringMatching(/duplicate keys/) }),
    );
  });

  it.each([
    ['{"a":{"a":1},"b":{"a":1}}'],
    ['[{"a":1},{"a":1}]'],
    ['{"a":":","b":"\\":","c":"a"}'],
    ['{"__proto__":1,"constructor":2,"2":3,"1":4}'],
  ])('takes %s, whose objects have each key once', (text) => {
    expect(stringifyJson(parseJsonText(text))).toBe(stringifyJson(JSON.parse(text)));
  });

  it.each([
    ['"\\ud800"', false],
    ['"\\udc00"', false],
    ['"\\uD800\\uD800"', false],
    ['"\\ud800x\\udc00"', false],
    ['{"\\ud800":1}', false],
    ['"\\n\\ud800"', false],
    ['["a\\\\","\\udfff"]', false],
    ['"\\uD83C\\uDF31"', true],
    ['"\\\\ud800"', true],
    ['"\\ud7ff\\ue000\\u0041"', true],
    ['["\\"","\\ud83c\\udf31","\\\\"]', true],
  ])('of strings without a lone surrogate only: %s is %s', (text, isTaken) => {
    if (isTaken) expect(parseJsonText(text)).toEqual(JSON.parse(text));
    else expect(() => parseJsonText(text)).toThrow(/lone surrogate/);
  });

  it.each([
    '{9007199254740993:1}',
    '{9007199254740993 :1}',
    '[09007199254740993]',
    '[-09007199254740993]',
    '[9007199254740993.]',
    '[9007199254740993e]',
    '[1e+]',
    '[1.e17]',
    '[--9007199254740993]',
    '[9007199254740993"a"]',
  ])('refuses %s, which is not JSON', (text) => {
    expect(() => parseJsonText(text)).toThrow(expect.objectContaining({ number: 40001 }));
  });

  it('accepts the same strings as JSON.parse, except for duplicate keys', () => {
    const errorOf = (parse: (text: string) => unknown, text: string) => {
      try {
        parse(text);
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
        const text = tokens.join('');
        const own = errorOf(parseJsonText, text);
        if (own === undefined) expect(() => JSON.parse(text)).not.toThrow();
        if (errorOf(JSON.parse, text) === undefined) {
          expect(own ?? 'duplicate keys').toMatch(/duplicate keys|digits|rounding/);
        }
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('parses every number exactly, or rejects it', () => {
    const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`));
    const whole = fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,21}$/));
    const number = fc.tuple(
      fc.constantFrom('', '-'),
      whole,
      fc.option(digits(22), { nil: '' }),
      fc.option(fc.integer({ min: -340, max: 320 }), { nil: 0 }),
    );
    fc.assert(
      fc.property(number, fc.constantFrom('e', 'E'), ([sign, integer, fraction, exponent], e) => {
        const text = [
          sign + integer,
          fraction === '' ? '' : `.${fraction}`,
          exponent === 0 ? '' : e + exponent,
        ].join('');
        const value = expectedNumber(BigInt(integer + fraction), fraction.length - exponent, text);
        if (value === undefined) expect(() => parseJsonText(`[${text}]`)).toThrow();
        else expect(parseJsonText(`[${text}]`)).toEqual([value]);
      }),
      { numRuns: runs(5_000) },
    );
  });

  /** @param places how many digits of the mantissa are decimal places; undefined: refused */
  function expectedNumber(mantissa: bigint, places: number, text: string) {
    const double = Number(text);
    if (!Number.isFinite(double)) return undefined;
    const scale = 10n ** BigInt(Math.abs(places));
    const isInteger = places <= 0 || mantissa % scale === 0n;
    if (!isInteger) return Number.isInteger(double) ? undefined : double;
    const absolute = places <= 0 ? mantissa * scale : mantissa / scale;
    const exact = text.startsWith('-') ? -absolute : absolute;
    const isFloat = /[.e]/i.test(text);
    return BigInt(double) === exact || (isFloat && absolute >= 2n ** 64n) ? double : exact;
  }

  it('agrees with JSON.parse wherever a double is exact', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const isSmall = !/\d(?:\.?\d){15}|e/i.test(text);
        fc.pre(isSmall);
        expect(parseJsonText(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('reads every bigint that stringifyJson writes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (value) => {
        expect(BigInt(parseJsonText(stringifyJson(value)) as bigint)).toBe(value);
      }),
    );
  });

  it('accepts nesting up to the limit', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => parseJsonText(nested(MAX_DEPTH))).not.toThrow();
    expect(() => parseJsonText(nested(MAX_DEPTH + 1))).toThrow(/nested at most/);
  });

  it('does not count brackets in strings', () => {
    const text = JSON.stringify(['['.repeat(1000), '\\"['.repeat(500), '\\']);
    expect(parseJsonText(text)).toEqual(JSON.parse(text));
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => toText(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toThrow(/UTF-8/);
  });
});
