// docs/stubwright/store.md, followed with the packages of this repository; test/publishing has those of a registry.
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sharedPostgres } from '@stubwright/test-support/databases';
import { query } from '@stubwright/test-support/postgres';
import { temporaryFolder } from '../support/service.ts';
import {
  commandOf,
  followPage,
  type Reader,
  transcriptOf,
  writePageFile,
} from '../support/storePage.ts';

const folder = temporaryFolder();
const STUBWRIGHT = `"${process.execPath}" "${resolve('packages/cli/src/main.ts')}"`;
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  NODE_OPTIONS: '',
};
let reader: Reader;
const createDatabase = sharedPostgres();

beforeAll(async () => {
  reader = followPage(folder.path, (command, cwd) => {
    const local = command.replace('npx --yes stubwright', STUBWRIGHT);
    execFileSync('sh', ['-c', `${local} --no-install`], { cwd, env, stdio: 'pipe' });
  });
  symlinkSync(resolve('node_modules'), join(reader.project, 'node_modules'));
});
afterAll(() => folder.remove());

it('shows the handler that init writes', () => {
  expect(reader.handler.shown).toBe(reader.handler.written);
});

it('stores and reads on SQLite, and on PostgreSQL with the same code', async () => {
  const sqlite = await transcriptOf(reader.project, env);
  expect(sqlite.printed).toBe(sqlite.shown);
  const url = await createDatabase();
  const server = await transcriptOf(reader.project, { ...env, DATABASE_URL: url });
  expect(server.printed).toBe(server.shown);
  expect(await query(url, 'SELECT id, plate FROM vehicles')).toEqual([
    { id: '9007199254740993', plate: 'B-XY 1' },
  ]);
});

it('moves the data from a database to another', async () => {
  writePageFile(reader.project, 'move.ts');
  const url = await createDatabase();
  const command = commandOf('node move.ts')
    .replace('fleet.db.backup', 'fleet.db')
    .replace(/postgres:\S+/, url);
  const output = execFileSync('sh', ['-c', command], {
    cwd: reader.project,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(output).toContain('1 rows, 1 of them created now\nequal in count and content\n');
});

it('passes its own tests and checks', () => {
  for (const command of ['npm test', 'npm run check']) {
    execFileSync('sh', ['-c', command], { cwd: reader.project, env, stdio: 'pipe' });
  }
});
