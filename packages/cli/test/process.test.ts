// Each command as a process: exit codes, streams and signals. Other tests call the function.
import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import { runCommand, runProcess, startProcess } from './support/command.ts';
import { createToyProject } from './support/toyProject.ts';

const project = createToyProject();
const contract = project.read('openapi.yaml');
project.write('invalid.yaml', contract.replace('type: string', 'type: strin'));
project.write('breaking.yaml', contract.replace('required: [name]', 'required: [name, tag]'));
afterAll(() => project.remove());

/** One of each exit code; `make test-all` has every command. */
const CASES: readonly [args: string[], status: number][] = [
  [['check'], 0],
  [['check', 'invalid.yaml'], 1],
];
const OTHER_CASES: typeof CASES = [
  [['nothing'], 2],
  [['diff', '1.0.0', 'breaking.yaml'], 1],
  [['changelog'], 0],
  [['release'], 1],
  [['generate', '--check'], 1],
  [['bundle', 'none.yaml'], 2],
  [['init', 'none.yaml', 'new'], 2],
  [['mock', '--port', 'x'], 2],
  [['proxy', 'openapi.yaml', 'x'], 2],
  [['dev'], 2],
];

describe('a process', () => {
  it.each([...CASES, ...(isTestAll ? OTHER_CASES : [])])(
    '%j ends with exit code %i and the output of the function',
    async (args, status) => {
      const run = await runProcess(args, { cwd: project.path });
      expect(run.status).toBe(status);
      // The hooks that `dev` registers belong to a process.
      if (args[0] !== 'dev') {
        expect(await runCommand(args, { cwd: project.path })).toEqual(run);
      }
    },
  );
});

it('keeps the compiled modules of a process for the next one', async () => {
  const env = { NODE_COMPILE_CACHE: '', TMPDIR: project.path };
  expect(await runProcess(['nothing'], { cwd: project.path, env })).toMatchObject({ status: 2 });
  expect(readdirSync(join(project.path, 'node-compile-cache'))).not.toEqual([]);
});

/** Records the packages of a process: written to the file in PACKAGES_LIST. */
const PACKAGES_HOOK = `
import module from 'node:module';
import { writeFileSync, rmSync } from 'node:fs';
const urls = new Set();
module.registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    urls.add(found.url);
    return found;
  },
});
process.on('exit', () => writeFileSync(process.env.PACKAGES_LIST, [...urls].join('\\n')));
`;
/** A comparison uses these for some contracts only, or never. */
const ON_DEMAND = ['@redocly/openapi-core', 'openapi-typescript', 'refa', 'typescript'];

const contractOf = (schema: string) => `
openapi: 3.1.0
info: { title: Toys, version: 1.0.0 }
paths:
  /toys:
    post:
      operationId: createToy
      security: []
      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }
      responses: { 204: { description: x } }
`;

/** @returns those of ON_DEMAND that a comparison of two schemas of a body loads */
async function loadedBy(before: string, after: string): Promise<string[]> {
  project.write('packages.mjs', PACKAGES_HOOK);
  project.write('before.yaml', contractOf(before));
  project.write('after.yaml', contractOf(after));
  const env = {
    NODE_OPTIONS: '--import ./packages.mjs',
    PACKAGES_LIST: join(project.path, 'packages.txt'),
  };
  const args = ['diff', 'before.yaml', 'after.yaml', '--fail-on', 'none'];
  const { err } = await runProcess(args, { cwd: project.path, env });
  expect(err).toBe('');
  const urls = project.read('packages.txt');
  expect(urls).toContain('/packages/cli/src/loading/checkContract.ts');
  expect(urls).not.toContain('/packages/cli/src/commands/mock.ts');
  return ON_DEMAND.filter((name) => urls.includes(`/node_modules/${name}/`));
}

describe('stubwright diff', () => {
  it('loads no package that the contracts do not need', async () => {
    expect(await loadedBy('{ type: string }', '{ type: integer }')).toEqual([]);
  });

  it('loads the automata for patterns', async () => {
    const loaded = await loadedBy('{ type: string, pattern: ^a }', '{ type: string, pattern: ^b }');
    expect(loaded).toEqual(['refa']);
  });
});

it('names the package of lint rules that is not installed', async () => {
  project.write(
    'missing.mjs',
    `import module from 'node:module';
module.registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('@redocly/')) return next(specifier, context);
    throw Object.assign(new Error('missing'), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});`,
  );
  project.write('redocly.yaml', 'extends: [recommended]\n');
  const options = { cwd: project.path, env: { NODE_OPTIONS: '--import ./missing.mjs' } };
  expect(await runProcess(['check'], options)).toMatchObject({
    status: 2,
    err: expect.stringContaining('npm install --save-dev @redocly/openapi-core@2'),
  });
  rmSync(join(project.path, 'redocly.yaml'));
  expect(await runProcess(['check'], options)).toMatchObject({ status: 0, err: '' });
});

describe('stubwright dev', () => {
  inTestAll(it)(
    'reloads on each save, and ends with 0 at SIGINT',
    async () => {
      await project.run('init', 'openapi.yaml', 'service', '--no-install');
      const cwd = join(project.path, 'service');
      symlinkSync(resolve('node_modules'), join(cwd, 'node_modules'));
      const env = { PORT: '0', LOG_LEVEL: 'info' };
      const dev = await startProcess(['dev'], /^serving (\S+),/m, { cwd, env });
      let exitCode: number | null = null;
      try {
        const until = async (line: RegExp) => {
          while (!line.test(dev.output.out)) await new Promise((next) => setTimeout(next, 10));
        };
        const path =
          '\n  /later:\n    get: { operationId: getLater, security: [], responses: { 204: { description: x } } }';
        const contract = project.read('service/openapi.yaml');
        writeFileSync(join(cwd, 'openapi.yaml'), contract.replace('\npaths:', `\npaths:${path}`));
        await until(/^ {2}added {6}GET \/later {2}getLater, a mock$/m);
        expect((await fetch(`${dev.url}/later`)).status).toBe(204);
        writeFileSync(join(cwd, 'openapi.yaml'), `${contract}paths: {}\n`);
        await until(/openapi\.yaml:\d+:\d+ {2}/);
        expect((await fetch(`${dev.url}/later`)).status).toBe(204);
        writeFileSync(join(cwd, 'openapi.yaml'), contract);
        const source = project.read('service/src/service.ts');
        writeFileSync(join(cwd, 'src/service.ts'), `${source}// saved`);
        await until(/src.* served in/);
        // The stages of the shutdown are a part of the reload.
        expect(dev.output.out).not.toMatch(/not ready|draining|drained|store closed/);
      } finally {
        exitCode = await dev.stop('SIGINT');
      }
      expect({ exitCode, err: dev.output.err }).toEqual({ exitCode: 0, err: '' });
    },
    60_000,
  );
});

it.each([
  ['ends the process', 'process.exit(0);', 0],
  ['never settles', 'await new Promise(() => {});', 13],
])('fails if a module of the project %s', async (_, text, code) => {
  project.write('package.json', '{"type":"module"}');
  project.write('build/observed/empty.jsonl', '');
  project.write('handlers.ts', `${text}\nexport const handlers = {};\n`);
  const args = ['coverage', '--handlers', 'handlers.ts'];
  const { status, err } = await runProcess(args, { cwd: project.path });
  expect(status).toBe(2);
  expect(err).toContain(`stubwright: got exit code ${code} before the end of the command`);
});
