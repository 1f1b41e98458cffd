// Idempotency keys in a store: with the transaction, across processes, and after a kill.
import { existsSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type DataStore, openStore, storeIdempotency } from '@stubwright/store';
import { DATABASES, databaseUrls } from '@stubwright/test-support/databases';
import { query } from '@stubwright/test-support/postgres';
import { type ServiceProcess, spawnScript } from '@stubwright/test-support/serviceProcess';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { inTestAll } from '@stubwright/test-support/testAll';
import type { IdempotencyStore } from 'stubwright/idempotency';
import { documentedTables, migrationsIn } from './support/migrations.ts';

const temporary = temporaryPaths();
const EFFECT = 'CREATE TABLE effect (id text NOT NULL PRIMARY KEY, key text NOT NULL);';
const migrations = migrationsIn(temporary('migrations'), {
  '0001.sql': documentedTables('idempotency') + EFFECT,
});

const createDatabase = databaseUrls();
const opened: DataStore[] = [];
const started: ServiceProcess[] = [];

afterEach(async () => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL');
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

const isShared = (database: string) => database === 'PostgreSQL';

async function open(url: string) {
  const store = await openStore(url, {
    ...{ name: 'orders', migrations, tables: [], patienceMs: 20_000 },
  });
  opened.push(store);
  return store;
}

/** @param id two digits of it, repeated */
const requestOf = (id: string, now = 1000) => ({
  ...{ id: id.repeat(32), fingerprint: 'f', now, expiresAt: now + 100 },
});
const response = (body?: Uint8Array) => ({
  ...{ fingerprint: 'f', status: 201, headers: { Location: '/é' }, body },
});

describe.each(DATABASES)('keys in a store on %s', (database) => {
  it('keep the exact response if its transaction commits', async () => {
    const store = await open(await createDatabase(database));
    const keys = storeIdempotency(store);
    const bodies = [
      undefined,
      Buffer.from(''),
      Buffer.from([0, 255, 10, 39]),
      Buffer.alloc(2e6, 7),
    ];
    for (const [at, body] of bodies.entries()) {
      const request = requestOf(`a${at}`);
      for (const end of ['rollBack', 'commit'] as const) {
        const transaction = await store.begin();
        expect(await keys.find(transaction, request)).toBeUndefined();
        await keys.save(transaction, request, response(body));
        await transaction[end]();
      }
      const transaction = await store.begin();
      const found = await keys.find(transaction, request);
      await transaction.commit();
      if (found === undefined || found === 'inProgress') throw new Error('expected a response');
      expect({ ...found, body: found.body && Buffer.from(found.body) }).toEqual(response(body));
    }
  });

  it('expire, and are removed in batches', async () => {
    const store = await open(await createDatabase(database));
    const keys = storeIdempotency(store);
    const filled = await store.begin();
    for (let at = 10; at < 60; at++) {
      const insert = `INSERT INTO stubwright_idempotency VALUES ($1, 'f', 200, '{}', NULL, $2)`;
      await filled.run(insert, [`${at}`.repeat(32), 100 + at]);
    }
    await filled.commit();
    const count = async () =>
      Number(
        (await store.query<{ n: bigint }>('SELECT count(*) AS n FROM stubwright_idempotency'))[0]!
          .n,
      );
    for (const [at, left] of [
      [10, 30],
      [11, 11],
      [12, 3],
      [13, 4],
    ] as const) {
      const transaction = await store.begin();
      const request = requestOf(`${at}`);
      expect(await keys.find(transaction, request)).toBeUndefined();
      await keys.save(transaction, request, response());
      await transaction.commit();
      expect(await count()).toBe(left);
    }
    const transaction = await store.begin();
    expect(await keys.find(transaction, requestOf('10', 1099))).toMatchObject({ status: 201 });
    expect(await keys.find(transaction, requestOf('10', 1100))).toBeUndefined();
    await transaction.rollBack();
  });

  it('reject a second response', async () => {
    const store = await open(await createDatabase(database));
    const keys = storeIdempotency(store);
    const transaction = await store.begin();
    await keys.save(transaction, requestOf('aa'), response());
    await expect(keys.save(transaction, requestOf('aa'), response())).rejects.toMatchObject({
      name: 'StoreUnavailable',
    });
    await transaction.rollBack();
  });

  it('need a transaction', async () => {
    const store = await open(await createDatabase(database));
    const keys = storeIdempotency(store);
    // @ts-expect-error handlers whose context has no transaction
    const wrong: IdempotencyStore<{ readonly user: string }> = keys;
    for (const context of [undefined, {}, store]) {
      const found = keys.find(context as never, requestOf('aa'));
      await expect(found).rejects.toThrow('expected transactionOf');
    }
    const context = { user: 'ann', transaction: await store.begin() };
    const own: IdempotencyStore<typeof context> = storeIdempotency(
      store,
      ({ transaction }) => transaction,
    );
    expect(await own.find(context, requestOf('aa'))).toBeUndefined();
    await context.transaction.rollBack();
    expect(wrong).toBe(keys);
  });
});

describe('keys on PostgreSQL', () => {
  it('are in progress for other processes until the end of the transaction, however it comes', async () => {
    const url = await createDatabase('PostgreSQL');
    const [one, other] = [await open(url), await open(url)];
    const [keys, others] = [storeIdempotency(one), storeIdempotency(other)];
    const request = requestOf('ab');
    for (const end of ['rollBack', 'kill', 'commit']) {
      const holder = await one.begin();
      expect(await keys.find(holder, request)).toBeUndefined();
      const second = await other.begin();
      expect(await others.find(second, request)).toBe('inProgress');
      expect(await others.find(second, requestOf('ac'))).toBeUndefined();
      await second.rollBack();
      if (end === 'kill') {
        const backends =
          'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE state = $1';
        await other.query(backends, ['idle in transaction']);
        await holder.rollBack();
      } else {
        await keys.save(holder, request, response());
        await holder[end as 'commit' | 'rollBack']();
      }
      const third = await other.begin();
      const found = await others.find(third, request);
      expect(found).toEqual(
        end === 'commit' ? expect.objectContaining({ status: 201 }) : undefined,
      );
      await third.rollBack();
    }
  });
});

describe.each(DATABASES)('a service on %s', (database) => {
  const inTest = isShared(database) ? inTestAll(it) : it;
  const flags = { KILL_IN_HANDLER: temporary('handler'), KILL_AFTER_COMMIT: temporary('commit') };

  async function start(url: string, env: Record<string, string> = {}): Promise<ServiceProcess> {
    const service = spawnScript('packages/store/test/support/idempotentService.ts', {
      ...{ DATABASE_URL: url, MIGRATIONS: fileURLToPath(migrations), LAG_LIMIT: '60000' },
      ...flags,
      ...env,
    });
    started.push(service);
    await service.url;
    return service;
  }

  async function order(base: string, key: string) {
    const answer = await fetch(`${base}/orders`, {
      method: 'POST',
      headers: { 'Idempotency-Key': key, 'content-type': 'application/json' },
      body: '{}',
    });
    const isReplayed = answer.headers.has('idempotency-replayed');
    return { status: answer.status, body: await answer.text(), isReplayed };
  }

  /** Sends the request until it has a final response, as a client does. */
  async function retried(base: () => Promise<string>, key: string) {
    for (let attempt = 0; attempt < 600; attempt++) {
      const answer = await order(await base(), key).catch(() => undefined);
      if (answer !== undefined && ![409, 503].includes(answer.status)) return answer;
      await sleep(20);
    }
    throw new Error('expected a final response');
  }

  async function effectsIn(url: string): Promise<string[]> {
    if (isShared(database)) {
      return (await query(url, 'SELECT key FROM effect')).map(({ key }) => String(key));
    }
    // One process owns the file.
    for (const { child, exited } of started.splice(0)) {
      child.kill('SIGKILL');
      await exited;
    }
    const file = new DatabaseSync(url.slice('sqlite:'.length));
    const rows = file.prepare('SELECT key FROM effect').all();
    file.close();
    return rows.map(({ key }) => String(key));
  }

  inTest('acts once for 50 concurrent requests, on all of its processes', async () => {
    const url = await createDatabase(database);
    const one = await start(url, { HANDLER_MS: '50' });
    const services = isShared(database) ? [one, await start(url, { HANDLER_MS: '50' })] : [one];
    const urls = await Promise.all(services.map((service) => service.url));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => order(urls[at % urls.length]!, 'a')),
    );
    const successes = answers.filter(({ status }) => status === 201);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect(new Set(successes.map(({ body }) => body)).size).toBe(1);
    expect(successes.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    for (const base of urls) {
      expect(await order(base, 'a')).toEqual({ ...successes[0], isReplayed: true });
    }
    expect(await effectsIn(url)).toEqual(['a']);
  });

  inTest.each(['KILL_IN_HANDLER', 'KILL_AFTER_COMMIT'] as const)(
    'acts once in spite of %s',
    async (moment) => {
      const url = await createDatabase(database);
      const service = await start(url);
      writeFileSync(flags[moment], '');
      await expect(order(await service.url, 'a')).rejects.toThrow('fetch failed');
      expect((await service.exited).signal).toBe('SIGKILL');
      const isCommitted = moment === 'KILL_AFTER_COMMIT';
      expect(await effectsIn(url)).toEqual(isCommitted ? ['a'] : []);
      const next = await (await start(url)).url;
      expect(await retried(async () => next, 'a')).toMatchObject({
        ...{ status: 201, isReplayed: isCommitted },
      });
      expect(await effectsIn(url)).toEqual(['a']);
    },
  );

  inTestAll(it)('frees the key of a process that is frozen, and acts once', async () => {
    if (!isShared(database)) return;
    const url = await createDatabase(database);
    const stop = temporary('stop');
    const env = { STOP_IN_HANDLER: stop, TRANSACTION_MS: '1000' };
    const [frozen, other] = [await start(url, env), await start(url, env)];
    writeFileSync(stop, '');
    const lost = order(await frozen.url, 'a').catch(() => undefined);
    while (existsSync(stop)) await sleep(5);
    expect(await order(await other.url, 'a')).toMatchObject({ status: 409 });
    const answer = await retried(() => other.url, 'a');
    expect(answer).toMatchObject({ status: 201, isReplayed: false });
    frozen.child.kill('SIGCONT');
    expect((await lost)?.status).not.toBe(201);
    expect(await retried(() => frozen.url, 'a')).toEqual({ ...answer, isReplayed: true });
    expect(await effectsIn(url)).toEqual(['a']);
  });

  inTestAll(it)(
    'acts once for each key while its processes are killed',
    async () => {
      const url = await createDatabase(database);
      const ROUNDS = 4;
      let current = await start(url, { HANDLER_MS: '5' });
      let isOver = false;
      const keys: string[] = [];
      const clients = Array.from({ length: 6 }, async (_, client) => {
        const answers: { key: string; bodies: string[] }[] = [];
        for (let at = 0; !isOver; at++) {
          const key = `${client}-${at}`;
          keys.push(key);
          const first = await retried(() => current.url, key);
          const second = await retried(() => current.url, key);
          answers.push({ key, bodies: [first.body, second.body] });
          expect([first.status, second.status]).toEqual([201, 201]);
        }
        return answers;
      });
      for (let round = 0; round < ROUNDS; round++) {
        await sleep(150 + 40 * round);
        const former = current;
        former.child.kill('SIGKILL');
        await former.exited;
        current = await start(url, { HANDLER_MS: '5' });
      }
      isOver = true;
      const answers = (await Promise.all(clients)).flat();
      for (const { bodies } of answers) expect(bodies[1]).toBe(bodies[0]);
      expect(answers.length).toBeGreaterThan(ROUNDS);
      expect((await effectsIn(url)).toSorted()).toEqual(keys.toSorted());
    },
    60_000,
  );
});
