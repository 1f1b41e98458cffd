// Signals while the service starts.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Postgres, query } from '@stubwright/test-support/postgres';
import { serviceProcesses } from '@stubwright/test-support/serviceProcesses';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { inTestAll } from '@stubwright/test-support/testAll';
import { Client } from 'pg';
import { createAt, spawnService, TOKEN } from '../support/service.ts';

/** Of src/store/postgres/migrate.ts. */
const MIGRATION_LOCK = 0x506c6e74;

const temporary = temporaryPaths();
const spawn = serviceProcesses(spawnService);
const start = (env: Record<string, string>) => spawn({ API_TOKENS: TOKEN, ...env });

inTestAll(describe)('a migration of PostgreSQL that takes long', () => {
  let postgres: Postgres;

  beforeAll(async () => {
    postgres = await Postgres.start();
  }, 60_000);
  afterAll(() => postgres.remove());

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)(
    'is ended by %s with exit code %i, and changes nothing',
    async (signal, code) => {
      const url = await postgres.createDatabase();
      const other = new Client({ connectionString: url });
      await other.connect();
      await other.query('BEGIN');
      await other.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      const waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
      const { child, exited, output } = start({ DATABASE_URL: url });
      while ((await other.query(waiting)).rowCount === 0);
      child.kill(signal);
      expect(await exited).toEqual({ code, signal: null });
      expect(output()).toContain('"msg":"stopped during the start"');
      expect(output()).not.toContain('listening');
      await other.query('COMMIT');
      while ((await other.query(waiting)).rowCount !== 0);
      await other.end();
      const tables = "SELECT 1 FROM information_schema.tables WHERE table_schema = 'public'";
      expect(await query(url, tables)).toEqual([]);

      const next = start({ DATABASE_URL: url });
      expect((await createAt(await next.url, { id: 1, name: 'x' })).status).toBe(200);
    },
    60_000,
  );
});

describe('a contract that loads slowly', () => {
  it('is aborted by SIGTERM at once, before the database opens', async () => {
    const contract = temporary('openapi.yaml');
    const database = temporary('plants.db');
    execFileSync('mkfifo', [contract]);
    const { child, exited, output } = start({
      CONTRACT: contract,
      DATABASE_URL: `sqlite:${database}`,
    });
    // Opens once the service reads the contract; nothing is ever written.
    const writer = await open(contract, 'w');
    child.kill('SIGTERM');
    expect(await exited).toEqual({ code: null, signal: 'SIGTERM' });
    expect(output()).not.toContain('listening');
    expect(existsSync(database)).toBe(false);
    await writer.close();
  });
});
