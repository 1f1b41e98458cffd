// WebSocket connections through the proxy.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { listen, requestText, sendBytes, statusOf, testProxies } from '../support/proxied.ts';

const { startProxied } = testProxies();

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const HANDSHAKE = [
  ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];

let server: Server | undefined;
const sockets: Socket[] = [];

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
  for (const socket of sockets.splice(0)) socket.destroy();
});

interface Accepted {
  readonly url: string;
  readonly headers: Record<string, string | undefined>;
  readonly socket: Socket;
}

/** Starts a service that accepts WebSockets, behind a proxy. @param use of the bytes of a connection */
async function start(
  use: (socket: Duplex, head: Buffer) => void,
  options: Parameters<typeof startProxied>[1] = {},
) {
  const accepted: Accepted[] = [];
  server = createServer((_, res) =>
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":1}'),
  );
  server.on('upgrade', (req, socket, head) => {
    accepted.push({
      url: req.url!,
      headers: req.headers as Accepted['headers'],
      socket: req.socket,
    });
    const key = createHash('sha1')
      .update(req.headers['sec-websocket-key']! + GUID)
      .digest('base64');
    sockets.push(req.socket);
    socket.on('error', () => {});
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
    );
    use(socket, head);
  });
  return { ...(await startProxied(await listen(server), options)), accepted };
}

const echo = (socket: Duplex, head: Buffer) => {
  socket.write(head);
  socket.pipe(socket);
};

/** Returns short text messages: a client masks them, a service does not (RFC 6455, section 5.2). */
const echoMessages = (socket: Duplex) =>
  socket.on('data', (frame: Buffer) => {
    const length = frame[1]! & 0x7f;
    const mask = frame.subarray(2, 6);
    const payload = frame.subarray(6, 6 + length).map((byte, at) => byte ^ mask[at % 4]!);
    socket.write(Buffer.concat([Buffer.from([frame[0]!, length]), payload]));
    if ((frame[0]! & 0xf) === 8) socket.end();
  });

/** @returns the connection after the handshake */
async function open(url: string, path = '/v1/items/1'): Promise<Socket> {
  const headers = Object.fromEntries(HANDSHAKE.map((each) => each.split(': ')));
  const asked = request(url + path, { headers }).end();
  const [response, socket, head] = await once(asked, 'upgrade');
  expect(response.statusCode).toBe(101);
  socket.unshift(head);
  return socket;
}

describe.each([
  ['without --errors', {}],
  ['with --errors', { refuses: true }],
])('a WebSocket %s', (_name, options) => {
  it('carries messages of a client in both directions, with one line', async () => {
    const { url, lines, report, accepted } = await start(echoMessages, options);
    const client = new WebSocket(`${url.replace('http', 'ws')}/v1/items/1`);
    await once(client, 'open');
    client.send('né');
    const [{ data }] = await once(client, 'message');
    expect(data).toBe('né');
    client.close(1000, 'done');
    const [{ code, reason }] = await once(client, 'close');
    expect([code, reason]).toEqual([1000, 'done']);
    expect(lines).toEqual(['getItem: a WebSocket, whose messages are not validated']);
    expect(report.requests).toBe(1);
    expect(accepted[0]!.url).toBe('/v1/items/1');
    expect(accepted[0]!.headers).toMatchObject({
      connection: 'Upgrade',
      upgrade: 'websocket',
      via: '1.1 stubwright',
      'x-forwarded-for': '127.0.0.1',
    });
  });

  it('passes any bytes, more than a socket buffers, and the end of each side', async () => {
    const { url } = await start(echo, options);
    const socket = await open(url);
    const sent = randomBytes(8 * 1024 * 1024);
    socket.end(sent);
    expect((await buffer(socket)).equals(sent)).toBe(true);
  });

  it('includes bytes that arrive with the handshakes', async () => {
    const { url } = await start((socket, head) => {
      socket.write('first ');
      socket.unshift(head);
      socket.once('data', (second) => socket.end(second));
    }, options);
    const answer = await sendBytes(url, `${requestText('GET /v1/items/1', HANDSHAKE)}second`);
    expect(answer.split('\r\n\r\n')[1]).toBe('first second');
  });

  it('returns a response that refuses the handshake', async () => {
    const { url } = await start(() => {}, options);
    server!.removeAllListeners('upgrade');
    const answer = await sendBytes(url, requestText('GET /v1/items/1', HANDSHAKE));
    expect(statusOf(answer)).toBe(200);
    expect(answer).toContain('{"id":1}');
  });

  it.each([
    ['a body', 'GET /v1/items/1', 'Content-Length: 3'],
    ['a chunked body', 'GET /v1/items/1', 'Transfer-Encoding: chunked'],
    ['another method', 'DELETE /v1/items/1', 'X: 1'],
    ['two hosts', 'GET /v1/items/1', 'Host: a\r\nHost: b'],
  ])('is refused with %s', async (_case, line, header) => {
    const { url, accepted } = await start(echo, options);
    const text = requestText(line, [...HANDSHAKE, header], 'GET /v1/items/2 HTTP/1.1\r\n\r\n');
    const answer = await sendBytes(url, text);
    expect(statusOf(answer)).toBe(400);
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    expect(accepted).toEqual([]);
  });

  it('ends for one side when the other has gone', async () => {
    const { url, accepted } = await start(echo, options);
    const first = await open(url);
    const lost = once(accepted[0]!.socket, 'close');
    first.resetAndDestroy();
    await lost;
    const second = await open(url);
    second.resume().on('error', () => {});
    const closed = once(second, 'close');
    accepted[1]!.socket.resetAndDestroy();
    await closed;
  });

  it('is closed when the proxy stops', async () => {
    const { url, close } = await start(echo, options);
    const socket = await open(url);
    socket.resume().on('error', () => {});
    const closed = once(socket, 'close');
    await close();
    await closed;
  });

  it('gets 502 without a service', async () => {
    const { url } = await start(echo, options);
    server!.close();
    await once(server!, 'close');
    const answer = await sendBytes(url, requestText('GET /v1/items/1', HANDSHAKE));
    expect(statusOf(answer)).toBe(502);
  });
});

it('a handshake that violates the contract is reported', async () => {
  const { url, lines } = await start(echo);
  (await open(url, '/v1/trains')).destroy();
  expect(lines).toEqual([
    'GET /v1/trains request: path is not in the contract, got "/v1/trains"',
    'GET /v1/trains: a WebSocket, whose messages are not validated',
  ]);
});

it('a handshake that violates the contract is refused with --errors', async () => {
  const { url, accepted } = await start(echo, { refuses: true });
  const answer = await sendBytes(url, requestText('GET /v1/trains', HANDSHAKE));
  expect(statusOf(answer)).toBe(404);
  expect(accepted).toEqual([]);
});
