// A service with the transaction of docs/stubwright/transactions.md, as it is written there, on a PostgreSQL of its own.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Postgres, query } from '@stubwright/test-support/postgres';
import { type ServiceProcess, spawnScript } from '@stubwright/test-support/serviceProcess';
import { temporaryFolder } from './support/service.ts';

/** The contract and the service, on the transaction of the page. */
const SERVICE = 'test/support/transactions.md';
const folder = temporaryFolder();
const project = folder.path;
let postgres: Postgres;
let database: string;
let service: ServiceProcess;
let url: string;

beforeAll(async () => {
  writeProject();
  postgres = await Postgres.start();
  database = await postgres.createDatabase();
  service = spawnScript(join(project, 'service.ts'), {
    CONTRACT: join(project, 'generated/contract.json'),
    DATABASE_URL: database,
    NODE_ENV: 'production',
  });
  url = await service.url;
});
afterAll(async () => {
  await service?.stop();
  await postgres?.remove();
  folder.remove();
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
}

/** Writes the blocks whose first line is the name of a file, and runs the commands of SERVICE; the packages are those of this repository. */
function writeProject(): void {
  const service = readFileSync(SERVICE, 'utf8');
  const [, commands = ''] = /^```sh\n(.*?)^```$/ms.exec(service) ?? [];
  const page = readFileSync('docs/stubwright/transactions.md', 'utf8');
  for (const [, block] of (page + service).matchAll(/^```(?:ts|yaml)\n(.*?)^```$/gms)) {
    const [, file] = /^(?:#|\/\/) ([\w./]+)$/m.exec(block!.split('\n', 1)[0]!) ?? [];
    if (file !== undefined) write(file, block!);
  }
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  // As `npm install` leaves it.
  writeFileSync(join(project, 'package.json'), '{}');
  const compilerOptions = {
    ...{ target: 'es2024', lib: ['es2024'], module: 'nodenext', types: ['node'], noEmit: true },
    ...{ strict: true, skipLibCheck: true, allowImportingTsExtensions: true },
  };
  const tsconfig = { compilerOptions, files: ['service.ts'] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(tsconfig));
  for (const [line] of commands.matchAll(/^np[mx].*$/gm)) execInProject(line);
}

function execInProject(line: string): void {
  const PATH = `${join(project, 'node_modules/.bin')}:${process.env['PATH']}`;
  const env = { ...process.env, PATH, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' };
  execFileSync('sh', ['-c', line], { cwd: project, env, stdio: 'pipe' });
}

function run(script: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: project,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout + stderr);
}

beforeEach(async () => {
  const rows = "('alice', 100), ('bob', 0), ('carol', 2000000)";
  await query(database, `TRUNCATE accounts; INSERT INTO accounts VALUES ${rows}`);
});

async function transfer(body: object | string, path = '/transfers') {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const balances = async () => {
  const rows = await query(database, 'SELECT balance::int FROM accounts ORDER BY id');
  return rows.map(({ balance }) => balance);
};

const openTransactions = async () => {
  const sql = `SELECT count(*)::int AS open FROM pg_stat_activity
    WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
  return (await query(database, sql))[0]?.['open'];
};

it('creates its table when many instances start at once', async () => {
  const page = readFileSync(SERVICE, 'utf8');
  const [, schema] = /const SCHEMA = `([^`]*)`/.exec(page)!;
  for (let round = 0; round < 5; round++) {
    const url = await postgres.createDatabase();
    await Promise.all(Array.from({ length: 12 }, () => query(url, schema!)));
  }
});

it('compiles', () => run(resolve('node_modules/typescript/bin/tsc'), '-p', project));

it.each([
  ['commits for a valid reply', { from: 'alice', to: 'bob', amount: 30 }, 200, [70, 30, 2e6]],
  ['rolls back for a Problem', { from: 'alice', to: 'bob', amount: 101 }, 409, [100, 0, 2e6]],
  ['rolls back for an unknown account', { from: 'alice', to: 'x', amount: 1 }, 404, [100, 0, 2e6]],
  ['rolls back for an invalid reply', { from: 'carol', to: 'bob', amount: 1 }, 500, [100, 0, 2e6]],
  ['rolls back for an error', { from: 'alice', to: 'bob\0', amount: 1 }, 500, [100, 0, 2e6]],
  ['does not begin for an invalid request', { from: 'alice', to: 'bob' }, 400, [100, 0, 2e6]],
])('%s', async (_, body, status, expected) => {
  expect((await transfer(body)).status).toBe(status);
  expect([await balances(), await openTransactions()]).toEqual([expected, 0]);
});

it('sends a 500 if the commit fails', async () => {
  await query(
    database,
    `CREATE TABLE audits (id text REFERENCES accounts DEFERRABLE INITIALLY DEFERRED);
    CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO audits VALUES ('nobody'); RETURN NULL; END $$;
    CREATE TRIGGER audited AFTER UPDATE ON accounts EXECUTE FUNCTION audit()`,
  );
  expect((await transfer({ from: 'alice', to: 'bob', amount: 1 })).status).toBe(500);
  expect([await balances(), await openTransactions()]).toEqual([[100, 0, 2e6], 0]);
  await query(database, 'DROP TRIGGER audited ON accounts; DROP FUNCTION audit; DROP TABLE audits');
});

it('loses and invents no money under concurrent transfers', async () => {
  const pairs = Array.from({ length: 40 }, (_, at) =>
    at % 2 === 0
      ? { from: 'alice', to: 'bob', amount: 1 }
      : { from: 'bob', to: 'alice', amount: 1 },
  );
  const replies = await Promise.all(pairs.map((body) => transfer(body)));
  const [alice, bob] = (await balances()) as number[];
  const succeeded = replies.map(({ status }, at) => (status !== 200 ? 0 : at % 2 === 0 ? -1 : 1));
  const change = succeeded.reduce<number>((sum, each) => sum + each, 0);
  expect([alice! + bob!, alice]).toEqual([100, 100 + change]);
  expect(await openTransactions()).toBe(0);
});
