// JSON Merge Patch (RFC 7396): the table of its appendix, a library as oracle, and hostile patches.
import { describe, expect, it } from '@jest/globals';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import library from 'json-merge-patch';
import { mergePatch, PatchWork } from '../../src/patch.ts';

/** RFC 7396, appendix A. */
const APPENDIX = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
] as const;

it.each(APPENDIX)('%s with %s is %s', (target, patch, expected) => {
  const [own, change] = [JSON.parse(target), JSON.parse(patch)];
  expect(JSON.stringify(mergePatch(own, change))).toBe(expected);
  expect([own, change]).toEqual([JSON.parse(target), JSON.parse(patch)]);
});

const value = fc.jsonValue({ maxDepth: 4 });
const plain = (each: unknown) => JSON.parse(JSON.stringify(each));
// A merge patch cannot set null.
const objectWithoutNull = fc.object({
  maxDepth: 3,
  values: [fc.string(), fc.integer(), fc.boolean(), fc.array(fc.integer())],
});
const withoutProto = (each: unknown) => !JSON.stringify(each).includes('__proto__');

describe('against json-merge-patch', () => {
  it('merges the same', () => {
    fc.assert(
      fc.property(value, value, (target, patch) => {
        fc.pre(withoutProto([target, patch]));
        const expected = library.apply(plain(target) as object, plain(patch) as object);
        expect(mergePatch(plain(target), plain(patch))).toEqual(expected);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('applies the difference of two documents', () => {
    fc.assert(
      fc.property(objectWithoutNull, objectWithoutNull, (from, to) => {
        fc.pre(withoutProto([from, to]));
        const [a, b] = [plain(from), plain(to)];
        const patch = library.generate(a, b) ?? {};
        expect(mergePatch(a, patch)).toEqual(b);
      }),
      { numRuns: runs(1000) },
    );
  });
});

it('shares nothing with the target or the patch', () => {
  const [target, patch] = [{ a: { b: [1] } }, { c: { d: [2] } }];
  const merged = mergePatch(target, patch) as { a: { b: number[] }; c: { d: number[] } };
  merged.a.b.push(3);
  merged.c.d.push(3);
  expect([target, patch]).toEqual([{ a: { b: [1] } }, { c: { d: [2] } }]);
});

it('keeps bigints, and the name __proto__ without changing a prototype', () => {
  const patch = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"p":1}}}');
  const merged = mergePatch({ n: 9007199254740993n }, patch) as Record<string, unknown>;
  expect(merged['n']).toBe(9007199254740993n);
  expect(Object.keys(merged)).toEqual(['n', '__proto__', 'constructor']);
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

it('keeps nulls on request', () => {
  expect(mergePatch({ a: 1, b: { c: 1 } }, { a: null, b: { c: null } }, 'keep')).toEqual({
    ...{ a: null, b: { c: null } },
  });
});

it('causes work that grows with the target and the patch', () => {
  const wide = (n: number) =>
    Object.fromEntries(Array.from({ length: n }, (_, at) => [`k${at + 10_000}`, { a: at }]));
  const workOf = (n: number) => {
    const work = new PatchWork();
    mergePatch(wide(n), wide(n), 'remove', work);
    return work.done;
  };
  expect(workOf(500)).toBeGreaterThan(500);
  expect(workOf(1000) / workOf(500)).toBeLessThan(2.1);
  expect(workOf(2000) / workOf(1000)).toBeLessThan(2.1);
});
