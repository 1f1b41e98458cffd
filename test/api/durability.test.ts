import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { serviceProcesses } from '@stubwright/test-support/serviceProcesses';
import { mountSmallDisk, unmountSmallDisk } from '@stubwright/test-support/smallDisk';
import { isTestAll } from '@stubwright/test-support/testAll';
import {
  createAt,
  spawnService,
  startTestService,
  storedPlants,
  TOKEN,
  temporaryFolder,
} from '../support/service.ts';
import { attachStrace, hasStrace, traced } from '../support/strace.ts';

const disk = temporaryFolder();
const itOnASmallDisk = mountSmallDisk(disk.path, 1024) ? it : it.skip;
const describeWithStrace = hasStrace ? describe : describe.skip;

afterAll(() => {
  if (itOnASmallDisk === it) unmountSmallDisk(disk.path);
  disk.remove();
});

const spawn = serviceProcesses(spawnService);
const spawnSqlite = (file: string, command: readonly string[] = []) =>
  spawn({ API_TOKENS: TOKEN, DATABASE_URL: `sqlite:${file}` }, command);

describe('a full disk', () => {
  itOnASmallDisk('is 503 with Retry-After, and recovers by itself when there is room', async () => {
    const file = `${disk.path}/plants.db`;
    const service = await startTestService({ DATABASE_URL: `sqlite:${file}` });
    writeFileSync(`${disk.path}/ballast`, Buffer.alloc(512 * 1024));
    const acknowledged: bigint[] = [];
    let status = 200;
    for (let id = 1n; status === 200 && id < 1000n; id++) {
      const answer = await service.create(`{"id":${id},"name":"${'x'.repeat(10_000)}"}`);
      status = answer.status;
      if (status === 200) acknowledged.push(id);
      else expect(answer.headers['retry-after']).toBe('1');
    }
    expect(status).toBe(503);
    rmSync(`${disk.path}/ballast`);
    expect((await service.create({ id: 5000, name: 'room again' })).status).toBe(200);
    await service.stop();
    const stored = storedPlants(file).map(({ id }) => id);
    expect(stored).toEqual([...acknowledged, 5000n]);
  });
});

describeWithStrace('a start', () => {
  /** Files as a process left them that was killed before an fsync: of its log, or of the database. */
  async function killedBeforeSync(
    file: string,
    unsynced: string,
    stop: NodeJS.Signals | undefined,
  ) {
    const service = spawnSqlite(file);
    const url = await service.url;
    await createAt(url, { id: 1, name: 'synced' });
    const inject = 'inject=fsync,fdatasync:error=EIO:signal=KILL';
    const strace = await attachStrace(service.child.pid!, ['-P', unsynced, '-e', inject]);
    if (stop) service.child.kill(stop);
    else await createAt(url, { id: 2, name: 'unsynced' }).catch(() => {});
    expect((await service.exited).signal).toBe('SIGKILL');
    if (strace.exitCode === null && strace.signalCode === null) await once(strace, 'exit');
  }

  const inherited: [string, string, (file: string) => Promise<void>][] = [
    ['a log that was not synced', '2', (file) => killedBeforeSync(file, `${file}-wal`, undefined)],
    ['a half-done checkpoint', '1', (file) => killedBeforeSync(file, file, 'SIGTERM')],
    [
      'a restored database file',
      '1',
      async (file) => {
        const service = spawnSqlite(`${file}.old`);
        await createAt(await service.url, { id: 1, name: 'synced' });
        await service.stop('SIGTERM');
        copyFileSync(`${file}.old`, file);
      },
    ],
  ];

  it.each(inherited.slice(0, isTestAll ? 3 : 1))(
    'on %s syncs it before it listens',
    async (_, id, leave) => {
      const folder = temporaryFolder();
      const file = `${folder.path}/plants.db`;
      await leave(file);
      const trace = `${folder.path}/trace`;
      const service = spawnSqlite(file, traced(trace, 'fsync,fdatasync'));
      const url = await service.url;
      const synced = readFileSync(trace, 'utf8').match(/(?<=sync\(\d+<)[^>]+/g);
      const name = id === '1' ? 'synced' : 'unsynced';
      const retry = await createAt(url, `{"id":${id},"name":"${name}"}`);
      const rival = await createAt(url, `{"id":${id},"name":"rival"}`);
      await service.stop('SIGKILL');
      expect([retry.status, rival.status]).toEqual([200, 409]);
      expect(synced).toEqual(expect.arrayContaining([`${file}-wal`, file, folder.path]));
      folder.remove();
    },
  );

  it('syncs every directory above a new file, and each 200 has an fsync of its own', async () => {
    const folder = temporaryFolder();
    const file = `${folder.path}/a/b/plants.db`;
    mkdirSync(dirname(file), { recursive: true });
    const trace = `${folder.path}/trace`;
    const service = spawnSqlite(file, traced(trace, 'openat,fsync,fdatasync,unlink'));
    const url = await service.url;
    const calls = readFileSync(trace, 'utf8').split('\n');
    for (let id = 1; id <= 20; id++) await createAt(url, { id, name: 'x' });
    await service.stop('SIGKILL');
    const ofRequests = readFileSync(trace, 'utf8')
      .split('\n')
      .slice(calls.length - 1);
    const syncs = ofRequests.filter((line) => /f(?:data)?sync\(/.test(line));
    expect(syncs.length).toBeGreaterThanOrEqual(20);
    const last = (pattern: RegExp) => calls.findLastIndex((line) => pattern.test(line));
    const created = last(new RegExp(`openat\\(.*"${file}-wal", .*O_CREAT`));
    expect(created).toBeGreaterThan(-1);
    for (const parent of [folder.path, `${folder.path}/a`, `${folder.path}/a/b`]) {
      expect(last(new RegExp(`sync\\(\\d+<${parent}>`))).toBeGreaterThan(created);
    }
    folder.remove();
  });
});
