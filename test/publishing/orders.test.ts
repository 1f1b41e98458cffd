// An ordinary service: ids of the server, an upload, scopes, SQLite. From init to a release, and its replay.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';

const ORDERS = resolve('packages/cli/test/support/orders');
const folder = temporaryFolder();
const project = join(folder.path, 'orders');
const database = join(project, 'orders.db');
const env = { ...process.env, ALL_TESTS: '', NODE_OPTIONS: '' };

/** @returns stdout @throws with stdout and stderr if the command fails */
function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: project,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout + stderr}`);
  return stdout;
}

const write = (file: string, text: string) => writeFileSync(join(project, file), text);

beforeAll(() => {
  const args = ['--yes', 'stubwright', 'init', join(ORDERS, 'openapi.yaml'), 'orders'];
  execFileSync('npx', args, { cwd: folder.path, env, stdio: ['ignore', 'ignore', 'inherit'] });
}, 300_000);
afterAll(() => folder.remove());

describe('a service with ids of its own', () => {
  it('passes its tests while it is mocked', () => {
    expect(run('npm', 'test')).toMatch(/^ℹ fail 0$/m);
  });

  it('compiles with handlers, and is released', () => {
    cpSync(join(ORDERS, 'orders.ts'), join(project, 'src/orders.ts'));
    for (const path of globSync(join(project, 'test/api/*.test.ts'))) {
      const name = basename(path, '.test.ts');
      write(`src/handlers/${name}.ts`, `export { ${name} } from "../orders.ts";\n`);
    }
    write('src/handlers/services.ts', 'export type { Services } from "../orders.ts";\n');
    const service = readFileSync(join(project, 'src/service.ts'), 'utf8');
    const opened = service.replace(
      /async open\(\) \{.*?\n {2}\},/s,
      'open: () => open("orders.db"),',
    );
    write('src/service.ts', `import { open } from "./orders.ts";\n${opened}`);
    expect(run('npx', 'tsc', '--noEmit')).toBe('');
    expect(run('npm', 'run', 'release')).toContain('1.0.0.yaml: 11 conversations');
  });

  it('passes its tests on a fresh database', () => {
    rmSync(database, { force: true });
    const output = run('npm', 'test');
    expect(output).toMatch(/^ℹ fail 0$/m);
    expect(output).toContain('createOrder responds with 403');
  });

  it('passes its tests on the used database', () => {
    expect(run('npm', 'test')).toMatch(/^ℹ fail 0$/m);
  });

  it('has tests for each declared 401 and 403', () => {
    const { stdout } = spawnSync('npx', ['stubwright', 'coverage'], {
      ...{ cwd: project, env, encoding: 'utf8' },
    });
    expect(stdout).toMatch(/(?:yes|shared) +createOrder 403/);
    expect(stdout).not.toMatch(/NO .* (?:401|403)/);
  });

  it('replays each documented status on a fresh database, except one that needs an invoice', () => {
    rmSync(database);
    const { conversations } = JSON.parse(run('npx', 'stubwright', 'replay', '--format', 'json'));
    const last = conversations.map((each: { name: string; statuses: { status: number }[] }) => [
      each.name.split(' ')[0],
      each.statuses.at(-1)!.status,
    ]);
    expect(Object.fromEntries(last)).toEqual({
      // The first conversation has created a customer of this name.
      ...{ createCustomer: 201, getCustomer: 200, listOrders: 200, createOrder: 201 },
      ...{ getOrder: 200, deleteOrder: 204, getInvoice: 404, addFile: 201, getFile: 200 },
      ...{ openCart: 201, getCart: 200 },
    });
  });
});
