import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ContractErrors } from '@stubwright/contract';
import { textOf } from '@stubwright/contract/printable';
import { type TemporaryFolder, temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { openContract } from '../../src/check/contracts.ts';
import { runChecks } from '../../src/check/runChecks.ts';
import { loadContractFiles, loadMockable } from '../../src/loading/load.ts';
import { newProject } from '../../src/project/newProject.ts';
import { runCommand, startCommand } from '../support/command.ts';

const OUTSIDE = "it is outside of the contract's folder or repository";
const SECRET = 'hunter2';

/** Keeps `api/openapi.yaml`, and a secret next to `api`. */
let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
  write('secret.yaml', `{type: string, description: ${SECRET}}`);
  write('secret', `TOKEN=${SECRET}`);
});
afterEach(() => folder.remove());

function write(path: string, text: string): string {
  const file = join(folder.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** @param schema of the only response, as YAML */
function contract(schema: string, more = ''): string {
  return write(
    'api/openapi.yaml',
    `openapi: 3.1.0
info: {title: Toys, version: 1.0.0, license: {name: MIT, identifier: MIT}}
servers: [{url: https://example.com}]
paths:
  /toys:
    get:
      operationId: getToys
      summary: Toys
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: ${schema}
              ${more}
`,
  );
}

async function errorsOf(load: Promise<unknown>): Promise<readonly string[]> {
  const error = await load.then(
    () => undefined,
    (error) => error,
  );
  if (!(error instanceof ContractErrors)) throw error ?? new Error('the contract loads');
  return error.errors;
}

describe('a reference of a contract', () => {
  const table: [ref: string, reason: string][] = [
    ['../secret.yaml', OUTSIDE],
    ['../secret', OUTSIDE],
    ['./parts/../../secret.yaml', OUTSIDE],
    ['..%2Fsecret.yaml', OUTSIDE],
    ['../none.yaml', OUTSIDE],
    ['link.yaml', OUTSIDE],
    ['linked/secret.yaml', OUTSIDE],
    ['/etc/passwd', OUTSIDE],
    ['/proc/self/environ', OUTSIDE],
    ['//etc/passwd', OUTSIDE],
    ['file:///etc/passwd', 'file URLs are not read'],
    ['FILE:/etc/passwd', 'file URLs are not read'],
    ['http://127.0.0.1:9/a.yaml', 'remote references are not supported'],
    ['HTTPS://127.0.0.1:9/a.yaml', 'remote references are not supported'],
    ['ftp://127.0.0.1:9/a.yaml', 'remote references are not supported'],
    ['data:text/yaml,type: string', 'remote references are not supported'],
    ['.env', 'its name does not end with .json, .yaml, .yml'],
    ['notes.md', 'its name does not end with .json, .yaml, .yml'],
    ['pipe.yaml', 'it is not a regular file'],
    ['parts', 'it is a folder'],
    ['none.yaml', 'there is no such file'],
  ];

  it('is refused with its location if it leads elsewhere than to YAML or JSON of the contract', async () => {
    write('api/.env', `TOKEN=${SECRET}`);
    write('api/notes.md', SECRET);
    mkdirSync(join(folder.path, 'api/parts'));
    symlinkSync(join(folder.path, 'secret.yaml'), join(folder.path, 'api/link.yaml'));
    symlinkSync(folder.path, join(folder.path, 'api/linked'));
    execFileSync('mkfifo', [join(folder.path, 'api/pipe.yaml')]);
    for (const [ref, reason] of table) {
      const path = contract(`{$ref: '${ref}'}`);
      const [line, ...more] = await errorsOf(loadContractFiles(path));
      expect(more).toEqual([]);
      expect(line).toMatch(/^.*openapi\.yaml:14:30 {2}/);
      expect(line).toContain(`$ref cannot be resolved: ${ref} (${reason}`);
      expect(line).not.toContain(SECRET);
    }
  });

  it.each([
    ['a path item', `{$ref: ../secret.yaml}`, '/x'],
    ['a chain of files', `{$ref: parts/a.yaml}`, '/y'],
  ])('is refused in %s', async (_, item, path) => {
    write('api/parts/a.yaml', `get: {responses: {'200': {$ref: ../../secret.yaml}}}`);
    const text = readFileSync(contract('{type: string}'), 'utf8');
    const errors = await errorsOf(
      loadContractFiles(
        write('api/openapi.yaml', text.replace('paths:\n', `paths:\n  ${path}: ${item}\n`)),
      ),
    );
    expect(errors.join('\n')).toContain(OUTSIDE);
  });

  it('may lead anywhere in the git repository of the contract', async () => {
    mkdirSync(join(folder.path, '.git'));
    const { definition } = await loadContractFiles(contract('{$ref: ../secret.yaml}'));
    expect(JSON.stringify(definition.document)).toContain(SECRET);
  });

  it('may lead to a folder of --allow-outside, and to no other', async () => {
    write('common/a.yaml', '{$ref: ../secret.yaml}');
    write('common/b.yaml', '{type: string}');
    const access = { allowOutside: [join(folder.path, 'common')] };
    const { files } = await loadContractFiles(contract('{$ref: ../common/b.yaml}'), access);
    expect(files).toHaveLength(2);
    const refused = loadContractFiles(contract('{$ref: ../common/a.yaml}'), access);
    expect(await errorsOf(refused)).toEqual([expect.stringContaining(OUTSIDE)]);
  });

  it('is not followed by lint rules either', async () => {
    const path = contract('{type: string}', 'x-note: {$ref: ../secret.yaml}');
    const { findings } = await runChecks(path);
    expect(JSON.stringify(findings)).not.toContain(SECRET);
  });

  it('stays in the files of a git revision', async () => {
    contract('{$ref: ../common.yaml}');
    write('common.yaml', '{type: string}');
    symlinkSync('/etc', join(folder.path, 'api/etc'));
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
        cwd: folder.path,
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'One');
    contract('{$ref: etc/passwd.yaml}');
    git('commit', '-qam', 'Two');
    const access = { cwd: folder.path };
    const { definition } = await openContract('HEAD~1:api/openapi.yaml', access);
    expect(definition.operations).toHaveLength(1);
    expect(await errorsOf(openContract('HEAD:api/openapi.yaml', access))).toEqual([
      expect.stringMatching(/outside|no such file/),
    ]);
  });
});

describe('an externalValue', () => {
  it('is neither fetched nor read', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const urls = [`http://127.0.0.1:${port}/a.json`, '../secret.yaml', 'broken.yaml'];
    write('api/broken.yaml', 'a: [');
    write('api/part.yaml', '{type: string}');
    const examples = urls.map((url, at) => `e${at}: {externalValue: '${url}'}`).join(', ');
    try {
      for (const schema of ['{type: string}', '{$ref: part.yaml}']) {
        const path = contract(schema, `examples: {${examples}}`);
        const { definition } = await loadContractFiles(path);
        const text = JSON.stringify(definition.document);
        for (const url of urls) expect(text).toContain(`{"externalValue":"${url}"}`);
        expect(text).not.toContain(SECRET);
        const { findings } = await runChecks(path);
        expect(
          findings.filter(({ message }) => /resolve|read|externalValue/i.test(message)),
        ).toEqual([]);
      }
      expect(requests).toBe(0);
    } finally {
      server.close();
    }
  });
});

describe('--allow-outside', () => {
  it('is an option of every command that reads a contract', async () => {
    const { out } = await runCommand(['--help']);
    const names = [...out.matchAll(/^ {2}(\w+) .*\[options\]/gm)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names.filter((each) => each !== 'lsp')) {
      expect((await runCommand([name, '--help'])).out).toContain('--allow-outside <dir>');
    }
  });

  it('writes a project that needs no folder outside', async () => {
    const access = { allowOutside: [folder.path] };
    const path = contract('{$ref: ../secret.yaml}');
    await expect(newProject(path, join(folder.path, 'new'))).rejects.toThrow(OUTSIDE);
    const { files } = await newProject(path, join(folder.path, 'new'), access);
    expect(String(files.get('openapi.yaml'))).toContain(SECRET);
  });
});

/** The arguments of each command, and what it prints once it listens. */
const COMMANDS: Readonly<Record<string, readonly [args: readonly string[], ready?: RegExp]>> = {
  init: [['openapi.yaml', 'new', '--no-install']],
  generate: [[]],
  client: [['openapi.yaml', 'client']],
  check: [[]],
  diff: [['1.0.0', 'openapi.yaml']],
  changelog: [[]],
  release: [[]],
  'serve-version': [['1.0.0']],
  replay: [[]],
  coverage: [[]],
  mock: [['--port', '0'], /^mock {2}(\S+)$/m],
  proxy: [['openapi.yaml', 'http://127.0.0.1:1', '--port', '0'], /^proxy {2}(\S+)/m],
  dev: [[], /(nothing) is served/],
  bundle: [['openapi.yaml']],
};

describe('an operation that is not served for a reference outside of a folder without repository', () => {
  /** A project with a release, whose contract got such a reference later. */
  async function project(): Promise<string> {
    const valid = contract('{type: string}');
    const cwd = join(folder.path, 'project');
    expect(
      await runCommand(['init', valid, 'project', '--no-install'], { cwd: folder.path }),
    ).toMatchObject({ status: 0 });
    symlinkSync(resolve('node_modules'), join(cwd, 'node_modules'));
    write('project/test/released/1.0.0.yaml', readFileSync(valid, 'utf8'));
    write('project/build/observed/1.ndjson', '');
    const health =
      "  /health: {get: {operationId: health, responses: {'204': {description: ok}}}}\n";
    const text = readFileSync(contract('{$ref: ../common.yaml}'), 'utf8');
    write('project/openapi.yaml', text + health);
    return cwd;
  }

  it('is printed with the reason by each command, whatever the level of the log', async () => {
    const cwd = await project();
    const { out } = await runCommand(['--help']);
    const names = [...out.matchAll(/^ {2}([\w-]+) \[options\]/gm)].map(([, name]) => name!);
    const reading = names.filter((name) => name !== 'lsp');
    expect(reading.sort()).toEqual(Object.keys(COMMANDS).sort());
    const env = { LOG_LEVEL: 'silent' };
    const reports: Record<string, string> = {};
    for (const [name, [args, ready]] of Object.entries(COMMANDS)) {
      if (ready === undefined) {
        const { out, err } = await runCommand([name, ...args], { cwd, env });
        reports[name] = out + err;
        continue;
      }
      const started = await startCommand([name, ...args], ready, { cwd, env });
      await started.stop();
      reports[name] = started.output.out + started.output.err;
    }
    const silent = Object.keys(reports).filter(
      (name) => !/openapi\.yaml:\d+:\d+ .*--allow-outside \.\. permits it/.test(reports[name]!),
    );
    expect(silent.map((name) => [name, reports[name]])).toEqual([]);
  });

  it.each(['off', 'missing', 'all'])('is printed by npm start with MOCK=%s', async (MOCK) => {
    const cwd = await project();
    const env = {
      ...{ MOCK, CONTRACT: 'openapi.yaml', LOG_LEVEL: 'silent', PORT: '0' },
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    };
    const child = spawn(process.execPath, ['src/main.ts'], { cwd, env });
    const exited = once(child, 'exit');
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (/ curl /.test(output)) child.kill('SIGTERM');
      });
    }
    await exited;
    expect(output).toMatch(/^ *openapi\.yaml:\d+:\d+ .*--allow-outside \.\. permits it/m);
    expect(output).not.toContain('belongs to no operation');
  });
});

describe('many references to a folder outside', () => {
  it('are one warning of a mock, with the flag that permits them, before the count of operations', async () => {
    const content = (name: string) => ({
      'application/json': { schema: { $ref: `../schemas/${name}.yaml` } },
    });
    const get = (name: string) => ({
      get: { responses: { 200: { description: 'ok', content: content(name) } } },
    });
    const names = Array.from({ length: 40 }, (_, at) => `toy${at}`);
    const paths = Object.fromEntries(names.map((name) => [`/${name}`, get(name)]));
    const health = { get: { responses: { 204: { description: 'ok' } } } };
    const info = { title: 'Toys', version: '1' };
    const path = write(
      'api/openapi.json',
      JSON.stringify({ openapi: '3.1.0', info, paths: { ...paths, '/health': health } }),
    );
    const access = { cwd: join(folder.path, 'api') };
    const warnings = (await loadMockable(path, access)).warnings.map(textOf);
    expect(warnings.slice(0, 2)).toEqual([
      expect.stringMatching(
        /openapi\.json:1:\d+ {2}.*--allow-outside \.\.\/schemas permits it.*; the same at 39 other locations$/,
      ),
      expect.stringMatching(/openapi\.json {2}40 operations are disabled, such as get \/toy0$/),
    ]);
    for (const name of names) write(`schemas/${name}.yaml`, 'type: string');
    const allowOutside = ['../schemas'];
    expect((await loadMockable(path, { ...access, allowOutside })).warnings).toEqual([]);
  });
});
