import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openConnection, readAll } from '@stubwright/test-support/http';
import {
  call,
  spawnService,
  startTestService,
  type TestService,
  TOKEN,
} from '@stubwright/test-support/service';
import { inTestAll } from '@stubwright/test-support/testAll';
import { storeWith } from '@stubwright/test-support/toyStore';

let service: TestService;

beforeEach(async () => {
  service = await startTestService({ ADMIN_PORT: '0' });
});
afterEach(() => service.remove());

interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function get(path: string, init: RequestInit = {}, of = service): Promise<Page> {
  const response = await fetch(`${of.adminUrl}${path}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** @returns the samples of /metrics by name and labels, as they are written there */
async function samples(): Promise<Record<string, number>> {
  const { text } = await get('/metrics');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

describe('the admin listener', () => {
  it('is live', async () => {
    expect(await get('/livez')).toMatchObject({ status: 200, text: 'ok\n' });
  });

  it('is ready, and reports each check by name, as text or JSON', async () => {
    expect(await get('/readyz')).toMatchObject({ status: 200, text: 'serving ok\nstore ok\n' });
    const page = await get('/readyz', { headers: { Accept: 'application/json' } });
    expect(page.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(page.text)).toEqual({
      ready: true,
      checks: { serving: 'ok', store: 'ok' },
    });
  });

  it('returns 404 for other paths, and 405 for other methods', async () => {
    expect((await get('/toys')).status).toBe(404);
    expect((await get('/__proto__')).status).toBe(404);
    const page = await get('/metrics', { method: 'POST', body: 'x' });
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('is not on the public port', async () => {
    for (const path of ['/livez', '/readyz', '/metrics']) {
      expect((await call(service.url, { method: 'GET', path })).status).toBe(404);
    }
  });

  it('is disabled unless ADMIN_PORT is set', async () => {
    const other = await startTestService();
    expect(other.adminUrl).toBeUndefined();
    await other.remove();
  });

  it('logs its address, and fails the start when its port is in use', async () => {
    const port = new URL(service.adminUrl!).port;
    const { exited, output } = spawnService({
      API_TOKENS: TOKEN,
      ADMIN_PORT: port,
    });
    expect((await exited).code).toBe(1);
    expect(output()).toBe(
      `ADMIN_PORT: got 127.0.0.1:${port} (EADDRINUSE), expected an address of this machine and a free port\n`,
    );
  });
});

describe('connections that hold the admin port', () => {
  const COUNT = 200;
  const GET = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
  let held: Socket[];

  const hold = async (bytes: string, count = COUNT) => {
    held = Array.from({ length: count }, () => openConnection(service.adminUrl!, bytes));
    await Promise.all(held.map((socket) => once(socket, 'connect')));
  };
  afterEach(() => {
    for (const socket of held) socket.destroy();
  });

  it.each([
    ['silent', ''],
    ['in the middle of their headers', 'GET /livez HTTP/1.1\r\nHost:'],
    ['in the middle of a body', 'POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n'],
    ['idle after a request', GET],
  ])('do not block a probe: %s', async (_, bytes) => {
    await hold(bytes);
    for (let probe = 0; probe < 5; probe++) {
      expect(await get('/livez')).toMatchObject({ status: 200, text: 'ok\n' });
    }
  });

  inTestAll(it)('are closed when idle', async () => {
    await hold('', 3);
    const texts = await Promise.all(held.map(readAll));
    expect(texts.filter((text) => text !== '' && !text.startsWith('HTTP/1.1 408'))).toEqual([]);
  });

  it('beyond 64 lose the one that has been idle longest', async () => {
    held = [];
    const closed: Socket[] = [];
    const open = async () => {
      const socket = openConnection(service.adminUrl!, GET);
      held.push(socket.once('close', () => closed.push(socket)));
      await once(socket, 'data');
    };
    for (let count = 0; count < 64; count++) await open();
    // No longer the one that is idle longest.
    held[0]!.write(GET);
    await once(held[0]!, 'data');
    expect(closed).toEqual([]);
    await open();
    // Its end was sent before these responses, and long before the timeout of idle connections.
    for (let count = 0; count < 10; count++) {
      held[0]!.write(GET);
      await once(held[0]!, 'data');
    }
    expect(closed).toEqual([held[1]]);
  });

  it('do not close a connection that is in use', async () => {
    const { port } = new URL(service.adminUrl!);
    const scraper = connect(Number(port), '127.0.0.1');
    scraper.write(GET);
    await once(scraper, 'data');
    for (let round = 0; round < 4; round++) {
      await hold('', 40);
      scraper.write(GET);
      expect(String((await once(scraper, 'data'))[0])).toMatch(/^HTTP\/1.1 200/);
      for (const socket of held) socket.destroy();
    }
    scraper.destroy();
  });
});

describe('a store that cannot take a create', () => {
  it('makes the service not ready', async () => {
    let isAway = false;
    const away = await startTestService(
      { ADMIN_PORT: '0' },
      {},
      storeWith({ isReady: () => Promise.resolve(!isAway) }),
    );
    expect((await get('/readyz', {}, away)).status).toBe(200);
    isAway = true;
    expect(await get('/readyz', {}, away)).toMatchObject({
      status: 503,
      text: 'serving ok\nstore failed\n',
    });
    await away.remove();
  });
});

describe('/metrics', () => {
  it('counts requests by operation and status, without paths', async () => {
    await service.create({ id: 1, name: 'x' });
    await service.create({ id: 2, name: 'x' });
    await service.create({ id: 1, name: 'y' });
    await service.create({}, { headers: { Authorization: 'Bearer wrong' } });
    await call(service.url, { method: 'GET', path: '/some/secret/path' });
    const metrics = await samples();
    const requests = (operation: string, status: number) =>
      metrics[`http_request_duration_seconds_count{operation="${operation}",status="${status}"}`];
    expect(requests('storeToy', 200)).toBe(2);
    expect(requests('storeToy', 409)).toBe(1);
    expect(requests('storeToy', 401)).toBe(1);
    expect(requests('none', 404)).toBe(1);
    expect(Object.keys(metrics).filter((name) => name.includes('secret'))).toEqual([]);
  });

  it('includes metrics of the application, the queue, the event loop and the heap', async () => {
    await Promise.all([1, 2, 3].map((id) => service.create({ id, name: 'x' })));
    const metrics = await samples();
    expect(metrics['toys_sent_total']).toBe(3);
    expect(metrics['service_queue_length']).toBe(0);
    expect(metrics['nodejs_heap_size_used_bytes']).toBeGreaterThan(0);
    expect(metrics['nodejs_eventloop_lag_p99_seconds']).toBeDefined();
  });
});
