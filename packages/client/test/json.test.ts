// JSON with exact integers, on runtimes with and without source text in JSON.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Exact, exactNumber, fromJson, parse, stringify, toJson } from '../src/json.ts';
import { either, type ValueSchema } from '../src/schema.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** A value, and where it has integers of 64 bits. */
interface Case {
  readonly value: unknown;
  readonly exact: Exact;
}

/** JSON has no -0 after JSON.stringify; its digits of other integers may be none of a double. */
const json = fc
  .jsonValue()
  .map((value) =>
    JSON.parse(JSON.stringify(value), (_, each) =>
      Number.isInteger(each) && !Number.isSafeInteger(each) ? 0.5 : each,
    ),
  );
const name = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'a'));

const { case: cases } = fc.letrec<{ case: Case }>((tie) => ({
  case: fc.oneof(
    { maxDepth: 3 },
    int64.map((value) => ({ value, exact: 1 as const })),
    fc.array(int64).map((value) => ({ value, exact: { items: 1 as const } })),
    fc.tuple(int64, json, int64).map(([first, other, last]) => ({
      value: [first, other, last],
      exact: { first: [1, 0], items: 1 } as Exact,
    })),
    fc.dictionary(name, int64).map((value) => ({ value, exact: { others: 1 as const } })),
    fc.dictionary(name, tie('case')).map((members) => ({
      value: objectOf(members, ({ value }) => value),
      exact: { properties: objectOf(members, ({ exact }) => exact) },
    })),
    fc.tuple(tie('case'), json).map(([inner, other]) => ({
      value: { in64: inner.value, other },
      exact: { patterns: [[/64$/u, inner.exact] as const] },
    })),
    fc.tuple(int64, int64).map(([left, right]) => ({
      value: { left, right },
      exact: [{ properties: { left: 1 } }, () => ({ properties: { right: 1 } })] as Exact[],
    })),
  ),
}));

function objectOf<In, Out>(members: Record<string, In>, map: (member: In) => Out) {
  return Object.fromEntries(Object.entries(members).map(([key, each]) => [key, map(each)]));
}

const { parse: originalParse, rawJSON } = JSON;

/** As browsers before 2024. */
function withoutSourceText(): void {
  JSON.parse = ((text: string, reviver?: (key: string, value: unknown) => unknown) =>
    originalParse(text, reviver && ((key, value) => reviver(key, value)))) as typeof JSON.parse;
  Reflect.deleteProperty(JSON, 'rawJSON');
}

/** Describes JSON on both runtimes. */
function describeJson(name: string, tests: () => void): void {
  describe.each(['with', 'without'])(`${name} %s source text`, (runtime) => {
    beforeEach(() => {
      if (runtime === 'without') withoutSourceText();
    });
    afterEach(() => {
      JSON.parse = originalParse;
      JSON.rawJSON = rawJSON;
    });
    tests();
  });
}

describeJson('JSON', () => {
  it('returns every int64 as it was sent, at any depth', () => {
    fc.assert(
      fc.property(cases, json, ({ value, exact }, other) => {
        const text = toJson({ value, other });
        expect(fromJson(text, { properties: { value: exact } })).toEqual({
          value,
          other,
        });
      }),
    );
  });

  it('serializes as JSON.stringify does', () => {
    const values = [
      { at: new Date(0), none: undefined, list: [undefined, () => 1, null], '"': '\ud800' },
      [1n, { big: -(2n ** 63n) }, Number.NaN, -0],
      { toJSON: (key: string) => `key ${key}` },
    ];
    expect(values.map(toJson)).toEqual([
      '{"at":"1970-01-01T00:00:00.000Z","list":[null,null,null],"\\"":"\\ud800"}',
      '[1,{"big":-9223372036854775808},null,0]',
      '"key "',
    ]);
  });

  it.each([
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808.000', -9223372036854775808n],
    ['900719925474099300e-2', 9007199254740993n],
    ['9.007199254740993E+15', 9007199254740993n],
    ['1.0', 1n],
    ['1e2', 100n],
    ['1.5', 1.5],
    ['null', null],
    ['"9007199254740993"', '9007199254740993'],
  ])('reads %s', (text, value) => {
    expect(fromJson(`{"id": ${text}}`, { properties: { id: 1 } })).toEqual({ id: value });
  });

  it('keeps untyped integers too, fractions as doubles, and strings that look like numbers', () => {
    const text =
      '{"id":9007199254740993,"n":9007199254740993,"f":9007199254740993.5,"s":"#9007199254740993 \\" 1e99"}';
    expect(fromJson(text, { properties: { id: 1 } })).toEqual({
      id: 9007199254740993n,
      n: 9007199254740993n,
      f: 9007199254740994,
      s: '#9007199254740993 " 1e99',
    });
  });

  it('reads an escaped quote before a number, and a name that looks like one', () => {
    const text = '{"a\\"\\\\":9007199254740993,"1" : {"s":"\\"5\\\\"},"9007199254740993":"sn"}';
    expect(fromJson(text, { others: 1 })).toEqual({
      ...{ 'a"\\': 9007199254740993n, 1: { s: '"5\\' }, '9007199254740993': 'sn' },
    });
  });

  it('ignores the toJSON that a page gives bigints', () => {
    Object.assign(BigInt.prototype, { toJSON: () => 'text' });
    expect([toJson({ id: 5n }), stringify([5n])]).toEqual(['{"id":5}', '[5e0]']);
    Reflect.deleteProperty(BigInt.prototype, 'toJSON');
  });

  it('throws a SyntaxError for invalid JSON', () => {
    expect(() => fromJson('{"id":', { properties: { id: 1 } })).toThrow(SyntaxError);
  });
});

describeJson('exact JSON', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const leaf = fc.oneof(
    ...[fc.bigInt(), int64, number, fc.integer(), fc.string(), fc.boolean(), fc.constant(null)],
    fc.constantFrom(2n ** 53n, 2 ** 53, 2 ** 53 + 2, 1e21, 1.5e300, -0, 0n, 123456789012345680000n),
    fc.constantFrom('5e0', '"', '\\', 's', '1', '\ud800'),
  );
  const { value: values } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('value')),
      fc.dictionary(name, tie('value')),
    ),
  }));

  it('returns every value with bigints as it was', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(parse(stringify(value))).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['{"id":9007199254740993}', { id: 9007199254740993n }],
    ['{"id":1e0,"limit":20}', { id: 1n, limit: 20 }],
    ['[9007199254740992,9007199254740992e0]', [2 ** 53, 2n ** 53n]],
    ['[-0,1.5,1e+21]', [-0, 1.5, 1e21]],
    ['"1e0"', '1e0'],
  ])('writes and reads %s', (text, value) => {
    expect(stringify(value)).toBe(text);
    expect(parse(text)).toEqual(value);
  });

  it.each([
    ['12345678901234567890', 12345678901234567890n],
    ['[1.0, 1E2, 10e-1]', [1, 100, 1]],
  ])('reads %s', (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  it('throws a TypeError for a number that is not finite, and a SyntaxError for invalid JSON', () => {
    expect(() => stringify({ a: Number.NaN })).toThrow(
      new TypeError('expected a finite number, got NaN'),
    );
    for (const text of ['01', '[1,]', '-', '1e0e0', '']) {
      expect(() => parse(text)).toThrow(SyntaxError);
    }
  });
});

it('takes linear time for a number with many digits', () => {
  const long = `1${'0'.repeat(100_000)}`;
  expect(exactNumber(`0.${'0'.repeat(100_000)}1`, 0)).toBe(0);
  expect(exactNumber(long, Number(long))).toBe(Number.POSITIVE_INFINITY);
});

describe.each(['anyOf', 'oneOf'])('nested alternatives of %s', (keyword) => {
  /** @returns how often a value was tested against one of the alternatives, and the value */
  function readNested(depth: number) {
    let count = 0;
    const node: ValueSchema = () => ({ [keyword]: [left, right] });
    const tested = (required: string): ValueSchema => {
      const schema = { required: [required], properties: { child: node } };
      return {
        get type() {
          count++;
          return 'object';
        },
        ...schema,
      };
    };
    const [left, right]: [ValueSchema, ValueSchema] = [tested('a'), tested('b')];
    const exact = either(
      [left, { properties: { a: 1, child: () => exact } }],
      [right, { properties: { b: 1, child: () => exact } }],
    );
    let text = '{"a":9007199254740993}';
    for (let at = 0; at < depth; at++) text = `{"a":9007199254740993,"b":1,"child":${text}}`;
    return { value: fromJson(text, exact), count };
  }

  it('are tested in linear time', () => {
    const [once, twice, fourTimes] = [20, 40, 80].map((depth) => readNested(depth).count);
    expect(once).toBeGreaterThan(20);
    expect(fourTimes! - twice!).toBeLessThanOrEqual(2.5 * (twice! - once!));
  });

  it('have exact integers', () => {
    expect(readNested(0).value).toEqual({ a: 9007199254740993n });
    const outer = { a: 9007199254740993n, b: 1n, child: { a: 9007199254740993n } };
    expect(readNested(1).value).toEqual(outer);
  });
});
