// The published packages in the project of `init --target workers`: wrangler bundles it, for workerd, Deno and Bun.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundleOf } from '@stubwright/cli/loader';
import { bundleText } from '@stubwright/contract';
import { freePort } from '@stubwright/test-support/freePort';
import { FIGMA } from '@stubwright/test-support/publicContracts';
import { startProcess } from '@stubwright/test-support/runningProcess';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { filesOf } from '../../docs/examples.ts';
import { install } from './install.ts';

const MAX_GZIP_BYTES = 250_000;
const SECRET = `whsec_${Buffer.from('a secret of 24 bytes ...').toString('base64')}`;
const TOKEN = 'worker-token';

const CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: '1'}
servers: [{url: /v1}]
security: [{bearer: []}]
paths:
  /toys:
    post:
      operationId: addToy
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
      responses:
        '201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
        '400': {description: invalid, content: {application/problem+json: {}}}
        '401': {description: unknown caller, content: {application/problem+json: {}}}
  /toys/{id}:
    get:
      operationId: getToy
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer, format: int64}}
        - {name: fields, in: query, style: form, explode: false, schema: {type: array, items: {enum: [id, name]}}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
        '404': {description: none, content: {application/problem+json: {}}}
  /lines:
    get:
      operationId: listLines
      responses: {'200': {description: ok, content: {application/jsonl: {schema: {type: array, items: {$ref: '#/components/schemas/Toy'}}}}}}
  /events:
    get:
      operationId: listEvents
      responses: {'200': {description: ok, content: {text/event-stream: {schema: {type: array, items: {type: object, properties: {data: {type: string}}}}}}}}
  /pictures:
    post:
      operationId: addPicture
      requestBody:
        required: true
        content: {multipart/form-data: {schema: {type: object, required: [id, picture], properties: {id: {type: integer}, picture: {type: string, contentMediaType: image/png}}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: integer}, size: {type: integer}}}}}}}
  /hook:
    post:
      operationId: receiveHook
      security: []
      parameters: [{name: webhook-id, in: header, schema: {type: string}}, {name: webhook-timestamp, in: header, schema: {type: string}}, {name: webhook-signature, in: header, schema: {type: string}}]
      requestBody: {required: true, content: {text/plain: {schema: {type: string}}}}
      responses: {'200': {description: ok, content: {text/plain: {schema: {type: string}}}}}
components:
  securitySchemes: {bearer: {type: http, scheme: bearer}}
  schemas:
    Toy: {type: object, required: [id, name], properties: {id: {type: integer, format: int64}, name: {type: string, pattern: '^[a-z]+$'}}}
`;

const HANDLERS = `import { Problem } from 'stubwright';
import { verifyWebhook } from 'stubwright/webhooks';

const toy = { id: 9007199254740993n, name: 'bear' };
export const handlers = {
  addToy: ({ body }) => ({ status: 201, body }),
  getToy({ path: { id }, query }) {
    if (id !== toy.id) throw new Problem(404, 'no such toy');
    return { status: 200, body: query.fields === undefined ? toy : { ...toy, name: query.fields.join('') } };
  },
  listLines: () => ({ status: 200, body: [toy, toy] }),
  async listEvents() {
    return { status: 200, body: (async function* () { yield { data: 'one' }; yield { data: 'two' }; })() };
  },
  async addPicture({ body: { id, picture } }) {
    return { status: 200, body: { id, size: (await picture.arrayBuffer()).byteLength } };
  },
  receiveHook({ header, body }) {
    return { status: 200, body: verifyWebhook({ headers: header, body, secrets: ['${SECRET}'], now: new Date(1_700_000_000_000) }) };
  },
};
`;

/** Of `signatureHeaders({ id: 'msg_1', body: 'hello' }, …)`. */
const HOOK = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': '1700000000',
  'webhook-signature': '',
};

const folder = temporaryFolder();
const project = join(folder.path, 'toys');
const tool = (name: string) => resolve('test/publishing/node_modules/.bin', name);
const env: NodeJS.ProcessEnv = {
  ...process.env,
  ...{ NODE_OPTIONS: '', NODE_NO_WARNINGS: '1', CI: '1' },
  // wrangler sends nothing, and writes its logs into the folder of this test.
  ...{ WRANGLER_SEND_METRICS: 'false', WRANGLER_SEND_ERROR_REPORTS: 'false' },
  ...{ CLOUDFLARE_CF_FETCH_ENABLED: 'false', XDG_CONFIG_HOME: join(folder.path, 'config') },
};

function run(cwd: string, command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd, env, encoding: 'utf8' });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** What `wrangler deploy` would upload of a project, as `out/worker.js`, and its metafile. */
function bundle(cwd: string): Bundled {
  const options = ['--outdir=out', '--metafile=out/metafile.json'];
  run(cwd, tool('wrangler'), 'deploy', '--dry-run', ...options);
  write(join(cwd, 'out/package.json'), '{"type":"module"}');
  return JSON.parse(readFileSync(join(cwd, 'out/metafile.json'), 'utf8'));
}

interface Bundled {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<
    Record<string, { readonly imports: { readonly path: string; readonly external?: boolean }[] }>
  >;
}

const ENV = JSON.stringify({ API_TOKEN: TOKEN });
const started = (start: string) => `import worker from './worker.js';\n${start}\n`;
const DENO = (port: number) =>
  started(
    `Deno.serve({ hostname: '127.0.0.1', port: ${port} }, (request) => worker.fetch(request, ${ENV}));`,
  );
const BUN = (port: number) =>
  started(
    `Bun.serve({ hostname: '127.0.0.1', port: ${port}, fetch: (request) => worker.fetch(request, ${ENV}) });`,
  );

/** The tool, and its arguments for a port; of those that start a bundle, the program in `out/`. */
const RUNTIMES = [
  [
    'workerd',
    'wrangler',
    (port: number) => [
      ...['dev', `--port=${port}`, '--ip=127.0.0.1', '--inspector-port=0'],
      ...['--show-interactive-dev-session=false', `--var=API_TOKEN:${TOKEN}`],
    ],
    undefined,
  ],
  ['deno', 'deno', () => ['run', '--allow-all', '--no-config', 'out/start.mjs'], DENO],
  ['bun', 'bun', () => ['run', 'out/start.mjs'], BUN],
] as const;

const isPresent = ([name, command]: (typeof RUNTIMES)[number]) => {
  const { status } = spawnSync(tool(command), ['--version'], { env });
  if (status !== 0)
    process.stderr.write(`SKIPPED: test/publishing/runtimes.test.ts found no ${name}\n`);
  return status === 0;
};

/** Starts the bundled project, and stops it after `use` of its URL. */
async function serving<T>(
  [, command, argumentsFor, program]: (typeof RUNTIMES)[number],
  cwd: string,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const port = await freePort();
  if (program !== undefined) write(join(cwd, 'out/start.mjs'), program(port));
  await using server = startProcess([tool(command), ...argumentsFor(port)], { cwd, env });
  const url = `http://127.0.0.1:${port}`;
  await server.responding(url);
  return await use(url);
}

beforeAll(async () => {
  install(folder.path, ['@stubwright/cli', 'stubwright', '@stubwright/client']);
  write(join(folder.path, 'toys.yaml'), CONTRACT);
  stubwright('init', 'toys.yaml', project, '--target', 'workers');
  const signature = await import(resolve('packages/webhooks/src/signature.ts'));
  const signed = signature.signatureHeaders(
    { id: HOOK['webhook-id'], body: 'hello' },
    [SECRET],
    new Date(1_700_000_000_000),
  );
  Object.assign(HOOK, signed);
});
afterAll(() => folder.remove());

function stubwright(...args: string[]): void {
  run(folder.path, join(folder.path, 'node_modules/.bin/stubwright'), ...args);
}

it('is typed, and its test of the Worker passes on Node', () => {
  run(project, 'npx', 'tsc', '--noEmit');
  expect(run(project, process.execPath, '--test', 'test/worker.test.ts')).toContain('pass 1');
});

it('bundles into at most 250 kB, without Koa, tracing and polyfills', () => {
  const { inputs, outputs } = bundle(project);
  expect(
    Object.keys(inputs).filter((path) =>
      /node_modules\/(?:@opentelemetry|koa|pino|prom-client|unenv)\b/.test(path),
    ),
  ).toEqual([]);
  const external = Object.values(outputs).flatMap(({ imports }) =>
    imports.filter((imported) => imported.external).map(({ path }) => path),
  );
  expect(external.filter((path) => !path.startsWith('node:'))).toEqual([]);
  const bytes = readFileSync(join(project, 'out/worker.js'));
  expect(gzipSync(bytes, { level: 9 }).length).toBeLessThan(MAX_GZIP_BYTES);
});

describe.each(RUNTIMES.filter(isPresent))('%s', (...runtime) => {
  it('responds as Node: exact integers, errors, streams, forms, signatures', async () => {
    write(join(project, 'src/handlers/index.ts'), `// @ts-nocheck\n${HANDLERS}`);
    bundle(project);
    await serving(runtime, project, async (url) => {
      for (const [path, init, status, type, body] of requests()) {
        const headers = { authorization: `Bearer ${TOKEN}`, ...init.headers };
        const response = await fetch(`${url}/v1${path}`, { ...init, headers });
        const text = await response.text();
        expect([path, response.status, response.headers.get('content-type')]).toEqual([
          ...[path, status, type],
        ]);
        if (typeof body === 'string') expect(text).toBe(body);
        else expect(JSON.parse(text)).toMatchObject(body);
      }
      expect(await callsOfClient(url)).toEqual([
        [201, '9007199254740993'],
        [400, ['#/id', '#/name']],
        [401, 'Bearer realm="Toys", error="invalid_token"'],
      ]);
    });
  });
});

/** @returns the replies to a generated client: a success, all violations of a request, a wrong token */
async function callsOfClient(url: string): Promise<unknown> {
  stubwright('client', 'toys.yaml', 'client', '--name', 'toys-client');
  write(
    join(folder.path, 'client/calls.mjs'),
    `import { createClient } from './index.js';
const [, , baseUrl, token] = process.argv;
const toys = createClient({ baseUrl, bearer: token });
const added = await toys.addToy({ body: { id: 9007199254740993n, name: 'bear' } });
const invalid = await toys.addToy({ body: { id: 2n ** 63n, name: 'A' } });
const stranger = createClient({ baseUrl, bearer: 'other' });
const refused = await stranger.addToy({ body: { id: 1n, name: 'bear' } });
console.log(JSON.stringify([
  [added.status, String(added.body.id)],
  [invalid.status, invalid.body.errors.map(({ pointer }) => pointer)],
  [refused.status, refused.response.headers.get('www-authenticate')],
]));
`,
  );
  return JSON.parse(run(folder.path, process.execPath, 'client/calls.mjs', `${url}/v1`, TOKEN));
}

describe('the handler on D1 of frameworks.md', () => {
  const [workerd] = RUNTIMES;
  const itRuns = isPresent(workerd) ? it : it.skip;

  itRuns('stores each id once, exactly, whoever sends it', async () => {
    const cwd = join(folder.path, 'd1');
    for (const [file, text] of filesOf('docs/stubwright/frameworks.md'))
      write(join(cwd, file), text);
    write(join(cwd, 'package.json'), '{"type":"module"}');
    run(cwd, join(folder.path, 'node_modules/.bin/stubwright'), 'generate');
    run(cwd, tool('wrangler'), 'd1', 'migrations', 'apply', 'toys', '--local');
    const ids = ['9007199254740992', '9007199254740993', '9223372036854775807'];
    const statuses = await serving(workerd, cwd, (url) =>
      Promise.all(
        [...ids, ...ids, ...ids, '"1"'].map(async (id) => {
          const headers = { 'content-type': JSON_TYPE };
          const sent = { method: 'POST', headers, body: `{"id":${id}}` };
          const response = await fetch(`${url}/toys`, sent);
          return `${id} ${response.status}`;
        }),
      ),
    );
    expect(statuses.sort()).toEqual(
      ['"1" 400', ...ids.flatMap((id) => [`${id} 201`, `${id} 409`, `${id} 409`])].sort(),
    );
    const select = 'SELECT id FROM toys ORDER BY id';
    const args = ['d1', 'execute', 'toys', '--local', '--json', '--command', select];
    const stored = run(cwd, tool('wrangler'), ...args);
    expect(JSON.parse(stored)[0].results).toEqual(ids.map((id) => ({ id })));
  });
});

/** Of the repository; with ../shared/corpus, also ten that others publish. */
const CONTRACTS = [
  ...[
    FIGMA,
    'openapi.yaml',
    'packages/test-support/toys.yaml',
    'packages/test-support/uploads.yaml',
  ],
  ...globSync('packages/cli/test/types/*.yaml').sort(),
  ...['chat', 'react', 'versions'].map((name) => `docs/examples/${name}/openapi.yaml`),
];
const CORPUS = '../shared/corpus/contracts.tar.xz';
const PUBLISHED = [
  ...['2ch', 'ably-platform', 'cloudevents-subscriptions', 'museum', 'redoc-petstore-3.1'],
  ...['schemathesis-petstore', 'swagger-petstore', 'traccar', 'train-travel', 'ynab'],
];

function publishedContracts(target: string): string[] {
  if (!existsSync(CORPUS)) return [];
  mkdirSync(target, { recursive: true });
  const files = PUBLISHED.map((name) => `./${name}.yaml`);
  execFileSync('tar', ['-xJf', CORPUS, '-C', target, ...files]);
  return files.map((file) => join(target, file));
}

it('has replies with the same bytes in all runtimes, also where no code is generated', async () => {
  const cwd = join(folder.path, 'replies');
  const paths = [...CONTRACTS, ...publishedContracts(join(folder.path, 'corpus'))];
  const bundles = paths.map(async (path) => [
    path,
    JSON.parse(bundleText(await bundleOf(path, '.'))),
  ]);
  write(
    join(cwd, 'contracts.json'),
    JSON.stringify(Object.fromEntries(await Promise.all(bundles))),
  );
  cpSync('test/publishing/replies.js', join(cwd, 'worker.js'));
  cpSync(join(project, 'src/unused.ts'), join(cwd, 'src/unused.ts'));
  const configuration = readFileSync(join(project, 'wrangler.jsonc'), 'utf8');
  write(join(cwd, 'wrangler.jsonc'), configuration.replace('src/worker.ts', 'worker.js'));
  bundle(cwd);
  const print = started('process.stdout.write(await (await worker.fetch()).text());');
  write(join(cwd, 'out/print.mjs'), print);
  const printed = (...flags: string[]) =>
    JSON.parse(run(cwd, process.execPath, ...flags, 'out/print.mjs'));
  const replies: unknown[][] = printed();
  expect(new Set(replies.map(([contract]) => contract)).size).toBe(paths.length);
  expect(replies.filter(([, , status]) => status === 200).length).toBeGreaterThan(60);
  expect(printed('--disallow-code-generation-from-strings')).toEqual(replies);
  for (const runtime of RUNTIMES.filter(isPresent)) {
    const others = await serving(runtime, cwd, async (url) => (await fetch(url)).json());
    expect([runtime[0], others]).toEqual([runtime[0], replies]);
  }
});

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
}

const JSON_TYPE = 'application/json';
const PROBLEM = 'application/problem+json';

/** Path, request -> status, media type, body or some of its members. */
function requests(): [string, Sent, number, string | null, string | object][] {
  const post = (body: string, headers = {}): Sent => ({
    ...{ method: 'POST', body, headers: { 'content-type': JSON_TYPE, ...headers } },
  });
  const exact = '{"id":9007199254740993,"name":"bear"}';
  const form = new FormData();
  form.set('id', '7');
  form.set('picture', new Blob([new Uint8Array(1000)], { type: 'image/png' }), 'a.png');
  return [
    ['/toys', post(exact), 201, JSON_TYPE, exact],
    ['/toys', post('{"id":1.5,"name":"A"}'), 400, PROBLEM, { errors: [{}, {}] }],
    ['/toys', post('{"id":1'), 400, PROBLEM, { status: 400 }],
    ['/toys', post('{"id":9223372036854775808,"name":"a"}'), 400, PROBLEM, { errors: [{}] }],
    ['/toys', post(exact, { authorization: 'Bearer x' }), 401, PROBLEM, { status: 401 }],
    ['/toys', post(exact, { 'content-type': 'text/plain' }), 415, PROBLEM, { status: 415 }],
    ['/toys', post(`"${'a'.repeat(1024 * 1024)}"`), 413, PROBLEM, { status: 413 }],
    ['/toys', {}, 405, PROBLEM, { status: 405 }],
    ['/nothing', {}, 404, PROBLEM, { status: 404 }],
    ['/toys', { method: 'OPTIONS' }, 204, null, ''],
    ['/toys/9007199254740993', {}, 200, JSON_TYPE, exact],
    ['/toys/9007199254740992', {}, 404, PROBLEM, { status: 404 }],
    ['/toys/9007199254740993?fields=name,id', {}, 200, JSON_TYPE, exact.replace('bear', 'nameid')],
    ['/toys/9007199254740993?fields=age', {}, 400, PROBLEM, { errors: [{}] }],
    ['/toys/1?unknown=1', {}, 400, PROBLEM, { errors: [{}] }],
    ['/lines', {}, 200, 'application/jsonl', `${exact}\n${exact}\n`],
    ['/events', {}, 200, 'text/event-stream', 'data: one\n\ndata: two\n\n'],
    ['/pictures', { method: 'POST', body: form }, 200, JSON_TYPE, '{"id":7,"size":1000}'],
    ['/hook', post('hello', { ...HOOK, 'content-type': 'text/plain' }), 200, 'text/plain', 'msg_1'],
    ['/hook', post('other', { ...HOOK, 'content-type': 'text/plain' }), 500, PROBLEM, {}],
  ];
}
