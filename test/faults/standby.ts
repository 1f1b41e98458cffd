// Faults of a PostgreSQL with a synchronous standby. The primary is lost in the end: acknowledged is
// only what the promoted standby has.
import { setTimeout as sleep } from 'node:timers/promises';
import { Postgres, query } from '@stubwright/test-support/postgres';
import { tablesAt } from './application.ts';
import { type Fault, type Row, type Run, runRounds } from './fault.ts';
import { startService } from './services.ts';

export const faults: Record<string, Fault> = {
  'standby away, then promoted': (...run) =>
    withStandby(run, () => sleep(LONGER_THAN_STATEMENTS_MS)),
  'standby away, backends cancelled': (...run) =>
    withStandby(run, signalWaiting('pg_cancel_backend')),
  'standby away, backends terminated': (...run) =>
    withStandby(run, signalWaiting('pg_terminate_backend')),
};

/** The store's statement_timeout ends a wait for the standby, and the row is then visible. */
const LONGER_THAN_STATEMENTS_MS = 6_000;

/** Called while commits wait for the standby. */
type Disturb = (primary: Postgres, url: string) => Promise<void>;

async function withStandby(run: Run, disturb: Disturb): Promise<Row> {
  const [, , application] = run;
  await using cleanup = new AsyncDisposableStack();
  const primary = await Postgres.start();
  cleanup.defer(() => primary.remove());
  const standby = await primary.startStandby();
  cleanup.defer(() => standby.remove());
  const url = await primary.createDatabase();
  const service = cleanup.use(await startService(application, url));
  return await runRounds(run, {
    urls: [service.url],
    async cause(load, round) {
      const isFrozen = round % 2 === 1;
      if (isFrozen) standby.freeze();
      else await standby.stop();
      await load.more(503, 50);
      await disturb(primary, url);
      await load.more(503, 50);
      if (isFrozen) standby.thaw();
      else await standby.restart();
      return performance.now();
    },
    async finish(load) {
      await standby.stop();
      await load.more(503, 50);
      await disturb(primary, url);
      await load.more(503, 50);
      await primary.stop('SIGQUIT');
    },
    async stored() {
      await standby.restart();
      await standby.promote();
      return tablesAt(application, standby.at(url));
    },
  });
}

/** Signals the backends that wait for the standby, several times. */
function signalWaiting(signal: 'pg_cancel_backend' | 'pg_terminate_backend'): Disturb {
  return async (_primary, url) => {
    for (let times = 0; times < 10; times++) {
      await query(
        url,
        `SELECT ${signal}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND pid <> pg_backend_pid()`,
      );
      await sleep(50);
    }
  };
}
