// `stubwright init` with the published packages: a project from a registry, and a matrix of contracts.
import { execFile } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { FIGMA } from '@stubwright/test-support/publicContracts';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { testClient } from 'stubwright/testing';
import { parse, stringify } from 'yaml';

jest.setTimeout(900_000);

const PETSTORE = `openapi: 3.0.3
info: {title: Swagger Petstore, version: 1.0.0, license: {name: MIT}}
servers: [{url: http://petstore.swagger.io/v1}]
paths:
  /pets:
    get:
      operationId: listPets
      parameters: [{name: limit, in: query, schema: {type: integer, maximum: 100, format: int32}}]
      responses:
        '200':
          description: A paged array of pets
          headers: {x-next: {schema: {type: string}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Pets'}}}
        default: {$ref: '#/components/responses/Error'}
    post:
      operationId: createPets
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
      responses:
        '201': {description: Null response}
        default: {$ref: '#/components/responses/Error'}
  /pets/{petId}:
    get:
      operationId: showPetById
      parameters: [{name: petId, in: path, required: true, schema: {type: string}}]
      responses:
        '200':
          description: Expected response to a valid request
          content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
        default: {$ref: '#/components/responses/Error'}
components:
  responses:
    Error: {description: unexpected error, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties: {id: {type: integer, format: int64}, name: {type: string}, tag: {type: string}}
    Pets: {type: array, maxItems: 100, items: {$ref: '#/components/schemas/Pet'}}
    Error:
      type: object
      required: [code, message]
      properties: {code: {type: integer, format: int32}, message: {type: string}}
`;

/** Names that are no identifiers, no files, or equal without case; methods, schemes and no ids. */
function hostileContract(): string {
  const ids = [
    ...['get-toy', 'getToy', 'gettoy', 'delete', 'class', '__proto__', 'constructor', 'toString'],
    ...['123', '../../evil', '/etc/passwd', 'a/b/c', 'con', 'NUL', 'index', 'operation', 'mocked'],
    ...["it's", 'say "hi"', 'back\\slash', 'new\nline', '*/ alert(1) /*', '日本語', '😀', '$&'],
    ...['x'.repeat(300), '{{name}}', 'await', 'arguments', 'handlers', 'then', 'Reply', ''],
  ];
  const schemes = { 'b-1': 'bearer', "it's": 'basic' };
  const responses = {
    '200': { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } },
  };
  const paths = ids.map((operationId, at) => [
    `/${at}/{id}`,
    {
      [['get', 'put', 'post', 'delete', 'patch', 'head', 'options'][at % 7]!]: {
        ...(operationId !== '' && { operationId }),
        security: at % 2 === 0 ? [] : [{ 'b-1': [] }, { "it's": [] }],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses,
      },
    },
  ]);
  return stringify({
    openapi: '3.1.0',
    info: { title: '"Hostile" ../`x` 日本', version: '1' },
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: Object.fromEntries(
        Object.entries(schemes).map(([name, scheme]) => [name, { type: 'http', scheme }]),
      ),
    },
  });
}

/** Each of another difficulty. */
const REGRESSIONS = [
  ...['large-integers', 'lenient-yaml', 'openapi-3.2', 'read-only', 'several-kinds', 'xml'],
];

const CONTRACTS = [
  ...REGRESSIONS.map((name) => `packages/test-support/regressions/${name}.yaml`),
  'packages/test-support/regressions/operation-ref/openapi.yaml',
  'packages/test-support/toys.yaml',
  'packages/cli/test/types/contract.yaml',
  'test/adoption/openapi.yaml',
  'openapi.yaml',
  // GitHub's contract takes two minutes; packages/cli/test/init.test.ts has 1,200 operations.
  FIGMA,
];

interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command with Node 24 on the PATH. */
function run(cwd: string, command: string, args: readonly string[], env = {}): Promise<Run> {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const options = { cwd, env: { ...process.env, PATH, ...env }, maxBuffer: 1024 ** 3 };
  return new Promise((done) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      done({ status: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}

const folder = temporaryFolder();
const petstore = join(folder.path, 'petstore');
const stubwright = (cwd: string, args: readonly string[], env = {}) =>
  run(cwd, join(petstore, 'node_modules/.bin/stubwright'), args, env);

const counts = (output: string) => ({
  pass: Number(/^ℹ pass (\d+)$/m.exec(output)?.[1]),
  fail: Number(/^ℹ fail (\d+)$/m.exec(output)?.[1]),
  todo: Number(/^ℹ todo (\d+)$/m.exec(output)?.[1]),
});

describe('stubwright init', () => {
  beforeAll(async () => {
    writeFileSync(join(folder.path, 'petstore.yaml'), PETSTORE);
    const init = ['--yes', 'stubwright', 'init', 'petstore.yaml', 'petstore'];
    const { status, stderr } = await run(folder.path, 'npx', init);
    expect(status === 0 ? '' : stderr).toBe('');
  });
  afterAll(() => folder.remove());

  it('reports a failed installation in one line, and keeps the files', async () => {
    const { status, stderr } = await stubwright(folder.path, ['init', 'petstore.yaml', 'offline'], {
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_fetch_retries: '0',
      npm_config_cache: join(folder.path, 'empty-cache'),
    });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^stubwright: npm install: got exit code 1, expected 0: .*$/m);
    expect(existsSync(join(folder.path, 'offline/Makefile'))).toBe(true);
  });

  describe('for a matrix of contracts', () => {
    const matrix = join(folder.path, 'matrix');
    const written = { petstore: 'petstore.yaml', hostile: 'hostile.yaml' };
    const projects = [
      ...CONTRACTS.map((path) => ({ name: nameFor(path), contract: resolve(path) })),
      ...Object.entries(written).map(([name, file]) => ({
        name,
        contract: join(folder.path, file),
      })),
    ].map((each) => ({ ...each, path: join(matrix, each.name) }));

    beforeAll(async () => {
      writeFileSync(join(folder.path, 'hostile.yaml'), hostileContract());
      mkdirSync(matrix);
      const modules = join(petstore, 'node_modules');
      symlinkSync(modules, join(matrix, 'node_modules'));
      // make would install what is newer.
      const later = new Date(Date.now() + 86_400_000);
      utimesSync(join(modules, '.package-lock.json'), later, later);
      const { compilerOptions } = JSON.parse(readFileSync(join(petstore, 'tsconfig.json'), 'utf8'));
      const include = ['generated', 'src', 'test'].map((part) => `*/${part}`);
      const config = { compilerOptions, include, exclude: ['node_modules'] };
      writeFileSync(join(matrix, 'tsconfig.json'), JSON.stringify(config));
    });

    const typeErrors = async () => {
      const args = ['--max-old-space-size=6000', 'node_modules/typescript/bin/tsc', '-p', '.'];
      return (await run(matrix, process.execPath, args)).stdout;
    };

    it('has at least 12 of them', () => expect(projects.length).toBeGreaterThanOrEqual(12));

    it.each(projects)('writes $name', async ({ name, contract }) => {
      const { status, stderr } = await stubwright(matrix, ['init', contract, name, '--no-install']);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      symlinkSync('../node_modules', join(matrix, name, 'node_modules'));
    });

    it('has types without errors', async () => expect(await typeErrors()).toBe(''));

    it.each(projects)(
      'answers a declared success for each operation of $name',
      async ({ path }) => {
        const { status, stdout } = await run(path, 'make', ['test']);
        const files = globSync(join(path, 'test/api/*.ts'));
        const tests = files.flatMap((each) => readFileSync(each, 'utf8').match(/^it\(/gm) ?? []);
        expect({ ...counts(stdout), status }).toEqual({
          // And the replay of releases, of which there are none.
          pass: tests.length + 1,
          fail: 0,
          todo: 0,
          status: 0,
        });
        expect(stdout).not.toContain('declared error');
      },
    );

    it.each(projects)('keeps a handler of $name when the contract changes', async ({ path }) => {
      const file = await implement(path);
      const text = readFileSync(file, 'utf8');
      addOperation(join(path, 'openapi.yaml'));
      const { status, stdout, stderr } = await stubwright(path, ['generate']);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toBe(
        'src/handlers/addedLater.ts\ntest/api/addedLater.test.ts\nsrc/handlers/index.ts\n',
      );
      expect(readFileSync(file, 'utf8')).toBe(text);
      expect(await stubwright(path, ['generate'])).toEqual({ status: 0, stdout: '', stderr: '' });
    });

    it('still has types without errors', async () => expect(await typeErrors()).toBe(''));

    it.each(projects.filter(({ contract }) => !contract.endsWith('.json')))(
      'calls the handler of $name in its tests',
      async ({ path }) => {
        const { status, stdout } = await run(path, 'make', ['test']);
        expect([status, counts(stdout).fail]).toEqual([0, 0]);
        expect(stdout).toMatch(/^called$/m);
      },
    );
  });
});

function nameFor(path: string): string {
  return path.replace(/\/openapi\.yaml$|\.\w+$/, '').replaceAll(/[^\w-]+/g, '_');
}

/** Replaces a mock by a handler with the answer of the mock; @returns its file */
async function implement(project: string): Promise<string> {
  const bundle = join(project, 'generated/contract.json');
  const api = await createApi<undefined, Request>({ contract: bundle, mock: 'all' });
  const client = await testClient({ contract: bundle, target: fetchHandler(api) });
  const handlers = globSync(join(project, 'src/handlers/*.ts')).sort();
  let fallback: (() => string) | undefined;
  for (const { operationId } of api.operations.slice(0, 50)) {
    const header = `// Handler of ${operationId}.\n`;
    const file = handlers.find((each) => readFileSync(each, 'utf8').startsWith(header));
    if (file === undefined || !/^[\w/-]+$/.test(operationId)) continue;
    const response = await client.fetch(client.example(operationId));
    const type = response.headers.get('content-type')?.split(';')[0];
    const text = await response.text();
    if (text !== '' && !type?.endsWith('json')) continue;
    // An int64 is a bigint.
    const value = /^-?\d+$/.test(text) ? `${text}n` : `JSON.parse(${JSON.stringify(text)})`;
    const body = text === '' ? '' : `, type: '${type}', body: ${value}`;
    const own = [...response.headers].filter(([header]) => header.startsWith('x-'));
    const headers = own.map(([key, each]) => [key, /^-?\d+$/.test(each) ? Number(each) : each]);
    const sent = `, headers: ${JSON.stringify(Object.fromEntries(headers))}`;
    const name = basename(file, '.ts');
    const write = () => {
      writeFileSync(
        file,
        `${header}export async function ${name}() {
  console.log('called');
  return { status: ${response.status}${body}${own.length > 0 ? sent : ''} } as never;
}
`,
      );
      return file;
    };
    // An int64 is a bigint, which JSON.parse does not return.
    if (!/[[:,]-?\d|^-?\d/.test(text)) return write();
    fallback ??= write;
  }
  if (fallback === undefined) throw new Error(`${project} has no operation with JSON`);
  return fallback();
}

/** Adds an operation to a contract of any style. */
function addOperation(path: string): void {
  const text = readFileSync(path, 'utf8');
  const operation = {
    get: { operationId: 'added-later', responses: { '204': { description: 'ok' } } },
  };
  const block = `paths:\n  /added-later: ${JSON.stringify(operation)}\n`;
  const added = text.replace(/^paths:\n/m, block);
  if (added !== text) {
    writeFileSync(path, added);
    return;
  }
  const document = parse(text, { intAsBigInt: true });
  document.paths['/added-later'] = operation;
  writeFileSync(path, stringify(document));
}
