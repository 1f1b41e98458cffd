// Rate limits in PostgreSQL. Loaded only if RATE_LIMIT_STORE has its URL.
import type { RequestRate } from '@stubwright/contract';
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

export class PostgresCounters implements CounterStore {
  readonly #pool: Pool;
  #limiters = 0;

  constructor(url: URL) {
    this.#pool = new Pool({
      connectionString: url.href,
      max: CONNECTIONS,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    // Of an idle connection: the next query reports it.
    this.#pool.on('error', () => {});
  }

  /** A role without the right to create tables needs a table that exists. */
  async open(): Promise<void> {
    if (await this.#hasTable()) return;
    try {
      await this.#pool.query(CREATE_TABLE);
    } catch (error) {
      // Another process may have created it meanwhile.
      if (!(error instanceof DatabaseError) || !(await this.#hasTable())) throw error;
    }
  }

  limiter({ requests, windowSeconds }: RequestRate): RateLimiterPostgres {
    return new RateLimiterPostgres({
      storeClient: this.#pool,
      storeType: 'pool',
      ...{ tableName: TABLE, tableCreated: true, keyPrefix: '' },
      ...{ points: requests, duration: windowSeconds },
      // A refused caller does not cause a query until its window ends.
      inMemoryBlockOnConsumed: requests,
      // Each limiter would delete the old rows of all.
      clearExpiredByTimeout: this.#limiters++ === 0,
    });
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async #hasTable(): Promise<boolean> {
    const { rows } = await this.#pool.query('SELECT to_regclass($1) AS found', [TABLE]);
    return rows[0].found !== null;
  }
}
