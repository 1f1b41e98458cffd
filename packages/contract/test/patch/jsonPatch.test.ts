// JSON Patch (RFC 6902): the official test suite, a library as oracle, hostile patches and their work.
import { createRequire } from 'node:module';
import { describe, expect, it, jest } from '@jest/globals';
import { codePoint } from '@stubwright/test-support/codePoint';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import fastJsonPatch from 'fast-json-patch';
import { Problem } from '../../src/errors/problem.ts';
import type { JsonPatchOperation } from '../../src/media/bodyTypes.ts';
import { jsonPatch, PatchWork } from '../../src/patch.ts';

interface SuiteCase {
  readonly comment?: string;
  readonly doc: unknown;
  readonly patch: JsonPatchOperation[];
  readonly expected?: unknown;
  readonly error?: string;
  readonly disabled?: boolean;
}

const require = createRequire(import.meta.url);
const suite = (name: string): SuiteCase[] => require(`json-patch-test-suite/${name}.json`);

/** @returns the patched document, or the status of the error */
function outcome(doc: unknown, patch: unknown): unknown {
  try {
    return { result: jsonPatch(doc, patch) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, number: error.number };
  }
}

describe.each(['tests', 'spec_tests'])('json-patch-test-suite, %s', (name) => {
  const cases = suite(name).filter(({ disabled, patch }) => disabled !== true && patch);
  it.each(cases.map((each, at) => [at, each.comment ?? JSON.stringify(each.patch), each] as const))(
    '%d: %s',
    (_at, _comment, { doc, patch, expected, error }) => {
      const before = structuredClone(doc);
      const got = outcome(doc, patch);
      if (error === undefined) expect(got).toEqual({ result: expected ?? expect.anything() });
      else expect(got).toEqual({ status: expect.any(Number), number: expect.any(Number) });
      expect(doc).toEqual(before);
    },
  );
  it('has cases', () => expect(cases.length).toBeGreaterThan(15));
});

const doc = () => ({ a: [1, 2, { b: 'c' }], n: 9007199254740993n, o: { x: 1 } });

describe('an operation that cannot be applied', () => {
  it.each<[JsonPatchOperation[] | unknown, number, unknown]>([
    [[{ op: 'test', path: '/o/x', value: 2 }], 40902, '/0: the test of /o/x is false'],
    [[{ op: 'test', path: '/o/y', value: 2 }], 40902, '/0: the test of /o/y is false'],
    [[{ op: 'remove', path: '/o/y' }], 42201, '/0/path: /o/y does not exist'],
    [[{ op: 'replace', path: '/a/3', value: 1 }], 42201, '/0/path: /a/3 does not exist'],
    [[{ op: 'add', path: '/a/4', value: 1 }], 42201, '/0/path: /a/4 does not exist'],
    [[{ op: 'add', path: '/a/01', value: 1 }], 42201, '/0/path: /a/01 does not exist'],
    [[{ op: 'add', path: '/a/length', value: 1 }], 42201, '/0/path: /a/length does not exist'],
    // fast-json-patch takes the empty name for the index 0, and allows leading zeros.
    [[{ op: 'add', path: '/a/', value: 1 }], 42201, '/0/path: /a/ does not exist'],
    [[{ op: 'remove', path: '/a/-' }], 42201, '/0/path: /a/- does not exist'],
    [[{ op: 'add', path: '/n/x', value: 1 }], 42201, '/0/path: /n/x does not exist'],
    [[{ op: 'remove', path: '' }], 42201, '/0/path: the document cannot be removed'],
    [
      Array.from({ length: 40 }, () => ({ op: 'copy', from: '/a', path: '/a/-' })),
      42201,
      expect.stringMatching(/^\/\d+: expected (?:fewer copies and moves|less nesting)$/),
    ],
    [[{ op: 'copy', from: '/q', path: '/r' }], 42201, '/0/from: /q does not exist'],
    [[{ op: 'move', from: '/o', path: '/o/x' }], 42201, '/0/path: /o/x is inside of /o'],
    [
      [{ op: 'add', path: '/__proto__/x', value: 1 }],
      42201,
      '/0/path: /__proto__/x does not exist',
    ],
    [
      [{ op: 'add', path: '/constructor/prototype/x', value: 1 }],
      42201,
      '/0/path: /constructor/prototype/x does not exist',
    ],
    [[{ op: 'add', path: 'o', value: 1 }], 40000, '/0/path expected a JSON pointer'],
    [[{ op: 'add', path: '/~2', value: 1 }], 40000, '/0/path expected a JSON pointer'],
    [[{ op: 'add', path: '/o' }], 40000, '/0/value is required'],
    [[{ op: 'copy', path: '/o' }], 40000, '/0/from expected a JSON pointer'],
    [
      [{ op: 'spam', path: '/o' }],
      40000,
      '/0/op expected add, remove, replace, move, copy or test',
    ],
    [
      [{ op: 'toString', path: '/o' }],
      40000,
      '/0/op expected add, remove, replace, move, copy or test',
    ],
    [[null], 40000, '/0 expected an operation'],
    [{}, 40000, 'expected an array of operations'],
  ])('%j is %d', (patch, number, message) => {
    let error: unknown;
    try {
      jsonPatch(doc(), patch);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({ number, message });
    const { pointer, expected } = (error as Problem).violations[0]!;
    expect((error as Error).message.startsWith(pointer)).toBe(true);
    // A client reads "expected" before it.
    expect(expected).not.toMatch(/^expected|does not exist|cannot|is inside|is false/);
  });

  it('leaves the document as it was, also after earlier operations', () => {
    const own = doc();
    const patch = [
      { op: 'add', path: '/a/0', value: 0 },
      { op: 'remove', path: '/o/x' },
      { op: 'test', path: '/n', value: 1 },
    ];
    expect(() => jsonPatch(own, patch)).toThrow(Problem);
    expect(own).toEqual(doc());
  });
});

describe('values', () => {
  it('are exact, and compared as numbers', () => {
    const ops = (value: unknown) => [{ op: 'test', path: '/n', value }];
    expect(() => jsonPatch({ n: 9007199254740993n }, ops(9007199254740992))).toThrow('is false');
    expect(() => jsonPatch({ n: 9007199254740993n }, ops(9007199254740993n))).not.toThrow();
    expect(() => jsonPatch({ n: 7n }, ops(7))).not.toThrow();
    expect(() => jsonPatch({ n: '7' }, ops(7))).toThrow('is false');
    expect(() => jsonPatch({ n: 0 }, ops(false))).toThrow('is false');
    expect(() => jsonPatch({ n: null }, ops(null))).not.toThrow();
  });

  it('may have the name __proto__, which changes no prototype', () => {
    const value = JSON.parse('{"__proto__":{"polluted":1}}');
    const result = jsonPatch({}, [
      { op: 'add', path: '/a', value },
      { op: 'add', path: '/__proto__', value: 1 },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'replace', path: '/b/__proto__/polluted', value: 2 },
    ]) as Record<string, unknown>;
    expect(JSON.stringify(result)).toBe(
      '{"a":{"__proto__":{"polluted":1}},"__proto__":1,"b":{"__proto__":{"polluted":2}}}',
    );
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('of a copy are not shared, and neither are those of the patch', () => {
    const patch = [
      { op: 'add', path: '/a', value: { x: 1 } },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'replace', path: '/b/x', value: 2 },
      { op: 'replace', path: '/a/x', value: 3 },
    ];
    const before = structuredClone(patch);
    expect(jsonPatch({}, patch)).toEqual({ a: { x: 3 }, b: { x: 2 } });
    expect(patch).toEqual(before);
  });
});

const json = fc.jsonValue({ maxDepth: 4, stringUnit: codePoint });
const withoutProto = (value: unknown) => !JSON.stringify(value).includes('__proto__');

describe('against fast-json-patch', () => {
  it('applies the difference of two documents', () => {
    fc.assert(
      fc.property(json, json, (from, to) => {
        fc.pre(withoutProto([from, to]) && typeof from === 'object' && from !== null);
        fc.pre(typeof to === 'object' && to !== null && Array.isArray(from) === Array.isArray(to));
        // Its documents and results are those of JSON, without -0.
        const [a, b] = [JSON.parse(JSON.stringify(from)), JSON.parse(JSON.stringify(to))];
        expect(jsonPatch(a, fastJsonPatch.compare(a, b))).toEqual(b);
      }),
      { numRuns: runs(1000) },
    );
  });

  const name = fc.constantFrom('a', 'b', 'c', '0', '1', '2', '-', 'a~1b');
  const path = fc
    .array(name, { maxLength: 3 })
    .map((names) => names.map((each) => `/${each}`).join(''));
  const leaf = fc.constantFrom<unknown>(1, 'x', null, [], {}, [1, [2]], { a: { b: [] } }, [
    { c: 1 },
  ]);
  const operation = fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path, value: leaf }),
    fc.record({ op: fc.constant('remove'), path }),
    fc.record({ op: fc.constantFrom('move', 'copy'), from: path, path }),
  );
  const start = fc.constantFrom<unknown>(
    { a: [1, 2, 3], b: { a: 1, c: [] }, 'a/b': 2, '': { '': 1 } },
    [[1], { a: 1 }, 'x'],
  );

  it('applies or rejects the same operations', () => {
    let [applied, rejected] = [0, 0];
    fc.assert(
      fc.property(start, fc.array(operation, { maxLength: 4 }), (document, patch) => {
        let expected: unknown;
        try {
          const copy = structuredClone(patch) as never;
          expected = fastJsonPatch.applyPatch(structuredClone(document), copy, true).newDocument;
        } catch {
          expected = 'rejected';
        }
        let got: unknown;
        try {
          got = jsonPatch(document, patch);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          got = 'rejected';
        }
        if (differsKnowingly(patch)) return;
        if (got === 'rejected') rejected++;
        else applied++;
        expect(got).toEqual(expected);
      }),
      { numRuns: runs(5000) },
    );
    expect(Math.min(applied, rejected)).toBeGreaterThan(runs(500));
  });
});

/**
 * fast-json-patch removes, replaces and moves the whole document, moves a value into itself, and resolves
 * `-` of other operations.
 */
function differsKnowingly(patch: readonly object[]): boolean {
  return patch.some((each) => {
    const { op, path, from = '/a' } = each as Record<string, string>;
    const isWhole = (path === '' && op !== 'test') || from === '';
    const isInside = op === 'move' && path!.startsWith(`${from}/`);
    return (
      isWhole ||
      isInside ||
      (/\/-/.test(path!) && op !== 'add') ||
      /\/-/.test(from) ||
      /\/-\//.test(path!)
    );
  });
}

/**
 * The items that insertions and removals shift, the names that are enumerated and those that are looked up,
 * counted where the engine does it.
 */
function stepsOf(run: () => void) {
  const steps = { shifted: 0, names: 0, lookups: 0 };
  const { splice } = Array.prototype;
  const { keys, hasOwn } = Object;
  const spies = [
    jest.spyOn(Array.prototype, 'splice').mockImplementation(function (
      this: unknown[],
      ...args: Parameters<typeof splice>
    ) {
      steps.shifted += this.length - args[0];
      return splice.apply(this, args);
    }),
    jest.spyOn(Object, 'keys').mockImplementation((value: object) => {
      const names = keys(value);
      steps.names += names.length;
      return names;
    }),
    jest.spyOn(Object, 'hasOwn').mockImplementation((value, name) => {
      steps.lookups++;
      return hasOwn(value, name);
    }),
  ];
  try {
    run();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return steps;
}

describe('a hostile patch', () => {
  /** The nodes and characters that a patch may copy, and 16 items that it may move for each. */
  const MAX_REPEATED = 2_000_000;
  /** Doubles the document with each operation. */
  const doubling = (n: number) =>
    Array.from({ length: n }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
  const copies = (n: number) =>
    Array.from({ length: n }, (_, at) => ({ op: 'copy', from: '/text', path: `/b/${at}` }));
  const fronts = (n: number) =>
    Array.from({ length: n }, () => ({ op: 'add', path: '/a/0', value: 1 }));
  const moves = (n: number) =>
    Array.from({ length: n }, () => ({ op: 'move', from: '/a/0', path: '/a/-' }));
  const tests = (n: number) =>
    Array.from({ length: n }, () => ({ op: 'test', path: '/o', value: { z: 1 } }));

  it.each([
    ['doubles the document', { a: [1] }, doubling(64)],
    ['copies a long text', { text: 'x'.repeat(100_000), b: [] }, copies(1000)],
    ['inserts at the front of a long array', { a: new Array(500_000).fill(1) }, fronts(30_000)],
    ['moves within a long array', { a: new Array(500_000).fill(1) }, moves(30_000)],
  ])('that %s is a 422 before it causes much work', (_name, document, patch) => {
    const unpatched = new PatchWork();
    jsonPatch(document, [], unpatched);
    const work = new PatchWork();
    const { shifted } = stepsOf(() => {
      expect(() => jsonPatch(document, patch, work)).toThrow(
        expect.objectContaining({ status: 422, number: 42201 }),
      );
    });
    // Beside the copies: four units for each operation and its value, and a last step beyond the limit.
    const most = unpatched.done + MAX_REPEATED + 8 * patch.length + 100_001;
    expect(work.done).toBeLessThanOrEqual(most);
    expect(shifted).toBeLessThanOrEqual(16 * MAX_REPEATED + 500_000);
  });

  it('that tests a large object compares no more than its value has', () => {
    const o = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, 1]));
    const same = { op: 'test', path: '/o', value: o };
    expect(outcome({ o }, [same, same])).toEqual({ result: { o } });
    const [none, once, twice] = [0, 1, 2].map((count) =>
      stepsOf(() => void jsonPatch({ o }, Array(count).fill(same))),
    );
    let refused: unknown;
    const unequal = stepsOf(() => {
      refused = outcome({ o }, tests(1));
    });
    expect(refused).toEqual({ status: 409, number: 40902 });
    expect(unequal.names - none!.names).toBeLessThan(10);
    expect(unequal.lookups - none!.lookups).toBeLessThan(10);
    // The names of the value as it arrives, of its copy and of the document.
    expect(once!.names - none!.names).toBeLessThanOrEqual(3 * 50_000 + 10);
    expect(once!.lookups - none!.lookups).toBeLessThanOrEqual(50_000 + 10);
    expect(twice!.names - none!.names).toBeLessThanOrEqual(6 * 50_000 + 20);
    expect(twice!.lookups - none!.lookups).toBeLessThanOrEqual(100_000 + 20);
  });

  it('that nests without end is a 422, and not an overflow of the stack', () => {
    const ops = Array.from({ length: 20_000 }, () => [
      { op: 'add', path: '/z', value: {} },
      { op: 'move', from: '/y', path: '/z/y' },
      { op: 'move', from: '/z', path: '/y' },
    ]).flat();
    expect(outcome({ y: 1 }, ops)).toEqual({ status: 422, number: 42201 });
    const whole = Array.from({ length: 20_000 }, () => ({ op: 'copy', from: '', path: '/a' }));
    expect(outcome({ a: 1 }, whole)).toEqual({ status: 422, number: 42201 });
  });

  it.each([
    [
      'adds',
      (n: number) =>
        Array.from({ length: n }, (_, at) => ({ op: 'add', path: `/o/k${at}`, value: [at] })),
    ],
    [
      'appends',
      (n: number) => Array.from({ length: n }, () => ({ op: 'add', path: '/a/-', value: 'x' })),
    ],
    [
      'copies',
      (n: number) => Array.from({ length: n }, () => ({ op: 'copy', from: '/s', path: '/a/-' })),
    ],
    [
      'tests',
      (n: number) =>
        Array.from({ length: n }, () => ({ op: 'test', path: '/s', value: { x: [1] } })),
    ],
    ['long paths', (n: number) => [{ op: 'test', path: '/k'.repeat(n), value: 1 }]],
    [
      'one value',
      (n: number) => [{ op: 'add', path: '/v', value: Array.from({ length: n }, () => [1]) }],
    ],
  ])('whose %s grow causes work that grows as much', (_name, patchOf) => {
    const workOf = (n: number) => {
      const work = new PatchWork();
      try {
        jsonPatch({ o: {}, a: [], s: { x: [1] } }, patchOf(n), work);
      } catch (error) {
        expect(error).toMatchObject({ status: 409 });
      }
      return work.done;
    };
    const [one, two, four] = [workOf(500), workOf(1000), workOf(2000)];
    expect(one).toBeGreaterThan(500 / 8);
    expect(two! / one!).toBeLessThan(2.1);
    expect(four! / two!).toBeLessThan(2.1);
  });
});
