import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openConnection, parseAnswer, readAll } from '@stubwright/test-support/http';
import {
  call,
  json,
  startTestService,
  type TestService,
  TOKEN,
} from '@stubwright/test-support/service';
import { inTestAll } from '@stubwright/test-support/testAll';
import { storeWith } from '@stubwright/test-support/toyStore';

let service: TestService;

afterEach(() => service.remove());

const toy = { id: 1, name: 'x' };
const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

describe('RATE_LIMIT', () => {
  it('returns 429 with Retry-After above the limit', async () => {
    service = await startTestService({ RATE_LIMIT: '2/24h' });
    expect((await service.create(toy)).status).toBe(200);
    expect((await service.create(toy)).status).toBe(200);
    const { status, headers, body } = await service.create(toy);
    expect(status).toBe(429);
    const seconds = Number(headers['retry-after']);
    expect(seconds).toBeGreaterThan(86_000);
    expect(seconds).toBeLessThanOrEqual(86_400);
    expect(headers['ratelimit']).toBe(`"caller";r=0;t=${seconds}`);
    expect(headers['ratelimit-policy']).toBe('"caller";q=2;w=86400');
    expect(JSON.parse(body).error).toBe(42900);
  });

  it('rejects before the body is validated', async () => {
    service = await startTestService({ RATE_LIMIT: '1/1h' });
    expect((await service.create('{')).status).toBe(400);
    expect((await service.create('{')).status).toBe(429);
  });

  it('accepts the caller again in the next window', async () => {
    service = await startTestService({ RATE_LIMIT: '1/1s' });
    expect((await service.create(toy)).status).toBe(200);
    while ((await service.create(toy)).status !== 200);
  });
});

describe('a RATE_LIMIT of the longest window', () => {
  it('is enforced', async () => {
    service = await startTestService({ RATE_LIMIT: '1/596h' });
    expect((await service.create(toy)).status).toBe(200);
    // A timer that overflows fires after 1 ms.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await service.create(toy)).status).toBe(429);
  });
});

describe('AUTH_FAILURE_LIMIT', () => {
  it('returns 429 for every request of an address after too many invalid tokens', async () => {
    service = await startTestService({ AUTH_FAILURE_LIMIT: '2/24h' });
    const missing = () => service.create(toy, { headers: { Authorization: [] } });
    expect((await service.create(toy, as('wrong'))).status).toBe(401);
    expect((await missing()).status).toBe(401);
    expect((await service.create(toy)).status).toBe(200);
    expect((await service.create(toy, as('wrong'))).status).toBe(401);
    const { status, headers, body } = await service.create(toy);
    expect([status, JSON.parse(body).error]).toEqual([429, 42900]);
    const seconds = Number(headers['retry-after']);
    expect(seconds).toBeGreaterThan(86_000);
    expect(headers['ratelimit']).toBe(`"address";r=0;t=${seconds}`);
    expect(headers['ratelimit-policy']).toBe('"address";q=2;w=86400');
    // Nothing is verified without a token.
    expect((await missing()).status).toBe(401);
    expect((await call(service.url, { method: 'OPTIONS' })).status).toBe(204);
  });

  it('is disabled unless it is set', async () => {
    service = await startTestService();
    for (let at = 0; at < 30; at++) await service.create(toy, as('wrong'));
    expect((await service.create(toy)).status).toBe(200);
  });
});

describe('a commit queue that is too long', () => {
  it('returns 503 with Retry-After at once to every caller', async () => {
    service = await startTestService({ QUEUE_LIMIT: '7' }, {}, storeWith({ waiting: 7 }));
    const refused = await service.create(toy);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(refused.body).error).toBe(50300);
    const nobody = await call(service.url, { headers: json, body: 'x'.repeat(100_000) });
    expect(nobody.status).toBe(503);
  });

  it('has no effect below QUEUE_LIMIT', async () => {
    service = await startTestService({ QUEUE_LIMIT: '8' });
    expect((await service.create(toy)).status).toBe(200);
  });
});

describe('BODY_MEMORY', () => {
  const BODY = JSON.stringify({ id: 1, name: 'x'.repeat(900_000) });
  const head = `POST /toys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
  const whole = `${head}Connection: close\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
  /** All but the last byte. */
  const stall = () => openConnection(service.url, whole.slice(0, -1));
  const statusOf = (text: string) => parseAnswer(text).status;
  const start = async (env: Record<string, string> = {}) => {
    service = await startTestService({ BODY_MEMORY: '2097152', ...env });
  };
  const send = async () => statusOf(await readAll(openConnection(service.url, whole)));
  const untilAccepted = async () => {
    while ((await send()) !== 200);
  };
  /** Stalls bodies until the next one is refused; of those that arrive together one may be, too. */
  const fill = async () => {
    const stalled: Socket[] = [];
    do stalled.push(stall());
    while ((await send()) !== 503);
    return stalled;
  };

  it('rejects bodies above it with 503 and Retry-After, and serves small requests', async () => {
    await start();
    const stalled = Array.from({ length: 3 }, stall);
    const text = await Promise.race(stalled.map(readAll));
    const answer = parseAnswer(text);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(answer.body).error).toBe(50300);
    expect((await service.create(toy)).status).toBe(200);
    for (const socket of stalled) socket.destroy();
  });

  it.each<[string, (socket: Socket) => void]>([
    ['aborted', (socket) => socket.destroy()],
    ['reset', (socket) => socket.resetAndDestroy()],
    ['half-closed', (socket) => socket.end()],
    ['answered', (socket) => socket.write(whole.slice(-1))],
  ])('is free again when bodies are %s', async (_, end) => {
    await start();
    // Each round leaves nothing behind, or no body is accepted after it.
    for (let round = 0; round < 4; round++) {
      for (const socket of await fill()) end(socket);
      await untilAccepted();
    }
  });

  inTestAll(it)('is free again when a body takes too long', async () => {
    service = await startTestService(
      { BODY_MEMORY: '2097152' },
      { headersTimeoutMs: 2_000, requestTimeoutMs: 2_000 },
    );
    const answers = await Promise.all((await fill()).map(readAll));
    expect(answers.map(statusOf)).toContain(408);
    await untilAccepted();
  });

  it('counts the memory of one-byte chunks', async () => {
    await start();
    const chunk = '1\r\nx\r\n';
    const bytes = `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(12_000)}`;
    expect(statusOf(await readAll(openConnection(service.url, bytes)))).toBe(503);
  });
});

describe('CONNECTION_LIMIT', () => {
  it('closes connections above it, and accepts one when another closes', async () => {
    service = await startTestService({ CONNECTION_LIMIT: '1' });
    const first = openConnection(service.url, 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => first.once('data', resolve));
    expect(await readAll(openConnection(service.url, ''))).toBe('');
    first.destroy();
    const status = () =>
      service.create(toy).then(
        (answer) => answer.status,
        () => 0,
      );
    while ((await status()) !== 200);
  });
});

describe('CONNECTION_LIMIT_PER_ADDRESS', () => {
  const connectFrom = (localAddress: string) => {
    const { port } = new URL(service.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    return socket.end('GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  };

  it('closes connections of one address above it, and counts them', async () => {
    service = await startTestService({ CONNECTION_LIMIT_PER_ADDRESS: '1', ADMIN_PORT: '0' });
    const first = openConnection(service.url, 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(first, 'data');
    expect(await readAll(connectFrom('127.0.0.1'))).toBe('');
    expect(await readAll(connectFrom('127.0.0.2'))).toMatch(/^HTTP\/1.1 404/);
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(metrics).toContain('http_connections_dropped_total 1\n');
    first.destroy();
    while ((await readAll(connectFrom('127.0.0.1'))) === '');
  });

  it('is disabled unless it is set', async () => {
    service = await startTestService();
    const sockets = Array.from({ length: 200 }, () =>
      openConnection(service.url, 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n'),
    );
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    for (const socket of sockets) socket.destroy();
  });
});
