import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { sharedPostgres } from '@stubwright/test-support/databases';
import { Postgres, query } from '@stubwright/test-support/postgres';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { inTestAll } from '@stubwright/test-support/testAll';
import type { NewPlant } from '../../src/plants/plant.ts';
import { openPlantStore as openStore } from '../support/plantStore.ts';

// Processes that start and stop take their time on a busy machine.
jest.setTimeout(60_000);

const temporary = temporaryPaths();
const children: ChildProcess[] = [];
const createDatabase = sharedPostgres();

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(from: string, to: string) {
  const child = spawn(process.execPath, ['src/store/migrateStore.ts', from, to]);
  children.push(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, out, err }));
  return { child, ended };
}

async function filled(count: number, more: readonly NewPlant[] = []): Promise<string> {
  const url = `sqlite:${temporary()}`;
  const store = await openStore(url);
  const ids = Array.from({ length: count }, (_, at) => BigInt(at));
  await Promise.all(ids.map((id) => store.create({ id, name: `plant ${id}` })));
  await Promise.all(more.map((plant) => store.create(plant)));
  await store.close();
  return url;
}

/** What a killed client had sent already, PostgreSQL still carries out. */
async function untilAlone(url: string): Promise<void> {
  const others = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  while ((await query(url, others))[0]?.['count'] !== 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('migrate-store', () => {
  it('moves all plants, reports their number, and moves none the second time', async () => {
    const from = await filled(2500);
    const to = await createDatabase();
    const first = await start(from, to).ended;
    expect([first.code, first.out]).toEqual([
      0,
      `FROM ${from}: 2,500 plants\nTO ${to.replace(/:[^:@]*@/, '@')}: 2,500 plants, 2,500 of them created now\nequal in count and content\n`,
    ]);
    const second = await start(from, to).ended;
    expect([second.code, second.out]).toEqual([
      0,
      expect.stringContaining('2,500 plants, 0 of them created now'),
    ]);
  });

  inTestAll(it)('continues after kill -9 when it runs again', async () => {
    const from = await filled(100_000);
    const to = await createDatabase();
    const killed = start(from, to);
    const moved = async () => {
      const [row] = await query(to, 'SELECT count(*)::int AS count FROM plant').catch(() => []);
      return Number(row?.['count'] ?? 0);
    };
    while ((await moved()) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    killed.child.kill('SIGKILL');
    await killed.ended;
    await untilAlone(to);
    const before = await moved();
    const again = await start(from, to).ended;
    expect(again.code).toBe(0);
    const created = (100_000 - before).toLocaleString('en');
    expect(again.out).toContain(`100,000 plants, ${created} of them created now`);
    expect(before).toBeLessThan(100_000);
  });

  inTestAll(it)('waits for a database that restarts meanwhile', async () => {
    const postgres = await Postgres.start();
    const from = await filled(100_000);
    const to = await postgres.createDatabase();
    const moving = start(from, to);
    const isRunning = () => moving.child.exitCode === null;
    // While it writes, and while it compares.
    for (let times = 0; times < 3 && isRunning(); times++) {
      await postgres.stop('SIGQUIT');
      await postgres.restart();
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    const { code, out, err } = await moving.ended;
    expect([code, err]).toEqual([0, expect.any(String)]);
    expect(out).toContain('equal in count and content');
    await postgres.remove();
  });

  it.each<[string, (from: string) => string | Promise<string>, RegExp]>([
    [
      'a plant differs',
      () => filled(0, [{ id: 1n, name: 'another' }]),
      /0 are missing, 1 different, 0 surplus \(different 1\)\n/,
    ],
    [
      'TO has more',
      () => filled(0, [{ id: 99n, name: 'surplus' }]),
      /0 are missing, 0 different, 1 surplus \(surplus 99\)\n/,
    ],
    ['TO is FROM', (from) => from, /locked by another one\n/],
    ['TO is missing', () => '', /^expected FROM=… and TO=…, each as DATABASE_URL\n/m],
    ['TO is no URL', () => 'mysql://x', /^TO: got the scheme "mysql:", expected sqlite:PATH/m],
  ])('fails with one line when %s', async (_, to, line) => {
    const from = await filled(3);
    const { code, out, err } = await start(from, await to(from)).ended;
    expect(code).not.toBe(0);
    expect(err).toMatch(line);
    expect(out).not.toContain('equal');
  });

  it('does not create a missing FROM file, and rejects a FROM without plants', async () => {
    const nowhere = temporary();
    const missing = await start(`sqlite:${nowhere}`, `sqlite:${temporary()}`).ended;
    expect(missing.err).toContain(`expected ${nowhere} to exist\n`);
    expect(existsSync(nowhere)).toBe(false);
    const empty = await start(await filled(0), `sqlite:${temporary()}`).ended;
    expect([empty.code === 0, empty.err]).toEqual([
      false,
      expect.stringContaining('expected FROM to hold plants, but it is empty\n'),
    ]);
  });
});
