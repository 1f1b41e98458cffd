// Keys of requests that are safe to repeat: their types, and the requests that a service receives.
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ClientProject,
  clientProject,
  type Served,
  served,
} from '../support/clientProject.ts';

const operationWith = (id: string, header: string) => `
  /${id}:
    post:
      operationId: ${id}
      parameters: [{in: header, ${header}}]
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {'204': {description: ok}, '401': {description: no}, '503': {description: later}}`;

const TEXT = 'schema: {type: string}';
const CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
security: [{bearer: []}, {}]
paths:${[
  operationWith('create', `name: Idempotency-Key, required: true, ${TEXT}`),
  operationWith('change', 'name: idempotency-key, schema: {type: string, format: uuid}'),
  operationWith('order', `name: X-Request, x-idempotency: {ttl: 24h}, ${TEXT}`),
  operationWith('quote', `name: Idempotency-Key, schema: {type: string, pattern: '^"[^"]+"$'}`),
  operationWith('count', 'name: Idempotency-Key, required: true, schema: {type: integer}'),
  operationWith('plain', `name: X-Other, ${TEXT}`),
].join('')}
components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}
`;

const MAIN = `import { create, createClient, connect, type RequestFor, type operations } from 'toys';
const client = createClient({ baseUrl: 'http://localhost' });
void client.create();
void client.create({ header: { 'Idempotency-Key': 'a' } });
void create(connect({ baseUrl: '' }), { body: {} });
void client.count({ header: { 'Idempotency-Key': 1 } });
`;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a request with an idempotency key', () => {
  let project: ClientProject;
  let service: Served;
  beforeAll(async () => {
    project = await clientProject(CONTRACT);
  });
  afterEach(() => service?.close());
  afterAll(() => project.remove());

  const answer = (status: number) => (response: ServerResponse) =>
    void response.writeHead(status).end();
  const drop = (response: ServerResponse) => void response.destroy();
  type Answer = (response: ServerResponse) => void;

  /** @returns a client of a service with these answers, and the keys that it receives */
  async function client(answers: Answer[], header = 'idempotency-key') {
    let count = 0;
    service = await served((request, response) => {
      request.resume().on('end', () => (answers[count++] ?? answer(204))(response));
    });
    const { createClient } = await project.load();
    const bearer = ({ rejected }: { rejected?: string }) => (rejected ? 'new' : 'old');
    const options = { baseUrl: service.url, bearer, retry: { baseDelayMs: 1 } };
    return {
      client: createClient(options),
      keys: () => service.seen.map(({ headers }) => headers[header]),
    };
  }

  it('has the same key in every retry, and another in each call', async () => {
    const { client: toys, keys } = await client([answer(503), drop, answer(204)]);
    expect((await toys.create({ body: {} })).status).toBe(204);
    await toys.create();
    expect(keys()).toEqual(Array(4).fill(expect.stringMatching(UUID)));
    expect(new Set(keys().slice(0, 3)).size).toBe(1);
    expect(keys()[3]).not.toBe(keys()[0]);
  });

  it('keeps its key after a renewal of the credentials', async () => {
    const { client: toys, keys } = await client([answer(401)]);
    expect((await toys.create()).status).toBe(204);
    expect(keys()).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
  });

  it.each([
    ['of the request', [{ header: { 'Idempotency-Key': 'own' } }]],
    ['of the options', [{}, { headers: { 'idempotency-key': 'own' } }]],
  ])('has the key of the caller: %s', async (_, args) => {
    const { client: toys, keys } = await client([answer(503)]);
    await toys.create(...args);
    expect(keys()).toEqual(['own', 'own']);
  });

  it('has one although the caller passes undefined', async () => {
    const { client: toys, keys } = await client([]);
    await toys.create({ header: { 'Idempotency-Key': undefined } });
    expect(keys()).toEqual([expect.stringMatching(UUID)]);
  });

  it('has it in the declared header, and as its schema demands', async () => {
    const { client: toys, keys } = await client([drop], 'x-request');
    await toys.order();
    expect(keys()).toEqual(Array(2).fill(expect.stringMatching(UUID)));
    await toys.change();
    await toys.quote();
    const others = service.seen.slice(2).map(({ headers }) => headers['idempotency-key']);
    expect(others).toEqual([
      expect.stringMatching(UUID),
      expect.stringMatching(/^"[-\da-f]{36}"$/),
    ]);
  });

  it('is sent once without a key that the client can make', async () => {
    const { client: toys, keys } = await client([answer(503), answer(503)]);
    expect((await toys.count({ header: { 'Idempotency-Key': 1 } })).status).toBe(503);
    expect((await toys.plain()).status).toBe(503);
    expect(keys()).toEqual(['1', undefined]);
  });

  it('has an optional key in its type', () => {
    expect(project.errorsOf(MAIN)).toEqual([]);
    const errors = project.errorsOf(MAIN.replace("'a'", '1').replace(/count\(.*\)/, 'count()'));
    expect(errors).toEqual([
      "4: TS2322 Type 'number' is not assignable to type 'string'.",
      expect.stringMatching(/^6: TS2554 Expected 1-2 arguments/),
    ]);
  });
});
