// When PostgreSQL acknowledges a toy: never before its commit is as durable as the server promises.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { query } from '@stubwright/test-support/postgres';
import { toyPostgres } from './support/toyPostgres.ts';

const postgres = toyPostgres(async () => {
  await configure('synchronous_standby_names', '');
  await configure('synchronous_commit', 'on');
});

/** Changes the configuration of the running server, as an administrator does. */
async function configure(setting: string, value: string): Promise<void> {
  await query(postgres.url, `ALTER SYSTEM SET ${setting} = '${value}'`);
  await query(postgres.url, 'SELECT pg_reload_conf()');
  for (;;) {
    const [row] = await query(postgres.url, `SELECT current_setting('${setting}') AS value`);
    if (row?.['value'] === value) return;
    await sleep(10);
  }
}

const WAITING = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'";

/** From here on every commit waits for a standby that does not exist. */
async function loseStandby(): Promise<void> {
  await configure('synchronous_standby_names', 'away');
  // Commits wait from the moment when the checkpointer has the setting, later than sessions see it.
  for (let isWaiting = false; !isWaiting; ) {
    let isDone = false;
    const commit = query(postgres.url, "SELECT pg_logical_emit_message(true, 'probe', '')").finally(
      () => {
        isDone = true;
      },
    );
    while (!isDone) {
      const [row] = await query(postgres.url, WAITING);
      if (row === undefined) continue;
      isWaiting = true;
      await query(postgres.url, `SELECT pg_cancel_backend(${row['pid']})`);
      await commit;
    }
  }
}
const regainStandby = () => configure('synchronous_standby_names', '');

/** Resolves with the process ids once as many commits wait for the standby. */
async function untilWaitingForStandby(count: number): Promise<number[]> {
  for (;;) {
    const rows = await query(postgres.url, WAITING);
    if (rows.length === count) return rows.map(({ pid }) => pid as number);
    await sleep(10);
  }
}

const unavailable = { name: 'StoreUnavailable' };
const toy = { id: 1n, name: 'Aloe vera' };
const rival = { id: 1n, name: 'Monstera' };

describe('a create while the synchronous standby is unreachable', () => {
  it('is unavailable, and so are its retry and its rival, until the standby is back', async () => {
    const store = await postgres.open({ patienceMs: 300 });
    await loseStandby();
    await expect(store.create(toy)).rejects.toMatchObject(unavailable);
    // The primary has the row: a read sees it.
    while ((await query(postgres.url, 'SELECT id FROM toy')).length === 0) await sleep(10);
    for (const each of [toy, rival, toy, rival]) {
      const another = await postgres.open({ patienceMs: 300 });
      await expect(another.create(each)).rejects.toMatchObject(unavailable);
    }
    expect(await store.isReady()).toBe(false);
    await regainStandby();
    const patient = await postgres.open({ patienceMs: 60_000 });
    expect(await patient.create(toy)).toBe('same');
    expect(await patient.create(rival)).toBe('different');
    while (!(await store.isReady())) await sleep(10);
    expect(await store.create(toy)).toBe('same');
  });

  it.each(['pg_cancel_backend', 'pg_terminate_backend'])(
    'is not acknowledged when %s ends its wait',
    async (end) => {
      // A database that hides warnings must not hide that one.
      const [{ name } = {}] = await query(postgres.url, 'SELECT current_database() AS name');
      await query(postgres.url, `ALTER DATABASE ${name} SET client_min_messages = error`);
      const store = await postgres.open({ patienceMs: 60_000 });
      await loseStandby();
      let isAcknowledged = false;
      const outcome = store.create(toy).finally(() => {
        isAcknowledged = true;
      });
      for (let round = 0; round < 3; round++) {
        const [pid] = await untilWaitingForStandby(1);
        await query(postgres.url, `SELECT ${end}(${pid})`);
        while ((await untilWaitingForStandby(1))[0] === pid) await sleep(10);
        expect(isAcknowledged).toBe(false);
      }
      await regainStandby();
      expect(await outcome).toBe('same');
    },
  );
});

describe('synchronous_commit = off', () => {
  it('is overruled in every transaction, also when a reload sets it', async () => {
    const store = await postgres.open({ patienceMs: 60_000 });
    await query(
      postgres.url,
      `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN NEW.tag = current_setting('synchronous_commit'); RETURN NEW; END $$;
       CREATE TRIGGER note BEFORE INSERT ON toy FOR EACH ROW EXECUTE FUNCTION note()`,
    );
    for (const [id, value] of ['off', 'remote_apply', 'off'].entries()) {
      await configure('synchronous_commit', value);
      await store.create({ id: BigInt(id), name: 'x' });
    }
    const tags = await query(postgres.url, 'SELECT tag FROM toy ORDER BY id');
    expect(tags.map(({ tag }) => tag)).toEqual(['on', 'remote_apply', 'on']);
  });
});
