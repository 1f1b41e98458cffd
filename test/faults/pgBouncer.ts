// Faults of PgBouncer in front of PostgreSQL.

import { Postgres } from '@stubwright/test-support/postgres';
import { missingPrograms, PgBouncer, type PoolMode } from '../support/pgBouncer.ts';
import { tablesAt } from './application.ts';
import { type Fault, type Row, type Run, runRounds } from './fault.ts';
import { startService } from './services.ts';

export { missingPrograms };

export const faults: Record<string, Fault> = {
  'PgBouncer in session mode: kill -9': (...run) => kill(run, 'session'),
  'PgBouncer in transaction mode: kill -9': (...run) => kill(run, 'transaction'),
};

async function kill(run: Run, mode: PoolMode): Promise<Row> {
  const [, , application] = run;
  await using cleanup = new AsyncDisposableStack();
  const postgres = await Postgres.start();
  cleanup.defer(() => postgres.remove());
  const url = await postgres.createDatabase();
  const pgBouncer = await PgBouncer.start(url, mode);
  cleanup.defer(() => pgBouncer.remove());
  const service = cleanup.use(await startService(application, pgBouncer.through(url)));
  return await runRounds(run, {
    urls: [service.url],
    async cause(load) {
      await pgBouncer.kill();
      await load.more(503, 50);
      await pgBouncer.restart();
      return performance.now();
    },
    stored: () => tablesAt(application, url),
  });
}
