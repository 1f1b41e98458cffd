// What one request of an older version does to everything that observes requests, and to security.
import { describe, expect, it } from '@jest/globals';
import { Problem } from '@stubwright/contract';
import type { EngineOptions, Exchange, Principal } from 'stubwright/internals';
import { disposedContexts, type Older, served, v1 } from './support.ts';

const ok = '{description: ok, content: {application/json: {schema: {type: object}}}}';

const contract = (security: string) => `
components:
  securitySchemes:
    token: {type: http, scheme: bearer}
    key: {type: apiKey, in: header, name: X-Key}
paths:
  /toys:
    get:
      operationId: listToys
      security: ${security}
      responses:
        200: ${ok}
        401: {description: no token}
        403: {description: no scope}
`;

/** A service of {@link contract}, with an older version. */
const serve = (
  security: string,
  older: Older[],
  listToys: (request: never) => unknown = () => ({ status: 200, body: {} }),
) => served({ yaml: contract(security), older, handlers: { listToys }, verifiers });

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

const REQUIREMENTS = [
  '[]',
  '[{token: []}]',
  '[{token: [read]}]',
  '[{token: [write]}]',
  '[{token: [read, write]}]',
  '[{key: []}]',
  '[{token: [read]}, {key: []}]',
  '[{token: [read], key: [admin]}]',
  '[{}, {token: [write]}]',
];
const CREDENTIALS: readonly Record<string, string>[] = [
  {},
  { authorization: 'Bearer none' },
  { authorization: 'Bearer read' },
  { authorization: 'Bearer read.write' },
  { authorization: 'Bearer wrong' },
  { 'x-key': 'admin' },
  { 'x-key': 'none', authorization: 'Bearer read' },
  { 'x-key': 'admin', authorization: 'Bearer read' },
];

const principalOf = (credentials: string): Principal | undefined =>
  credentials === 'wrong' ? undefined : { name: credentials, scopes: credentials.split('.') };
/** Each scheme has a verifier of its own. */
const verifiers = {
  token: principalOf,
  key: (credentials: string) => principalOf(credentials),
};

describe('the security of the current contract', () => {
  const statusesOf = async (yaml: string) => {
    const handlers = { listToys: () => ({ status: 200, body: {} }) };
    const { send } = await served({ yaml, older: [], handlers, verifiers, default: '2.0.0' });
    return Promise.all(
      CREDENTIALS.map(async (headers) => (await send('/toys', { headers })).status),
    );
  };

  it('applies, and no other, for any pair of requirements and any credentials', async () => {
    const statuses = new Map<string, readonly number[]>();
    for (const each of REQUIREMENTS) statuses.set(each, await statusesOf(contract(each)));
    for (const before of REQUIREMENTS) {
      for (const after of REQUIREMENTS) {
        let calls = 0;
        const listToys = () => ({ status: ++calls && 200, body: {} });
        const { send } = await serve(after, v1(contract(before)), listToys);
        for (const [at, headers] of CREDENTIALS.entries()) {
          const expected = statuses.get(after)![at]!;
          const own = calls;
          const { status } = await send('/v1/toys', { headers });
          expect({ before, after, headers, status }).toEqual({
            ...{ before, after, headers, status: expected },
          });
          expect(calls - own).toBe(expected === 200 ? 1 : 0);
        }
      }
    }
  });

  it('applies to each operation that a removed one calls', async () => {
    const removed = contract('[{token: [read]}]').replace('/toys', '/all');
    type Calls = Record<string, (request: object) => unknown>;
    const call = (_request: unknown, { listToys }: Calls) => listToys!({});
    const converters = { operations: { allToys: { call } } };
    const older = v1(removed.replace('listToys', 'allToys'), converters);
    const { send } = await serve('[{token: [write]}]', older);
    const statuses: number[] = [];
    for (const token of ['read', 'read.write', 'wrong']) {
      statuses.push((await send('/v1/all', bearer(token))).status);
    }
    expect(statuses).toEqual([403, 200, 401]);
  });

  it('is not the error of a handler, whose headers are validated', async () => {
    const needed = "no scope, headers: {X-Needed: {required: true, schema: {type: 'string'}}}}";
    const older = v1(contract('[{token: [read]}]').replace('no scope}', needed));
    const { send } = await serve('[{token: [write]}]', older);
    expect((await send('/v1/toys', bearer('read'))).status).toBe(403);
  });

  it('gives the handler the principals of its own requirement', async () => {
    const got: unknown[] = [];
    const { send } = await serve(
      '[{key: []}]',
      v1(contract('[{token: []}]')),
      ({ principal, principals }: { principal: Principal; principals: object }) => {
        got.push(principal.name, Object.keys(principals));
        return { status: 200, body: {} };
      },
    );
    await send('/v1/toys', { headers: { 'x-key': 'k', authorization: 'Bearer t' } });
    expect(got).toEqual(['k', ['key']]);
  });
});

describe('one request of an older version', () => {
  it('is admitted, recorded and answered once, with its version', async () => {
    const seen: string[] = [];
    const note =
      (name: string) =>
      ({ operationId }: Exchange) =>
        void seen.push(`${name} ${operationId}`);
    const recorder: EngineOptions<never>['recorder'] = {
      observe: (_, version) => ({
        accepted: note(`accepted ${version}`),
        responded: note('responded'),
      }),
      close: async () => {},
    };
    const { send } = await served({
      yaml: contract('[{token: []}]'),
      older: v1(contract('[{token: []}]').replace('listToys', 'getToys')),
      handlers: { listToys: () => ({ status: 200, body: {} }) },
      rateLimitOf:
        ({ operationId }) =>
        async ({ token }) =>
          void seen.push(`admit ${token?.name} to ${operationId}`),
      ...{ verifiers, recorder },
    });
    const { response } = await send('/v1/toys', bearer('ann'));
    expect(response).toMatchObject({ version: '1.0.0', operationId: 'getToys', route: '/toys' });
    expect(seen).toEqual(['admit ann to listToys', 'accepted 1.0.0 getToys', 'responded getToys']);
    const current = await send('/toys', bearer('ann'));
    expect(current.response.version).toBeUndefined();
  });

  it('has one time limit', async () => {
    const reported: Error[] = [];
    const { outcomes, context } = disposedContexts();
    let settle = () => {};
    const { send } = await served({
      yaml: contract('[]'),
      older: v1(contract('[]')),
      handlers: {
        listToys: () =>
          new Promise((resolve) => {
            settle = () => resolve({ status: 200, body: {} });
          }),
      },
      ...{ context, handlerTimeoutMs: 20 },
      report: (error) => void reported.push(error),
    });
    const { status, cause } = await send('/v1/toys');
    expect({ status, cause }).toEqual({
      status: 503,
      cause: 'listToys: the handler did not settle within 20 ms',
    });
    expect(outcomes).toEqual([]);
    settle();
    await new Promise(setImmediate);
    expect({ outcomes, reported }).toEqual({ outcomes: ['failed'], reported: [] });
  });
});

describe('the calls of a removed operation', () => {
  const toys = `
paths:
  /toys/{id}:
    get:
      operationId: getToy
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {200: ${ok}, 404: {description: none}}
    put:
      operationId: putToy
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      requestBody: {content: {application/json: {schema: {type: object, required: [name]}}}}
      responses: {200: ${ok}}
`;
  const removed = `
paths:
  /toys/{id}:
    delete:
      operationId: deleteToy
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {204: {description: deleted}, 404: {description: none}}
`;
  type Calls = Record<string, (request: object) => Promise<{ status: number; body: object }>>;
  const call = async ({ path }: { path: object }, { getToy, putToy }: Calls) => {
    const { status, body } = await getToy!({ path });
    if (status === 404) return { status };
    await putToy!({ path, mediaType: 'application/json', body: { ...body, isDeleted: true } });
    return { status: 204 };
  };

  const serve = (put: (body: unknown) => void, converter: unknown = call) => {
    const { outcomes, context } = disposedContexts();
    const contexts = new Set<unknown>();
    const answer = served({
      yaml: toys,
      older: v1(removed, {
        operations: { deleteToy: { call: converter } },
        statuses: { 410: 404 },
      }),
      handlers: {
        getToy: ({ path }: { path: { id: number } }, context: unknown) => {
          contexts.add(context);
          if (path.id === 3) throw new Problem(410, 'sold');
          return path.id === 1 ? { status: 200, body: { name: 'robot' } } : { status: 404 };
        },
        putToy: ({ body }: { body: unknown }, context: unknown) => {
          contexts.add(context);
          put(body);
          return { status: 200, body: {} };
        },
      } as never,
      context,
    });
    return { answer, outcomes, contexts };
  };

  it('share one context, which is disposed once', async () => {
    const got: unknown[] = [];
    const { answer, outcomes, contexts } = serve((body) => got.push(body));
    const { send } = await answer;
    const { status } = await send('/v1/toys/1', { method: 'DELETE' });
    expect({ status, got, outcomes, contexts: contexts.size }).toEqual({
      ...{ status: 204, got: [{ name: 'robot', isDeleted: true }] },
      ...{ outcomes: ['replied 204'], contexts: 1 },
    });
    expect((await send('/v1/toys/2', { method: 'DELETE' })).status).toBe(404);
    expect((await send('/v1/toys/3', { method: 'DELETE' })).status).toBe(404);
  });

  it('commit nothing if the converter throws after them', async () => {
    const { answer, outcomes } = serve(
      () => {},
      async (request: { path: object }, calls: Calls) => {
        await call(request, calls);
        throw new Error('too late');
      },
    );
    const { status, cause } = await (await answer).send('/v1/toys/1', { method: 'DELETE' });
    expect({ status, cause, outcomes }).toEqual({
      status: 500,
      cause: 'version 1.0.0: deleteToy: the call converter failed: too late',
      outcomes: ['failed'],
    });
  });

  it('are validated', async () => {
    const { answer, outcomes } = serve(
      () => {},
      async ({ path }: { path: object }, { putToy }: Calls) =>
        putToy!({ path, mediaType: 'application/json', body: {} }),
    );
    const { status, cause } = await (await answer).send('/v1/toys/1', { method: 'DELETE' });
    expect({ status, cause, outcomes }).toMatchObject({ status: 500, outcomes: [] });
    expect(cause).toMatch(/putToy: the converted request violates the contract: .*name/);
  });
});
