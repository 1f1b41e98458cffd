// The runbook of a SQLite backup, word for word: SIGUSR2 under load, disaster, restore.
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { describe, expect, it, jest } from '@jest/globals';
import { serviceProcesses } from '@stubwright/test-support/serviceProcesses';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { startLoad } from '../support/load.ts';
import { spawnService, storedPlants, TOKEN } from '../support/service.ts';

jest.setTimeout(60_000);

const file = temporaryPaths()();
const spawn = serviceProcesses(spawnService);
const start = () => spawn({ API_TOKENS: TOKEN, DATABASE_URL: `sqlite:${file}` });

describe('SIGUSR2', () => {
  it('writes a backup under load that contains every plant acknowledged before', async () => {
    const service = start();
    const load = startLoad([await service.url]);
    await load.more(200, 300);
    await load.end();
    const during = startLoad([await service.url], { firstId: 1_000_000 });
    await during.more(200, 50);
    service.child.kill('SIGUSR2');
    while (!service.output().includes('"msg":"backed up"')) await during.more(200, 1);
    await service.stop('SIGKILL');
    await during.end();

    rmSync(file);
    rmSync(`${file}-wal`, { force: true });
    expect(existsSync(file)).toBe(false);
    copyFileSync(`${file}.backup`, file);
    const restored = start();
    const after = startLoad([await restored.url], { firstId: 2_000_000 });
    await after.more(200, 50);
    await after.end();
    expect((await restored.stop('SIGTERM')).code).toBe(0);
    load.expectIn(storedPlants(file));
    after.expectIn(storedPlants(file));
  });
});
