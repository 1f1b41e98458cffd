// Faults of the service's own process and of its database file.
import { existsSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Postgres } from '@stubwright/test-support/postgres';
import { startWorkload } from '../support/load.ts';
import { temporaryFolder } from '../support/service.ts';
import { type Application, tablesAt, tablesIn } from './application.ts';
import { type Fault, type Row, type Run, runRounds, sumRows } from './fault.ts';
import { startService } from './services.ts';

export const faults: Record<string, Fault> = {
  'SQLite: kill -9 of the service': killOnSqlite,
  'SQLite: database file deleted': deleteFile,
  'PostgreSQL: kill -9 of one of two services': killOnPostgres,
};

async function killOnSqlite(...run: Run): Promise<Row> {
  const [, , application] = run;
  await using cleanup = new AsyncDisposableStack();
  const folder = temporaryFolder();
  cleanup.defer(() => folder.remove());
  const file = `${folder.path}/plants.db`;
  const service = cleanup.use(await startService(application, `sqlite:${file}`));
  return await runRounds(run, {
    urls: [service.url],
    async cause() {
      await service.end('SIGKILL');
      const killedAt = performance.now();
      await service.restart();
      return killedAt;
    },
    async stored() {
      await service.end('SIGTERM');
      return tablesIn(application, file);
    },
  });
}

async function killOnPostgres(...run: Run): Promise<Row> {
  const [, , application] = run;
  await using cleanup = new AsyncDisposableStack();
  const postgres = await Postgres.start();
  cleanup.defer(() => postgres.remove());
  const url = await postgres.createDatabase();
  const services = [
    cleanup.use(await startService(application, url)),
    cleanup.use(await startService(application, url)),
  ] as const;
  return await runRounds(run, {
    urls: services.map((service) => service.url),
    async cause(_load, round) {
      const service = services[round % 2]!;
      await service.end('SIGKILL');
      const killedAt = performance.now();
      await service.restart();
      return killedAt;
    },
    stored: () => tablesAt(application, url),
  });
}

/** What was acknowledged before the file was deleted is gone; nothing may be acknowledged after. */
async function deleteFile(...[fault, rounds, application]: Run): Promise<Row> {
  const rows: Row[] = [];
  for (let round = 0; round < rounds; round++) rows.push(await deleteFileOnce(fault, application));
  return sumRows(fault, rows);
}

async function deleteFileOnce(fault: string, application: Application): Promise<Row> {
  await using cleanup = new AsyncDisposableStack();
  const folder = temporaryFolder();
  cleanup.defer(() => folder.remove());
  const file = `${folder.path}/plants.db`;
  const service = cleanup.use(await startService(application, `sqlite:${file}`));
  const before = startWorkload([service.url], application.workload());
  await before.more(200, 50);
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  await before.end();
  const after = startWorkload([service.url], application.workload(1_000_000));
  await sleep(1_000);
  await after.end();
  await service.end('SIGTERM');
  const findings = after.findings(existsSync(file) ? tablesIn(application, file) : {});
  return { fault, rounds: 1, unavailable: after.count(503), recoveryMs: [], ...findings };
}
