// The languages of patterns, against V8 on generated patterns and strings.
import { describe, expect, it } from '@jest/globals';
import { compilePattern, formats } from '@stubwright/contract';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import {
  FORMAT_PATTERNS,
  hasNoString,
  languageChange,
  lengthsOf,
  literalPattern,
  type StringSet,
  stringOutside,
} from '../src/schema/language.ts';

const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', '\\d', '\\W', '1', '🌱');
const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{2,}');
const { pattern } = fc.letrec<{ pattern: string; item: string }>((tie) => ({
  item: fc
    .tuple(
      fc.oneof(
        { maxDepth: 2 },
        { weight: 3, arbitrary: atom },
        { weight: 1, arbitrary: tie('pattern').map((inner) => `(?:${inner})`) },
      ),
      quantifier,
    )
    .map((parts) => parts.join('')),
  pattern: fc
    .array(fc.array(tie('item'), { maxLength: 3 }), { minLength: 1, maxLength: 2 })
    .map((alternatives) => alternatives.map((each) => each.join('')).join('|')),
}));
const lookahead = fc
  .tuple(fc.constantFrom('(?=', '(?!'), pattern, fc.constantFrom('', '$'))
  .map(([kind, inner, end]) => `${kind}${inner}${end})`);
const start = fc.oneof(
  fc.constantFrom('', '^'),
  fc.array(lookahead, { maxLength: 2 }).map((each) => `^${each.join('')}`),
);
/** Groups with edges of their own: `(?:^a$|b)`. */
const edged = fc
  .tuple(fc.constantFrom('', '^'), pattern, fc.constantFrom('', '$'), pattern)
  .map(([from, one, to, other]) => `(?:${from}(?:${one})${to}|${other})`);
const anchored = fc
  .tuple(start, fc.oneof({ weight: 3, arbitrary: pattern }, edged), fc.constantFrom('', '$'))
  .map((parts) => parts.join(''));
const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', '\n', '🌱'), maxLength: 6 });
const set = fc.record({
  patterns: fc.array(anchored, { maxLength: 2 }),
  min: fc.constantFrom(0, 0, 1, 2),
  max: fc.constantFrom(Number.POSITIVE_INFINITY, 3, 5),
});

function has({ patterns, min, max }: StringSet, value: string): boolean {
  const length = [...value].length;
  return (
    length >= min && length <= max && patterns.every((each) => compilePattern(each)!.test(value))
  );
}

describe('hasNoString', () => {
  it('holds for no string that matches the patterns and none of the excluded ones', () => {
    let proven = 0;
    const excluded = fc.array(anchored, { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(set, excluded, fc.array(text, { maxLength: 20 }), (own, others, values) => {
        if (!hasNoString(own, others)) return;
        proven++;
        const outside = (each: string) => others.every((one) => !compilePattern(one)!.test(each));
        expect(values.filter((each) => has(own, each) && outside(each))).toEqual([]);
      }),
      { numRuns: runs(1_000) },
    );
    expect(proven).toBeGreaterThan(runs(1_000) / 50);
  });

  it('holds for the constants of an enum only', () => {
    const own = { patterns: ['^(a|b[.])$'], min: 0, max: Number.POSITIVE_INFINITY };
    expect(hasNoString(own, ['a', 'b.'].map(literalPattern))).toBe(true);
    expect(hasNoString(own, ['a', 'b-'].map(literalPattern))).toBe(false);
    expect(hasNoString({ ...own, patterns: ['[]'] }, [])).toBe(true);
  });
});

describe('languageChange', () => {
  it('finds a string that only one set has, or there is none', () => {
    let decided = 0;
    fc.assert(
      fc.property(set, set, fc.array(text, { maxLength: 20 }), (before, after, values) => {
        const change = languageChange(before, after);
        if (change === undefined) return;
        decided++;
        for (const [value, own, other] of [
          [change.lost, before, after],
          [change.gained, after, before],
        ] as const) {
          if (value === undefined) {
            const found = values.find((each) => has(own, each) && !has(other, each));
            expect({ own, other, found }).toEqual({ own, other, found: undefined });
          } else {
            expect([own, value, has(own, value)]).toEqual([own, value, true]);
            expect([other, value, has(other, value)]).toEqual([other, value, false]);
          }
        }
      }),
      { numRuns: runs(1_000) },
    );
    expect(decided).toBeGreaterThan(runs(1_000) / 2);
  });

  it.each([
    ['^(a$|b)', '^a$|^b'],
    ['(?:^a|b)c', '^ac|bc'],
    ['^(a|b$)$', '^[ab]$'],
    ['(^(?:a$|b))', '^a$|^b'],
  ])('decides the edges of the groups of %s', (one, other) => {
    const all = { min: 0, max: Number.POSITIVE_INFINITY };
    const change = languageChange({ patterns: [one], ...all }, { patterns: [other], ...all });
    expect(change).toEqual({ lost: undefined, gained: undefined });
  });

  it.each([
    ['a back reference', '^(a+)\\1$'],
    ['lookahead in the middle', '^b(?=a).*$'],
    ['lookbehind', '(?<!a)b'],
    ['a word boundary', '\\ba'],
    ['too many states', '^.{1,9000}$'],
    ['states that grow exponentially', '(a|b)*a(a|b){30}'],
    ['another dialect', '^[[:alpha:]]+(?P<a>b)$'],
  ])('does not decide %s', (_, each) => {
    const all = { min: 0, max: Number.POSITIVE_INFINITY };
    expect(languageChange({ patterns: [each], ...all }, { patterns: ['^a$'], ...all })).toBe(
      undefined,
    );
  });
});

it('finds a string of many characters, to which many paths lead', () => {
  const label = (length: number) => ({
    ...{ patterns: [`^[a-z0-9]([-a-z0-9]{0,${length - 2}}[a-z0-9])?$`], min: 0, max: Infinity },
  });
  const { lost, gained } = languageChange(label(63), label(64))!;
  expect([lost, gained?.length]).toEqual([undefined, 64]);
});

describe('stringOutside', () => {
  it('is the shortest string of a pattern that the others do not match', () => {
    expect(stringOutside('^(id|x-)', ['^x-', '^id$'])).toMatch(/^id.$/su);
    expect(stringOutside('^(id$|x-)', ['^x-', '^id$'])).toBe(undefined);
    expect(stringOutside('^(a+)\\1$', ['^b'])).toBe(undefined);
  });
});

describe('lengthsOf', () => {
  it.each([
    ['^[a-z]{2,5}$', 2, 5],
    ['^a$|^bcd$', 1, 3],
    ['^a', 1, Number.POSITIVE_INFINITY],
    ['a', 1, Number.POSITIVE_INFINITY],
    ['^(ab)*$', 0, Number.POSITIVE_INFINITY],
    ['^🌱{2}$', 2, 2],
    ['', 0, Number.POSITIVE_INFINITY],
  ])('of %s: from %d to %d', (each, min, max) => {
    expect(lengthsOf(each)).toEqual({ min, max });
  });

  it('contain the length of each string that matches', () => {
    fc.assert(
      fc.property(anchored, text, (each, value) => {
        const lengths = lengthsOf(each);
        if (lengths === undefined || !compilePattern(each)!.test(value)) return;
        expect([...value].length).toBeGreaterThanOrEqual(lengths.min);
        expect([...value].length).toBeLessThanOrEqual(lengths.max);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('are unknown for a pattern without a match, and for one that is not decided', () => {
    expect(lengthsOf('[]')).toBe(undefined);
    expect(lengthsOf('^(a+)\\1$')).toBe(undefined);
  });
});

describe('the pattern of a format', () => {
  const VALID: Readonly<Record<string, string>> = {
    ...{
      uuid: '0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9',
      ipv4: '249.9.19.255',
      ipv6: '1:2::3:4.5.6.7',
    },
    ...{ date: '2024-12-31', 'date-time': '2024-02-29T23:59:59.5+01:30', time: '23:59:60Z' },
    ...{ hostname: 'a-1.example', email: 'a@b.example', duration: 'P1Y2M3DT4H5M6S' },
    ...{ 'json-pointer': '/a~0b/~1', 'relative-json-pointer': '10/a', uri: 'a+b:c' },
    ...{ byte: 'aB+/YQ==', base64url: 'aB-_YQ' },
  };

  /** Of a format whose pattern matches more: such a string. */
  const MATCHED_ONLY: Readonly<Record<string, string>> = {
    ...{ date: '2023-02-30', 'date-time': '2023-02-30T00:00:00Z', time: '12:00:60Z' },
    ...{ hostname: '-a', email: 'a..b@c', ipv6: '1:', uri: 'a:<' },
  };

  it.each(Object.entries(FORMAT_PATTERNS))('%s matches its strings', (format, rule) => {
    const valid = VALID[format]!;
    const shortened = Array.from(valid, (_, at) => valid.slice(0, at) + valid.slice(at + 1));
    const changed = Array.from(valid, (_, at) => `${valid.slice(0, at)}!${valid.slice(at)}`);
    for (const text of [valid, ...shortened, ...changed]) {
      const isValid = formats[format]!(text);
      const isMatched = compilePattern(rule.pattern)!.test(text);
      expect([text, isMatched]).toEqual([text, rule.isExact ? isValid : isMatched || isValid]);
    }
    expect(formats[format]!(valid)).toBe(true);
    const other = MATCHED_ONLY[format];
    expect(rule.isExact).toBe(other === undefined);
    if (other === undefined) return;
    const isMatched = compilePattern(rule.pattern)!.test(other);
    expect([isMatched, formats[format]!(other)]).toEqual([true, false]);
  });
});
