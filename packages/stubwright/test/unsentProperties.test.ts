// The properties that handlers return and the contract does not declare: warnings in development.
import { expect, it, jest } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import type { BodySource } from '@stubwright/contract/values';
import { CONTRACT } from '@stubwright/test-support/toyService';
import fc from 'fast-check';
import { fetchHandler } from '../src/fetch.ts';
import { createApi } from '../src/index.ts';
import { createEngine, Exchange } from '../src/internals.ts';

const TOY = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    price: { type: 'integer' },
    key: { type: 'string', writeOnly: true },
    parts: { type: 'array', items: { $ref: '#/components/schemas/Toy' } },
    tags: { type: 'object', additionalProperties: { type: 'string' } },
    kind: {
      oneOf: [
        { type: 'object', required: ['bear'], properties: { bear: { type: 'string' } } },
        { type: 'object', required: ['car'], properties: { car: { type: 'string' } } },
      ],
    },
  },
};
const content = { 'application/json': { schema: { $ref: '#/components/schemas/Toy' } } };
const definition = new Contract({
  openapi: '3.1.0',
  paths: {
    '/toy': { get: { operationId: 'getToy', responses: { 200: { description: 'ok', content } } } },
  },
  components: { schemas: { Toy: TOY } },
});

/** @returns the warnings of several responses with the same bodies, and the last response */
async function warningsOf(...bodies: readonly object[]) {
  const warnings: string[] = [];
  const replies = bodies.values();
  const engine = await createEngine({
    definition,
    handlers: { getToy: () => ({ status: 200, body: replies.next().value }) },
    warn: (message) => warnings.push(message),
  });
  let last: unknown;
  for (const _ of bodies) {
    const exchange = new Exchange({ method: 'GET', url: '/toy', headers: {} }, {} as BodySource);
    last = (await engine.handle(exchange)).body;
  }
  return { warnings, last: JSON.parse(String(last)) };
}

const warning = (name: string) =>
  `getToy returned 200 with ${name}, which the contract does not declare: it is not sent`;

it.each<[string, object, string[]]>([
  ['a renamed property', { name: 'a', cost: 1 }, ['/cost']],
  [
    'one in an item',
    { name: 'a', parts: [{ name: 'b' }, { name: 'c', cost: 1 }] },
    ['/parts/*/cost'],
  ],
  ['one in an alternative', { name: 'a', kind: { car: 'b', wheels: 4 } }, ['/kind/wheels']],
  ['a name with a slash', { name: 'a', 'a/b': 1 }, ['/a~1b']],
  ['a declared value', { name: 'a', price: 1, tags: { any: 'b' }, parts: [] }, []],
  ['a writeOnly property', { name: 'a', key: 'secret' }, []],
  ['undefined', { name: 'a', cost: undefined }, []],
])('warns once of %s', async (_, body, names) => {
  const { warnings, last } = await warningsOf(body, body);
  expect(warnings).toEqual(names.map(warning));
  expect(last).not.toHaveProperty('cost');
});

it('warns of exactly the properties that the response lacks', async () => {
  const names = fc.uniqueArray(
    fc.constantFrom('price', 'tags', 'cost', 'age', 'Price', 'toString'),
  );
  await fc.assert(
    fc.asyncProperty(names, async (all) => {
      const body = Object.fromEntries(all.map((name) => [name, name === 'tags' ? {} : 1]));
      const { warnings, last } = await warningsOf({ name: 'a', ...body });
      const lacking = all.filter((name) => !Object.hasOwn(last, name));
      expect(warnings).toEqual(lacking.map((name) => warning(`/${name}`)));
    }),
    { numRuns: 30 },
  );
});

it('limits the number of warnings', async () => {
  const bodies = Array.from({ length: 200 }, (_, at) => ({ name: 'a', [`x${at}`]: at }));
  expect((await warningsOf(...bodies)).warnings).toHaveLength(100);
});

it.each([
  [true, 1],
  [false, 0],
])('is a warning of the process if exposeErrors is %s', async (exposeErrors, count) => {
  const emitWarning = jest.spyOn(process, 'emitWarning').mockReturnValue();
  const handlers = { getToy: () => ({ status: 200, body: { name: 'a', cost: 1 } }) };
  const verifiers = { bearerAuth: () => ({ name: 'a' }) };
  const api = { contract: CONTRACT, mock: 'missing', exposeErrors, handlers, verifiers } as const;
  const headers = { Authorization: 'Bearer a' };
  await fetchHandler(await createApi(api))(new Request('http://toys.example/toys/1', { headers }));
  expect(emitWarning.mock.calls).toEqual(Array(count).fill([warning('/cost'), 'ContractWarning']));
  emitWarning.mockRestore();
});
