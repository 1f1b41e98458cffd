import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_DEPTH, parseJson, parseJsonText, stringifyJson } from '../../src/contract/json.ts';

describe('parseJson', () => {
  it.each<[string, unknown]>([
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807.0', 9223372036854775807n],
    ['9.223372036854775807e18', 9223372036854775807n],
    ['9223372036854775807000e-3', 9223372036854775807n],
    ['9007199254740992', 9007199254740992],
    ['1e2', 100],
    ['1.0', 1],
    ['10e-1', 1],
    ['0e99999', 0],
    ['6.02e23', 6.02e23],
    ['0.1', 0.1],
    ['1234567890123456789012', 1234567890123456789012n],
    ['"9007199254740993"', '9007199254740993'],
    ['{"a":[9007199254740993]}', { a: [9007199254740993n] }],
    ['"\\ud83c\\udf31"', '\u{1f331}'],
  ])('reads %s exactly', (text, value) => {
    expect(parseJsonText(text)).toEqual(value);
  });

  it.each(['0.99999999999999999999', '9007199254740992.5', '1e-400', '1e400', '-1e400'])(
    'refuses %s, which a double would turn into another integer',
    (text) => {
      expect(() => parseJsonText(text)).toThrow(expect.objectContaining({ error: 40001 }));
    },
  );

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

  it('takes a text nested as deep as the limit, and no deeper', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => parseJsonText(nested(MAX_DEPTH))).not.toThrow();
    expect(() => parseJsonText(nested(MAX_DEPTH + 1))).toThrow(/nested at most/);
  });

  it('counts no bracket inside a string', () => {
    const text = JSON.stringify(['['.repeat(1000), '\\"['.repeat(500), '\\']);
    expect(parseJsonText(text)).toEqual(JSON.parse(text));
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => parseJson(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toThrow(/UTF-8/);
  });
});
