// The connection pool, with sessions in memory.
import { expect, it } from '@jest/globals';
import pg from 'pg';
import { SessionPool } from '../src/postgres/connections.ts';
import type { Session } from '../src/postgres/session.ts';

const { DatabaseError } = pg;
/** Milliseconds that were left for each use. */
const left: number[] = [];
const session = {
  isOpen: true,
  within(timeoutMs: number, callback: () => Promise<unknown>) {
    left.push(timeoutMs);
    return callback();
  },
} as unknown as Session;

it('uses a session that became idle while the server refused another', async () => {
  const opening = Promise.withResolvers<Session>();
  const opened = [Promise.resolve(session), opening.promise];
  const pool = new SessionPool(2, () => opened.shift()!);
  const first = pool.use(10_000, async () => 'first');
  const second = pool.use(10_000, async () => 'second');
  expect(await first).toBe('first');
  const refusal = new DatabaseError('too many connections', 0, 'error');
  opening.reject(Object.assign(refusal, { code: '53300' }));
  expect(await second).toBe('second');
  // Not after a wait for the whole time.
  expect(left[1]).toBeGreaterThan(5_000);
});

it('passes a session on to the use that waits for it', async () => {
  const pool = new SessionPool(1, async () => session);
  const { promise, resolve } = Promise.withResolvers<string>();
  const uses = [pool.use(10_000, () => promise), pool.use(10_000, async () => 'second')];
  resolve('first');
  expect(await Promise.all(uses)).toEqual(['first', 'second']);
});
