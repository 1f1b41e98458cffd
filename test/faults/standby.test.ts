// The synchronous standby that the other tests rely on.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Postgres, query } from '@stubwright/test-support/postgres';

let primary: Postgres;
let standby: Postgres;
let url: string;

beforeAll(async () => {
  primary = await Postgres.start();
  standby = await primary.startStandby();
  url = await primary.createDatabase();
  await query(url, 'CREATE TABLE row (id integer)');
});
afterAll(async () => {
  standby.thaw();
  await Promise.all([primary.remove(), standby.remove()]);
});

describe('a synchronous standby', () => {
  it('has every committed row', async () => {
    await query(url, 'SET synchronous_commit = remote_apply; INSERT INTO row VALUES (1)');
    expect(await query(standby.at(url), 'SELECT id FROM row')).toEqual([{ id: 1 }]);
  });

  it.each([
    ['frozen', () => standby.freeze(), () => standby.thaw()],
    ['stopped', () => standby.stop(), () => standby.restart()],
  ] as const)('makes a commit wait while it is %s', async (_how, leave, comeBack) => {
    await leave();
    const committed = query(url, 'INSERT INTO row VALUES (2) RETURNING id');
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    while ((await query(url, waiting)).length === 0) await sleep(10);
    await comeBack();
    expect(await committed).toEqual([{ id: 2 }]);
  });

  it('has all rows when it is promoted', async () => {
    await primary.stop('SIGQUIT');
    await standby.promote();
    await query(standby.at(url), 'INSERT INTO row VALUES (3)');
    expect(await query(standby.at(url), 'SELECT id FROM row ORDER BY id')).toEqual([
      { id: 1 },
      { id: 2 },
      { id: 2 },
      { id: 3 },
    ]);
  });
});
