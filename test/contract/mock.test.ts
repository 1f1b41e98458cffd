import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mocked } from '../../src/contract/mock/mock.ts';
import type { HandlersOf } from '../../src/contract/operation.ts';
import { serveToy, type Toy } from '../support/toy.ts';

let toy: Toy;

const PATHS = `
components:
  securitySchemes: {bearer: {type: http, scheme: bearer}, mtls: {type: mutualTLS}}
paths:
  /written:
    get:
      operationId: written
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: {type: object, required: [a], properties: {a: {type: integer}}}
              examples:
                bad: {value: {a: text}}
                good: {value: {a: 1}}
                other: {value: {a: 2}}
        '404': {description: no, content: {application/json: {schema: {type: object, required: [m], properties: {m: {enum: [gone]}}}}}}
        5XX: {description: broken, content: {text/plain: {schema: {type: string, pattern: '^x{3}$'}}}}
  /made/{id}:
    get:
      operationId: made
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        '201':
          description: ok
          headers: {X-Id: {required: true, schema: {type: string, format: uuid}}}
          content:
            application/json:
              schema:
                type: array
                minItems: 2
                items: {type: object, required: [id, mail], properties: {id: {type: integer, format: int64, minimum: 9007199254740993}, mail: {type: string, format: email}}}
  /empty: {delete: {operationId: empty, responses: {'204': {description: ok}}}}
  /default: {get: {operationId: default, responses: {default: {description: ok, content: {application/octet-stream: {}}}}}}
  /secured: {get: {operationId: secured, security: [{bearer: [admin]}], responses: {'204': {description: ok}}}}
  /mtls: {get: {operationId: mtls, security: [{mtls: []}], responses: {'204': {description: ok}}}}
`;

beforeAll(async () => {
  toy = await serveToy('3.1.0', PATHS, { mock: 'all' });
});
afterAll(() => toy.close());

const get = (path: string, headers: Record<string, string> = {}) => toy.fetch(path, { headers });

describe('a mock', () => {
  it('answers the first written example that is valid', async () => {
    expect(await get('/written')).toMatchObject({ status: 200, text: '{"a":1}' });
  });

  it.each([
    ['code=404', 404, '{"m":"gone"}'],
    ['code="404"', 404, '{"m":"gone"}'],
    ['code=503', 503, 'xxx'],
    ['example=other', 200, '{"a":2}'],
    ['respond-async, code=200;x=y, example="other"', 200, '{"a":2}'],
  ])('answers what Prefer: %s asks for', async (prefer, status, text) => {
    expect(await get('/written', { Prefer: prefer })).toMatchObject({ status, text });
  });

  it.each(['code=418', 'code=abc', 'example=none'])(
    'refuses Prefer: %s with 400',
    async (prefer) => {
      const { status, text } = await get('/written', { Prefer: prefer });
      expect([status, JSON.parse(text).message]).toEqual([
        400,
        expect.stringContaining('is not declared'),
      ]);
    },
  );

  it('makes a valid answer from the schema, with its required headers, the same for the same request', async () => {
    const first = await get('/made/1');
    const again = await get('/made/1');
    expect(first.status).toBe(201);
    expect(first.headers.get('x-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.text).toMatch(/^\[\{"id":\d{16,19},"mail":"[^"]+@[^"]+"\}/);
    expect(again.text).toBe(first.text);
  });

  it('validates requests as ever', async () => {
    expect((await get('/made/x')).status).toBe(400);
  });

  it.each([
    ['DELETE', '/empty', 204],
    ['GET', '/default', 200],
    ['GET', '/mtls', 204],
  ])('answers %s %s with %i', async (method, path, status) => {
    expect((await toy.fetch(path, { method })).status).toBe(status);
  });

  it('looks at credentials for presence and form only', async () => {
    expect((await get('/secured')).status).toBe(401);
    expect((await get('/secured', { Authorization: 'Bearer' })).status).toBe(401);
    expect((await get('/secured', { Authorization: 'Basic eDp5' })).status).toBe(401);
    expect((await get('/secured', { Authorization: 'Bearer any' })).status).toBe(204);
  });
});

describe('an operation marked mocked', () => {
  it('compiles, and is mocked though nothing else is', async () => {
    type Contract = {
      a: { responses: { 204: { content?: never } } };
      b: { responses: { 204: { content?: never } } };
    };
    const handlers: HandlersOf<Contract, null> = { a: mocked, b: () => ({ status: 204 }) };
    expect(Object.keys(handlers)).toEqual(['a', 'b']);
    const own = await serveToy(
      '3.0.3',
      "paths: {/a: {get: {operationId: a, responses: {'200': {description: ok, content: {application/json: {example: {n: 1}}}}}}}}",
      { handlers: { a: mocked } },
    );
    expect(await own.fetch('/a')).toMatchObject({ status: 200, text: '{"n":1}' });
    await own.close();
  });
});
