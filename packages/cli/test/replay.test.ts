// `stubwright replay`: the requests of released contracts, sent to a service.
import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadContractFiles } from '../src/loading/load.ts';
import { conversationsOf } from '../src/release/conversations.ts';
import { replayReleases } from '../src/replay/replay.ts';
import { type Served, served } from './support/clientProject.ts';
import { createToyProject, type ToyProject } from './support/toyProject.ts';

let project: ToyProject;
let respond: (request: IncomingMessage) => { status?: number; body: unknown };
let service: Served;

beforeEach(async () => {
  project = createToyProject();
  respond = () => ({ body: { name: 'Teddy bear', tag: 'soft', more: 1 } });
  service = await served((request, response) => {
    const { status = 200, body } = respond(request);
    request.resume();
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
});
afterEach(() => {
  project.remove();
  service.close();
});

const change = (from: string, to: string) =>
  project.write('openapi.yaml', project.read('openapi.yaml').replace(from, to));
const OK = '1 release, 1 conversation, 0 failed\n';
const REQUESTS = 'test/released/1.0.0.requests.json';

/** Replaces the recorded conversation. */
function record(parts: object): void {
  const [conversation] = JSON.parse(project.read(REQUESTS));
  project.write(REQUESTS, JSON.stringify([{ ...conversation, ...parts }]));
}

describe('stubwright replay URL', () => {
  it('sends the recorded requests, and allows properties that later versions add', async () => {
    expect(await project.run('replay', service.url)).toEqual({ status: 0, out: OK, err: '' });
    expect(service.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /toys',
      'GET /toys/1',
    ]);
  });

  it('reports the violated location in the released and in the current contract', async () => {
    respond = () => ({ body: { name: 5 } });
    change('paths:', 'x-line: 1\npaths:');
    const { status, out } = await project.run('replay', service.url);
    expect(status).toBe(1);
    expect(out).toBe(`1.0.0 a new toy: /name expected string
  curl -i -X POST ${service.url}/toys -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' --data-raw '{"id":1,"name":"Teddy bear"}'
  response  200 {"name":5}
  released  test/released/1.0.0.yaml:141:9
  current   openapi.yaml:142:9
1.0.0 a new toy: /name expected string
  curl -i -X GET ${service.url}/toys/1 -H 'Authorization: Bearer TOKEN'
  response  200 {"name":5}
  released  test/released/1.0.0.yaml:141:9
  current   openapi.yaml:142:9
1 release, 1 conversation, 1 failed
`);
  });

  it('sends requests below the servers of the released contract, or the path of the URL', async () => {
    const released = 'test/released/1.0.0.yaml';
    project.write(released, project.read(released).replace('- url: /', '- url: /v1'));
    await project.run('replay', service.url);
    await project.run('replay', `${service.url}/base/`);
    expect(service.seen.map((each) => each.url)).toEqual([
      ...['/v1/toys', '/v1/toys/1', '/base/toys', '/base/toys/1'],
    ]);
  });

  it('fails on a request that the service no longer accepts', async () => {
    respond = () => ({ status: 400, body: { error: 1, message: 'no' } });
    const { status, out } = await project.run('replay', service.url);
    expect(status).toBe(1);
    expect(out).toContain('1.0.0 a new toy: status expected 200, as when the version was released');
  });

  it('allows a status that depends on stored data, unless the operation is gone', async () => {
    respond = ({ method }) =>
      method === 'GET'
        ? { status: 404, body: { error: 1, message: 'no' } }
        : { body: { name: 'Teddy bear' } };
    expect((await project.run('replay', service.url)).status).toBe(0);
    change(
      '/toys/{id}:\n    get:\n      operationId: getToy',
      '/all/{id}:\n    get:\n      operationId: all',
    );
    expect(await project.run('replay', service.url)).toMatchObject({
      status: 1,
      out: expect.stringContaining('current   no such operation'),
    });
  });

  it('sends credentials only where some were recorded, and does not print them', async () => {
    record({
      requests: [
        { operationId: 'getToy', method: 'get', path: '/toys/1', headers: {}, status: 200 },
        {
          operationId: 'getToy',
          method: 'get',
          path: '/toys/{id}',
          params: { path: { id: 7 } },
          headers: { Authorization: 'Bearer TOKEN' },
          status: 200,
        },
      ],
    });
    respond = () => ({ body: {} });
    const credentials = ['--header', 'Authorization: Bearer secret', '--header', 'X-Caller: me'];
    const { out } = await project.run('replay', service.url, ...credentials);
    expect(
      service.seen.map(({ url, headers }) => [url, headers.authorization, headers['x-caller']]),
    ).toEqual([
      ['/toys/1', undefined, 'me'],
      ['/toys/7', 'Bearer secret', 'me'],
    ]);
    expect(out).not.toContain('secret');
    service.seen.length = 0;
    await project.run('replay', service.url, '--token', 'other');
    expect(service.seen.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer other',
    ]);
  });

  it.each(['/steal', '@evil.test/', '.evil.test/', '#/../', '\\\\evil.test/'])(
    'sends no credentials to another host for the path DIGIT%s',
    async (rest) => {
      const port = Number(new URL(service.url).port);
      // The server is at the port that the digit completes.
      const other = `http://127.0.0.1:${Math.floor(port / 10)}`;
      const path = `${port % 10}${rest}`;
      record({
        requests: [
          {
            operationId: 'getToy',
            ...{ method: 'get', path, headers: { Authorization: 'Bearer TOKEN' }, status: 200 },
          },
        ],
      });
      for (const options of [[], ['--header', 'Authorization: Bearer secret']]) {
        const args = ['--token', 'secret', ...options];
        const { status, err } = await project.run('replay', other, ...args);
        expect(err).toBe(
          `stubwright: the requests of the release: got the path ${JSON.stringify(path)} of getToy, expected a path at ${other}\n`,
        );
        expect(status).toBe(2);
      }
      expect(service.seen).toEqual([]);
    },
  );

  it.each([
    ['json', '"passed": false'],
    ['github', '::error file=openapi.yaml,line=141,col=9,title=replay-response::1.0.0 a new toy'],
    ['sarif', '"ruleId": "replay-response"'],
    ['junit', '<failure type="replay-response"'],
  ])('writes failures as %s', async (format, text) => {
    respond = () => ({ body: { name: 5 } });
    const { status, out } = await project.run('replay', service.url, '--format', format);
    expect(status).toBe(1);
    expect(out).toContain(text);
  });
});

it('exits with 2 without a service', async () => {
  expect(await project.run('replay')).toMatchObject({
    status: 2,
    err: 'stubwright: src/service.ts: not found, expected it, or the URL of a running service\n',
  });
});

it('exits with 2 for a service that cannot be reached', async () => {
  service.close();
  const { status, err } = await project.run('replay', service.url);
  expect(err).toBe(
    `stubwright: URL: got ${service.url} (ECONNREFUSED), expected a service that responds\n`,
  );
  expect(status).toBe(2);
});

describe('stubwright replay of a stream', () => {
  const lines = (rest: string) => `openapi: 3.1.0
info: {title: Lines, version: 1.0.0}
paths:
  /lines:
    post:
      operationId: sendLines
      requestBody: {required: true, content: {application/x-ndjson: {x-item-schema: {$ref: '#/components/schemas/Line'}}}}
      responses: {'200': {description: ok, content: {application/x-ndjson: {x-item-schema: {$ref: '#/components/schemas/Line'}}}}}
components: {schemas: {Line: {type: object, required: [id], properties: {id: {type: integer${rest}}}}}}
`;
  it('validates the first 10 items of a response that never ends', async () => {
    project.write('openapi.yaml', lines(''));
    project.write('test/released/1.0.0.yaml', lines(''));
    const { definition } = await loadContractFiles(`${project.path}/openapi.yaml`);
    project.write(REQUESTS, JSON.stringify(await conversationsOf(definition)));
    let invalid = 10;
    const sent: string[] = [];
    const endless = await served(async (request, response) => {
      for await (const chunk of request) sent.push(String(chunk));
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      for (let at = 0; at < 100_000 && !response.destroyed; at++) {
        if (response.write(`{"id":${at < invalid ? at : '"x"'}}\n`)) continue;
        await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
      }
    });
    try {
      expect((await project.run('replay', endless.url)).out).toBe(OK);
      expect(sent.join('')).toMatch(/^(?:\{"id":\d+\}\n){2}$/);
      invalid = 2;
      const { status, out } = await project.run('replay', endless.url);
      expect(status).toBe(1);
      expect(out).toContain('1.0.0 sendLines as documented: /2/id expected integer');
      expect(out).toContain('response  200 {"id":0}\n{"id":1}\n{"id":"x"}');
      expect(out).toContain('released  test/released/1.0.0.yaml:9:');
    } finally {
      endless.close();
    }
  });
});

describe('stubwright replay', () => {
  it('starts src/service.ts for each conversation', async () => {
    project.write(
      'src/service.ts',
      'export const service = { env: {}, verifiers: (verify) => ({ bearerAuth: verify }) };\n',
    );
    project.write('package.json', '{ "type": "module" }');
    const env = { MOCK: 'all' };
    const { passed, report } = await replayReleases({ cwd: project.path, env });
    expect({ passed, report: `${report}\n` }).toEqual({ passed: true, report: OK });
  });

  it('writes to a new database, or to that of --database, never to a configured one', async () => {
    const configured = join(project.path, 'mine.db');
    project.write('mine.db', 'rows');
    project.write(
      'src/service.ts',
      `import { appendFileSync } from 'node:fs';
      import { readSettings } from '${pathToFileURL(resolve('packages/service/src/index.ts')).href}';
      export const service = {
        readSettings(env) {
          const file = env.DATABASE_URL.replace('sqlite:', '');
          appendFileSync(file, 'written');
          appendFileSync(${JSON.stringify(join(project.path, 'files'))}, file + ' ' + env.RECORD + '\\n');
          return readSettings(env);
        },
        verifiers: (verify) => ({ bearerAuth: verify }),
      };\n`,
    );
    project.write('package.json', '{ "type": "module" }');
    const record = join(project.path, 'traffic');
    const own = { cwd: project.path, env: { MOCK: 'all', RECORD: record } };
    const withUrl = (DATABASE_URL: string) => ({ ...own, env: { ...own.env, DATABASE_URL } });
    for (const options of [own, withUrl(`sqlite:${configured}`)]) {
      expect(await replayReleases(options)).toMatchObject({ passed: true });
    }
    const files = () => project.read('files').trim().split('\n');
    expect(new Set(files()).size).toBe(2);
    for (const line of files()) {
      expect(line).toMatch(/ undefined$/);
      expect(existsSync(dirname(line.split(' ')[0]!))).toBe(false);
    }
    expect(project.read('mine.db')).toBe('rows');
    expect(existsSync(record)).toBe(false);
    const postgres = withUrl('postgres://user:secret@127.0.0.1:1/mine');
    await expect(replayReleases(postgres)).rejects.toThrow(/^DATABASE_URL: replay writes to no /);
    expect(files()).toHaveLength(2);
    const database = `sqlite:${configured}`;
    expect(await replayReleases({ ...postgres, database })).toMatchObject({ passed: true });
    expect(project.read('mine.db')).toBe('rowswritten');
  });

  it('runs a situation that a module starts, and reports another as not run', async () => {
    record({ situation: 'full' });
    const not = await project.run('replay', service.url);
    expect(not).toMatchObject({
      status: 0,
      out: expect.stringMatching(/: not run: full\n.*1 not run/),
    });
    project.write(
      'situations.mjs',
      `export const startIn = async (situation) => situation === 'full' ? { url: '${service.url}', token: 't' } : undefined;`,
    );
    const { out } = await project.run('replay', service.url, '--situations', 'situations.mjs');
    expect(out).toBe(OK);
    expect(service.seen[0]!.headers.authorization).toBe('Bearer t');
  });

  it('has nothing to do without a release', async () => {
    const result = await replayReleases({ cwd: project.path, folder: 'none' });
    expect(result).toMatchObject({ passed: true, releases: [] });
  });
});
