// The framing of forwarded messages: no client can add a request or read the answer of another.
import { createServer } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  listen,
  requestText,
  sendBytes,
  statusOf,
  testProxies,
  type Upstream,
} from '../support/proxied.ts';

const { startProxied, startUpstream } = testProxies();

let upstream: Upstream;
beforeEach(async () => {
  upstream = await startUpstream();
});

const SMUGGLED = 'GET /v1/items/smuggled HTTP/1.1\r\nHost: a\r\nX: ';
const LENGTH = `Content-Length: ${SMUGGLED.length}`;
const CHUNKED = `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`;
const TRAILED = `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\nX-Sum: 1\r\n\r\n`;

interface Framing {
  readonly headers: readonly string[];
  readonly bytes: string;
}
const FRAMINGS: readonly Framing[] = [
  { headers: [LENGTH], bytes: SMUGGLED },
  { headers: ['Transfer-Encoding: chunked'], bytes: CHUNKED },
  { headers: ['Transfer-Encoding: Chunked', 'Trailer: X-Sum'], bytes: TRAILED },
  { headers: ['Transfer-Encoding: gzip, chunked'], bytes: CHUNKED },
  { headers: ['Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'], bytes: CHUNKED },
  { headers: ['Transfer-Encoding: chunked', LENGTH], bytes: CHUNKED },
  { headers: [LENGTH, LENGTH], bytes: SMUGGLED },
];
const OPTIONS: readonly (readonly string[])[] = [
  [],
  ['Connection: keep-alive, content-length'],
  ['Connection: keep-alive, Transfer-Encoding'],
  ['Connection: content-length,transfer-encoding,host,trailer,content-type'],
  ['Connection: keep-alive', 'Connection: \tCONTENT-LENGTH , transfer-encoding'],
  ['Connection: upgrade, content-length', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
  ['Connection: te, keep-alive', 'TE: trailers, chunked', 'Keep-Alive: content-length'],
  ['Connection: expect, content-length'],
  ['Trailer: Content-Length, Transfer-Encoding, X-Sum', 'Connection: trailer'],
];
const TYPES = ['Content-Type: application/octet-stream'];
const TABLE = FRAMINGS.flatMap((framing) =>
  OPTIONS.map(
    (options) => [[...framing.headers, ...options].join(' | '), framing, options] as const,
  ),
);

describe.each([
  ['forwarding', false],
  ['refusing', true],
])('a proxy that is %s', (_mode, refuses) => {
  it.each(TABLE)('keeps the framing of %s', async (_name, { headers, bytes }, options) => {
    const proxied = await startProxied(upstream.url, { refuses });
    const attack = requestText('POST /v1/uploads', [...TYPES, ...headers, ...options], bytes);
    // Followed by a request that closes the connection.
    const end = requestText('GET /v1/items/attacker');
    const isUpgrade = options.some((each) => each.startsWith('Upgrade'));
    const answers = await sendBytes(proxied.url, isUpgrade ? attack : attack + end);
    const victim = await sendBytes(proxied.url, requestText('GET /v1/items/victim'));
    expect(victim).toContain('{"id":1,"name":"/v1/items/victim"}');
    expect(answers).not.toContain('smuggled');
    const uploads = upstream.received.filter(({ url }) => url === '/v1/uploads');
    expect(upstream.received.map(({ url }) => url)).not.toContain('/v1/items/smuggled');
    if (statusOf(answers) === 200) expect(uploads.map(({ body }) => body)).toEqual([SMUGGLED]);
    else expect([400, 501]).toContain(statusOf(answers));
  });
});

it('forwards no field that frames a message among the trailers', async () => {
  const proxied = await startProxied(upstream.url);
  const names = ['X-Sum', 'Host', 'Content-Type', 'Authorization', 'Connection', 'Cookie'];
  const trailers = names.map((name) => `${name}: a\r\n`).join('');
  const headers = [...TYPES, 'Transfer-Encoding: chunked', 'Trailer: X-Sum'];
  await sendBytes(
    proxied.url,
    requestText('POST /v1/uploads', headers, `1\r\na\r\n0\r\n${trailers}\r\n`),
  );
  expect(upstream.received.map(({ trailers }) => trailers)).toEqual([['X-Sum', 'a']]);
});

it.each([
  ['1.1', 'Content-Length: 1\r\nTrailer: X-Sum\r\n\r\na'],
  ['1.0', 'Content-Length: 1\r\nTrailer: X-Sum\r\n\r\na'],
])('forwards an announced trailer of an HTTP/%s body with a length', async (version, rest) => {
  const proxied = await startProxied(upstream.url);
  const head = `POST /v1/uploads HTTP/${version}\r\nHost: a\r\nConnection: close\r\n${TYPES[0]}\r\n`;
  expect(statusOf(await sendBytes(proxied.url, head + rest))).toBe(200);
  expect(upstream.received.map(({ body }) => body)).toEqual(['a']);
});

it('validates the request that the service receives, without the fields of the connection', async () => {
  const proxied = await startProxied(upstream.url, { refuses: true });
  const body = '{"id":1}';
  const send = (connection: string) =>
    sendBytes(
      proxied.url,
      requestText(
        'POST /v1/items',
        [
          ...['Content-Type: application/json', `Content-Length: ${body.length}`, 'X-Trace: a'],
          ...[
            'X-Hop: b',
            'Authorization: Bearer c',
            'Cookie: d=e',
            `Connection: close, ${connection}`,
          ],
        ],
        body,
      ),
    );
  expect(statusOf(await send('x-trace, x-hop'))).toBe(200);
  expect(statusOf(await send('content-type, authorization, cookie, host'))).toBe(200);
  const [first, second] = upstream.received.map(({ headers }) => headers);
  expect(first).not.toHaveProperty('x-trace');
  expect(first).not.toHaveProperty('x-hop');
  expect(second).toMatchObject({
    ...{ 'content-type': 'application/json', authorization: 'Bearer c', cookie: 'd=e' },
    ...{ 'x-trace': 'a', host: upstream.url.host },
  });
});

it('answers each of 20 clients that share a connection with its own response', async () => {
  const proxied = await startProxied(upstream.url);
  const attack = requestText(
    'POST /v1/uploads',
    [...TYPES, LENGTH, 'Connection: close, content-length'],
    SMUGGLED,
  );
  for (let client = 0; client < 20; client++) {
    await sendBytes(proxied.url, attack);
    const answer = await sendBytes(proxied.url, requestText(`GET /v1/items/${client}`));
    expect(answer).toContain(`{"id":1,"name":"/v1/items/${client}"}`);
  }
  expect(new Set(upstream.received.map(({ port }) => port)).size).toBe(1);
  expect(upstream.received).toHaveLength(40);
});

it('an informational response is not forwarded', async () => {
  const service = createServer((socket) => {
    socket.once('data', () => {
      const type = 'Content-Type: application/json\r\nContent-Length: 8';
      const link = 'Link: </a.css>; rel=preload; as=style';
      socket.write(`HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n${link}\r\n\r\n`);
      socket.write(`HTTP/1.1 200 OK\r\n${type}\r\n\r\n{"id":1}`);
    });
  });
  const proxied = await startProxied(await listen(service));
  const received = await sendBytes(proxied.url, requestText('GET /v1/items/a'));
  expect(received).toMatch(/^HTTP\/1\.1 200 OK.*\r\n\r\n\{"id":1\}$/s);
  service.close();
});
