// The URLs of an operation, with the values of server variables.
import { expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { operationUrls } from '../src/contract/servers.ts';

const values = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

function urlsOf(variables: Readonly<Record<string, readonly string[] | undefined>>): string[] {
  const entries = Object.entries(variables).map(([name, listed]) => [
    name,
    { default: listed?.[0] ?? 'any', ...(listed && { enum: listed }) },
  ]);
  const names = Object.keys(variables).map((name) => `{${name}}`);
  const definition = new Contract({
    ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1.0.0' } },
    servers: [{ url: `https://${names.join('.')}.test`, variables: Object.fromEntries(entries) }],
    paths: { '/toys': { get: { responses: { 204: { description: 'ok' } } } } },
  });
  return [...operationUrls(definition, definition.operations[0]!)];
}

it('are those of each value, and of each pair of values', () => {
  expect(urlsOf({ a: ['x', 'y'] })).toEqual(['https://x.test/toys', 'https://y.test/toys']);
  expect(urlsOf({ a: ['x', 'y'], b: ['1', '2'] })).toHaveLength(4);
});

it('are those of the default and the name for a variable of any value', () => {
  const [first, ...others] = urlsOf({ a: undefined });
  expect(first).toBe('https://any.test/toys');
  expect(others).toHaveLength(1);
});

it.each([
  [{ a: values('x', 100) }, 100],
  [{ a: values('x', 101) }, 1],
  [{ a: values('x', 10), b: values('y', 10) }, 100],
  [{ a: values('x', 10), b: values('y', 11) }, 10],
])('are at most 100: %j', (variables, count) => {
  expect(urlsOf(variables)).toHaveLength(count);
});
