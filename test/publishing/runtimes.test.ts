// The published packages in the project of `init --target workers`: its bundle in workerd, Deno and Bun.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@stubwright/test-support/freePort';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
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
      responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}}
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

/** The part of esbuild's result that is used. */
interface Bundled {
  readonly metafile: {
    readonly inputs: Readonly<Record<string, unknown>>;
    readonly outputs: Readonly<
      Record<string, { readonly imports: { readonly path: string; readonly external?: boolean }[] }>
    >;
  };
}

const folder = temporaryFolder();
const project = join(folder.path, 'toys');
const tool = (name: string) => resolve('test/publishing/node_modules/.bin', name);
const entry = join(project, 'src/worker.ts');

/** As wrangler bundles a Worker: with the aliases of its configuration. */
async function bundle(outfile: string): Promise<Bundled> {
  const { build } = await import(resolve('test/publishing/node_modules/esbuild/lib/main.js'));
  const text = readFileSync(join(project, 'wrangler.jsonc'), 'utf8');
  const { alias, compatibility_date } = JSON.parse(text.replaceAll(/^ *\/\/.*$/gm, ''));
  expect(compatibility_date).toMatch(/^\d{4}-\d\d-\d\d$/);
  return build({
    ...{ entryPoints: [entry], outfile, bundle: true, minify: true, metafile: true },
    ...{ format: 'esm', platform: 'node', mainFields: ['module', 'main'] },
    conditions: ['workerd', 'worker'],
    alias: Object.fromEntries(
      Object.entries<string>(alias).map(([name, path]) => [name, join(project, path)]),
    ),
    // CommonJS packages call it for modules of Node.
    banner: {
      js: "import{createRequire as requireOf}from'node:module';const require=requireOf('/');",
    },
  });
}

beforeAll(async () => {
  install(folder.path, ['@stubwright/cli', 'stubwright']);
  writeFileSync(join(folder.path, 'toys.yaml'), CONTRACT);
  execFileSync(
    join(folder.path, 'node_modules/.bin/stubwright'),
    ['init', 'toys.yaml', project, '--target', 'workers'],
    { cwd: folder.path, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const signature = await import(resolve('packages/webhooks/src/signature.ts'));
  const signed = signature.signatureHeaders(
    { id: HOOK['webhook-id'], body: 'hello' },
    [SECRET],
    new Date(1_700_000_000_000),
  );
  Object.assign(HOOK, signed);
});
afterAll(() => folder.remove());

it('is typed, and its test of the Worker passes on Node', () => {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: project, encoding: 'utf8', env: nodeEnv() });
  run('npx', 'tsc', '--noEmit');
  expect(run(process.execPath, '--test', 'test/worker.test.ts')).toContain('pass 1');
});

it('bundles into at most 250 kB, without Koa, tracing and polyfills', async () => {
  const { metafile } = await bundle(join(folder.path, 'small.mjs'));
  const inputs = Object.keys(metafile.inputs);
  expect(
    inputs.filter((path) => /node_modules\/(?:@opentelemetry|koa|pino|prom-client)\b/.test(path)),
  ).toEqual([]);
  const [output] = Object.values(metafile.outputs);
  const external = output!.imports.filter(({ external }) => external).map(({ path }) => path);
  expect(external.filter((path) => !/^(?:node:|util$)/.test(path))).toEqual([]);
  const bytes = readFileSync(join(folder.path, 'small.mjs'));
  expect(gzipSync(bytes, { level: 9 }).length).toBeLessThan(MAX_GZIP_BYTES);
});

function nodeEnv(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' };
}

const WORKERD = (port: number) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
  bindings = [(name = "API_TOKEN", text = "${TOKEN}")],
  compatibilityDate = "2026-08-04",
);
`;
const ENV = JSON.stringify({ API_TOKEN: TOKEN });
const START = (serve: string) => `import worker from './worker.mjs';\n${serve}\n`;

/** The program of each runtime for a port, and its arguments. */
const RUNTIMES = [
  ['workerd', 'workerd.capnp', WORKERD, ['serve']],
  [
    'deno',
    'deno.mjs',
    (port: number) =>
      START(
        `Deno.serve({ hostname: '127.0.0.1', port: ${port} }, (request) => worker.fetch(request, ${ENV}));`,
      ),
    ['run', '--allow-all', '--no-config'],
  ],
  [
    'bun',
    'bun.mjs',
    (port: number) =>
      START(
        `Bun.serve({ hostname: '127.0.0.1', port: ${port}, fetch: (request) => worker.fetch(request, ${ENV}) });`,
      ),
    ['run'],
  ],
] as const;

describe.each(RUNTIMES)('%s', (name, file, program, args) => {
  const isPresent = spawnSync(tool(name), ['--version']).status === 0;
  if (!isPresent)
    process.stderr.write(`SKIPPED: test/publishing/runtimes.test.ts found no ${name}\n`);
  const itRuns = isPresent ? it : it.skip;

  itRuns('responds as Node: exact integers, errors, streams, forms, signatures', async () => {
    writeFileSync(join(project, 'src/handlers/index.ts'), `// @ts-nocheck\n${HANDLERS}`);
    await bundle(join(folder.path, 'worker.mjs'));
    const port = await freePort();
    writeFileSync(join(folder.path, file), program(port));
    const child = spawn(tool(name), [...args, file], {
      ...{ cwd: folder.path, stdio: ['ignore', 'ignore', 'inherit'] },
    });
    const ended = once(child, 'exit');
    try {
      const url = `http://127.0.0.1:${port}/v1`;
      await Promise.race([
        responding(url),
        ended.then(([code]) => Promise.reject(new Error(`${name} ended with ${code}`))),
      ]);
      for (const [path, init, status, type, body] of requests()) {
        const headers = { authorization: `Bearer ${TOKEN}`, ...init.headers };
        const response = await fetch(url + path, { ...init, headers });
        const text = await response.text();
        expect([path, response.status, response.headers.get('content-type')]).toEqual([
          ...[path, status, type],
        ]);
        if (typeof body === 'string') expect(text).toBe(body);
        else expect(JSON.parse(text)).toMatchObject(body);
      }
    } finally {
      child.kill();
      await ended;
    }
  });
});

async function responding(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response !== undefined) return;
    await new Promise((next) => setTimeout(next, 20));
  }
}

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
