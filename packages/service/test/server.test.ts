import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openConnection, parseAnswer, readAll } from '@stubwright/test-support/http';
import { startTestService, type TestService, TOKEN } from '@stubwright/test-support/service';
import { inTestAll } from '@stubwright/test-support/testAll';
import type { RequestListener } from '../src/server/connections.ts';
import { closeListener, limits, listen } from '../src/server/server.ts';

const HEAD = `POST /toys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
const GOOD = `${HEAD}Content-Length: 19\r\n\r\n{"id":1,"name":"x"}`;
const LAST = GOOD.replace('Content-Length', 'Connection: close\r\nContent-Length');
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ BODY_LIMIT: '100000' });
});
afterAll(() => service.remove());

function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => Number(status));
}

describe('a pending response', () => {
  it.each<[string, number[], string]>([
    ['garbage', [200, 400], 'garbage\r\n\r\n'],
    ['an unknown Expect', [200, 417], `${HEAD}Expect: a-miracle\r\nContent-Length: 0\r\n\r\n`],
    ['CONNECT', [200, 400], 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['bad chunks', [200, 400], `${HEAD}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`],
    ['headers too large', [200, 431], `GET / HTTP/1.1\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`],
  ])('is sent before the next request is rejected: %s', async (_, statuses, bytes) => {
    expect(statusesOf(await readAll(openConnection(service.url, GOOD + bytes)))).toEqual(statuses);
  });
});

describe('a refused connection', () => {
  it('may continue to send for a while without a reset', async () => {
    const patient = await startTestService({}, { lingerMs: 60_000 });
    const { port } = new URL(patient.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    const errors: Error[] = [];
    socket.on('error', (error) => errors.push(error));
    const text = readAll(socket);
    for (let chunk = 0; chunk < 10; chunk++) {
      socket.write(`GET / HTTP/1.1\r\nX: ${'y'.repeat(20_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    socket.end();
    expect(statusesOf(await text)).toEqual([431]);
    expect(errors).toEqual([]);
    await patient.remove();
  });
});

describe('a response that the client does not read', () => {
  /** Asks for many bytes; `ended` resolves with whether all of them were sent. */
  async function ask(bytes: number, writeTimeoutMs: number) {
    let onEnd: (isSent: boolean) => void;
    const ended = new Promise<boolean>((resolve) => {
      onEnd = resolve;
    });
    const server = await listen(
      (_request, response) => {
        response.on('close', () => onEnd(response.writableFinished));
        response.end(Buffer.alloc(bytes));
      },
      {
        host: '127.0.0.1',
        port: 0,
        maxConnections: 10,
        bounds: { ...limits, writeTimeoutMs, timeoutCheckMs: 50, settleMs: 0 },
      },
    );
    const socket = connect({ port: server.address.port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return { server, socket, ended };
  }

  it('closes its connection', async () => {
    const { server, socket, ended } = await ask(64 * 1024 * 1024, 200);
    expect(await ended).toBe(false);
    socket.destroy();
    await server.drain();
  });

  inTestAll(it)(
    'keeps its connection while the client reads slowly',
    async () => {
      const { server, socket, ended } = await ask(48 * 1024 * 1024, 2_000);
      socket.on('data', () => {
        socket.pause();
        setTimeout(() => socket.resume(), 5);
      });
      expect(await ended).toBe(true);
      socket.destroy();
      await server.drain();
    },
    600_000,
  );
});

describe('connections at the limit', () => {
  const bounds = {
    ...{ ...limits, stallMs: 100, timeoutCheckMs: 20, settleMs: 0, writeTimeoutMs: 60_000 },
    // More than a chunk in each interval.
    minBytesPerSecond: 1024 ** 3,
  };
  const LIMIT = 20;

  async function start() {
    const bodies = { '/large': Buffer.alloc(16 * 1024 * 1024), '/medium': Buffer.alloc(50_000) };
    const listener: RequestListener = ({ url }, response) =>
      response.end(bodies[url as keyof typeof bodies] ?? 'small');
    const options = { host: '127.0.0.1', port: 0, maxConnections: LIMIT };
    const server = await listen(listener, { ...options, bounds });
    const sockets: Socket[] = [];
    const ask = (path: string) => {
      const socket = connect(server.address.port, '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => {});
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      return socket;
    };
    const isAnswered = (socket: Socket) =>
      new Promise<boolean>((resolve) => {
        socket.once('data', () => resolve(true)).once('close', () => resolve(false));
      });
    /** Further connections are closed until there is room. */
    const untilServed = async () => {
      for (;;) {
        const socket = ask('/small');
        if (await isAnswered(socket)) return socket;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const stop = async () => {
      for (const socket of sockets) socket.destroy();
      await server.drain();
    };
    return { ask, untilServed, stop };
  }

  const readSlowly = (socket: Socket) =>
    socket.on('data', () => {
      socket.pause();
      setTimeout(() => socket.resume(), 20);
    });

  it.each<[string, string, (socket: Socket) => void]>([
    ['do not read a large response', '/large', () => {}],
    ['read a large response slowly', '/large', readSlowly],
    ['do not read what the kernel buffers', '/medium', () => {}],
    ['send no further request', '/small', (socket) => socket.resume()],
  ])('make room for others where clients %s', async (_, path, read) => {
    const { ask, untilServed, stop } = await start();
    for (let at = 0; at < LIMIT; at++) read(ask(path));
    const served: Socket[] = [];
    while (served.length < 5) served.push(await untilServed());
    expect(served.filter(({ destroyed }) => destroyed)).toEqual([]);
    await stop();
  });

  it('stay open below it', async () => {
    const { ask, stop } = await start();
    const sockets = Array.from({ length: LIMIT - 1 }, (_, at) =>
      at % 2 === 0 ? ask('/large') : ask('/small').resume(),
    );
    await new Promise((resolve) => setTimeout(resolve, 4 * bounds.stallMs));
    expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
    await stop();
  });
});

describe('a connection without a request', () => {
  it('stays open until the timeout of the headers', async () => {
    const server = await listen((_request, response) => response.end(), {
      host: '127.0.0.1',
      port: 0,
      maxConnections: 20,
      bounds: { ...limits, stallMs: 20, headersTimeoutMs: 300, timeoutCheckMs: 20, settleMs: 0 },
    });
    const silent = readAll(openConnection(`http://127.0.0.1:${server.address.port}`, ''));
    expect(statusesOf(await silent)).toEqual([408]);
    await server.drain();
  });
});

describe('drain', () => {
  // No test waits for this deadline.
  const bounds = { ...limits, settleMs: 20, drainMs: 60_000 };

  it.each(['127.0.0.1', '0.0.0.0', '::1', '::'])(
    'serves the accept queue of a listener on %s',
    async (host) => {
      const listener: RequestListener = (_request, response) => response.end();
      const server = await listen(listener, { host, port: 0, maxConnections: 1000, bounds });
      const texts = Array.from({ length: 200 }, () => {
        const socket = connect(server.address.port, host === '::1' ? host : '127.0.0.1');
        socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        return readAll(socket);
      });
      await new Promise(setImmediate);
      await server.drain();
      expect((await Promise.all(texts)).flatMap(statusesOf)).toEqual(Array(200).fill(200));
    },
  );

  it('accepts a connection that arrives while other work delays the close', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const busyMs = 5;
    // Runs right before the listener would close; the handshake needs no work of this process.
    const connectAndBlock = () => {
      connect(port, '127.0.0.1').on('error', () => {});
      process.nextTick(() => {
        const end = performance.now() + busyMs;
        while (performance.now() < end);
      });
    };
    setImmediate(() => setImmediate(connectAndBlock));
    const accepted = await closeListener(server, 10_000);
    expect(accepted).toHaveLength(1);
    for (const socket of accepted) socket.destroy();
  });

  it('drops the connections of the accept queue beyond maxConnections', async () => {
    const listener: RequestListener = (_request, response) => response.end();
    const options = { host: '127.0.0.1', port: 0, maxConnections: 5, bounds };
    const server = await listen(listener, options);
    const url = `http://127.0.0.1:${server.address.port}`;
    const texts = Array.from({ length: 20 }, () =>
      readAll(openConnection(url, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')),
    );
    await new Promise(setImmediate);
    await server.drain();
    expect((await Promise.all(texts)).flatMap(statusesOf)).toEqual(Array(5).fill(200));
  });

  it('closes a connection after a response that started before', async () => {
    const started = Promise.withResolvers<ServerResponse>();
    const listener: RequestListener = (_request, response) => {
      response.write('a');
      started.resolve(response);
    };
    const options = { host: '127.0.0.1', port: 0, maxConnections: 5, bounds };
    const server = await listen(listener, options);
    const url = `http://127.0.0.1:${server.address.port}`;
    const text = readAll(openConnection(url, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    const response = await started.promise;
    const drained = server.drain();
    setTimeout(() => response.end('b'), 3 * bounds.settleMs);
    expect(await text).toMatch(/\r\na\r\n1\r\nb\r\n0\r\n\r\n$/);
    await drained;
  });
});

describe('a request after a response with `Connection: close`', () => {
  it('has no effect', async () => {
    const paths: string[] = [];
    const listener: RequestListener = (request, response) => {
      paths.push(request.url!);
      response.shouldKeepAlive = false;
      // The response has started, and its connection closes at its end.
      response.write('a');
      setTimeout(() => response.end(), 20);
    };
    const options = { host: '127.0.0.1', port: 0, maxConnections: 5 };
    const server = await listen(listener, options);
    const socket = openConnection(
      `http://127.0.0.1:${server.address.port}`,
      'GET /1 HTTP/1.1\r\nHost: x\r\n\r\n',
    );
    const text = readAll(socket);
    socket.once('data', () => socket.write('GET /2 HTTP/1.1\r\nHost: x\r\n\r\n'));
    expect(statusesOf(await text)).toEqual([200]);
    expect(paths).toEqual(['/1']);
    await server.drain();
  });

  it('does not reset the connection by a body that nobody reads', async () => {
    const listener: RequestListener = (_request, response) => {
      response.shouldKeepAlive = false;
      response.write('a');
      setTimeout(() => response.end('b'), 20);
    };
    // A busy machine needs more than the usual time for the body.
    const bounds = { ...limits, lingerMs: 60_000 };
    const options = { host: '127.0.0.1', port: 0, maxConnections: 5, bounds };
    const server = await listen(listener, options);
    const socket = connect(server.address.port, '127.0.0.1');
    const errors: Error[] = [];
    socket.on('error', (error) => errors.push(error));
    const text = readAll(socket);
    socket.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\n');
    const length = 20_000_000;
    socket.once('data', () => {
      socket.write(`POST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
      socket.write(Buffer.alloc(length));
    });
    expect(await text).toMatch(/\r\na\r\n1\r\nb\r\n0\r\n\r\n$/);
    expect(errors).toEqual([]);
    await server.drain();
  });
});

describe('CONNECT', () => {
  it.each([
    ['alone', ''],
    ['after a request', GOOD],
  ])('%s may be reset', async (_, before) => {
    const { port } = new URL(service.url);
    const resets = Array.from({ length: 20 }, async (_each, delayMs) => {
      const socket = connect({ port: Number(port), host: '127.0.0.1' });
      socket.write(`${before}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      socket.resetAndDestroy();
    });
    await Promise.all(resets);
    expect(statusesOf(await readAll(openConnection(service.url, LAST)))).toEqual([200]);
  });
});

describe('an unknown Expect', () => {
  it('gets no body where the method is HEAD', async () => {
    const bytes = 'HEAD /toys HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\n\r\n';
    const answer = parseAnswer(await readAll(openConnection(service.url, bytes)));
    expect([answer.status, answer.body]).toEqual([417, '']);
  });
});

describe('100 Continue', () => {
  it('is not said for a body whose length alone is too large', async () => {
    const bytes = `${HEAD}Expect: 100-continue\r\nContent-Length: 100001\r\n\r\n`;
    expect(statusesOf(await readAll(openConnection(service.url, bytes)))).toEqual([413]);
  });

  it.each(['100-continue', 'a-miracle'])(
    'is not said to HTTP/1.0 for Expect: %s',
    async (value) => {
      const bytes = GOOD.replace('HTTP/1.1', `HTTP/1.0\r\nExpect: ${value}`);
      expect(statusesOf(await readAll(openConnection(service.url, bytes)))).toEqual([200]);
    },
  );
});

describe('a Content-Length beyond any body', () => {
  it.each(['2147483648', '4294967315', '9007199254740993', '18446744073709551615'])(
    '%s gets 413 before the body arrives',
    async (length) => {
      const bytes = `${HEAD}Content-Length: ${length}\r\n\r\n{"id":1,"name":"x"}`;
      expect(statusesOf(await readAll(openConnection(service.url, bytes)))).toEqual([413]);
    },
  );
});
