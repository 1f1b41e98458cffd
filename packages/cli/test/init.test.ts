// `stubwright init`, `generate` in its projects, and `bundle`: the files, without installation.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { codePoint } from '@stubwright/test-support/codePoint';
import { inTestAll, isTestAll, runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { type Entry, indexEntriesOf, indexText } from '../src/project/handlerIndex.ts';
import { commentOf, literal, nameOf } from '../src/project/names.ts';
import { entriesFor, handlerText, testText } from '../src/project/operationFiles.ts';
import { SETS, templatePaths } from '../src/project/templates.ts';
import { replaceFiles } from '../src/project/writeFiles.ts';
import { type Run, runCommand, startProcess } from './support/command.ts';
import { createFolder, type ToyProject } from './support/toyProject.ts';

const TOYS = resolve('packages/test-support/toys.yaml');
const SEVERAL_FILES = resolve('packages/test-support/regressions/operation-ref');

let folder: ToyProject;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

const at = (...path: string[]) => join(folder.path, ...path);
const read = (path: string) => folder.read(path);
const write = (path: string, text: string) => folder.write(path, text);
const stubwright = (...args: string[]) => runCommand(args, { cwd: folder.path });

const stubwrightIn = (cwd: string, ...args: string[]) => runCommand(args, { cwd });
const CLEAN = { status: 0, out: '', err: '' };

/** Writes a project in `out`, in which nothing is left to generate. */
async function init(contract: string, ...args: string[]): Promise<Run> {
  const run = await stubwright('init', contract, 'out', '--no-install', ...args);
  expect(run.status).toBe(0);
  expect(await stubwrightIn(at('out'), 'generate', '--check')).toEqual(CLEAN);
  return run;
}

/** @returns the paths of all files below a folder, sorted */
function filesIn(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(path.length + 1))
    .sort();
}

const OK = '{ description: ok }';
/** The response 200 of an operation. */
const responding = (schema: string) =>
  `responses: { 200: { description: ok, content: { application/json: { schema: ${schema} } } } }`;

/** Contracts with an operation `GET /<at>` for each id. */
function contractWith(operationIds: readonly string[], more = `responses: { 204: ${OK} }`): string {
  const paths = operationIds.map(
    (id, at) => `  /${at}: { get: { operationId: ${JSON.stringify(id)}, ${more} } }\n`,
  );
  return `openapi: 3.1.0\ninfo: { title: T, version: '1' }\nservers: [{ url: / }]\npaths:\n${paths.join('')}`;
}
const contractOf = (operationId: string, more: string) => contractWith([operationId], more);

/** Names in scripts, file systems and templates. */
const HOSTILE = [
  ...words(
    'get-toy getToy gettoy GETTOY delete class await arguments default __proto__ constructor',
  ),
  ...words(
    'toString hasOwnProperty then 123 1abc - _ $ ../../evil .. . /etc/passwd C:\\x a/b/c con',
  ),
  ...words('NUL COM1 index INDEX operation services handlers mocked Reply back\\slash \\ \r'),
  ...["it's", 'say "hi"', 'new\nline', 'tab\there', '\u0000', '\u2028', '\ud800', '*/ throw 1 /*'],
  ...['`$' + '{throw}`', '日本語', 'é', 'e\u0301', '😀', 'x'.repeat(300), 'X'.repeat(300)],
  ...['{{name}}', '$&', '$1', "$'"],
];

function words(text: string): string[] {
  return text.split(' ');
}

/** Fails for names that are unsafe in a file system or in TypeScript. */
function expectSafeNames(operationIds: readonly string[]): Entry[] {
  const entries = entriesFor(operationIds, [], new Map());
  const names = entries.map(({ name }) => name);
  const modules = ['index', 'operation', 'services'];
  expect(new Set([...names, ...modules].map((name) => name.toLowerCase())).size).toBe(
    names.length + modules.length,
  );
  for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_]{0,90}$/);
  expect(entries.map(({ operationId }) => operationId)).toEqual(operationIds);
  expect(indexEntriesOf(indexText(entries))).toEqual(entries);
  return entries;
}

/** Fails for files that are no TypeScript, or whose operation is not found again by the header. */
function expectSafe(operationIds: readonly string[]): void {
  const entries = expectSafeNames(operationIds);
  const sources = [
    indexText(entries),
    ...entries.map((entry) => handlerText(entry)),
    ...entries.map((entry) => testText(entry, { isSuccess: true, refusals: [401, 403] })),
    ...entries.map((entry) => testText(entry, { reason: entry.operationId })),
  ];
  for (const source of sources) expect(() => stripTypeScriptTypes(source)).not.toThrow();
  const files = new Map(entries.map((each) => [`src/handlers/${each.name}.ts`, handlerText(each)]));
  const isUnique = ({ operationId }: Entry) =>
    operationIds.filter((each) => commentOf(each) === commentOf(operationId)).length === 1;
  const again = entriesFor(operationIds.toReversed(), [], files);
  expect(again).toEqual(expect.arrayContaining(entries.filter(isUnique)));
}

describe('the names of operations', () => {
  it.each([
    ['getToy', 'getToy'],
    ['repos/list-tags', 'reposListTags'],
    ['delete', 'delete_'],
    ['123', '_123'],
    ['../../evil', 'evil'],
    ['日本語', 'operation_'],
    ['NUL', 'NUL_'],
    ['index', 'index_'],
  ])('%s is %s', (operationId, name) => {
    expect(nameOf(operationId)).toBe(name);
  });

  it('are safe for hostile ids', () => expectSafe(HOSTILE));

  it('are safe for any ids', () => {
    const id = fc.oneof(fc.string({ minLength: 1, unit: codePoint }), fc.constantFrom(...HOSTILE));
    const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(ids, (each) => expectSafe(each)),
      { numRuns: runs(100) },
    );
  });

  it('are those of the ids where these are identifiers, in any order', () => {
    const names = (ids: string[]) =>
      Object.fromEntries(
        entriesFor(ids, [], new Map()).map((each) => [each.operationId, each.name]),
      );
    expect(names(['get-toy', 'getToy'])).toEqual({ getToy: 'getToy', 'get-toy': 'getToy_2' });
    expect(names(['getToy', 'get-toy'])).toEqual({ getToy: 'getToy', 'get-toy': 'getToy_2' });
  });

  it('are written as literals with their own value', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        expect(new Function(`return ${literal(text)};`)()).toBe(text);
      }),
    );
  });

  it('of 1,200 operations are unique', () => {
    expectSafeNames(
      Array.from({ length: 1200 }, (_, index) => `get/${index % 2 ? 'a' : 'A'}-${index >> 1}`),
    );
  });
});

describe('stubwright init', () => {
  it('writes a project in a new folder', async () => {
    expect(await stubwright('init', TOYS, 'services/toys', '--no-install')).toEqual({
      ...CLEAN,
      out: '26 files, 2 operations\nNext: cd services/toys && make start, make test\n',
    });
    expect(read('services/toys/openapi.yaml')).toBe(readFileSync(TOYS, 'utf8'));
  });

  it('leaves the workflow out in a folder of a repository', async () => {
    mkdirSync(at('.git'));
    const { err } = await init(TOYS);
    const reason = 'left out, since GitHub reads the root of the repository only';
    expect(err).toBe(`.github/workflows/ci.yml: ${reason}\n`);
    expect(existsSync(at('out/.github'))).toBe(false);
  });

  it('has a set of templates for each folder of them', () => {
    const folders = readdirSync('packages/cli/templates', { withFileTypes: true });
    // The files of an operation have names of their own.
    const sets = folders.filter((each) => each.isDirectory() && each.name !== 'operation');
    expect([...SETS].sort()).toEqual(sets.map(({ name }) => name).sort());
    expect(templatePaths().get('.github/workflows/ci.yml')).toMatch(/^repository/);
  });

  /** Writes a project of the orders contract with edits. */
  async function initOrders(...edits: readonly (readonly [from: string, to: string])[]) {
    const text = readFileSync('packages/cli/test/support/orders/openapi.yaml', 'utf8');
    const edited = edits.reduce((before, [from, to]) => before.replace(from, to), text);
    write('orders.yaml', edited);
    expect((await init('orders.yaml')).err).toBe('');
  }

  const securityOf = (operationId: string, security: string) => {
    const id = `operationId: ${operationId}`;
    return [id, `security: ${security}\n      ${id}`] as const;
  };

  it('writes credentials of its own for each security scheme', async () => {
    await initOrders(securityOf('getInvoice', "[{ 'x-key': [] }, { bearer: [orders] }]"), [
      'securitySchemes: {',
      "securitySchemes: { 'x-key': { type: apiKey, in: header, name: X-Key },",
    ]);
    expect(read('out/src/service.ts')).toContain(
      '(verify) => ({\n    bearer: verify,\n    "x-key": verify.forScheme("x-key"),\n  })',
    );
    expect(read('out/test/support/client.ts')).toContain(`const tokens = [
  "token-with-every-scope scope=*",
  "token-without-scopes",
  "token-with-every-scope scheme=x-key scope=*",
  "token-without-scopes scheme=x-key",
];`);
  });

  it('writes the tests of 401 and 403 that the contract determines', async () => {
    await initOrders(
      securityOf('getInvoice', '[{ bearer: [] }]'),
      securityOf('getFile', '[{ bearer: [orders] }, {}]'),
    );
    const refusals = (name: string) =>
      read(`out/test/api/${name}.test.ts`).match(/(?<=expectRefused\()\d+/g);
    expect(['createOrder', 'getInvoice', 'getFile', 'openCart'].map(refusals)).toEqual([
      ...[['401', '403'], ['401'], null, null],
    ]);
  });

  it('keeps an openapi.yaml that is in the folder already', async () => {
    write('openapi.yaml', readFileSync(TOYS, 'utf8'));
    write('notes.txt', 'mine');
    const { out, ...others } = await stubwright('init', '--no-install');
    expect(others).toEqual({ status: 0, err: '' });
    expect(out).toContain(`${filesIn(folder.path).length - 2} files, 2 operations\n`);
    expect(read('notes.txt')).toBe('mine');
    expect(await stubwright('generate', '--check')).toEqual(CLEAN);
  });

  it('copies a contract of several files', async () => {
    await init(join(SEVERAL_FILES, 'openapi.yaml'));
    for (const file of readdirSync(SEVERAL_FILES)) {
      expect(read(`out/${file}`)).toBe(readFileSync(join(SEVERAL_FILES, file), 'utf8'));
    }
  });

  it.each([
    ['outside the folder of the contract', 'api/main.yaml', 'common.yaml', '../common.yaml'],
    ['with the name of a project file', 'api/openapi.yaml', 'api/package.json', 'package.json'],
    ['named openapi.yaml', 'api/main.yaml', 'api/openapi.yaml', 'openapi.yaml'],
  ])('bundles a contract with a file %s', async (_, main, other, ref) => {
    write(other, JSON.stringify({ Toy: { type: 'object' } }));
    write(main, contractOf('getToy', responding(`{ $ref: '${ref}#/Toy' }`)));
    expect((await init(main, '--allow-outside', '.')).err).toBe('');
    expect(read('out/openapi.yaml')).not.toContain(ref);
    expect(parse(read('out/openapi.yaml')).components.schemas.Toy.type).toBe('object');
    expect(JSON.parse(read('out/package.json')).type).toBe('module');
  });

  it('writes JSON as YAML', async () => {
    write('api.json', JSON.stringify(parse(contractWith(['getToy']))));
    await init('api.json');
    expect(read('out/openapi.yaml')).toMatch(/^openapi: 3\.1\.0\n/);
  });

  inTestAll(it)('writes nothing outside of its folder for any names of operations', async () => {
    write('api.yaml', contractWith(HOSTILE.filter((id) => !/[\0\ud800]/.test(id))));
    await init('api.yaml');
    const outside = filesIn(folder.path).filter((file) => !file.startsWith('out/'));
    expect(outside).toEqual(['api.yaml']);
  });

  it('reports at once the errors that make check would report, each once', async () => {
    write('api.yaml', contractOf('get', responding('{ type: string, nullable: true }')));
    const { err } = await init('api.yaml');
    const line = /^openapi\.yaml:\d+:\d+ {2}nullable is not a keyword .* \(struct\)$/m;
    expect(err.split('\n')).toEqual([
      expect.stringMatching(line),
      'make check fails: openapi.yaml has 1 error',
      '',
    ]);
    // A project that is not installed has no plugin.
    rmSync(at('out/redocly.yaml'));
    write('out/redocly.yaml', 'extends: [minimal]\n');
    const check = await stubwrightIn(at('out'), 'check');
    expect(check.out.match(/nullable is not a keyword/g)).toHaveLength(1);
    expect(check.out).toMatch(/: 1 operation, 1 error, /);
  });

  it('writes a todo test for an operation that a client cannot call', async () => {
    const schema = '{ type: string, minLength: 2, maxLength: 1 }';
    const q = `{ name: q, in: query, required: true, schema: ${schema} }`;
    write('api.yaml', contractOf('search', `parameters: [${q}], responses: { 204: ${OK} }`));
    const { err } = await init('api.yaml');
    expect(err).toMatch(/^test\/api\/search\.test\.ts: search: .*no valid value.*\n$/);
    const todo = /^it\.todo\("search responds with success"\);$/m;
    expect(read('out/test/api/search.test.ts')).toMatch(todo);
  });
});

describe('stubwright init --store', () => {
  it('writes the schema, and a handler that stores the first body that is a row', async () => {
    await init(TOYS, '--store', 'sqlite');
    expect(read('out/migrations/0001.sql')).toMatch(
      /^CREATE TABLE "toys" \(\n {2}"id" bigint NOT NULL PRIMARY KEY,\n {2}"name" text NOT NULL/m,
    );
    expect(read('out/src/store.ts')).toContain('id: "int64", name: "text"');
    expect(read('out/src/handlers/storeToy.ts')).toContain('await toys.add(body)');
    expect(read('out/src/handlers/getToy.ts')).toContain('mocked');
    expect(read('out/src/service.ts')).toContain('"sqlite:');
    expect(read('out/Dockerfile')).toContain('COPY migrations migrations\n');
    expect(read('out/.dockerignore')).toContain('\n!migrations\n');
    if (isTestAll) linkPackages();
  });

  inTestAll(it)('installs the driver of PostgreSQL, in the range of the store', async () => {
    await init(TOYS, '--store', 'postgres');
    const { dependencies } = JSON.parse(read('out/package.json'));
    const { peerDependencies } = JSON.parse(readFileSync('packages/store/package.json', 'utf8'));
    expect(dependencies.pg).toBe(peerDependencies.pg);
    expect(read('out/src/service.ts')).toContain('"postgres://localhost/');
    linkPackages();
  });

  const KEYS = 'stubwright_idempotency';
  const OUTBOX = 'stubwright_outbox';

  // Each starts the service.
  const TABLES: readonly [contract: string, tables: readonly string[]][] = [
    ['idempotency keys and webhooks', [KEYS, OUTBOX]],
    ['idempotency keys', [KEYS]],
    ['webhooks', [OUTBOX]],
    ['neither, and no body that is a row', []],
  ];
  it.each(isTestAll ? TABLES : TABLES.slice(0, 1))(
    'writes the tables of a contract with %s, which the service uses',
    async (_, tables) => {
      const [hasKeys, hasWebhooks] = [tables.includes(KEYS), tables.includes(OUTBOX)];
      write('openapi.yaml', shop(hasKeys, hasWebhooks));
      await init('openapi.yaml', '--store', 'sqlite');
      const created = [...read('out/migrations/0001.sql').matchAll(/CREATE TABLE (\w+)/g)];
      expect(created.map(([, table]) => table)).toEqual(tables);
      write('out/src/handlers/order.ts', orderHandler(hasWebhooks));
      linkPackages();
      const service = await startProcess([], /"url":"([^"]+)"/, {
        ...{ cwd: at('out'), env: { PORT: '0', LOG_LEVEL: 'info' }, program: 'src/main.ts' },
      });
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'a' };
      const request = { method: 'PATCH', headers, body: '{"id":9007199254740993}' };
      const send = async () => (await fetch(`${service.url}/orders`, request)).text();
      const replies = [await send(), await send()];
      await service.stop('SIGTERM');
      // The handler runs once for a key.
      const runs = hasKeys ? [1, 1] : [1, 2];
      expect(replies).toEqual(runs.map((run) => `{"id":9007199254740993,"item":"run ${run}"}`));
      using database = new DatabaseSync(at('out/shop.db'), { readOnly: true });
      const count = (table: string) =>
        database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()!['rows'];
      for (const table of tables) expect(count(table)).toBe(hasKeys ? 1 : 2);
      const own = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
      const names = own.map(({ name }) => name).filter((name) => !/^sqlite_/.test(String(name)));
      expect(names.sort()).toEqual(['runs', 'shop_migration', ...tables].sort());
    },
  );
});

describe('stubwright init --target workers', () => {
  /** @returns the output of a program in the project */
  function node(program: string): string {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const args = ['--input-type=module', '--eval', program];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      ...{ cwd: at('out'), encoding: 'utf8', env: { PATH, NODE_COMPILE_CACHE } },
    });
    return stdout || stderr;
  }

  it('adds the entry, its configuration and a test of it that passes', async () => {
    await init(TOYS);
    const plain = filesIn(at('out'));
    // Nothing of it, and nothing of a store, without the options.
    const optional = /wrangler|[Ww]orkers|@stubwright\/store|migrations/;
    expect(plain.filter((file) => optional.test(read(`out/${file}`)))).toEqual([]);
    rmSync(at('out'), { recursive: true });
    await init(TOYS, '--target', 'workers');
    expect(filesIn(at('out')).filter((file) => !plain.includes(file))).toEqual([
      ...['src/unused.ts', 'src/worker.ts', 'test/worker.test.ts', 'wrangler.jsonc'],
    ]);
    expect(read('out/README.md')).toMatch(/^npx wrangler dev .*\n(?:.*\n)+## Implement/m);
    expect(read('out/.gitignore')).toBe('node_modules/\nbuild/\n.wrangler/\n');
    expect(read('out/wrangler.jsonc')).not.toContain('node_modules');
    linkPackages();
    expect(node("import './test/worker.test.ts';")).toContain('pass 1\n');
  });

  it('admits callers with the token, and signs cursors, once the Worker has the secrets', async () => {
    const item = '{ type: object, properties: { n: { type: integer } } }';
    const list = `{ type: object, properties: { items: { type: array, items: ${item} }, next: { type: string } } }`;
    write(
      'openapi.yaml',
      `openapi: 3.1.0
info: { title: Pages, version: 1.0.0 }
security: [{ bearer: [] }]
components: { securitySchemes: { bearer: { type: http, scheme: bearer } } }
paths:
  /list:
    get:
      operationId: list
      x-pagination: { kind: cursor, parameter: cursor, size: limit, items: /items, next: /next }
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 9, default: 1 } }
        - { name: cursor, in: query, schema: { type: string } }
      ${responding(list)}
`,
    );
    await init('openapi.yaml', '--target', 'workers');
    linkPackages();
    // A mock accepts any credentials.
    write(
      'out/src/handlers/list.ts',
      `import { page } from 'stubwright/pages';
const fetch = ({ limit }) => [{ n: 1 }, { n: 2 }].slice(0, limit);
export const list = async (request) => ({ status: 200, body: (await page(request, { order: ['n'], fetch })).body });
`,
    );
    const program = `
const CURSOR_SECRET = 's'.repeat(32);
const seen = [];
for (const [sent, API_TOKEN] of [['a', undefined], ['undefined', undefined], ['a', 'b'], ['a', 'aa'], ['a', 'a']]) {
  const fresh = await import('./src/worker.ts?' + seen.length);
  const headers = { Authorization: 'Bearer ' + sent };
  const request = new Request('http://worker/list', { headers });
  const response = await fresh.default.fetch(request, { API_TOKEN, CURSOR_SECRET });
  seen.push(response.status, ...(response.ok ? Object.keys(await response.json()) : []));
}
console.log(seen.join());
`;
    expect(node(program)).toBe('401,401,401,401,200,items,next\n');
  });

  it('has no store', async () => {
    const args = ['init', TOYS, 'out', '--target', 'workers', '--store', 'sqlite'];
    expect(await stubwright(...args)).toMatchObject({
      status: 2,
      err: expect.stringContaining("cannot be used with option '--store <database>'"),
    });
    expect(filesIn(folder.path)).toEqual([]);
  });
});

/** A contract whose operation has an idempotency key, or whose service sends a webhook. */
function shop(hasKeys: boolean, hasWebhooks: boolean): string {
  const order = '{ application/json: { schema: { $ref: "#/components/schemas/Order" } } }';
  const key = hasKeys ? ', x-idempotency: { ttl: 24h }' : '';
  const post = `{ requestBody: { required: true, content: ${order} }, responses: { 204: { description: ok } } }`;
  return `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /orders:
    patch:
      operationId: order
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string }${key} }]
      requestBody: { required: true, content: ${order} }
      responses: { 201: { description: ordered, content: ${order} } }
${hasWebhooks ? `webhooks: { ordered: { post: ${post} } }` : ''}
components:
  schemas:
    Order: { type: object, required: [id], properties: { id: { type: integer, format: int64 }, item: { type: string } } }
`;
}

/** Counts its runs in the transaction. The receiver of its webhook has an address that is not public. */
function orderHandler(hasWebhooks: boolean): string {
  const send = 'await webhooks.send("ordered", "http://127.0.0.1:1/", body, { transaction });';
  return `import type { Reply, Request } from "./operation.ts";
import type { Services } from "./services.ts";

export async function order(
  { body }: Request<"order">,
  { transaction${hasWebhooks ? ', webhooks' : ''} }: Services,
): Promise<Reply<"order">> {
  await transaction.run("CREATE TABLE IF NOT EXISTS runs (id bigint)");
  await transaction.run("INSERT INTO runs VALUES ($1)", [body.id]);
  const { length } = await transaction.query("SELECT id FROM runs");
  ${hasWebhooks ? send : ''}
  return { status: 201, body: { ...body, item: \`run \${length}\` } };
}
`;
}

/** Gives the project the packages of this repository; `make test-all` compiles it. */
function linkPackages(): void {
  symlinkSync(resolve('node_modules'), at('out/node_modules'));
  if (!isTestAll) return;
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', at('out')], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
}

describe('writing files', () => {
  it.each([
    // A name that is too long for every file system.
    ['the name of one is too long', ['a/b/c', `z/${'x'.repeat(300)}`], /^z\/x+: got ENAMETOOLONG,/],
    ['a folder is a file', ['a/b', 'mine/c'], /^mine\/c: got \w+, expected/],
    [
      'one cannot be renamed after others',
      ['mine', 'a', 'b', 'b/c'],
      /^b: got \w+, expected a file/,
    ],
  ])('leaves nothing if %s', (_, names, message) => {
    write('out/mine', 'mine');
    const files = new Map(names.map((name) => [name, 'new']));
    expect(() => replaceFiles(files, { cwd: at('out') })).toThrow(message);
    expect([readdirSync(at('out')), read('out/mine')]).toEqual([['mine'], 'mine']);
  });

  it('replaces a symbolic link with init --force, and keeps its target', async () => {
    write('shared', 'shared');
    mkdirSync(at('out'));
    symlinkSync('../shared', at('out/Makefile'));
    expect((await init(TOYS, '--force')).err).toBe('');
    expect([read('shared'), read('out/Makefile')]).toEqual([
      'shared',
      expect.stringMatching(/make/),
    ]);
  });
});

describe('stubwright generate in a project', () => {
  const IMPLEMENTED = '// Handler of getToy.\nexport async function getToy() {}\n';

  const written = createFolder();
  beforeAll(async () => {
    await written.run('init', TOYS, '--no-install', '.');
    written.write('src/handlers/getToy.ts', IMPLEMENTED);
  });
  afterAll(() => written.remove());
  beforeEach(() => cpSync(written.path, folder.path, { recursive: true }));

  function edit(change: (paths: Record<string, unknown>) => void): void {
    const document = parse(read('openapi.yaml'));
    change(document.paths);
    write('openapi.yaml', stringify(document));
  }
  const addLater = (paths: Record<string, unknown>) => {
    paths['/later'] = {
      get: { operationId: 'get-later', responses: { '204': { description: 'ok' } } },
    };
  };

  it('adds files for a new operation once, and keeps handlers', async () => {
    edit(addLater);
    const check = await stubwright('generate', '--check');
    expect(check.status).toBe(1);
    expect(check.err).toContain('src/handlers/getLater.ts is missing or stale: generate it\n');
    expect(existsSync(at('src/handlers/getLater.ts'))).toBe(false);
    expect(await stubwright('generate')).toEqual({
      status: 0,
      out: 'src/handlers/getLater.ts\ntest/api/getLater.test.ts\nsrc/handlers/index.ts\n',
      err: '',
    });
    expect(read('src/handlers/getToy.ts')).toBe(IMPLEMENTED);
    expect(read('src/handlers/index.ts')).toContain('  "get-later": getLater,\n');
    const before = filesIn(folder.path).map((file) => [file, read(file)]);
    expect(await stubwright('generate')).toEqual(CLEAN);
    expect(filesIn(folder.path).map((file) => [file, read(file)])).toEqual(before);
    expect(await stubwright('generate', '--check')).toMatchObject({ status: 0 });
  });

  it('lists the files of an operation that is gone, and uses them again', async () => {
    const contract = read('openapi.yaml');
    write('openapi.yaml', contract.replaceAll('getToy', 'fetchToy'));
    const gone =
      'src/handlers/getToy.ts: the contract has no operation getToy\n' +
      'test/api/getToy.test.ts: the contract has no operation getToy\n';
    expect((await stubwright('generate')).out).toContain(gone);
    expect(await stubwright('generate')).toEqual({ status: 0, out: gone, err: '' });
    expect(read('src/handlers/getToy.ts')).toBe(IMPLEMENTED);
    expect(read('src/handlers/index.ts')).not.toContain('getToy');
    write('openapi.yaml', contract);
    await stubwright('generate');
    expect(read('src/handlers/index.ts')).toContain('  getToy,\n');
    expect(read('src/handlers/getToy.ts')).toBe(IMPLEMENTED);
  });

  it('never overwrites an index with edits, and lists what it lacks', async () => {
    const edited = read('src/handlers/index.ts').replace('  getToy,', '  getToy: logged(getToy),');
    write('src/handlers/index.ts', edited);
    expect(await stubwright('generate')).toEqual(CLEAN);
    edit((paths) => {
      addLater(paths);
      delete (paths['/toys/{id}'] as Record<string, unknown>)['get'];
    });
    const { status, err } = await stubwright('generate');
    expect(status).toBe(1);
    expect(err).toBe(
      'src/handlers/index.ts: got no get-later, expected getLater of ./getLater.ts\n' +
        'src/handlers/index.ts: got getToy, expected only operations of the contract\n',
    );
    expect(read('src/handlers/index.ts')).toBe(edited);
    expect(existsSync(at('src/handlers/getLater.ts'))).toBe(true);
  });

  it('updates an index in another formatting', async () => {
    const formatted = read('src/handlers/index.ts')
      .replaceAll("'", '"')
      .replaceAll(/;$/gm, '')
      .replaceAll('  ', '\t');
    write('src/handlers/index.ts', formatted);
    expect(await stubwright('generate', '--check')).toMatchObject({ status: 0 });
    edit(addLater);
    expect(await stubwright('generate')).toMatchObject({ status: 0 });
    expect(read('src/handlers/index.ts')).toContain('"get-later": getLater');
  });

  it('adds a handler and a test that were deleted; that of 401 only with its helper', async () => {
    const [handler, test] = ['src/handlers/storeToy.ts', 'test/api/storeToy.test.ts'];
    const client = read('test/support/client.ts');
    for (const name of ['expectRefused', 'ofAnEarlierVersion']) {
      write('test/support/client.ts', client.replaceAll('expectRefused', name));
      rmSync(at(handler));
      rmSync(at(test));
      expect((await stubwright('generate')).out).toBe(`${handler}\n${test}\n`);
      const isTested = read(test).includes('expectRefused(401, "storeToy")');
      expect(isTested).toBe(name === 'expectRefused');
    }
  });

  it('leaves the handlers of other projects alone', async () => {
    write('src/handlers/index.ts', 'export const handlers = {};\n');
    edit(addLater);
    expect(await stubwright('generate')).toEqual(CLEAN);
    expect(existsSync(at('src/handlers/getLater.ts'))).toBe(false);
  });
});

describe('stubwright bundle', () => {
  it('writes several files as one, as YAML and as JSON', async () => {
    const path = join(SEVERAL_FILES, 'openapi.yaml');
    expect(await stubwright('bundle', path, '--output', 'b.yaml')).toEqual(CLEAN);
    await stubwright('bundle', path, '--output', 'b.json');
    expect(JSON.parse(read('b.json'))).toEqual(parse(read('b.yaml')));
    expect(read('b.json')).not.toMatch(/"\$ref": "[^#]/);
    expect((await stubwright('bundle', 'b.yaml')).out).toBe(read('b.yaml'));
  });

  it('keeps integers beyond the exact range of doubles in JSON', async () => {
    write('api.yaml', `${contractWith(['a'])}x-limit: 9007199254740993\n`);
    await stubwright('bundle', 'api.yaml', '--output', 'b.json');
    expect(read('b.json')).toContain('"x-limit": 9007199254740993');
  });
});
