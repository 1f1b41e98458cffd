// Entity tags and their lists (RFC 9110, sections 8.8.3, 13.1.1 and 5.6.1).
import { describe, expect, it } from '@jest/globals';
import { codePoint } from '@stubwright/test-support/codePoint';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import {
  entityTagsOf,
  isEntityTag,
  isStrongMatch,
  isWeakMatch,
} from '../../src/conditional/conditions.ts';
import { etag } from '../../src/conditional.ts';

/** Quadratic time would take minutes, and exceed the time limit of the test. */
const LENGTH = 2 ** 20;
/** For a busy machine. */
const LIMIT_MS = 120_000;

describe('etag', () => {
  it.each([
    [7, '"7"'],
    [9007199254740993n, '"9007199254740993"'],
    ['2026-01-01 00:00:00+00', '"2026-01-01%2000:00:00+00"'],
    ['a"b%\n', '"a%22b%25%0A"'],
    ['é€', '"%C3%A9%E2%82%AC"'],
    ['', '""'],
  ])('%j is %s', (version, expected) => {
    expect(etag(version)).toBe(expected);
  });

  it('is weak on request', () => {
    expect(etag(7, { isWeak: true })).toBe('W/"7"');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, null, {}, '\ud800'])(
    'rejects %p',
    (version) => {
      expect(() => etag(version as never)).toThrow(/^etag: got .*, expected a version/);
    },
  );

  it('gives each version a tag of its own, which is an entity tag', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.string({ unit: codePoint }), (a, b) => {
        expect(isEntityTag(etag(a))).toBe(true);
        expect(etag(a) === etag(b)).toBe(a === b);
      }),
    );
  });
});

/** By RFC 9110, section 8.8.3.2. */
const COMPARISONS: readonly [string, string, boolean, boolean][] = [
  ['W/"1"', 'W/"1"', false, true],
  ['W/"1"', 'W/"2"', false, false],
  ['W/"1"', '"1"', false, true],
  ['"1"', '"1"', true, true],
];

it.each(COMPARISONS)('%s and %s: strong %p, weak %p', (a, b, strong, weak) => {
  expect([isStrongMatch(a, b), isWeakMatch(a, b)]).toEqual([strong, weak]);
  expect([isStrongMatch(b, a), isWeakMatch(b, a)]).toEqual([strong, weak]);
});

const character = fc
  .oneof(
    fc.constant(0x21),
    fc.integer({ min: 0x23, max: 0x7e }),
    fc.integer({ min: 0x80, max: 0xff }),
  )
  .map((code) => String.fromCharCode(code));
const tag = fc
  .tuple(fc.constantFrom('', 'W/'), fc.string({ unit: character }))
  .map(([weak, text]) => `${weak}"${text}"`);
const separator = fc.stringMatching(/^[ \t]{0,3}(?:,[ \t]{0,3}){1,3}$/);

describe('entityTagsOf', () => {
  it('reads each list of the grammar', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(tag, separator)), (pairs) => {
        const text = pairs.flat().join('');
        expect(entityTagsOf(text)).toEqual(pairs.map(([each]) => each));
        expect(entityTagsOf(`, ${text}`)).toEqual(pairs.map(([each]) => each));
      }),
    );
  });

  it('agrees with the regular expression of the grammar', () => {
    const TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
    const LIST = new RegExp(`^(?:\\*|(?:${TAG})?(?:[ \\t]*,[ \\t]*(?:${TAG})?)*)$`);
    const piece = fc.constantFrom(
      ...['"', 'W/', ',', ' ', '\t', '*', 'a', '""', '"a"', '\x7f', 'é', '€'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('').trim();
        expect(entityTagsOf(text) !== undefined).toBe(LIST.test(text));
      }),
      { numRuns: runs(5000) },
    );
  });

  it.each([
    ['tags', (n: number) => '"a",'.repeat(n)],
    ['commas', (n: number) => ','.repeat(n * 4)],
    ['spaces', (n: number) => `"a"${' '.repeat(n * 4)}x`],
    ['an open tag', (n: number) => `"${'a'.repeat(n * 4)}`],
    ['open tags', (n: number) => '"a" '.repeat(n)],
  ])(
    'takes time that is linear in %s',
    (_, text) => {
      entityTagsOf(text(LENGTH / 4));
    },
    LIMIT_MS,
  );
});
