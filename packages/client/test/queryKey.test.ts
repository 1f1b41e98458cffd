// The keys of requests in caches.
import { describe, expect, it } from '@jest/globals';
import {
  array,
  assert,
  bigInt,
  constantFrom,
  date,
  oneof,
  property,
  record,
  string,
} from 'fast-check';
import { queryKeyOf } from '../src/tanstack.ts';

const keyOf = (value: unknown) =>
  JSON.stringify(queryKeyOf('toys', 'getToy', { query: { value } }));

describe('the key of a request', () => {
  it('is its operation without a request', () => {
    expect(queryKeyOf('toys', 'getToy')).toEqual(['toys', 'getToy']);
    expect(queryKeyOf('toys', 'getToy', {})).toEqual(['toys', 'getToy']);
    expect(queryKeyOf('toys', 'getToy', { path: undefined })).toEqual(['toys', 'getToy']);
  });

  it.each([
    [9007199254740993n, 9007199254740992n],
    [1n, '1n'],
    ['1n', '1nn'],
    [-1n, '-1n'],
    [[1n, 2n], [12n]],
    [Infinity, NaN],
    [new Date(0), new Date(1)],
    [{ a: undefined, b: null }, { b: 0 }],
    [JSON.parse('{"__proto__": 1}'), {}],
  ])('differs for %p and %p', (one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  it('differs for all different values', () => {
    const digits = constantFrom('1', '-2', '3n', '3nn', '-4n', 'n', '5n5');
    const scalar = oneof(bigInt({ min: -5n, max: 5n }), digits, string());
    const value = oneof(scalar, array(scalar, { maxLength: 2 }), record({ id: scalar }));
    const typed = (each: unknown): string =>
      JSON.stringify(each, (_, inner) =>
        typeof inner === 'bigint' ? { bigint: `${inner}` } : inner,
      );
    assert(
      property(
        value,
        value,
        (one, other) => (keyOf(one) === keyOf(other)) === (typed(one) === typed(other)),
      ),
    );
  });

  it('has JSON values only, which a copy equals', () => {
    assert(
      property(record({ id: bigInt(), at: date({ noInvalidDate: true }) }), (value) => {
        const key = queryKeyOf('toys', 'getToy', value);
        expect(JSON.parse(JSON.stringify(key))).toEqual(key);
      }),
    );
  });

  it.each([
    new Blob(['a']),
    new Uint8Array(1),
    new Map(),
    new Set(),
    new FormData(),
    new ReadableStream(),
  ])('is a TypeError for %p', (value) => {
    expect(() => keyOf(value)).toThrow(
      /^getToy: got \[object \w+\] in a query key, expected JSON values$/,
    );
  });
});
