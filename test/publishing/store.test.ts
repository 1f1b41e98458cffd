// docs/stubwright/store.md, followed with the published packages: from an empty folder to a durable create.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Postgres, query } from '@stubwright/test-support/postgres';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { commandOf, followPage, transcriptOf } from '../support/storePage.ts';

const SQLITE_MS = 5 * 60_000;
const POSTGRES_MS = 10 * 60_000;
const folder = temporaryFolder();
const env = { ...process.env, ALL_TESTS: '', NODE_OPTIONS: '' };
let postgres: Postgres;

beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(async () => {
  await postgres?.remove();
  folder.remove();
});

function run(command: string, cwd: string): void {
  execFileSync('sh', ['-c', command], { cwd, env, stdio: 'pipe' });
}

it('takes a reader to a durable create on SQLite, and on PostgreSQL', async () => {
  const startedAt = performance.now();
  const desk = join(folder.path, 'desk');
  mkdirSync(desk);
  const { project, handler } = followPage(desk, run);
  expect(handler.shown).toBe(handler.written);
  const sqlite = await transcriptOf(project, env);
  expect(sqlite.printed).toBe(sqlite.shown);
  expect(performance.now() - startedAt).toBeLessThan(SQLITE_MS);
  expect(existsSync(join(project, 'fleet.db'))).toBe(true);
  // SQLite needs no driver.
  expect(existsSync(join(project, 'node_modules/pg'))).toBe(false);

  const withoutDriver = spawnSync('npm', ['start'], {
    cwd: project,
    env: { ...env, DATABASE_URL: 'postgres://127.0.0.1/fleet' },
    encoding: 'utf8',
  });
  expect(withoutDriver.status).not.toBe(0);
  expect(withoutDriver.stderr).toContain('needs the package pg: npm install pg');

  run(commandOf('npm install pg'), project);
  const url = await postgres.createDatabase();
  const server = await transcriptOf(project, { ...env, DATABASE_URL: url });
  expect(server.printed).toBe(server.shown);
  expect(await query(url, 'SELECT plate FROM vehicles')).toEqual([{ plate: 'B-XY 1' }]);
  expect(performance.now() - startedAt).toBeLessThan(POSTGRES_MS);
  run('npm test', project);
  run('npm run check', project);
});
