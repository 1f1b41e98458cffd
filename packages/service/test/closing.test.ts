// What a service has opened is closed in reverse order, whatever one part of it throws.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { CONTRACT } from '@stubwright/test-support/toyService';
import { type StartedService, startedServices } from './support/startedServices.ts';

const record = join(tmpdir(), 'closing-traffic.jsonl');
const startService = startedServices();
const closed: string[] = [];
afterEach(() => {
  closed.length = 0;
});

function start(close: () => Promise<void>, env: Readonly<Record<string, string>> = {}) {
  const store = {
    ...{ isReady: async () => true, waiting: 0 },
    close: () => {
      closed.push('store');
      return close();
    },
  };
  return startService(
    {
      handlers: { getToy: () => ({ status: 200 }), storeToy: () => ({ status: 200 }) },
      verifiers: (verify) => ({ bearerAuth: verify }),
      open: async () => ({ services: undefined, store }),
    },
    { ADMIN_PORT: '0', CONTRACT, SHUTDOWN_GRACE: '0', ...env },
  );
}

const messagesOf = ({ lines }: StartedService) => lines.map(({ msg }) => msg);
const fails = async () => {
  throw new Error('the store cannot be closed');
};
const isReachable = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

describe('a stop', () => {
  it('closes the admin listener last', async () => {
    let wasReachable = false;
    const service = await start(async () => {
      wasReachable = await isReachable(`${service.adminUrl}/livez`);
    });
    await service.stop();
    expect(wasReachable).toBe(true);
    expect(messagesOf(service).slice(-4)).toEqual([
      'not ready',
      'draining',
      'drained',
      'store closed',
    ]);
    expect(await isReachable(`${service.adminUrl}/livez`)).toBe(false);
  });

  it('whose store cannot be closed closes the rest, and fails', async () => {
    const service = await start(fails);
    await expect(service.stop()).rejects.toThrow('the store cannot be closed');
    expect(closed).toEqual(['store']);
    expect(messagesOf(service)).not.toContain('store closed');
    expect(await isReachable(`${service.adminUrl}/livez`)).toBe(false);
    expect(await isReachable(service.url)).toBe(false);
  });
});

describe('a start that cannot listen', () => {
  it.each([
    ['closes', async () => {}],
    ['fails to close', fails],
  ])('leaves nothing open, also if its store %s', async (_, close) => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const adminPort = (free.address() as { port: number }).port;
    free.close();
    await once(free, 'close');
    // Of load shedding and of the recorder.
    const started = jest.spyOn(globalThis, 'setInterval');
    const cleared = jest.spyOn(globalThis, 'clearInterval');
    // The cause, not what follows from it.
    await expect(
      start(close, { PORT: String(port), ADMIN_PORT: String(adminPort), RECORD: record }),
    ).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(closed).toEqual(['store']);
    expect(await isReachable(`http://127.0.0.1:${adminPort}/livez`)).toBe(false);
    const over = new Set<unknown>(cleared.mock.calls.map(([interval]) => interval));
    const left = started.mock.results.filter(({ value }) => !over.has(value));
    expect(started.mock.calls.length).toBeGreaterThanOrEqual(2);
    expect(left.map(({ value }) => String(Object(value)._onTimeout))).toEqual([]);
    jest.restoreAllMocks();
    blocker.close();
  });
});
