// Sequences of items: JSON Lines, JSON text sequences and server-sent events, over real sockets.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { LoadedContract } from '@stubwright/contract';
import type { MockOptions } from '@stubwright/mock/mocked';
import { fetchHandler } from '../src/fetch.ts';
import { type ApiOptions, createApi, Problem } from '../src/index.ts';
import { createEngine, Exchange, sendResponse } from '../src/internals.ts';
import { requestListener } from '../src/node.ts';
import { testClient } from '../src/testing.ts';
import { loadedContract } from './support/contract.ts';
import { closeServers, listening } from './support/listening.ts';

const ITEM = "{$ref: '#/components/schemas/Toy'}";
const streams = (type: string, media: string) => `
    get: {operationId: get, responses: {'200': {description: ok, content: {${type}: ${media}}}}}
    post:
      operationId: post
      requestBody: {required: true, content: {${type}: ${media}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: array}}}}}`;

function contractOf(type: string, media: string, version = '3.2.0'): LoadedContract {
  return loadedContract(`
openapi: ${version}
paths:
  /toys:${streams(type, media)}
components:
  schemas:
    Toy:
      type: object
      required: [id]
      properties: {id: {type: integer, format: int64}, name: {type: string}}
    Error: {type: object, required: [title], properties: {title: {type: string}, status: {type: integer}}}
    Event:
      type: object
      required: [event]
      properties: {event: {type: string}, id: {type: string}, retry: {type: integer}, data: {type: string}}
      oneOf:
        - properties:
            event: {const: toy}
            data: {contentMediaType: application/json, contentSchema: ${ITEM}}
          required: [data]
        - properties: {event: {const: text}, data: {maxLength: 20}}
        - properties:
            event: {const: error}
            data: {contentMediaType: application/json, contentSchema: {$ref: '#/components/schemas/Error'}}
`);
}

// biome-ignore lint/suspicious/noExplicitAny: the contract of this test has no generated types
type AnyRequest = any;

afterEach(closeServers);

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of items) all.push(each);
  return all;
}

interface Started {
  readonly url: string;
  readonly errors: Error[];
}

/** Starts a service whose `get` replies with the items, and whose `post` collects those it receives. */
async function start(
  contract: LoadedContract,
  items: (request: AnyRequest) => unknown,
  options: Partial<ApiOptions> = {},
): Promise<Started> {
  const api = await createApi({
    contract,
    handlers: {
      get: (received: AnyRequest) => ({ status: 200, body: items(received) }),
      post: async ({ body }: AnyRequest) => ({ status: 200, body: await collected(body) }),
    },
    ...options,
  });
  const errors: Error[] = [];
  api.events.on('internalError', (error) => errors.push(error));
  return { url: `${await listening(requestListener(api as never))}/toys`, errors };
}

/** @returns status, media type and text; `cut` at the end of a body that is incomplete */
async function receive(url: string): Promise<[number, string | undefined, string]> {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  const end = await once(response, 'end').then(
    () => '',
    () => ' cut',
  );
  return [response.statusCode!, response.headers['content-type'], text + end];
}

async function post(url: string, type: string, body: string): Promise<[number, string]> {
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body });
  return [response.status, await response.text()];
}

const LARGE = 9_223_372_036_854_775_807n;
const TOYS = [{ id: 1n, name: 'a\nb' }, { id: LARGE }, { id: 2n, name: '\u001e "\u2028' }];
const LINES = [`{"id":1,"name":"a\\nb"}`, `{"id":${LARGE}}`, `{"id":2,"name":"\\u001e \\"\u2028"}`];

async function* generated<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const each of items) {
    await sleep(0);
    yield each;
  }
}

/** Items without an end; calls `onClose` when it is closed. */
async function* endless(onClose: () => void): AsyncGenerator<object> {
  try {
    for (let id = 1n; ; id++) {
      yield { id };
      await sleep(1);
    }
  } finally {
    onClose();
  }
}

const FORMATS = [
  ['application/jsonl', LINES.map((line) => `${line}\n`).join('')],
  ['application/x-ndjson', LINES.map((line) => `${line}\n`).join('')],
] as const;

const DECLARATIONS = [
  ['3.2.0', `{itemSchema: ${ITEM}}`],
  ['3.1.1', `{x-item-schema: ${ITEM}}`],
  ['3.0.4', `{schema: {type: array, items: ${ITEM}}}`],
] as const;

describe.each(FORMATS)('%s', (type, text) => {
  describe.each(DECLARATIONS)('in OpenAPI %s', (version, media) => {
    it('writes each item with exact integers', async () => {
      const { url } = await start(contractOf(type, media, version), () => generated(TOYS));
      expect(await receive(url)).toEqual([200, type, text]);
    });

    it('reads each item with exact integers', async () => {
      const { url } = await start(contractOf(type, media, version), () => []);
      const compact = JSON.stringify(LINES.map((line) => JSON.parse(line)));
      const expected = compact.replace('9223372036854776000', String(LARGE));
      expect(await post(url, type, text)).toEqual([200, expected]);
      expect(await post(url, type, text.trimEnd())).toEqual([200, expected]);
    });
  });

  const contract = contractOf(type, `{itemSchema: ${ITEM}}`);

  it('accepts an array, another iterable, and bytes', async () => {
    for (const body of [TOYS, new Set(TOYS), Buffer.from(text)]) {
      const { url } = await start(contract, () => body);
      expect(await receive(url)).toEqual([200, type, text]);
    }
  });

  it('sends an empty sequence', async () => {
    const { url } = await start(contract, () => generated([]));
    expect(await receive(url)).toEqual([200, type, '']);
    expect(await post(url, type, '')).toEqual([200, '[]']);
  });

  it('replies with 500 if the first item is invalid', async () => {
    const { url } = await start(contract, () => generated([{ name: 'no id' }]));
    expect((await receive(url))[0]).toBe(500);
  });

  it('closes the connection before an invalid item, and reports it', async () => {
    const items = [TOYS[0], 'wait', { id: 'x' }, TOYS[1]];
    const waiting = async function* () {
      for (const each of items) {
        if (each === 'wait') await sleep(20);
        else yield each;
      }
    };
    const { url, errors } = await start(contract, waiting);
    const [line] = text.match(/^[^\n]*\n/)!;
    expect(await receive(url)).toEqual([200, type, `${line} cut`]);
    expect(errors.map(({ message }) => message)).toEqual([
      'get returned 200: item 1: /id expected an int64 integer',
    ]);
  });
});

describe('text/event-stream', () => {
  const type = 'text/event-stream';
  const contract = contractOf(type, "{itemSchema: {$ref: '#/components/schemas/Event'}}");

  it('writes data that is JSON by contentSchema, and text', async () => {
    const events = [
      { event: 'toy', id: '7', data: { id: LARGE, name: 'a\nb', unknown: true } },
      { event: 'text', data: 'a\nb\r\nc\rd' },
      { event: 'text', retry: 5, data: '' },
      { event: 'other-than-listed', data: 1 },
    ];
    const { url } = await start(contract, () => generated(events.slice(0, 3)));
    const text = `event: toy\nid: 7\ndata: {"id":${LARGE},"name":"a\\nb"}\n\n`;
    const lines = 'event: text\ndata: a\ndata: b\ndata: c\ndata: d\n\n';
    const empty = 'event: text\nretry: 5\ndata: \n\n';
    expect(await receive(url)).toEqual([200, type, text + lines + empty]);
  });

  it.each([
    [{ event: 'toy', data: {} }, '/data/id is required'],
    [{ event: 'toy' }, ''],
    [{ event: 'text', data: 'longer than twenty characters' }, ''],
    [{ event: 'none' }, ''],
    [{ data: 'x' }, ''],
    ['data: 1\n\n', ''],
    [{ event: 'text', id: 'a\nb' }, '/id expected one line without NUL'],
    [{ event: 'text', id: 'a\0' }, '/id expected one line without NUL'],
    [{ event: 'text', retry: -1 }, '/retry expected a number of milliseconds'],
  ])('describes an error in an event instead of %j', async (event, message) => {
    const { url, errors } = await start(contract, async function* () {
      yield { event: 'text', data: '1' };
      await sleep(20);
      yield event;
    });
    const data = '{"title":"Internal Server Error","status":500}';
    const text = `event: text\ndata: 1\n\nevent: error\ndata: ${data}\n\n`;
    expect(await receive(url)).toEqual([200, type, text]);
    expect(errors.map((each) => each.message)).toEqual([expect.stringContaining(message)]);
  });

  it('replies with an error instead of a stream whose first event fails', async () => {
    const failing = async function* () {
      if (type) throw new Problem(409, 'taken');
      yield {};
    };
    const { url, errors } = await start(contract, failing);
    const [status, media, text] = await receive(url);
    expect([status, media]).toEqual([409, 'application/problem+json']);
    expect(JSON.parse(text)).toMatchObject({ title: 'Conflict', detail: 'taken' });
    const { url: invalid } = await start(contract, () => [{ event: 'none' }]);
    expect((await receive(invalid))[0]).toBe(500);
    expect(errors).toEqual([]);
  });

  it('describes a Problem of the handler, and closes the connection if no event may', async () => {
    const failing = async function* () {
      yield { event: 'text', data: '1' };
      await sleep(20);
      throw new Problem(409, 'taken');
    };
    const { url } = await start(contract, failing);
    const first = 'event: text\ndata: 1\n\n';
    const error = 'event: error\ndata: {"title":"Conflict","status":409}\n\n';
    expect(await receive(url)).toEqual([200, type, first + error]);
    const closed = '{itemSchema: {properties: {event: {enum: [text]}}}}';
    const { url: other } = await start(contractOf(type, closed), failing);
    expect(await receive(other)).toEqual([200, type, `${first} cut`]);
  });

  it('reads data as the alternative of its event declares it', async () => {
    const { url } = await start(contract, () => []);
    const data = `{"id":${LARGE}}`;
    const received = `[{"event":"toy","data":${data}},{"event":"text","data":""}]`;
    const events = `event: toy\ndata: ${data}\n\nevent: text\ndata\n\n`;
    expect(await post(url, type, events)).toEqual([200, received]);
  });

  it.each([
    ...['event: text\ndata: a\n\nevent: text\ndata: cut\n', 'event: text\ndata: a\n\nevent: text'],
    ...['event: text\rdata: a\r\revent: text\rdata: cut\r', 'event: text\r\ndata: a\r\n\r'],
  ])('reads the events of %j that have an end', async (body) => {
    const { url } = await start(contract, () => []);
    expect(await post(url, type, body)).toEqual([200, '[{"event":"text","data":"a"}]']);
  });

  it('takes data of another type than string as JSON', async () => {
    const value = contractOf(type, `{itemSchema: {properties: {data: ${ITEM}}}}`);
    const { url } = await start(value, () => generated([{ data: { id: LARGE } }]));
    const text = `data: {"id":${LARGE}}\n\n`;
    expect(await receive(url)).toEqual([200, type, text]);
    expect(await post(url, type, text)).toEqual([200, `[{"data":{"id":${LARGE}}}]`]);
  });

  it('sends its head before the first event, and comments while it is idle', async () => {
    const never = async function* ({ signal }: AnyRequest) {
      await once(signal, 'abort');
      yield* [];
    };
    const { url } = await start(contract, never, { keepAliveMs: 20 });
    const client = get(url);
    const [response] = (await once(client, 'response')) as [IncomingMessage];
    expect(response.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': type });
    const [chunk] = await once(response, 'data');
    expect(String(chunk)).toMatch(/^(?::\n\n)+$/);
    client.destroy();
  });
});

describe('an item of a request', () => {
  const MAX_BYTES = 1024 * 1024;

  it.each<[type: string, sent: (json: string) => string, others: number]>([
    ['application/jsonl', (json) => `${json}\n`, 0],
    ['text/event-stream', (json) => `data: ${json}\n\n`, 'data: '.length],
  ])('of %s has at most 1 MiB', async (type, sent, others) => {
    const schema = type === 'text/event-stream' ? '{type: object}' : ITEM;
    const contract = contractOf(type, `{itemSchema: ${schema}}`);
    const { url } = await start(contract, () => [], { bodyLimitBytes: 4 * MAX_BYTES });
    const statusOf = async (length: number) => {
      const json = `{"id":1,"name":"${'a'.repeat(length - '{"id":1,"name":""}'.length)}"}`;
      return (await post(url, type, sent(json)))[0];
    };
    expect(await statusOf(MAX_BYTES - others)).toBe(200);
    expect(await statusOf(MAX_BYTES - others + 1)).toBe(413);
  });
});

describe('the iterator of a handler', () => {
  const contract = contractOf('application/jsonl', `{itemSchema: ${ITEM}}`);

  it('is closed when the client leaves', async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await start(contract, () => endless(closed.resolve));
    const client = get(url);
    const [response] = (await once(client, 'response')) as [IncomingMessage];
    await once(response, 'data');
    client.destroy();
    await closed.promise;
  });

  it('is closed when other code destroys the response with an error', async () => {
    const body = new Readable({ read() {} });
    body.push('a');
    const url = await listening((request, response) => {
      sendResponse(request, response, { status: 200, headers: {}, body }, false);
      setImmediate(() => response.destroy(new Error('the error of a middleware')));
    });
    const closed = once(body, 'close');
    get(url).on('error', () => {});
    await closed;
    expect(body.destroyed).toBe(true);
  });

  it('waits for a client that does not read', async () => {
    let count = 0;
    const { url } = await start(contract, function* () {
      for (;;) yield { id: BigInt(++count), name: 'a'.repeat(1000) };
    });
    const client = get(url);
    const [response] = (await once(client, 'response')) as [IncomingMessage];
    // Until neither side accepts more.
    let before = -1;
    while (before !== count) {
      before = count;
      await sleep(100);
    }
    expect(count).toBeLessThan(100_000);
    response.destroy();
  });

  it('serves other requests meanwhile', async () => {
    const { url } = await start(contract, function* ({ query: _ }: AnyRequest) {
      for (let id = 0n; id < 200_000n; id++) yield { id };
    });
    const order: string[] = [];
    const all = receive(url).then(() => order.push('items'));
    await post(url, 'application/jsonl', '{"id":1}').then(() => order.push('post'));
    await all;
    expect(order).toEqual(['post', 'items']);
  });
});

describe.each(['strict', 'log', 'off'] as const)('with the validation %s', (responseValidation) => {
  it('treats an invalid item accordingly', async () => {
    const contract = contractOf('application/jsonl', `{itemSchema: ${ITEM}}`);
    const items = [{ id: 1n }, { name: 'no id' }];
    const { url } = await start(contract, () => generated(items), { responseValidation });
    const [status, , text] = await receive(url);
    const isStrict = responseValidation === 'strict';
    expect(status).toBe(200);
    expect(text.replace(' cut', '')).toBe(isStrict ? '{"id":1}\n' : '{"id":1}\n{"name":"no id"}\n');
  });
});

it('is a stream of a fetch handler', async () => {
  const contract = contractOf('application/jsonl', `{itemSchema: ${ITEM}}`);
  const closed = Promise.withResolvers<void>();
  const get = () => ({ status: 200, body: endless(closed.resolve) });
  const post = () => ({ status: 200, body: [] });
  const api = await createApi({ contract, handlers: { get, post } });
  const response = await fetchHandler(api as never)(new Request('http://localhost/toys'));
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  expect(Buffer.from(value!).toString()).toMatch(/^\{"id":1\}\n/);
  await reader.cancel();
  await closed.promise;
});

describe('a mock', () => {
  /** @param sent the body of a POST; by default a GET */
  const replyOf = async (
    { definition }: LoadedContract,
    mockOptions: MockOptions,
    sent?: string,
  ) => {
    const engine = await createEngine({ definition, mock: 'all', mockOptions });
    const bytes = Buffer.from(sent ?? '');
    const body = { readBody: () => bytes, stream: () => Readable.from([bytes]) };
    const headers = { 'content-type': 'application/jsonl', 'transfer-encoding': 'chunked' };
    const head = sent === undefined ? { method: 'GET', headers: {} } : { method: 'POST', headers };
    return engine.handle(new Exchange({ ...head, url: '/toys' }, body));
  };
  const mocked = async (contract: LoadedContract, mockOptions: MockOptions) =>
    text((await replyOf(contract, mockOptions)).body as Readable);

  it.each([1, 5])('sends %d valid items', async (items) => {
    const lines = await mocked(contractOf('application/jsonl', `{itemSchema: ${ITEM}}`), { items });
    expect(lines.match(/^\{"id":\d+/gm)).toHaveLength(items);
  });

  it('waits between items', async () => {
    const contract = contractOf('application/jsonl', `{itemSchema: ${ITEM}}`);
    const { body } = await replyOf(contract, { items: 2, itemIntervalMs: 60_000 });
    const sent: string[] = [];
    const items = (body as Readable).on('data', (chunk) => sent.push(String(chunk)));
    await once(items, 'data');
    // The next one would come at once.
    await sleep(50);
    items.destroy();
    expect(sent.join('')).toMatch(/^[^\n]+\n$/);
  });

  it.each([ITEM, `{type: array, minItems: 2, items: ${ITEM}}`])(
    'sends %s that is no sequence as a whole, at any interval',
    async (schema) => {
      const contract = contractOf('application/json', `{schema: ${schema}}`);
      const reply = await replyOf(contract, { itemIntervalMs: 60_000 });
      const toy = { id: expect.any(Number) };
      expect([JSON.parse(String(reply.body))].flat()).toMatchObject(
        schema === ITEM ? [toy] : [toy, toy],
      );
    },
  );

  it.each([
    ['{"id":1}\n{"id":"x"}\n', '/1/id expected an int64 integer'],
    ['{"id":1}\n{', 'item 1: '],
    ['{"id":1}\n{}\n', '/1/id is required'],
    ['{"id":1}\n', undefined],
    ['', undefined],
  ])('validates the items of a request: %j', async (sent, message) => {
    const contract = contractOf('application/jsonl', `{itemSchema: ${ITEM}}`);
    for (const mockOptions of [{}, { isStateful: true }]) {
      const reply = await replyOf(contract, mockOptions, sent);
      expect(reply.status).toBe(message === undefined ? 200 : 400);
      if (message !== undefined) expect(String(reply.body)).toContain(message);
    }
  });

  it('sends the first example that is an array of valid items', async () => {
    const examples = '{a: {value: [{}]}, b: {value: [{id: 1}, {id: 2}]}}';
    const contract = contractOf(
      'application/jsonl',
      `{itemSchema: ${ITEM}, examples: ${examples}}`,
    );
    expect(await mocked(contract, {})).toBe('{"id":1}\n{"id":2}\n');
  });
});

describe('the test client', () => {
  const withInvalid = async function* () {
    for (let id = 1n; ; id++) yield { id, name: id === 4n ? 4 : 'a' };
  };
  const clientOf = async (maxItems?: number) => {
    const contract = contractOf('application/jsonl', `{itemSchema: ${ITEM}}`);
    const { url: target } = await start(contract, withInvalid, { responseValidation: 'off' });
    const { origin } = new URL(target);
    return testClient({ contract, target: origin, maxItems });
  };

  it('iterates over items as they arrive, until one violates the contract', async () => {
    const client = await clientOf();
    const { status, body } = await client.call('get');
    const ids: bigint[] = [];
    const reading = (async () => {
      for await (const { id } of body) ids.push(id);
    })();
    await expect(reading).rejects.toThrow('/3/name expected string');
    expect([status, ids]).toEqual([200, [1n, 2n, 3n]]);
    expect(client.seen).toContain('get 200 application/jsonl');
  });

  it('ends the iteration at the limit', async () => {
    const { body } = await (await clientOf(2)).call('get');
    expect(await collected(body)).toEqual([
      { id: 1n, name: 'a' },
      { id: 2n, name: 'a' },
    ]);
  });
});
