// Dates and integers of 64 bits as other types: to the service, back, and values that are neither.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Conversion, Converter } from '../src/conversion.ts';
import {
  dateAsDate,
  dateTimeAsDate,
  int64AsNumber,
  int64AsString,
  isFullDate,
  selecting,
} from '../src/conversions.ts';
import { conditional, type Exact } from '../src/index.ts';
import { fromJson, toJson } from '../src/json.ts';

const years = { min: new Date('0000-01-01'), max: new Date('9999-12-31T23:59:59.999Z') };
const dates = fc.date({ ...years, noInvalidDate: true });
const midnights = dates.map((each) => new Date(each.toJSON().slice(0, 10)));
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

interface Case {
  readonly value: unknown;
  readonly exact: Exact;
}

const leaf = (values: fc.Arbitrary<unknown>, exact: Exact): fc.Arbitrary<Case> =>
  values.map((value) => ({ value, exact }));
const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'to/JSON~');
const date = { type: 'string', allOf: [isFullDate] } as const;
const big = { type: 'integer' } as const;

function nested(leaves: readonly fc.Arbitrary<Case>[]): fc.Arbitrary<Case> {
  return fc.letrec<{ case: Case }>((tie) => ({
    case: fc.oneof(
      { maxDepth: 4 },
      ...leaves,
      fc.array(tie('case'), { maxLength: 3 }).map((all) => ({
        value: all.map(({ value }) => value),
        exact: { first: all.map(({ exact }) => exact) },
      })),
      fc.dictionary(name, tie('case')).map((members) => {
        const map = <Out>(of: (each: Case) => Out) =>
          Object.fromEntries(Object.entries(members).map(([key, each]) => [key, of(each)]));
        return {
          value: map(({ value }) => value),
          exact: { properties: map(({ exact }) => exact) },
        };
      }),
      fc.tuple(tie('case'), fc.boolean()).map(([{ value, exact }, isOne]) => {
        const schema = (kind: string) => ({ properties: { kind: { enum: [kind] } } });
        const own = { properties: { inner: exact } };
        return {
          value: { kind: isOne ? 'one' : 'other', inner: isOne ? value : 'text' },
          exact: selecting(
            [schema('one'), own],
            [schema('none'), { properties: { inner: dateAsDate } }],
          ),
        };
      }),
      tie('case').map(({ value, exact }) => ({
        value: { inner: value },
        exact: () => ({ others: exact }),
      })),
      fc
        .constantFrom(null, 'text', 1.5, true)
        .map((value) => ({ value, exact: { properties: {} } })),
    ),
  })).case;
}

describe.each<[string, fc.Arbitrary<Case>[]]>([
  ['Date', [leaf(dates, dateTimeAsDate), leaf(midnights, dateAsDate)]],
  ['string', [leaf(int64.map(String), int64AsString), leaf(dates, dateTimeAsDate)]],
  ['number', [leaf(fc.maxSafeInteger(), int64AsNumber), leaf(int64, 1)]],
])('values as %s', (_, leaves) => {
  it('are the same after the way to the service and back', () => {
    fc.assert(
      fc.property(nested(leaves), ({ value, exact }) => {
        const text = toJson(new Converter('write').convert(exact, value, 'body'));
        const wire = fromJson(text, exact);
        const read = new Converter('read').convert(exact, wire, 'body');
        expect(shown(read)).toEqual(shown(value));
      }),
      { numRuns: 300 },
    );
  });

  it('are a NotConvertible or converted, for any value', () => {
    fc.assert(
      fc.property(
        fc.anything({ withDate: true, withBigInt: true }),
        nested(leaves),
        (value, { exact }) => {
          for (const direction of ['read', 'write'] as const) {
            try {
              new Converter(direction).convert(exact, value, 'body');
            } catch (error) {
              expect(Object.keys(error as object).slice(0, 2)).toEqual(['location', 'got']);
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  const tag = Object.prototype.toString.call(value);
  if (tag !== '[object Object]') return value;
  return Object.entries(value as object).map(([key, each]) => [key, shown(each)]);
}

const write = (conversion: Conversion, value: unknown) => conversion.write(value);

describe('a date-time', () => {
  it.each([
    ['2020-02-29T23:59:60Z', '2020-02-29T23:59:59.000Z'],
    ['2020-03-01T09:29:60+09:30', '2020-02-29T23:59:59.000Z'],
    ['2016-12-31t23:59:59.1239999z', '2016-12-31T23:59:59.123Z'],
    ['2020-01-01t01:30:00+01:30', '2020-01-01T00:00:00.000Z'],
    ['2020-01-01T00:00:00-01:30', '2020-01-01T01:30:00.000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ])('%s is a Date', (wire, text) => {
    expect(dateTimeAsDate.read(wire)).toEqual(new Date(text));
  });

  it.each([
    ...['2020-02-30T00:00:00Z', '2021-02-29T00:00:00Z', '2020-01-01', '2020-01-01T00:00:00', ''],
    ...['2020-01-01T24:00:00Z', '+020200-01-01T00:00:00Z', '2020-01-01T00:00:00Z[u-ca=hebrew]'],
    ...[1577836800000, true, {}, ['2020-01-01T00:00:00Z'], 5n, `2020-01-01T00:00:00Z\n`],
  ])('%s is none', (wire) => {
    expect(dateTimeAsDate.read(wire)).toBeUndefined();
    expect(dateTimeAsDate.write(wire)).toBeUndefined();
  });

  it('is written from a Date of four digits of the year, and from its text', () => {
    expect(write(dateTimeAsDate, new Date(Number.NaN))).toBeUndefined();
    expect(write(dateTimeAsDate, new Date('+010000-01-01'))).toBeUndefined();
    expect(write(dateTimeAsDate, '2020-01-01T00:00:00+02:00')).toBe('2020-01-01T00:00:00+02:00');
  });
});

describe('a date', () => {
  it('is a Date at midnight in UTC', () => {
    expect(dateAsDate.read('2020-02-29')).toEqual(new Date('2020-02-29T00:00:00Z'));
  });

  it.each(['2021-02-29', '2020-1-1', '2020-01-01T00:00:00Z', '', 20200101, null])(
    '%s is none',
    (wire) => {
      expect(dateAsDate.read(wire)).toBeUndefined();
    },
  );

  it('is not written from another time of the day', () => {
    expect(write(dateAsDate, new Date('2020-01-01T00:00:00Z'))).toBe('2020-01-01');
    expect(write(dateAsDate, new Date('2019-12-31T23:00:00Z'))).toBeUndefined();
    expect(write(dateAsDate, new Date(Number.NaN))).toBeUndefined();
  });
});

describe('an int64', () => {
  const convert = (direction: 'read' | 'write', exact: Exact, value: unknown) =>
    new Converter(direction).convert(exact, value, '');

  it('is its digits', () => {
    expect(convert('read', int64AsString, 9007199254740993n)).toBe('9007199254740993');
    expect(convert('write', int64AsString, '-9223372036854775808')).toBe(-9223372036854775808n);
    for (const value of ['', '1.0', '1e3', '-0', '007', ' 1', '0x1', 'one', 1.5, 2 ** 53, true]) {
      expect(() => convert('write', int64AsString, value)).toThrow();
    }
    for (const value of [1.5, 'one', '1', {}]) {
      expect(() => convert('read', int64AsString, value)).toThrow();
    }
  });

  it('is a number, or nothing', () => {
    expect(convert('read', int64AsNumber, 9007199254740991n)).toBe(9007199254740991);
    for (const value of [9007199254740992n, -9007199254740993n, 2 ** 53, 1.5, '1']) {
      expect(() => convert('read', int64AsNumber, value)).toThrow();
      expect(() => convert('write', int64AsNumber, value)).toThrow();
    }
  });
});

describe('the schema that applies', () => {
  const either = selecting([date, dateAsDate], [big, int64AsString]);
  const day = new Date('2020-01-01');

  it('is selected by the value in each direction', () => {
    const values = [day, '5', 'text', 1.5, null];
    const wire = ['2020-01-01', 5n, 'text', 1.5, null];
    expect(new Converter('write').convert({ items: either }, values, '')).toEqual(wire);
    expect(new Converter('read').convert({ items: either }, wire, '')).toEqual(values);
  });

  it('is selected by properties that are converted themselves', () => {
    const exact: Exact = [
      { properties: { id: int64AsString } },
      conditional({ properties: { id: { minimum: 5 } } }, { properties: { at: dateAsDate } }, 0),
    ];
    const values = [
      { id: '5', at: day },
      { id: '4', at: '2020-01-01' },
    ];
    const wire = new Converter('write').convert({ items: exact }, values, '');
    expect(wire).toEqual([
      { id: 5n, at: '2020-01-01' },
      { id: 4n, at: '2020-01-01' },
    ]);
    expect(new Converter('read').convert({ items: exact }, wire, '')).toEqual(values);
  });

  it('takes linear time for nested alternatives', () => {
    const node = { required: ['at'], properties: { at: date } };
    const exact: Exact = selecting(
      [node, { properties: { at: dateAsDate, inner: () => exact } }],
      [{ ...node, minProperties: 9 }, { properties: { inner: () => exact } }],
      [{ properties: { at: date } }, { properties: { at: dateAsDate, inner: () => exact } }],
    );
    let value: unknown;
    for (let depth = 0; depth < 40; depth++) value = { at: day, inner: value };
    const text = JSON.stringify(new Converter('write').convert(exact, value, ''));
    expect(text.match(/"2020-01-01"/g)).toHaveLength(40);
  });
});
