import { once } from 'node:events';
import {
  closeSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { serviceProcesses } from '@stubwright/test-support/serviceProcesses';
import { mountSmallDisk, unmountSmallDisk } from '@stubwright/test-support/smallDisk';
import { createAt, spawnService, TOKEN, temporaryFolder } from '../support/service.ts';
import { attachStrace, hasStrace } from '../support/strace.ts';

const disk = temporaryFolder();
const itOnASmallDisk = mountSmallDisk(disk.path, 1024) ? it : it.skip;
const itWithStrace = hasStrace ? it : it.skip;

const spawn = serviceProcesses(spawnService);

afterAll(() => {
  if (itOnASmallDisk === it) unmountSmallDisk(disk.path);
  disk.remove();
});

async function start(file: string) {
  const service = spawn({
    API_TOKENS: TOKEN,
    DATABASE_URL: `sqlite:${file}`,
    ADMIN_PORT: '0',
  });
  const url = await service.url;
  const { child, output, exited } = service;
  const admin = /"admin":"([^"]+)"/.exec(output())?.[1];
  const readyz = async () => (await fetch(`${admin}/readyz`)).text();
  return {
    child,
    output,
    readyz,
    create: async (id: number) => (await createAt(url, { id, name: 'x' })).status,
    async untilReady() {
      while ((await readyz()) !== READY) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    async stop() {
      child.kill('SIGTERM');
      return (await exited).code;
    },
  };
}

const READY = 'serving ok\nstore ok\n';
const NOT_READY = 'serving ok\nstore failed\n';

/** Writes a file until the disk is full. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(4096));
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
  } finally {
    closeSync(descriptor);
  }
}

describe('/readyz without a create', () => {
  itOnASmallDisk('fails while the disk is full', async () => {
    const service = await start(`${disk.path}/plants.db`);
    fill(`${disk.path}/ballast`);
    expect(await service.readyz()).toBe(NOT_READY);
    expect(await service.create(1)).toBe(503);
    rmSync(`${disk.path}/ballast`);
    await service.untilReady();
    expect(await service.create(1)).toBe(200);
    expect(await service.stop()).toBe(0);
  });

  itWithStrace('fails while fsync fails', async () => {
    const folder = temporaryFolder();
    const service = await start(`${folder.path}/plants.db`);
    const inject = 'inject=fsync,fdatasync:error=EIO';
    const strace = await attachStrace(service.child.pid!, ['-e', inject]);
    expect(await service.readyz()).toBe(NOT_READY);
    expect(await service.create(1)).toBe(503);
    strace.kill('SIGTERM');
    await once(strace, 'exit');
    await service.untilReady();
    expect(await service.create(1)).toBe(200);
    expect(await service.stop()).toBe(0);
    folder.remove();
  });

  it('fails while the database file is gone, which the log reports once', async () => {
    const folder = temporaryFolder();
    const file = `${folder.path}/plants.db`;
    const service = await start(file);
    renameSync(file, `${file}.moved`);
    expect(await service.readyz()).toBe(NOT_READY);
    expect([await service.create(1), await service.create(2)]).toEqual([503, 503]);
    renameSync(`${file}.moved`, file);
    await service.untilReady();
    expect(await service.create(1)).toBe(200);
    expect(await service.stop()).toBe(0);
    expect(service.output().match(/"level":50,.*"the database is unavailable"/g)).toHaveLength(1);
    expect(service.output().match(/"the database is back"/g)).toHaveLength(1);
    folder.remove();
  });
});

describe('a log that is truncated', () => {
  it('has no create acknowledged, and /readyz fails, until the process is killed and started', async () => {
    const folder = temporaryFolder();
    const file = `${folder.path}/plants.db`;
    // A stop writes the plants into the database file.
    const first = await start(file);
    expect(await first.create(1)).toBe(200);
    expect(await first.stop()).toBe(0);
    const service = await start(file);
    expect(await service.create(2)).toBe(200);
    truncateSync(`${file}-wal`);
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, id) => service.create(id)));
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect(await service.readyz()).toBe(NOT_READY);
    expect(service.output().match(/"level":50,.*but it was truncated/g)).toHaveLength(1);
    service.child.kill('SIGKILL');
    await once(service.child, 'exit');
    const next = await start(file);
    expect(await next.readyz()).toBe(READY);
    expect(await next.create(1)).toBe(200);
    expect(await next.stop()).toBe(0);
    folder.remove();
  });

  it('ends a stop with exit code 1, and is left as it was', async () => {
    const folder = temporaryFolder();
    const file = `${folder.path}/plants.db`;
    const service = await start(file);
    expect(await service.create(1)).toBe(200);
    truncateSync(`${file}-wal`);
    expect(await service.stop()).toBe(1);
    expect(statSync(`${file}-wal`).size).toBe(0);
    folder.remove();
  });
});

describe('a stop without the database file', () => {
  it('ends with exit code 1 and the reason in the log', async () => {
    const folder = temporaryFolder();
    const file = `${folder.path}/plants.db`;
    const service = await start(file);
    expect(await service.create(1)).toBe(200);
    rmSync(file);
    expect(await service.stop()).toBe(1);
    expect(service.output()).toMatch(/"level":50,.*plants acknowledged before may be gone with it/);
    folder.remove();
  });
});
