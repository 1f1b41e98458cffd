// `stubwright proxy`, on real sockets: what it forwards, and what it reports.

import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Contract } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { ExampleRequests } from '@stubwright/mock';
import { Samples } from '@stubwright/mock/samples';
import { loadToy } from '@stubwright/test-support/contractFiles';
import { FIGMA } from '@stubwright/test-support/publicContracts';
import { inTestAll } from '@stubwright/test-support/testAll';
import { serveDefinition } from '@stubwright/test-support/toy';
import { loadContractFiles } from '../src/loading/load.ts';
import type { ProxyOptions } from '../src/proxy/proxy.ts';
import { runCommand, startCommand, startProcess } from './support/command.ts';
import { listen, requestText, sendBytes, testProxies } from './support/proxied.ts';
import * as selfSigned from './support/selfSigned.ts';

const { startProxied, startUpstream } = testProxies();

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

const CONTRACT = `openapi: 3.0.3
info: { title: Toys, version: 1.0.0 }
servers: [{ url: 'https://example.com/v1' }]
paths:
  /toys:
    get:
      operationId: listToys
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 9 } }
        - { name: X-Trace, in: header, schema: { type: string, maxLength: 3 } }
        - { name: tab, in: cookie, schema: { type: string, enum: [a] } }
      responses:
        200:
          description: d
          headers: { X-Total: { required: true, schema: { type: integer } } }
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Toy' } } } }
        204: { description: d }
        304: { description: d }
    post:
      operationId: storeToy
      security: [{ key: [] }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Toy' } } } }
      responses:
        200: { description: d, content: { application/json: { schema: { $ref: '#/components/schemas/Toy' } } } }
        400: { description: d, content: { application/json: { schema: { $ref: '#/components/schemas/Refusal' } } } }
  /toys/{name}:
    get:
      operationId: getToy
      parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
      responses: { 200: { description: d, content: { application/json: { schema: {} } } } }
  /bytes:
    put:
      operationId: putBytes
      requestBody: { content: { application/octet-stream: {} } }
      responses: { 200: { description: d, content: { application/octet-stream: {} } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Toy:
      type: object
      required: [id, name]
      properties:
        id: { type: integer, format: int64 }
        name: { type: string }
        secret: { type: string, writeOnly: true }
    Refusal: { type: object, required: [reason], properties: { reason: { type: string } } }
`;

let definition: Contract;
let service: Server;
let origin: string;
/** Handles the requests of the current test. */
let respond: Listener;

beforeAll(async () => {
  ({ definition } = await loadToy({ 'a.yaml': CONTRACT }));
  service = createServer((req, res) => respond(req, res));
  ({ origin } = await listen(service));
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});

async function start(options: Partial<ProxyOptions> = {}) {
  const proxied = await startProxied(new URL(origin), { definition, ...options });
  const { report } = proxied;
  /** Waits for pending validations. */
  const violations = async () => {
    await proxied.close();
    return report.summary.violations.map(
      ({ operation, direction, location, message, value }) =>
        `${operation} ${direction}: ${location} ${message}${value === null ? '' : ` (${value})`}`,
    );
  };
  return { ...proxied, violations };
}

const TOYS = '[{"id":9007199254740993,"name":"Bär"}]';
const withId = (id: bigint) => `{"id":${id},"name":"a"}`;
const VALID = withId(1n);
const HEAD = { 'Content-Type': 'application/json', 'X-Total': '1' };

describe('a valid exchange', () => {
  const GZIP = { ...HEAD, 'Content-Encoding': 'gzip' };
  const REPEATED = [...Object.entries(HEAD), ['Set-Cookie', 'a=1'], ['SET-Cookie', 'b=2']];
  it.each<[string, Listener]>([
    ['200 with a length', (_, res) => res.writeHead(200, HEAD).end(TOYS)],
    ['a reason phrase', (_, res) => res.writeHead(200, 'Fine', HEAD).end(TOYS)],
    ['204', (_, res) => res.writeHead(204).end()],
    ['304 with a length', (_, res) => res.writeHead(304, { 'Content-Length': '9' }).end()],
    ['HEAD', (_, res) => res.writeHead(200, { ...HEAD, 'Content-Length': '38' }).end()],
    ['gzip', (_, res) => res.writeHead(200, GZIP).end(gzipSync(TOYS))],
    ['repeated headers', (_, res) => res.writeHead(200, REPEATED as never).end(TOYS)],
    [
      'a chunked body',
      (_, res) => {
        res.writeHead(200, HEAD).write(TOYS.slice(0, 5));
        void setTimeout(20).then(() => res.end(TOYS.slice(5)));
      },
    ],
    [
      'trailers',
      (_, res) => {
        res.writeHead(200, { ...HEAD, Trailer: 'X-Sum' }).write(TOYS);
        res.addTrailers({ 'X-Sum': '7' });
        res.end();
      },
    ],
    [
      'no Date',
      (_, res) => {
        res.sendDate = false;
        res.writeHead(200, HEAD).end(TOYS);
      },
    ],
  ])('forwards %s byte for byte', async (name, listener) => {
    respond = listener;
    const { url, violations } = await start();
    const text = requestText(`${name === 'HEAD' ? 'HEAD' : 'GET'} /v1/toys`);
    const answerOf = async (of: string) =>
      (await sendBytes(of, text)).replace(/\r\nDate: [^\r]*/, '\r\nDate: now');
    const direct = await answerOf(origin);
    expect(direct).toMatch(/^HTTP\/1\.1 \d/);
    expect(await answerOf(url)).toBe(direct);
    expect(await violations()).toEqual([]);
  });

  it.each([
    ...['/v1/toys/a%2Fb', '/v1/toys/a%2fb?', '/v1//toys', '/v1/toys/', '/v1/toys/./../toys', '/'],
    '/v1/toys/%E4%BD%A0?x=%20&x=+&y',
  ])('forwards the target %s unchanged', async (target) => {
    expect(await forwardedTarget('', target)).toBe(target);
  });

  it.each([
    ['', '/v1/toys/a', '/v1/toys/a'],
    ['/', '/v1/toys/a', '/v1/toys/a'],
    ['/api', '/toys/a', '/api/toys/a'],
    ['/api/', '/toys/a?', '/api/toys/a?'],
    ['/a%2Fb', '/toys/a', '/a%2Fb/toys/a'],
  ])('appends the target to the path of the URL %j', async (path, target, forwarded) => {
    expect(await forwardedTarget(path, target, [])).toBe(forwarded);
  });

  async function forwardedTarget(path: string, target: string, reported?: readonly string[]) {
    const { url: root, received } = await startUpstream();
    const { url, violations } = await start({ target: new URL(root.origin + path) });
    await sendBytes(url, requestText(`GET ${target}`));
    if (reported !== undefined) expect(await violations()).toEqual(reported);
    return received[0]!.url;
  }

  it('removes the headers of the connection, and adds those of a gateway', async () => {
    const { url: target, received } = await startUpstream((_, res) => {
      res.writeHead(200, { ...HEAD, Connection: 'X-Hop', 'X-Hop': '1', 'Proxy-Connection': 'a' });
      res.end('[]');
    });
    const { url, violations } = await start({ target });
    const answer = await sendBytes(
      url,
      requestText('GET /v1/toys', [
        ...['Host: example.com', 'Connection: close, x-mine', 'X-Mine: 1', 'Upgrade: h2c'],
        ...['TE: trailers', 'Keep-Alive: timeout=1', 'Via: 1.1 before'],
        ...['X-Forwarded-For: 192.0.2.1', 'X-ABC: 1', 'x-abc: 2', 'Accept-Encoding: br'],
      ]),
    );
    expect(answer).not.toMatch(/X-Hop|Proxy-Connection/);
    expect(received[0]!.rawHeaders).toEqual([
      ...['Host', target.host, 'X-ABC', '1', 'X-ABC', '2', 'Accept-Encoding', 'br'],
      ...['Via', '1.1 before, 1.1 stubwright'],
      ...['X-Forwarded-For', '192.0.2.1, 127.0.0.1'],
      ...['X-Forwarded-Host', 'example.com', 'X-Forwarded-Proto', 'http'],
      ...['Connection', 'keep-alive'],
    ]);
    expect(await violations()).toEqual([]);
  });

  const JSON_TOY = ['Content-Type: application/json', 'X-Key: k'];
  it.each([
    ['a length', [...JSON_TOY, 'Content-Length: 19'], VALID, ['19', undefined]],
    [
      'chunks',
      [...JSON_TOY, 'Transfer-Encoding: chunked'],
      `13\r\n${VALID}\r\n0\r\n\r\n`,
      [undefined, 'chunked'],
    ],
    ['none', [], '', [undefined, undefined]],
  ])('forwards a request body with %s', async (framing, headers, bytes, forwarded) => {
    const { url: target, received } = await startUpstream();
    const { url, violations } = await start({ target });
    const path = framing === 'none' ? '/v1/none' : '/v1/toys';
    await sendBytes(url, requestText(`POST ${path}`, headers, bytes));
    const [{ body, headers: fields }] = received as [(typeof received)[0]];
    expect(body).toBe(framing === 'none' ? '' : VALID);
    expect([fields['content-length'], fields['transfer-encoding']]).toEqual(forwarded);
    if (framing !== 'none') expect(await violations()).toEqual([]);
  });

  inTestAll(it)('streams large bodies in both directions', async () => {
    const size = 50 * 1024 * 1024;
    respond = (req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/octet-stream' });
      req.pipe(res);
    };
    const { url, report, violations } = await start();
    const chunk = Buffer.alloc(64 * 1024, 7);
    async function* chunks() {
      for (let at = 0; at < size; at += chunk.length) yield chunk;
    }
    const response = await fetch(`${url}/v1/bytes`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: ReadableStream.from(chunks()) as never,
      duplex: 'half',
    } as RequestInit);
    let received = 0;
    for await (const part of response.body!) {
      received += part.length;
    }
    expect(received).toBe(size);
    expect(await violations()).toEqual([]);
    expect(report.summary.unvalidated).toBe(0);
  });

  it('does not read faster than the client', async () => {
    const size = 200 * 1024 * 1024;
    const chunk = Buffer.alloc(1024 * 1024);
    let written = 0;
    respond = (_, res) => {
      res.writeHead(200, { 'Content-Type': 'application/octet-stream' });
      const write = () => {
        while (written < size) {
          written += chunk.length;
          if (!res.write(chunk)) break;
        }
        res.once('drain', write);
      };
      write();
    };
    const { url } = await start();
    const call = request(`${url}/v1/bytes`, { method: 'PUT' }).end();
    const [response] = await once(call, 'response');
    // Until the buffers of all sockets are full.
    for (let before = -1; before < written; await setTimeout(100)) before = written;
    expect(written).toBeLessThan(size / 4);
    response.destroy();
  });

  it('sends the head of a stream before its body', async () => {
    let finish = () => {};
    respond = (_, res) => {
      res.writeHead(200, HEAD).flushHeaders();
      finish = () => res.end('[]');
    };
    const { url } = await start();
    const response = await fetch(`${url}/v1/toys`);
    finish();
    expect(await response.text()).toBe('[]');
  });

  it('forwards 100 Continue of the service', async () => {
    respond = async (req, res) => {
      const body = await text(req);
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
    };
    const { url } = await start();
    const { hostname, port } = new URL(url);
    const headers = { 'Content-Type': 'application/json', Expect: '100-continue', 'X-Key': 'k' };
    const call = request({ hostname, port, method: 'POST', path: '/v1/toys', headers });
    call.flushHeaders();
    await once(call, 'continue');
    call.end('{"id":1,"name":"a"}');
    const [response] = await once(call, 'response');
    expect(await text(response)).toBe('{"id":1,"name":"a"}');
  });

  it('reuses connections to the service', async () => {
    const { url: target, received } = await startUpstream();
    const { url } = await start({ target });
    for (let count = 0; count < 5; count++) await (await fetch(`${url}/v1/toys`)).text();
    expect(new Set(received.map(({ port }) => port)).size).toBe(1);
  });
});

describe('a broken connection', () => {
  it('ends the request to the service when the client leaves', async () => {
    const closed = new Promise<void>((resolve) => {
      respond = (_, res) => {
        res.writeHead(200, HEAD).write('[');
        res.once('close', resolve);
      };
    });
    const { url, report } = await start();
    const controller = new AbortController();
    await fetch(`${url}/v1/toys`, { signal: controller.signal });
    controller.abort();
    await closed;
    expect(report.summary).toMatchObject({ violations: [], failed: 0 });
  });

  it('ends the response when the service fails during the body', async () => {
    respond = (_, res) => {
      res.writeHead(200, HEAD).write('[');
      void setTimeout(20).then(() => res.destroy());
    };
    const { url, report, lines } = await start();
    const response = await fetch(`${url}/v1/toys`);
    await expect(response.text()).rejects.toThrow();
    expect(report.summary).toMatchObject({ violations: [], failed: 1 });
    expect(lines).toEqual([`listToys: ${origin} ended a response early`]);
  });

  it('responds with 502 when the service cannot be reached', async () => {
    const { url, lines, report } = await start({ target: new URL('http://127.0.0.1:1') });
    const response = await fetch(`${url}/v1/toys`);
    expect(response.status).toBe(502);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(lines).toEqual(['listToys: http://127.0.0.1:1 cannot be reached (ECONNREFUSED)']);
    expect(report.summary).toMatchObject({ violations: [], failed: 1 });
  });

  it('ends the request to the service when the client stops an upload', async () => {
    const aborted = new Promise<void>((resolve) => {
      respond = (req) => {
        req.once('close', resolve);
      };
    });
    const { url, report } = await start();
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '1000' };
    const call = request(`${url}/v1/toys`, { method: 'POST', headers });
    call.on('error', () => {}).write('{');
    await once(service, 'request');
    call.destroy();
    await aborted;
    expect(report.summary).toMatchObject({ violations: [], failed: 0 });
  });

  it.each([
    ['GET', 200],
    ['POST', 502],
  ])(
    'sends a %s again only if it is idempotent, when an idle connection was closed',
    async (method, status) => {
      // Each connection answers once, and closes at its second request.
      const raw = createTcpServer((socket) => {
        const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2';
        let requests = 0;
        socket.on('error', () => {});
        socket.on('data', () => {
          if (++requests > 1) socket.resetAndDestroy();
          else socket.write(`${head}\r\n\r\n{}`);
        });
      });
      const target = await listen(raw);
      const { url } = await start({ target });
      await (await fetch(`${url}/v1/toys/a`)).text();
      const body = method === 'POST' ? VALID : null;
      const response = await fetch(`${url}/v1/toys/a`, { method, body });
      await response.text();
      expect(response.status).toBe(status);
      raw.close();
    },
  );

  it('forwards a response that arrives before the end of the request', async () => {
    respond = (req, res) => {
      res.writeHead(400, { 'Content-Type': 'application/json' }).end('{"reason":"no"}');
      req.resume();
    };
    const { url } = await start();
    const body = `{"id":1,"name":"${'x'.repeat(300_000)}"}`;
    const headers = { 'Content-Type': 'application/json', 'X-Key': 'k' };
    const response = await fetch(`${url}/v1/toys`, { method: 'POST', headers, body });
    expect(response.status).toBe(400);
    expect(await response.text()).toBe('{"reason":"no"}');
  });
});

const KEY = { 'X-Key': 'k', 'Content-Type': 'application/json' };
const post = (body: string, headers: Record<string, string> = KEY): RequestInit => ({
  method: 'POST',
  headers,
  body,
});
const ok = {
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body: '{"id":1,"name":"a"}',
};
const listed = { status: 200, headers: HEAD, body: '[]' };

interface Sent {
  readonly path: string;
  readonly init: RequestInit;
}
const to = (path: string, init: RequestInit = {}): Sent => ({ path, init });
const store = (body: string, headers?: Record<string, string>) =>
  to('/v1/toys', post(body, headers));
const without = (name: string) =>
  Object.fromEntries(Object.entries(KEY).filter(([key]) => key !== name));

type Answer = { status: number; headers: Record<string, string>; body: string | Buffer };
type Case = readonly [violations: string, sent: Sent, answer: Answer];

/** Violations of `listToys`, by the query and the headers of its request. */
const LISTS: readonly (readonly [query: string, headers: Record<string, string>, string])[] = [
  ['?limit=10', {}, 'query parameter limit expected to be <= 9 (10)'],
  ['?a=1', {}, 'query parameter a is not declared'],
  [
    '',
    { 'X-Trace': 'abcd' },
    'header parameter X-Trace expected to NOT have more than 3 characters (abcd)',
  ],
  ['', { Cookie: 'tab=b' }, 'cookie parameter tab expected "a" (b)'],
];
/** Violations of `storeToy`, in the order of the report, by the body and the headers of its request. */
const STORES: readonly (readonly [string, Record<string, string>, ...string[]])[] = [
  [VALID, without('X-Key'), 'credentials expected credentials'],
  [VALID, { ...KEY, 'Content-Type': 'text/plain' }, 'body expected Content-Type application/json'],
  ['{', KEY, 'body expected JSON in UTF-8'],
  ['{"id":"x"}', KEY, 'body /name is required', 'body /id expected an int64 integer (x)'],
  [withId(2n ** 63n), KEY, `body /id expected an int64 integer (${2n ** 63n})`],
];
const WITHOUT_OPERATION: readonly (readonly [method: string, path: string, string])[] = [
  ['GET', '/v1/none', 'path is not in the contract (/v1/none)'],
  ['GET', '/toys', 'path is not in the contract (/toys)'],
  ['DELETE', '/v1/toys', 'method expected GET, POST, HEAD, OPTIONS (DELETE)'],
];
const STORED: readonly (readonly [Partial<Answer>, string])[] = [
  [{ status: 201 }, 'status is not declared (201)'],
  [
    { headers: { 'Content-Type': 'text/html' } },
    'body expected Content-Type application/json, got text/html',
  ],
  [{ body: '{"id":1,"name":2}' }, 'body /name expected string (2)'],
  [{ body: 'oops' }, 'body expected JSON in UTF-8'],
];
const ZIPPED = { headers: { ...HEAD, 'Content-Encoding': 'gzip' }, body: gzipSync('{}') };
const LISTED: readonly (readonly [Partial<Answer>, string])[] = [
  [{ headers: ok.headers }, 'header X-Total is required'],
  [{ headers: { ...HEAD, 'X-Total': 'x' } }, 'header X-Total expected integer (x)'],
  [{ body: '[{"id":1},{"id":2},{"id":3}]' }, 'body /0/name is required'],
  [ZIPPED, 'body expected array'],
];

const CASES: readonly Case[] = [
  ['', store(VALID), ok],
  ['', store(withId(2n ** 63n - 1n)), ok],
  ['', to('/v1/toys', { method: 'OPTIONS' }), ok],
  ...LISTS.map(([query, headers, text]): Case => {
    return [`listToys request: ${text}`, to(`/v1/toys${query}`, { headers }), listed];
  }),
  ...STORES.map(([body, headers, ...texts]): Case => {
    return [texts.map((text) => `storeToy request: ${text}`).join('\n'), store(body, headers), ok];
  }),
  [
    'storeToy request: body expected a body',
    to('/v1/toys', { method: 'POST', headers: without('Content-Type') }),
    ok,
  ],
  ...WITHOUT_OPERATION.map(([method, path, text]): Case => {
    return [`${method} ${path} request: ${text}`, to(path, { method }), ok];
  }),
  ...STORED.map(([answer, text]): Case => {
    return [`storeToy response: ${text}`, store(VALID), { ...ok, ...answer }];
  }),
  ...LISTED.map(([answer, text]): Case => {
    return [`listToys response: ${text}`, to('/v1/toys'), { ...listed, ...answer }];
  }),
];
const linesOf = (text: string) => text.split('\n').filter(Boolean);

const serve =
  ({ status, headers, body }: Case[2]): Listener =>
  (req, res) => {
    req.resume();
    res.writeHead(status, headers).end(body);
  };

describe('a violation', () => {
  it.each(CASES)('is reported, and refused with --errors: %s', async (expected, sent, answer) => {
    const isRequest = expected.includes(' request: ');
    for (const refuses of [false, true]) {
      let calls = 0;
      respond = (req, res) => {
        calls++;
        serve(answer)(req, res);
      };
      const { url, violations } = await start({ refuses });
      const response = await fetch(url + sent.path, sent.init);
      const body = await response.text();
      expect(await violations()).toEqual(linesOf(expected));
      const isRefused = refuses && expected !== '';
      expect(calls).toBe(isRefused && isRequest ? 0 : 1);
      if (!isRefused) expect(response.status).toBe(answer.status);
      else if (isRequest) expect([400, 401, 404, 405, 415]).toContain(response.status);
      else {
        expect(response.status).toBe(502);
        expect(JSON.parse(body)).toMatchObject({ status: 502, violations: expect.any(Array) });
      }
      if (expected === '') expect(body).toBe(answer.body);
    }
  });

  it('is counted once per operation, location and rule, with the first value', async () => {
    respond = serve({ ...listed, body: '[{"id":1},{"id":2}]' });
    const { url, report, lines, violations } = await start();
    for (let limit = 10; limit < 13; limit++)
      await (await fetch(`${url}/v1/toys?limit=${limit}`)).text();
    await violations();
    expect(report.summary).toEqual({
      ...{ requests: 3, unvalidated: 0, failed: 0 },
      violations: [
        {
          ...{ operation: 'listToys', direction: 'response', location: 'body /0/name' },
          ...{ message: 'is required', value: null, count: 6 },
        },
        {
          ...{ operation: 'listToys', direction: 'request', location: 'query parameter limit' },
          ...{ message: 'expected to be <= 9', value: 10, count: 3 },
        },
      ],
    });
    expect(lines).toHaveLength(9);
  });

  it('is one line for every value that a client sends', async () => {
    respond = serve(ok);
    const { url, lines, violations } = await start();
    const name = `${'x'.repeat(500)}\\n\\u001b[31m`;
    await (await fetch(`${url}/v1/toys`, post(`{"id":1,"name":["${name}"],"a\\nb":1}`))).text();
    await (await fetch(`${url}/v1/toys?limit=%0a%1b`)).text();
    await violations();
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^[\x20-\x7e…]{1,601}$/);
  });

  it('is a body of an operation without one', async () => {
    respond = serve(listed);
    const { url, violations } = await start();
    const head = ['Content-Type: application/json', 'Content-Length: 2'];
    await sendBytes(url, requestText('GET /v1/toys', head, '{}'));
    expect(await violations()).toEqual(['listToys request: body expected no body']);
  });

  it('reports undeclared properties on request', async () => {
    respond = serve({ ...ok, body: '{"id":1,"name":"a","secret":"s","more":1}' });
    const { url, violations } = await start({ undeclaredProperties: 'report' });
    await (await fetch(`${url}/v1/toys`, post(VALID))).text();
    expect(await violations()).toEqual([
      'storeToy response: body /secret is not declared for a response',
      'storeToy response: body /more is not declared for a response',
    ]);
  });

  it('in a body beyond the limit is not found, but the body is forwarded', async () => {
    respond = async (req, res) => {
      await text(req);
      res.writeHead(200, ok.headers).end(`{"name":"${'x'.repeat(2000)}"}`);
    };
    const { url, report, violations } = await start({ bodyLimitBytes: 1000 });
    const response = await fetch(`${url}/v1/toys`, post(`{"name":"${'x'.repeat(200_000)}"}`));
    expect((await response.text()).length).toBe(2011);
    expect(await violations()).toEqual([]);
    expect(report.summary.unvalidated).toBe(2);
  });
});

describe('a service with a self-signed certificate', () => {
  let tls: Server;
  beforeAll(async () => {
    tls = createTlsServer(selfSigned, (_, res) => res.writeHead(200, HEAD).end(TOYS));
    await once(tls.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    tls.close();
  });

  it.each([
    [true, 200, /^1 request, no violations$/m],
    [false, 502, /cannot be reached \(DEPTH_ZERO_SELF_SIGNED_CERT\)/],
  ])('with isInsecure %s results in %d', async (isInsecure, status, expected) => {
    const target = new URL(`https://127.0.0.1:${(tls.address() as AddressInfo).port}`);
    const { url, report, lines, violations } = await start({ target, isInsecure });
    expect((await fetch(`${url}/v1/toys`)).status).toBe(status);
    await violations();
    expect([report.text, ...lines].join('\n')).toMatch(expected);
  });
});

// realContracts.test.ts sends the same requests without a proxy.
inTestAll(describe)('the contract of Figma', () => {
  it('has no violation between valid requests and mocked responses', async () => {
    const { definition: figma } = await loadContractFiles(FIGMA);
    const toy = await serveDefinition(figma, { mock: 'all' });
    const { url, violations, report } = await start({
      definition: figma,
      target: new URL(toy.url),
      undeclaredProperties: 'report',
    });
    const validators = new Validators(figma, 'request');
    const requests = new ExampleRequests(figma, validators, new Samples(validators));
    for (const operation of figma.operations) {
      const { method, target, headers, body } = requests.of(operation, 'token');
      const path = `${operation.basePaths[0]}${target}`;
      await (await fetch(url + path, { method, headers, body: body ?? null })).arrayBuffer();
    }
    expect(await violations()).toEqual([]);
    expect(report.summary).toMatchObject({ requests: 54, unvalidated: 0, failed: 0 });
    await toy.close();
  });
});

describe('stubwright proxy', () => {
  const TOYS_YAML = 'packages/test-support/toys.yaml';
  const READY = /^proxy {2}(\S+) -> /m;

  it.each([
    [
      'text',
      '1 request, 2 violations, 2 distinct\n  1 × getToy request: credentials expected credentials\n  1 × getToy response: body expected Content-Type application/json, got none\n',
    ],
    ['json', undefined],
  ])('prints its summary as %s, and exits with 1', async (format, expected) => {
    respond = (_, res) => res.end('x');
    const args = ['proxy', TOYS_YAML, origin, '--port', '0', '--format', format];
    const command = await startCommand(args, READY);
    await (await fetch(`${command.url}/toys/1`)).text();
    expect(await command.stop()).toBe(1);
    const { out, err } = command.output;
    if (expected !== undefined) expect(out).toBe(expected);
    else
      expect(JSON.parse(out)).toMatchObject({
        requests: 1,
        violations: [{ count: 1 }, { count: 1 }],
      });
    expect(err.split('\n')).toHaveLength(4);
  });

  it('exits with 0 without violations', async () => {
    const args = ['proxy', resolve(TOYS_YAML), origin, '--port', '0'];
    // In a folder without packages, as with npx.
    const command = await startCommand(args, READY, { cwd: tmpdir() });
    expect(await command.stop()).toBe(0);
    expect(command.output.out).toBe('0 requests, no violations\n');
  });

  it('is a process that ends with its summary at SIGTERM', async () => {
    const proxy = await startProcess(['proxy', TOYS_YAML, origin, '--port', '0'], READY);
    expect(await proxy.stop('SIGTERM')).toBe(0);
    expect(proxy.output.out).toBe('0 requests, no violations\n');
  });

  it('reports a port in use with one line', async () => {
    const { port } = new URL(origin);
    const { status, err } = await runCommand(['proxy', TOYS_YAML, origin, '--port', port]);
    expect({ status, err }).toEqual({
      status: 2,
      err: `stubwright: --port: got ${port}, which is in use, expected a free port\n`,
    });
  });
});
