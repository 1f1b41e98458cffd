// Lists in headers, media ranges, the presence of a body, and the words of a shell.
import { expect, it } from '@jest/globals';
import { acceptedRanges, listElements } from '@stubwright/contract';
import { shellWord } from '@stubwright/contract/printable';
import { isBodyExpected } from '@stubwright/contract/values';

it.each([
  [undefined, []],
  ['', []],
  [' , a ,, b', ['a', 'b']],
  ['a="b,c", d', ['a="b,c"', 'd']],
  ['a="b\\",c", d', ['a="b\\",c"', 'd']],
  ['a, "b, c', ['a', '"b, c']],
  ['a, "b, c\\', ['a', '"b, c\\']],
])('%j is the list %j', (text, elements) => {
  expect(listElements(text)).toEqual(elements);
});

it.each([
  ['a/b, */*, c/d', ['a/b 1', 'c/d 1', '*/* 1']],
  ['a/b;q=0.5, */*;q=0.6, c/*;Q=0', ['*/* 0.6', 'a/b 0.5', 'c/* 0']],
  ['a/b;q=-0.1, c/d;q=x, no range, E/f;x=1; q=.2;y=2', ['e/f 0.2']],
])('%j accepts %j', (accept, expected) => {
  const ranges = acceptedRanges(accept).map(({ range, weight }) => `${range.type} ${weight}`);
  expect(ranges).toEqual(expected);
});

it.each([
  [{}, false],
  [{ 'content-length': '0' }, false],
  [{ 'content-length': '1' }, true],
  [{ 'transfer-encoding': 'chunked' }, true],
])('a request with %j has a body: %p', (headers, expected) => {
  expect(isBodyExpected(headers)).toBe(expected);
});

it.each([
  ['a-b_c.d/e:f=g', 'a-b_c.d/e:f=g'],
  ['', "''"],
  ['a b', "'a b'"],
  ["a'b'", "'a'\\''b'\\'''"],
  ['$a\n', "'$a\n'"],
])('%j is the word %s', (word, expected) => {
  expect(shellWord(word)).toBe(expected);
});
