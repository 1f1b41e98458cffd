// Two services share one rate limit in PostgreSQL, with a limiter of rate-limiter-flexible.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import {
  createLog,
  readSettings,
  type Service,
  type ServiceOptions,
  startService,
} from '@stubwright/service';
import { Pool } from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { Postgres, query } from '../support/postgres.ts';

const definition = new Contract({
  openapi: '3.1.0',
  info: { title: 'Fleet', version: '1.0.0' },
  paths: {
    '/': {
      get: {
        operationId: 'get',
        security: [{ bearer: [] }],
        responses: { 204: { description: 'ok' }, default: { description: 'an error' } },
      },
    },
  },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
});

let postgres: Postgres;
let pool: Pool;
let services: Service[];

beforeAll(async () => {
  postgres = await Postgres.start();
  const url = await postgres.createDatabase();
  // As docs/stubwright/rate-limits.md has it.
  await query(
    url,
    'CREATE UNLOGGED TABLE rate_limit (key varchar(255) PRIMARY KEY, points integer NOT NULL, expire bigint)',
  );
  pool = new Pool({ connectionString: url, connectionTimeoutMillis: 1000, query_timeout: 1000 });
  pool.on('error', () => {});
  const rateLimiter: ServiceOptions['rateLimiter'] = (limit) =>
    new RateLimiterPostgres({
      ...{ storeClient: pool, storeType: 'pool', tableName: 'rate_limit', tableCreated: true },
      ...limit,
    });
  const start = () =>
    startService({
      settings: readSettings({
        PORT: '0',
        API_TOKENS: 'a-token-of-ann,a-token-of-bob',
        RATE_LIMIT: '10/1h',
      }),
      contract: { definition, warnings: [], files: [] } as never,
      log: createLog('silent'),
      handlers: { get: () => ({ status: 204 }) } as never,
      verifiers: (verify) => ({ bearer: verify }),
      rateLimiter,
    });
  services = await Promise.all([start(), start()]);
});

afterAll(async () => {
  for (const service of services) await service.stop();
  await pool.end();
  await postgres.remove();
});

async function send(at: number, caller = 'ann'): Promise<{ status: number; limit: string | null }> {
  const headers = { authorization: `Bearer a-token-of-${caller}` };
  const response = await fetch(services[at % 2]!.url, { headers });
  return { status: response.status, limit: response.headers.get('ratelimit') };
}

describe('two services with one limiter in PostgreSQL', () => {
  it('count each request of a caller once, also at the same time', async () => {
    expect((await send(0)).limit).toMatch(/^"caller";r=9;/);
    expect((await send(1)).limit).toMatch(/^"caller";r=8;/);
    const sent = await Promise.all(Array.from({ length: 20 }, (_, at) => send(at)));
    const statuses = sent.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(8);
    expect(statuses.filter((status) => status === 429)).toHaveLength(12);
  });

  it('respond with 503 while it does not count', async () => {
    await postgres.stop('SIGQUIT');
    expect((await send(0, 'bob')).status).toBe(503);
    await postgres.restart();
    // The table is not logged: its counts end with the server.
    expect((await send(0, 'bob')).limit).toMatch(/^"caller";r=9;/);
  });
});
