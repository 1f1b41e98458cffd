// Operations that run once for each idempotency key.
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Node } from '@stubwright/contract';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Preconditions } from '../src/conditional/preconditions.ts';
import { fetchHandler } from '../src/fetch.ts';
import { type IdempotencyStore, memoryIdempotency } from '../src/idempotency.ts';
import { type ApiOptions, createApi, mocked, Problem } from '../src/index.ts';
import { requestListener } from '../src/node.ts';
import { loadedContract } from './support/contract.ts';
import { closeServers, listening } from './support/listening.ts';

const KEY = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } };
const ERROR = { description: 'no', content: { 'application/problem+json': {} } };

/** @param fields of the operation, `x-idempotency` of the key, and other parameters */
function contractOf(
  fields: Node = {},
  key: Node = { 'x-idempotency': { ttl: '1h' } },
  parameters: readonly Node[] = [],
) {
  const document = parse(`
components:
  securitySchemes:
    token: {type: http, scheme: bearer}
    app: {type: apiKey, in: header, name: X-App}
paths:
  /orders:
    post:
      operationId: order
      security: [{token: []}, {app: []}, {}]
      requestBody:
        content:
          application/json: {schema: {type: object, properties: {item: {type: string}, count: {type: integer, format: int64}}}}
          multipart/form-data: {}
          text/plain: {}
      responses:
        '201':
          description: ordered
          headers: {Location: {schema: {type: string}}, Idempotency-Replayed: {schema: {type: string}}}
          content: {application/json: {schema: {type: object}}, application/octet-stream: {}}
        '204': {description: nothing to order}
        default: {description: no, content: {application/problem+json: {}}}
`);
  const dry = { name: 'dry', in: 'query', schema: { type: 'string' } };
  const all = [{ ...KEY, required: true, ...key }, dry, ...parameters];
  Object.assign(document.paths['/orders'].post, { parameters: all, ...fields });
  return loadedContract(document);
}

interface Sent {
  readonly key?: string | undefined;
  readonly body?: string | FormData;
  readonly type?: string;
  readonly query?: string;
  readonly user?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

type Handler = (request: { readonly body: unknown }, context: never) => unknown;

/** @returns a function that sends a request to an API with this handler */
async function apiOf(handler: Handler, more: Partial<ApiOptions<never>> = {}) {
  const api = await createApi<never, Request>({
    contract: contractOf(),
    handlers: { order: handler },
    verifiers: { token: (token) => ({ name: token }), app: (key) => ({ name: key }) },
    idempotency: memoryIdempotency(),
    ...(more as object),
  });
  const handle = fetchHandler(api);
  return async ({
    key = 'a',
    body = '{}',
    type,
    query = '',
    user,
    headers: more = {},
  }: Sent = {}) => {
    const headers = new Headers(more);
    if (key !== 'none') headers.set('Idempotency-Key', key);
    if (typeof body === 'string') headers.set('content-type', type ?? 'application/json');
    if (user !== undefined) headers.set('authorization', `Bearer ${user}`);
    const init = { method: 'POST', headers, body };
    return handle(new Request(`http://localhost/orders${query}`, init));
  };
}

/** Counts its calls. */
const counting = () => {
  let calls = 0;
  return jest.fn<Handler>(() => {
    calls++;
    return { status: 201, headers: { Location: `/orders/${calls}` }, body: { calls } };
  });
};

const textOf = async (response: Promise<Response> | Response) => (await response).text();
const statusOf = async (response: Promise<Response> | Response) => (await response).status;

afterEach(() => {
  jest.restoreAllMocks();
  closeServers();
});

describe('a request with another value of a declared parameter', () => {
  const PARAMETERS = [
    { name: 'Tenant', in: 'header', schema: { type: 'string' } },
    { name: 'If-Match', in: 'header', schema: { type: 'string' } },
    { name: 'count', in: 'header', schema: { type: 'integer', format: 'int64' } },
    { name: 'tags', in: 'cookie', schema: { type: 'array', items: { type: 'string' } } },
    { name: 'shop', in: 'cookie', schema: { type: 'string' } },
  ];
  const sends = async (ignore?: readonly string[]) => {
    const handler = jest.fn((request: { readonly preconditions?: Preconditions }) => {
      request.preconditions?.check(1n);
      return { status: 204 };
    });
    const contract = contractOf({}, { 'x-idempotency': { ttl: '1h', ignore } }, PARAMETERS);
    return { handler, send: await apiOf(handler as never, { contract }) };
  };
  const PAIRS: [string, Record<string, string>, Record<string, string>][] = [
    ['a header', { tenant: 'a' }, { tenant: 'b' }],
    ['a header that was not sent', {}, { tenant: 'a' }],
    ['a header that is sent no more', { tenant: 'a' }, {}],
    ['an integer', { count: '9007199254740993' }, { count: '9007199254740992' }],
    ['If-Match', { 'if-match': '"1"' }, { 'if-match': '"2"' }],
    ['a cookie', { cookie: 'shop=a' }, { cookie: 'shop=b' }],
    ['an array', { cookie: 'tags=a; tags=b' }, { cookie: 'tags=a' }],
    ['two headers that change places', { tenant: '1' }, { count: '1' }],
  ];

  it.each(PAIRS)('is another request: %s', async (_name, first, second) => {
    const { handler, send } = await sends();
    expect(await statusOf(send({ headers: first }))).toBe(204);
    expect(await statusOf(send({ headers: second }))).toBe(422);
    expect(await statusOf(send({ headers: first }))).toBe(204);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it.each(PAIRS)('is a retry if the contract ignores it: %s', async (_name, first, second) => {
    const { handler, send } = await sends(['tenant', 'IF-MATCH', 'count', 'tags', 'shop']);
    expect(await statusOf(send({ headers: first }))).toBe(204);
    expect(await statusOf(send({ headers: second }))).toBe(204);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('is a retry if the contract does not declare it', async () => {
    const { handler, send } = await sends();
    await send({ headers: { traceparent: 'a', cookie: 'other=1; shop=a' } });
    await send({ headers: { traceparent: 'b', cookie: 'shop=a; other=2' } });
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it.each([[['Idempotency-Key']], [['Other']], [['dry']], ['Tenant'], [[1]]])(
    'cannot be ignored by the names %j',
    async (ignore) => {
      await expect(sends(ignore as string[])).rejects.toThrow(
        'expected an array with names of other headers and cookies of the operation',
      );
    },
  );
});

describe('a request with a key that was used', () => {
  it('gets the first response: status, headers and bytes, and the handler runs once', async () => {
    const handler = counting();
    const send = await apiOf(handler);
    const [first, second] = [await send(), await send()];
    expect(handler).toHaveBeenCalledTimes(1);
    const headersOf = ({ headers }: Response) => Object.fromEntries(headers);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(headersOf(second)).toEqual({ ...headersOf(first), 'idempotency-replayed': 'true' });
    expect(second.headers.get('location')).toBe('/orders/1');
    expect([second.status, await textOf(second)]).toEqual([201, await textOf(first)]);
  });

  it('gets bytes, and a response without a body', async () => {
    const bytes = Buffer.from([0, 255, 128, 10]);
    const replies = [
      { status: 201, type: 'application/octet-stream', body: bytes },
      { status: 204 },
    ];
    const send = await apiOf(() => replies.shift());
    for (const key of ['a', 'a']) {
      const response = await send({ key });
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
      expect(response.headers.get('content-type')).toBe('application/octet-stream');
    }
    for (const key of ['b', 'b']) {
      const response = await send({ key });
      expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([204, null]);
      expect(await textOf(response)).toBe('');
    }
  });

  it.each<[string, Sent, Sent]>([
    ['body', { body: '{"item":"a"}' }, { body: '{"item":"b"}' }],
    ['int64', { body: '{"count":9007199254740993}' }, { body: '{"count":9007199254740992}' }],
    ['query', {}, { query: '?dry=yes' }],
    ['media type', { body: '{}' }, { body: '{}', type: 'text/plain' }],
  ])('gets 422 for another %s, and the first response stays', async (_, one, other) => {
    const handler = counting();
    const send = await apiOf(handler);
    const first = await textOf(send(one));
    const rejected = await send(other);
    expect([rejected.status, JSON.parse(await rejected.text()).detail]).toEqual([
      422,
      'this Idempotency-Key belongs to another request, expected a new one',
    ]);
    expect(await textOf(send(one))).toBe(first);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('gets 422 although the contract requires another header', async () => {
    const headers = { 'X-Reason': { required: true, schema: { type: 'string' } } };
    const responses = { 204: { description: 'ok' }, default: { ...ERROR, headers } };
    const send = await apiOf(() => ({ status: 204 }), { contract: contractOf({ responses }) });
    await send({ body: '{"item":"a"}' });
    expect(await statusOf(send({ body: '{"item":"b"}' }))).toBe(422);
  });

  it('is equal with other white space, another order of properties, and another boundary', async () => {
    const handler = counting();
    const send = await apiOf(handler);
    await send({ body: '{"item":"a"}' });
    expect(await statusOf(send({ body: ' { "item" : "a" } ' }))).toBe(201);
    await send({ key: 'more', body: '{"item":"a","more":{"b":1,"c":[1,2]}}' });
    const reordered = '{"more":{"c":[1.0,2],"b":1},"item":"a"}';
    expect(await statusOf(send({ key: 'more', body: reordered }))).toBe(201);
    const swapped = '{"more":{"c":[2,1],"b":1},"item":"a"}';
    expect(await statusOf(send({ key: 'more', body: swapped }))).toBe(422);
    const form = (text: string) => {
      const data = new FormData();
      data.set('file', new File([text.repeat(100_000)], 'a.txt'));
      return data;
    };
    await send({ key: 'form', body: form('one') });
    expect(await statusOf(send({ key: 'form', body: form('one') }))).toBe(201);
    expect(await statusOf(send({ key: 'form', body: form('two') }))).toBe(422);
    expect(handler).toHaveBeenCalledTimes(3);
  });

  it('belongs to its caller: a name of a security scheme', async () => {
    const send = await apiOf(counting());
    const bodies = [];
    const callers: Sent[] = [{ user: 'ann' }, { user: 'bob' }, {}, { headers: { 'x-app': 'ann' } }];
    for (const sent of [...callers, ...callers]) bodies.push(await textOf(send(sent)));
    const first = ['{"calls":1}', '{"calls":2}', '{"calls":3}', '{"calls":4}'];
    expect(bodies).toEqual([...first, ...first]);
  });

  it('runs again after its time', async () => {
    const send = await apiOf(counting());
    const now = Date.now();
    const at = jest.spyOn(Date, 'now').mockReturnValue(now);
    await send();
    at.mockReturnValue(now + 3_599_999);
    expect(await textOf(send())).toBe('{"calls":1}');
    at.mockReturnValue(now + 3_600_000);
    expect(await textOf(send({ body: '{"item":"b"}' }))).toBe('{"calls":2}');
  });
});

describe('a request in progress', () => {
  it('makes the others 409 with Retry-After', async () => {
    const done = Promise.withResolvers<void>();
    const handler = jest.fn<Handler>(() => ({ status: 204 }));
    handler.mockImplementationOnce(() => done.promise.then(() => ({ status: 204 })));
    const send = await apiOf(handler);
    const first = send();
    const rejected = await Promise.all(Array.from({ length: 5 }, () => send()));
    for (const each of rejected) {
      expect([each.status, each.headers.get('retry-after')]).toEqual([409, '1']);
    }
    expect(await statusOf(send({ key: 'other' }))).toBe(204);
    expect(await statusOf(send({ user: 'bob' }))).toBe(204);
    done.resolve();
    expect([await statusOf(first), await statusOf(send())]).toEqual([204, 204]);
  });

  it('is one of several forms that arrive together', async () => {
    const handler = jest.fn<Handler>(
      () => new Promise((resolve) => setTimeout(resolve, 200, { status: 201, body: {} })),
    );
    const send = await apiOf(handler);
    const form = new FormData();
    // Their hashes take time: no request has its key when the others arrive.
    form.set('file', new File(['a'.repeat(500_000)], 'a.txt'));
    const answers = await Promise.all(Array.from({ length: 4 }, () => send({ body: form })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('holds its key until its handler settles, also after its time limit', async () => {
    const done = Promise.withResolvers<void>();
    const handler = jest.fn<Handler>(() => done.promise.then(() => ({ status: 204 })));
    const send = await apiOf(handler, { handlerTimeoutMs: 20 });
    expect(await statusOf(send())).toBe(503);
    expect(await statusOf(send())).toBe(409);
    done.resolve();
    await new Promise((resolve) => setTimeout(resolve, 10));
    handler.mockReturnValue({ status: 201, body: { last: true } });
    expect(await textOf(send())).toBe('{"last":true}');
    expect(handler).toHaveBeenCalledTimes(2);
  });
});

describe('a request that fails', () => {
  it.each<[string, () => unknown, number]>([
    ['a thrown Problem', () => Promise.reject(new Problem(409, 'sold out')), 409],
    ['an error', () => Promise.reject(new Error('x')), 500],
    ['an invalid reply', () => ({ status: 201, body: 5 }), 500],
    ['a reply with a status from 400', () => ({ status: 402, body: {} }), 402],
    [
      'a stream',
      () => ({ status: 201, type: 'application/octet-stream', body: new Blob(['a']).stream() }),
      500,
    ],
  ])('by %s has not used its key', async (_, fail, status) => {
    const handler = jest.fn<Handler>(fail);
    const send = await apiOf(handler);
    expect(await statusOf(send({ body: '{"item":"a"}' }))).toBe(status);
    handler.mockImplementation(() => ({ status: 204 }));
    expect(await statusOf(send({ body: '{"item":"b"}' }))).toBe(204);
  });

  it('by the end of its context has not used its key', async () => {
    const handler = counting();
    let fails = true;
    const context = () => ({
      async [Symbol.asyncDispose]() {
        if (fails) throw new Problem(503, 'the commit failed');
      },
    });
    const send = await apiOf(handler, { context } as never);
    expect(await statusOf(send())).toBe(503);
    fails = false;
    expect(await textOf(send())).toBe('{"calls":2}');
  });
});

describe('a key', () => {
  it.each([
    ['none', 'none'],
    ['no characters', ''],
    ['256 characters', 'a'.repeat(256)],
    ['Latin-1', 'é'],
    ['a tab', 'a\tb'],
  ])('of %s is rejected with 400', async (_, key) => {
    const handler = counting();
    const send = await apiOf(handler);
    const response = await send({ key });
    expect([response.status, JSON.parse(await response.text()).detail]).toEqual([
      400,
      expect.stringMatching(
        /Idempotency-Key .*(expected 1 to 255 printable ASCII|required|expected)/,
      ),
    ]);
    expect(handler).not.toHaveBeenCalled();
  });

  it.each([
    ...['x', 'a b', '"quoted"', '__proto__', 'constructor', '~!@#$%^&*()'].map((key) => [key, key]),
    ['255 characters', 'a'.repeat(255)],
  ])('of %s is accepted', async (_, key) => {
    const handler = counting();
    const send = await apiOf(handler);
    await send({ key });
    expect(await statusOf(send({ key }))).toBe(201);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['Idempotency-Key: \xe9', 400],
    ['Idempotency-Key: a\x7f', 400],
    ['Idempotency-Key: a\x00', 400],
    ['Idempotency-Key:', 400],
    ['Idempotency-Key:    ', 400],
    [`Idempotency-Key: ${'a'.repeat(10_000)}`, 400],
    ['X-Other: a', 400],
    // Node and fetch join them with a comma (RFC 9110, section 5.3).
    ['Idempotency-Key: a\r\nIdempotency-Key: b', 400],
    ['Idempotency-Key: a\r\nIdempotency-Key: a', 400],
    ['Idempotency-Key: a, b', 400],
    ['idempotency-KEY:   a   ', 201],
  ])('in %j on a socket gets %d', async (header, status) => {
    const handler = counting();
    const api = await createApi<never, IncomingMessage>({
      ...{ contract: contractOf(), handlers: { order: handler } },
      verifiers: { token: () => undefined, app: () => undefined },
      idempotency: memoryIdempotency(),
    });
    const { port, hostname } = new URL(await listening(requestListener(api)));
    const send = async () => {
      const socket = connect(Number(port), hostname);
      const head = `POST /orders HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${header}\r\n`;
      const rest = 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
      socket.write(Buffer.from(head + rest, 'latin1'));
      return (await text(socket)).slice(9, 12);
    };
    expect([await send(), await send()]).toEqual([String(status), String(status)]);
    expect(handler).toHaveBeenCalledTimes(status === 201 ? 1 : 0);
  });

  it('is optional where the contract says so', async () => {
    const contract = contractOf({}, { required: false, 'x-idempotency': { ttl: '1h' } });
    const handler = counting();
    const send = await apiOf(handler, { contract });
    await send({ key: 'none' });
    await send({ key: 'none' });
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it('has no effect without x-idempotency', async () => {
    const handler = counting();
    const options = { contract: contractOf({}, {}), idempotency: undefined };
    const send = await apiOf(handler, options);
    await send();
    await send();
    expect(handler).toHaveBeenCalledTimes(2);
  });
});

describe('an API', () => {
  const errorsOf = (options: Partial<ApiOptions<never>>) =>
    apiOf(() => ({ status: 204 }), options).then(
      () => [],
      (error: { readonly errors: readonly unknown[] }) => error.errors.map(String),
    );
  const transactional: IdempotencyStore = { ...memoryIdempotency(), isTransactional: true };

  it('does not start without a store, or without a transaction', async () => {
    expect(await errorsOf({ idempotency: undefined })).toEqual([
      'operation order has x-idempotency: expected the option idempotency, such as storeIdempotency(store) of @stubwright/store',
    ]);
    expect(await errorsOf({ idempotency: transactional as never })).toEqual([
      'operation order has x-idempotency: its store needs the option context, which returns a transaction',
    ]);
  });

  it('does not start with streams, or with an invalid declaration', async () => {
    const events = { description: 'ok', content: { 'text/event-stream': { itemSchema: {} } } };
    const contract = contractOf({
      requestBody: { content: { 'image/png': {} } },
      responses: { 200: events },
    });
    expect(await errorsOf({ contract })).toEqual([
      'operation order has x-idempotency: the request body image/png is a stream, which cannot be compared',
      'operation order has x-idempotency: the response 200 text/event-stream is a stream, which cannot be stored',
    ]);
    const invalid = contractOf({}, { 'x-idempotency': { ttl: 'a day' } });
    expect(await errorsOf({ contract: invalid })).toEqual([
      '/paths/~1orders/post/parameters/0/x-idempotency/ttl  x-idempotency ttl: got "a day", expected a time from 1s to 365d, such as 30s, 15m, 24h or 7d',
    ]);
  });

  it('repeats the replies of a mock without a store', async () => {
    const options = {
      handlers: { order: mocked },
      idempotency: undefined,
      mockOptions: { isDynamic: true },
    };
    const send = await apiOf(() => {}, options as never);
    const bodies = [await textOf(send()), await textOf(send())];
    expect(bodies[1]).toBe(bodies[0]);
    expect(await statusOf(send({ body: '{"item":"b"}' }))).toBe(422);
  });
});

it('a stateful mock creates once for each key', async () => {
  const contract = loadedContract(`
components: {schemas: {Toy: {type: object, properties: {id: {type: integer}, name: {type: string}}}}}
paths:
  /toys:
    get: {operationId: listToys, responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Toy'}}}}}}}
    post:
      operationId: addToy
      parameters: [{name: Idempotency-Key, in: header, x-idempotency: {ttl: 1h}, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
      responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}}
  /toys/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: getToy, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}}}
`);
  const mockOptions = { isStateful: true };
  const api = await createApi({ contract, mock: 'all', mockOptions } as never);
  const handle = fetchHandler(api);
  const add = (key: string) =>
    handle(
      new Request('http://localhost/toys', {
        method: 'POST',
        headers: { 'Idempotency-Key': key, 'content-type': 'application/json' },
        body: '{"name":"bear"}',
      }),
    );
  const bodies = [];
  for (const each of ['a', 'a', 'b']) bodies.push(await textOf(add(each)));
  expect(bodies[1]).toBe(bodies[0]);
  const list = await handle(new Request('http://localhost/toys'));
  expect(JSON.parse(await list.text())).toEqual(
    [bodies[0], bodies[2]].map((each) => JSON.parse(each!)),
  );
});

describe('a store with transactions', () => {
  /** Stores what its transactions commit; a lock for each id. */
  function transactions(more: object = {}) {
    const committed = new Map<string, never>();
    const events: string[] = [];
    const context = () => ({
      saved: [] as [string, never][],
      async [Symbol.asyncDispose](outcome?: { kind: string; status?: number }) {
        events.push(`${outcome?.kind} ${outcome?.status ?? ''}`.trim());
        if (outcome?.kind !== 'replied' || outcome.status! >= 400) return;
        for (const [id, response] of this.saved) committed.set(id, response);
      },
    });
    const idempotency: IdempotencyStore<ReturnType<typeof context>> = {
      isTransactional: true,
      find: (_, { id }) => committed.get(id),
      save: ({ saved }, { id }, response) => void saved.push([id, response as never]),
    };
    return { events, options: { context, idempotency: { ...idempotency, ...more } } as never };
  }

  it('stores the response with the transaction, and reads it with one that commits', async () => {
    const { events, options } = transactions();
    const handler = counting();
    const send = await apiOf(handler, options);
    await send();
    expect(await textOf(send())).toBe('{"calls":1}');
    expect(await statusOf(send({ body: '{"item":"b"}' }))).toBe(422);
    handler.mockImplementationOnce(() => ({ status: 402, body: {} }));
    expect(await statusOf(send({ key: 'b' }))).toBe(402);
    expect(await statusOf(send({ key: 'b' }))).toBe(201);
    expect(events).toEqual(['replied 201', 'replied 201', 'failed', 'replied 402', 'replied 201']);
  });

  it('gets the fingerprint that earlier releases have stored', async () => {
    const fingerprints: string[] = [];
    const save: IdempotencyStore<never>['save'] = (_context, _request, { fingerprint }) =>
      void fingerprints.push(fingerprint);
    const send = await apiOf(counting(), transactions({ save }).options);
    await send({ body: '{"item":"a","count":9007199254740993}', query: '?dry=x' });
    await send({ body: '{"count":9007199254740993,"item":"a"}', query: '?dry=x' });
    const digest = 'b42dcdf1d0d26331ac69dba7ea8c967561dc11272ce2a067268754a4c5ac4288';
    expect(fingerprints).toEqual([`${digest}:1`, `${digest}:1`]);
  });

  it('has its errors mapped by toProblem, and rolls back', async () => {
    for (const fails of ['find', 'save']) {
      const failing = () => Promise.reject(new Error('away'));
      const { events, options } = transactions({ [fails]: failing });
      const toProblem = () => new Problem(503, 'away');
      const send = await apiOf(counting(), { ...(options as object), toProblem });
      expect(await statusOf(send())).toBe(503);
      expect(await statusOf(send())).toBe(503);
      expect(events).toEqual(['failed', 'failed']);
    }
  });

  it('ends a key that another process uses with 409', async () => {
    const { events, options } = transactions({ find: () => 'inProgress' });
    const send = await apiOf(counting(), options);
    const response = await send();
    expect([response.status, response.headers.get('retry-after')]).toEqual([409, '1']);
    expect(events).toEqual(['failed']);
  });
});

it('the memory keeps as much as its limits allow', async () => {
  const store = memoryIdempotency({ maxKeys: 3, maxBytes: 10 });
  const request = (id: string) => ({ id, fingerprint: '', now: 1, expiresAt: 1e13 });
  const response = { fingerprint: '', status: 200, headers: {} };
  const save = (id: string, text: string) =>
    store.save(undefined, request(id), { ...response, body: Buffer.from(text) });
  const ids = () => Array.from('abcdef').filter((id) => store.find(undefined, request(id)));
  for (const id of 'abcd') save(id, 'x');
  expect(ids()).toEqual(['b', 'c', 'd']);
  save('e', '123456789');
  expect(ids()).toEqual(['d', 'e']);
  save('f', '12345678901');
  expect(ids()).toEqual([]);
  expect(() => memoryIdempotency({ maxKeys: -1 })).toThrow('maxKeys');
});

describe('any requests', () => {
  it('have the effects of their first successes alone', async () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('send' as const),
        key: fc.constantFrom('a', 'b'),
        item: fc.constantFrom('1', '2'),
        outcome: fc.constantFrom('reply', 'throw', 'refuse'),
      }),
      fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(0.4, 0.7) }),
    );
    const clock = jest.spyOn(Date, 'now');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        let now = 1e12;
        clock.mockImplementation(() => now);
        let effects = 0;
        let outcome = 'reply';
        const send = await apiOf(() => {
          if (outcome === 'throw') throw new Problem(409, 'no');
          if (outcome === 'refuse') return { status: 402, body: {} };
          return { status: 201, body: { effect: ++effects } };
        });
        const model = new Map<string, { item: string; effect: number; until: number }>();
        let expected = 0;
        for (const each of steps) {
          if (each.kind === 'wait') {
            now += each.hours * 3_600_000;
            continue;
          }
          outcome = each.outcome;
          const response = await send({ key: each.key, body: `{"item":"${each.item}"}` });
          const known = model.get(each.key);
          if (known !== undefined && known.until > now) {
            expect(response.status).toBe(known.item === each.item ? 201 : 422);
            if (known.item === each.item)
              expect(await response.json()).toEqual({ effect: known.effect });
          } else if (outcome === 'reply') {
            model.set(each.key, { item: each.item, effect: ++expected, until: now + 3_600_000 });
            expect([response.status, await response.json()]).toEqual([201, { effect: expected }]);
          } else {
            expect(response.status).toBe(outcome === 'throw' ? 409 : 402);
          }
          expect(effects).toBe(expected);
        }
      }),
      { numRuns: 60 },
    );
  });
});
