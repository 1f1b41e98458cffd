// The lines of YAML that a change replaces.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { excerptOf, yamlLines } from '../src/report/excerpt.ts';
import type { Change } from '../src/rules/rules.ts';

const excerpt = (before: object, after: object, was: string, is = was) =>
  excerptOf({ before: was, after: is } as Change, { before, after });

const isChanged = (line: string) => /^[-+]/.test(line);

/** @returns the length of the longest common subsequence */
function longestCommon(one: readonly string[], other: readonly string[]): number {
  const [[first, ...rest], [otherFirst, ...otherRest]] = [one, other];
  if (first === undefined || otherFirst === undefined) return 0;
  if (first === otherFirst) return 1 + longestCommon(rest, otherRest);
  return Math.max(longestCommon(rest, other), longestCommon(one, otherRest));
}

describe('the lines of a change', () => {
  it('are those of a keyword', () => {
    expect(excerpt({ a: { maximum: 1 } }, { a: { maximum: 2 } }, '/a/maximum')).toEqual([
      '- maximum: 1',
      '+ maximum: 2',
    ]);
  });

  it('are those of a list that differ, below its keyword', () => {
    expect(excerpt({ enum: ['a', 'b', 'c'] }, { enum: ['a', 'c', 'd'] }, '/enum')).toEqual([
      '  enum:',
      '-   - b',
      '+   - d',
    ]);
  });

  it('are removed or added if the other contract has only the container', () => {
    const tag = { properties: { tag: { type: 'string' } } };
    const none = { properties: {} };
    expect(excerpt(tag, none, '/properties/tag', '/properties')).toEqual([
      '- tag:',
      '-   type: string',
    ]);
    expect(excerpt(none, tag, '/properties', '/properties/tag')).toEqual([
      '+ tag:',
      '+   type: string',
    ]);
  });

  it('are at most ten, of both sides', () => {
    const list = (start: number) => ({ enum: Array.from({ length: 40 }, (_, at) => start + at) });
    const lines = excerpt(list(0), list(100), '/enum');
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe('… 72 more lines');
    expect(lines.filter((line) => line.startsWith('-'))).toHaveLength(4);
    expect(lines.filter((line) => line.startsWith('+'))).toHaveLength(4);
  });

  it('leave the longest common subsequence out', () => {
    const items = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(items, items, (was, is) => {
        const common = longestCommon(was, is);
        const changed = excerpt({ enum: was }, { enum: is }, '/enum').filter(isChanged);
        expect(changed.filter((line) => line.startsWith('-'))).toHaveLength(was.length - common);
        expect(changed.filter((line) => line.startsWith('+'))).toHaveLength(is.length - common);
      }),
    );
  });

  it('are none for equal values and for pointers that lead nowhere', () => {
    expect(excerpt({ a: 1 }, { a: 1 }, '/a')).toEqual([]);
    expect(excerpt({}, {}, '/a/b')).toEqual([]);
  });
});

describe('a value as lines of YAML', () => {
  it('is read as the same value', () => {
    const value = fc.object({ maxDepth: 4, values: [fc.string(), fc.integer(), fc.boolean()] });
    fc.assert(
      fc.property(value, (written) => {
        fc.pre(Object.keys(written).length > 0);
        const text = yamlLines(written, 10_000).join('\n');
        expect(parse(text)).toEqual(parse(JSON.stringify(written)));
      }),
    );
  });

  it('has at most so many lines', () => {
    expect(yamlLines({ a: { b: { c: 1, d: 2 } } }, 3)).toEqual(['a:', '  b:', '    c: 1']);
  });
});
