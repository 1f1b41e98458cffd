// Which bodies of requests a stateful mock stores.
import { expect, it } from '@jest/globals';
import { isJsonValue } from '../src/state/items.ts';

it.each([null, 'a', 1, 1n, true, false, [true], { a: [{ b: null }] }])('%p is JSON', (value) => {
  expect(isJsonValue(value)).toBe(true);
  expect(isJsonValue({ inner: [value] })).toBe(true);
});

it.each([undefined, new Blob(['a']), new Uint8Array(1), () => 1])('%p is no JSON', (value) => {
  expect(isJsonValue(value)).toBe(false);
  expect(isJsonValue({ inner: [value] })).toBe(false);
});
