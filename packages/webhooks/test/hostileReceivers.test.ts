// Every attempt to deliver a webhook ends at its time limit, whatever the receiver sends.
import dns from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import {
  hostileServer,
  INVALID_BODY,
  SILENT,
  STALLED_BODY,
  WITHOUT_RESPONSE,
} from '@stubwright/test-support/hostileServers';
import { type ClaimedMessage, createWebhooks, type OutboxMessage } from '../src/index.ts';
import { receivers } from './support/receivers.ts';
import { SECRET, SOLD_CONTRACT, type SoldHooks } from './support/soldWebhook.ts';

const { receiver, ends } = receivers();

/** An outbox in memory, which records how each attempt ended. @param repeated ids that are sent again */
function memoryOutbox(repeated: readonly string[] = []) {
  const due: OutboxMessage[] = [];
  const results: string[] = [];
  const attempts = new Map<string, number>();
  return {
    results,
    outbox: {
      put: async (message: OutboxMessage) => void due.push(message),
      claim: async ({ limit }: { limit: number }): Promise<ClaimedMessage[]> =>
        due.splice(0, limit).map((message) => {
          const attempt = (attempts.get(message.id) ?? 0) + 1;
          attempts.set(message.id, attempt);
          return { ...message, attempt };
        }),
      delivered: async ({ id }: ClaimedMessage) => void results.push(`${id} delivered`),
      reschedule: async (message: ClaimedMessage) => {
        results.push(`${message.id} failed`);
        if (repeated.includes(message.id)) due.push(message);
      },
      giveUp: async ({ id }: ClaimedMessage) => void results.push(`${id} given up`),
    },
  };
}

const CONCURRENCY = 2;
/** More than can be sent at once. */
const HOSTILE = ['a', 'b', 'c'];

interface AttemptOptions {
  readonly body?: string;
  /** True to send failed messages again. */
  readonly repeats?: boolean;
  /** By default no attempt of a test can reach it. */
  readonly timeoutMs?: number;
}

/**
 * Sends three messages to a URL and one to a good receiver, then stops. A busy machine may need longer than
 * the time limit: then the good one is sent again.
 *
 * @returns how the attempts of the three ended
 */
async function attemptsAt(
  url: string,
  { body = 'x', repeats = false, timeoutMs = 600_000 }: AttemptOptions = {},
): Promise<string[]> {
  const { outbox, results } = memoryOutbox(repeats ? ['good', ...HOSTILE] : ['good']);
  const webhooks = await createWebhooks<SoldHooks>({
    ...{ contract: SOLD_CONTRACT, outbox, secrets: () => [SECRET] },
    ...{ addresses: 'any', timeoutMs, concurrency: CONCURRENCY, pollMs: 5 },
    retryDelaysMs: Array(1000).fill(1),
  });
  for (const id of HOSTILE) await webhooks.send('sold', url, body, { id });
  const good = await receiver();
  await webhooks.send('sold', good.url, 'x', { id: 'good' });
  webhooks.start();
  const isDone = (id: string) =>
    results.includes(`${id} delivered`) || (!repeats && results.includes(`${id} failed`));
  while (!(HOSTILE.every(isDone) && results.includes('good delivered'))) await sleep(2);
  await webhooks.stop();
  const ofHostile = results.filter((result) => !result.startsWith('good')).sort();
  return repeats ? ofHostile.filter((result) => !result.endsWith('failed')) : ofHostile;
}

const all = (outcome: string) => HOSTILE.map((id) => `${id} ${outcome}`);

/** @returns how the attempts at a server ended, after it has no connection any more */
async function attemptsWith(name: string, attempt?: AttemptOptions): Promise<string[]> {
  const behaviours = { ...SILENT, ...WITHOUT_RESPONSE, ...STALLED_BODY, ...INVALID_BODY };
  const server = await hostileServer(behaviours[name]!);
  ends.push(() => server.close());
  const results = await attemptsAt(`http://127.0.0.1:${server.port}/`, attempt);
  // A paused socket does not notice its end.
  for (const socket of server.sockets) socket.resume();
  while (server.sockets.size > 0) await sleep(2);
  return results;
}

/** More than the buffers of a receiver that does not read. */
const LARGE_BODY = 'x'.repeat(8_000_000);

describe('an attempt fails, and delays no others and no stop, if the receiver sends', () => {
  it.each(Object.keys(WITHOUT_RESPONSE))('%s', async (name) => {
    expect(await attemptsWith(name)).toEqual(all('failed'));
  });

  it.each(Object.keys(SILENT))('%s, at the time limit', async (name) => {
    const body = name === 'no reading' ? LARGE_BODY : 'x';
    expect(await attemptsWith(name, { body, timeoutMs: 100 })).toEqual(all('failed'));
  });

  it('nothing during the TLS handshake', async () => {
    const server = await hostileServer(() => {});
    ends.push(() => server.close());
    const url = `https://127.0.0.1:${server.port}/`;
    expect(await attemptsAt(url, { timeoutMs: 100 })).toEqual(all('failed'));
    while (server.sockets.size > 0) await sleep(2);
  });

  it('no address from its name server', async () => {
    const resolveName = dns.lookup;
    const lookup = jest.spyOn(dns, 'lookup').mockImplementation(((name: string, ...rest: []) => {
      if (name !== 'receiver.example') resolveName(name, ...(rest as unknown as [never, never]));
    }) as never);
    ends.push(() => lookup.mockRestore());
    expect(await attemptsAt('http://receiver.example/', { timeoutMs: 100 })).toEqual(all('failed'));
    expect(lookup.mock.calls.map(([name]) => name)).toContain('receiver.example');
  });
});

describe('an attempt has the result of its status if the receiver sends', () => {
  it.each(Object.keys(INVALID_BODY))('%s', async (name) => {
    const body = name === 'a response before it reads the request' ? LARGE_BODY : 'x';
    expect(await attemptsWith(name, { body })).toEqual(all('delivered'));
  });

  it.each(Object.keys(STALLED_BODY))('%s, at the time limit', async (name) => {
    expect(await attemptsWith(name, { timeoutMs: 100, repeats: true })).toEqual(all('delivered'));
  });
});

it('stops although the outbox hangs', async () => {
  const { url } = await receiver();
  const stopped = (['claim', 'delivered'] as const).map(async (name) => {
    const { outbox } = memoryOutbox();
    const called = Promise.withResolvers<void>();
    const hanging = () => {
      called.resolve();
      return new Promise<never>(() => {});
    };
    const webhooks = await createWebhooks<SoldHooks>({
      ...{ contract: SOLD_CONTRACT, outbox: { ...outbox, [name]: hanging } },
      ...{ secrets: () => [SECRET], addresses: 'any', timeoutMs: 50, pollMs: 5 },
    });
    webhooks.start();
    while (!(await isCalled(called.promise))) await webhooks.send('sold', url, 'x');
    await webhooks.stop();
  });
  await Promise.all(stopped);
});

it('ends an attempt that begins during a stop', async () => {
  const server = await hostileServer(() => {});
  ends.push(() => server.close());
  const { outbox, results } = memoryOutbox();
  const claimed = Promise.withResolvers<void>();
  const claiming = Promise.withResolvers<void>();
  const webhooks = await createWebhooks<SoldHooks>({
    contract: SOLD_CONTRACT,
    outbox: {
      ...outbox,
      claim: async (options) => {
        claiming.resolve();
        await claimed.promise;
        return outbox.claim(options);
      },
    },
    ...{ secrets: () => [SECRET], addresses: 'any', timeoutMs: 200, pollMs: 5 },
  });
  await webhooks.send('sold', `http://127.0.0.1:${server.port}/`, 'x');
  webhooks.start();
  await claiming.promise;
  const stopped = webhooks.stop();
  await sleep(20);
  claimed.resolve();
  await stopped;
  // Its lease ends: another process sends it again.
  expect(results).toEqual([]);
});

/** Waits for a few milliseconds. */
function isCalled(called: Promise<void>): Promise<boolean> {
  return Promise.race([called.then(() => true), sleep(50, false)]);
}
