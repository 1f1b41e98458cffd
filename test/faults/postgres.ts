// Faults of a PostgreSQL without a standby, from outages to lost privileges.

import { Postgres, query } from '@stubwright/test-support/postgres';
import { startTcpProxy } from '@stubwright/test-support/tcpProxy';
import { Client } from 'pg';
import type { Load } from '../support/load.ts';
import { type Application, tablesAt } from './application.ts';
import { type Fault, type Row, type Run, runRounds } from './fault.ts';
import { startService } from './services.ts';

export const faults: Record<string, Fault> = {
  'PostgreSQL: stopped (SIGINT)': (...run) => onPostgres(run, stop('SIGINT')),
  'PostgreSQL: crashed (SIGQUIT)': (...run) => onPostgres(run, stop('SIGQUIT')),
  'PostgreSQL: frozen (SIGSTOP)': (...run) => onPostgres(run, freeze),
  'PostgreSQL: synchronous_commit=off by reload, then a crash': (...run) =>
    onPostgres(run, crashWithoutFlushes),
  'PostgreSQL: connection cut before the commit': (...run) =>
    onConnectionsCut(run, 'client', 'rival'),
  'PostgreSQL: connection cut after the commit': (...run) =>
    onConnectionsCut(run, 'server', 'SELECT 1'),
  'PostgreSQL: backends terminated': (...run) => onPostgres(run, terminate),
  'PostgreSQL: table locked': (...run) => onPostgres(run, lockTable),
  'PostgreSQL: one id held by another transaction': (...run) => onPostgres(run, holdId),
  'PostgreSQL: role loses INSERT': (...run) => onPostgres(run, revokeInsert),
  'PostgreSQL: role loses LOGIN': (...run) => onPostgres(run, revokeLogin),
  'PostgreSQL: max_connections exhausted': (...run) => onPostgres(run, exhaust),
};

interface Target {
  readonly postgres: Postgres;
  /** As a superuser. */
  readonly url: string;
  readonly load: Load;
  readonly application: Application;
}

/** Causes one fault and ends it; @returns when its end was */
type Cause = (target: Target) => Promise<number>;

const now = () => performance.now();
const OF_THE_SERVICE = "usename = 'service'";
const TERMINATE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OF_THE_SERVICE}`;

async function onPostgres(run: Run, cause: Cause): Promise<Row> {
  const [, , application] = run;
  await using cleanup = new AsyncDisposableStack();
  const postgres = await Postgres.start();
  cleanup.defer(() => postgres.remove());
  await query(postgres.at('postgres:///postgres'), "CREATE ROLE service LOGIN PASSWORD 'secret'");
  const url = await postgres.createDatabase('OWNER service');
  const own = new URL(url);
  own.username = 'service';
  own.password = 'secret';
  const service = cleanup.use(await startService(application, own.href));
  return await runRounds(run, {
    urls: [service.url],
    cause: (load) => cause({ postgres, url, load, application }),
    stored: () => tablesAt(application, url),
  });
}

function stop(signal: 'SIGINT' | 'SIGQUIT'): Cause {
  return async ({ postgres, load }) => {
    await postgres.stop(signal);
    await load.more(503, 50);
    await postgres.restart();
    return now();
  };
}

async function freeze({ postgres, load }: Target) {
  postgres.freeze();
  await load.more(503, 50);
  postgres.thaw();
  return now();
}

async function crashWithoutFlushes({ postgres, load }: Target) {
  await postgres.configure('synchronous_commit', 'off');
  await load.more(200, 500);
  await postgres.stop('SIGQUIT');
  await postgres.restart();
  return now();
}

async function terminate({ url }: Target) {
  await query(url, TERMINATE);
  return now();
}

/** Holds what a statement locks until there were as many answers. */
async function hold(url: string, sql: string, until: () => Promise<void>): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`BEGIN; ${sql}`);
    await until();
  } finally {
    await client.query('ROLLBACK');
    await client.end();
  }
  return now();
}

const lockTable = ({ url, load, application }: Target) =>
  hold(url, `LOCK TABLE ${application.table} IN SHARE MODE`, () => load.more(503, 50));

/** Of an id that is asked for; the creates of others continue. */
async function holdId({ url, load, application }: Target) {
  return hold(url, application.holdSql, () => load.more(200, 500));
}

async function revokeInsert({ url, load, application }: Target) {
  await query(url, `REVOKE INSERT ON ${application.table} FROM service`);
  await load.more(503, 50);
  await query(url, `GRANT INSERT ON ${application.table} TO service`);
  return now();
}

async function revokeLogin({ url, load }: Target) {
  await query(url, `ALTER ROLE service NOLOGIN; ${TERMINATE}`);
  await load.more(503, 50);
  await query(url, 'ALTER ROLE service LOGIN');
  return now();
}

/** Takes every connection, those of the service included. */
async function exhaust({ url, load }: Target) {
  const clients: Client[] = [];
  const take = async () => {
    const client = new Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    clients.push(client);
  };
  try {
    for (;;) await take();
  } catch {
    // One of the connections reserved for superusers ends those of the service and takes their place.
    const [terminator] = clients;
    let left: unknown = true;
    // The service may be faster than the clients that take the places.
    while (left) {
      await terminator!.query(TERMINATE);
      await Promise.allSettled(Array.from({ length: 10 }, take));
      const { rows } = await terminator!.query(
        `SELECT count(*) > 0 AS some FROM pg_stat_activity WHERE ${OF_THE_SERVICE}`,
      );
      left = rows[0].some;
    }
    await load.more(503, 50);
  } finally {
    for (const client of clients) await client.end();
  }
  return now();
}

async function onConnectionsCut(run: Run, from: 'client' | 'server', text: string): Promise<Row> {
  const [, , application] = run;
  await using cleanup = new AsyncDisposableStack();
  const postgres = await Postgres.start();
  cleanup.defer(() => postgres.remove());
  const url = await postgres.createDatabase();
  const proxy = await startTcpProxy(url);
  cleanup.defer(() => proxy.close());
  const service = cleanup.use(await startService(application, proxy.through(url)));
  return await runRounds(run, {
    urls: [service.url],
    async cause(load) {
      const goal = proxy.cuts + 1;
      proxy.cutBefore(from, text);
      while (proxy.cuts < goal) await load.more(200, 1);
      return now();
    },
    stored: () => tablesAt(application, url),
  });
}
