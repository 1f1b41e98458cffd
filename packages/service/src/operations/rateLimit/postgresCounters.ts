// Rate limits in PostgreSQL. Loaded only if RATE_LIMIT_STORE has its URL.
import { DatabaseError, Pool } from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { CounterStore } from './sharedCounters.ts';

const TABLE = 'stubwright_rate_limit';

/** The columns of rate-limiter-flexible. Counts need no log: after a crash of the server they start again. */
const CREATE_TABLE = `CREATE UNLOGGED TABLE IF NOT EXISTS ${TABLE} (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
)`;

const CONNECTIONS = 4;
const TIMEOUT_MS = 1000;

export function postgresCounters(url: URL): CounterStore {
  const pool = new Pool({
    connectionString: url.href,
    max: CONNECTIONS,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // Of an idle connection: the next query reports it.
  pool.on('error', () => {});
  const hasTable = async () => {
    const { rows } = await pool.query('SELECT to_regclass($1) AS found', [TABLE]);
    return rows[0].found !== null;
  };
  let limiters = 0;
  return {
    /** A role without the right to create tables needs a table that exists. */
    async open() {
      if (await hasTable()) return;
      try {
        await pool.query(CREATE_TABLE);
      } catch (error) {
        // Another process may have created it meanwhile.
        if (!(error instanceof DatabaseError) || !(await hasTable())) throw error;
      }
    },
    limiter: ({ requests, windowSeconds }) =>
      new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        ...{ tableName: TABLE, tableCreated: true, keyPrefix: '' },
        ...{ points: requests, duration: windowSeconds },
        // A refused caller does not cause a query until its window ends.
        inMemoryBlockOnConsumed: requests,
        // Each limiter would delete the old rows of all.
        clearExpiredByTimeout: limiters++ === 0,
      }),
    close: () => pool.end(),
  };
}
