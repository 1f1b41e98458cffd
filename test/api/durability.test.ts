import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  createAt,
  spawnService,
  startTestService,
  storedPlants,
  TOKEN,
  temporaryFolder,
} from '../support/service.ts';
import { mountSmallDisk, unmountSmallDisk } from '../support/smallDisk.ts';

const disk = temporaryFolder();
const itOnASmallDisk = mountSmallDisk(disk.path, 1024) ? it : it.skip;
const itWithStrace = has('strace') ? it : it.skip;

afterAll(() => {
  if (itOnASmallDisk === it) unmountSmallDisk(disk.path);
  disk.remove();
});

function has(command: string): boolean {
  try {
    execFileSync(command, ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

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

describe('a 200', () => {
  itWithStrace('is preceded by an fsync of its own when requests come one by one', async () => {
    const folder = temporaryFolder();
    const service = spawnService({
      API_TOKENS: TOKEN,
      DATABASE_URL: `sqlite:${folder.path}/plants.db`,
    });
    const url = await service.url;
    const trace = `${folder.path}/trace`;
    const strace = `strace -f -e trace=fsync,fdatasync -o ${trace} -p ${service.child.pid}`;
    execFileSync('sh', ['-c', `${strace} & echo $! > ${folder.path}/pid; sleep 0.5`], {
      stdio: 'ignore',
    });
    for (let id = 1; id <= 20; id++) await createAt(url, { id, name: 'x' });
    service.child.kill('SIGTERM');
    await service.exited;
    const syncs = readFileSync(trace, 'utf8').match(/f(?:data)?sync\(/g) ?? [];
    expect(syncs.length).toBeGreaterThanOrEqual(20);
    folder.remove();
  });
});
