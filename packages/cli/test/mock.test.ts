// `stubwright mock`: in this process, its signals in a process of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { isTestAll } from '@stubwright/test-support/testAll';
import { type RunningCommand, runCommand, startCommand, startProcess } from './support/command.ts';

const READY = /^mock {2}(\S+)$/m;

const OPERATIONS = 60;
const examples = {
  small: { value: { size: 1, label: 'the small box' } },
  large: { value: { size: 9, label: 'the large box' } },
};
const Box = {
  type: 'object',
  required: ['size', 'label'],
  properties: {
    size: { type: 'integer', format: 'int64', minimum: 0, example: 4 },
    label: { type: 'string', minLength: 12, example: 'by the schema' },
  },
};
const ok = { description: 'a box', content: { 'application/json': { schema: Box, examples } } };
const CONTRACT = {
  openapi: '3.0.3',
  info: { title: 'Boxes', version: '1.0.0' },
  servers: [{ url: 'https://example.com/v1' }],
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
  paths: {
    '/box': {
      get: {
        operationId: 'getBox',
        responses: {
          200: ok,
          404: {
            description: 'none',
            content: { 'application/json': { example: { reason: 'no box' } } },
          },
        },
      },
    },
    '/declared': {
      get: {
        operationId: 'declared',
        parameters: [{ name: '__code', in: 'query', schema: { type: 'integer' } }],
        responses: { 200: ok, 404: { description: 'none' } },
      },
    },
    '/secret': {
      get: { operationId: 'secret', security: [{ key: [] }], responses: { 200: ok } },
    },
    ...Object.fromEntries(
      Array.from({ length: OPERATIONS }, (_, at) => [
        `/more/${at}`,
        { get: { operationId: `more${at}`, responses: { 204: { description: 'none' } } } },
      ]),
    ),
  },
};

let folder: TemporaryFolder;
let contract: string;
beforeAll(() => {
  folder = temporaryFolder();
  contract = join(folder.path, 'boxes.json');
  writeFileSync(contract, JSON.stringify(CONTRACT));
});
afterAll(() => folder.remove());

/** In a folder without packages, as with npx. */
const start = (...args: string[]) =>
  startCommand(['mock', contract, '--port', '0', ...args], READY, { cwd: folder.path });

describe('stubwright mock', () => {
  let mock: RunningCommand;
  beforeAll(async () => {
    mock = await start();
  });
  afterAll(() => mock.stop());
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(mock.url + path, { headers });

  it('lists the first operations with method and URL, and the number of the others', () => {
    const { origin } = new URL(mock.url);
    const lines = mock.output.out.split('\n');
    expect(mock.url).toBe(`${origin}/v1`);
    expect(lines[0]).toBe(`GET  ${origin}/v1/box`);
    expect(lines[50]).toBe('and 13 more operations');
    expect(mock.output.out).toContain(`\ndocs  ${mock.url}/docs\n`);
    expect(mock.output.out).toContain(`curl ${mock.url}/secret -H`);
  });

  it.each([
    ['/box', {}, 200, { size: 1, label: 'the small box' }],
    ['/box?__example=large', {}, 200, { size: 9, label: 'the large box' }],
    ['/box?__example=%6Carge', {}, 200, { size: 9, label: 'the large box' }],
    ['/box?__code=404', {}, 404, { reason: 'no box' }],
    ['/box?__code=404', { Prefer: 'code=200' }, 200, { size: 1, label: 'the small box' }],
    ['/box', { Prefer: 'example=large' }, 200, { size: 9, label: 'the large box' }],
    ['/box?__dynamic=false', {}, 200, { size: 1, label: 'the small box' }],
    ['/box?__example=none', {}, 404, { detail: expect.stringContaining('small, large') }],
    ['/box?__code=418', {}, 404, { detail: expect.stringContaining('200, 404') }],
    ['/box?__other=1', {}, 400, { detail: expect.stringContaining('__other is not declared') }],
    ['/declared?__code=404', {}, 200, { size: 1, label: 'the small box' }],
    ['/secret', {}, 401, { detail: 'expected credentials' }],
    ['/secret', { 'X-Key': 'any' }, 200, { size: 1, label: 'the small box' }],
    ['/none', {}, 404, { detail: 'no such path' }],
  ])('responds to %s %j with %i', async (path, headers, status, body) => {
    const response = await get(path, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(body);
  });

  it('generates new valid bodies for __dynamic', async () => {
    const bodies = await Promise.all(
      Array.from({ length: 5 }, async () => (await get('/box?__dynamic=true')).text()),
    );
    expect(new Set(bodies).size).toBeGreaterThan(1);
    for (const body of bodies) {
      const { size, label } = JSON.parse(body);
      expect(size).toBeGreaterThanOrEqual(0);
      expect(label.length).toBeGreaterThanOrEqual(12);
      expect(label).not.toBe('by the schema');
    }
  });

  it('allows CORS from any origin', async () => {
    const response = await get('/box', { Origin: 'https://app.example' });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example');
  });

  it('rejects a port in use with one line', async () => {
    const { port } = new URL(mock.url);
    const { status, out, err } = await runCommand(['mock', contract, '--port', port]);
    expect({ status, out, err }).toEqual({
      status: 2,
      out: '',
      err: `stubwright: --port: got ${port}, which is in use, expected a free port\n`,
    });
  });
});

describe('stubwright mock --dynamic', () => {
  async function bodiesOf(...args: string[]): Promise<string[]> {
    const mock = await start('--dynamic', ...args);
    const bodies: string[] = [];
    for (let count = 0; count < 6; count++)
      bodies.push(await (await fetch(`${mock.url}/box`)).text());
    await mock.stop();
    return bodies;
  }

  it('repeats the sequence of bodies of a seed', async () => {
    const [first, again, other] = await Promise.all([
      bodiesOf('--seed', '7'),
      bodiesOf('--seed', '7'),
      bodiesOf('--seed', '8'),
    ]);
    expect(new Set(first).size).toBeGreaterThan(1);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });
});

it('delays and fails replies on demand', async () => {
  const mock = await start('--delay', '20-30', '--error-rate', '1');
  const startedAt = performance.now();
  const response = await fetch(`${mock.url}/box`);
  expect(performance.now() - startedAt).toBeGreaterThan(18);
  expect([response.status, await response.json()]).toEqual([
    503,
    expect.objectContaining({ detail: 'an error that the mock simulates' }),
  ]);
  await mock.stop();
});

it('acts once for each idempotency key, also when the contract is saved', async () => {
  const content = { 'application/json': { schema: Box } };
  const key = { 'x-idempotency': { ttl: '1h' }, schema: { type: 'string' } };
  const create = {
    parameters: [{ name: 'Idempotency-Key', in: 'header', required: true, ...key }],
    requestBody: { content },
    responses: { 201: { description: 'a box', content } },
  };
  const list = { type: 'array', items: Box };
  const listed = { description: 'boxes', content: { 'application/json': { schema: list } } };
  const get = { responses: { 200: listed } };
  const own = join(folder.path, 'keys.json');
  const text = JSON.stringify({ ...CONTRACT, paths: { '/boxes': { get, post: create } } });
  writeFileSync(own, text);
  const args = ['mock', own, '--port', '0', '--stateful'];
  const mock = await startCommand(args, READY, { cwd: folder.path });
  const post = async (key: string | undefined, label: string) => {
    const headers = { 'Content-Type': 'application/json', ...(key && { 'Idempotency-Key': key }) };
    const body = JSON.stringify({ size: 3, label });
    return (await fetch(`${mock.url}/boxes`, { method: 'POST', headers, body })).status;
  };
  const statuses = [await post('a', 'the first box'), await post('a', 'the first box')];
  writeFileSync(own, text.replace('Boxes', 'Saved boxes'));
  await until(() => /keys\.json served in/.test(mock.output.out));
  statuses.push(await post('a', 'the first box'), await post('a', 'the other box'));
  statuses.push(await post(undefined, 'the first box'), await post('b', 'the other box'));
  const boxes = await (await fetch(`${mock.url}/boxes`)).json();
  await mock.stop();
  expect(statuses).toEqual([201, 201, 201, 422, 400, 201]);
  expect(boxes).toMatchObject([{ label: 'the first box' }, { label: 'the other box' }]);
});

it('--stateful keeps what was created, also when the contract is saved', async () => {
  const content = { 'application/json': { schema: { type: 'array', items: Box } } };
  const one = { 'application/json': { schema: Box } };
  const list = { responses: { 200: { description: 'boxes', content } } };
  const create = {
    requestBody: { content: one },
    responses: { 201: { description: 'a box', content: one } },
  };
  const own = join(folder.path, 'stateful.json');
  const text = JSON.stringify({ ...CONTRACT, paths: { '/boxes': { get: list, post: create } } });
  writeFileSync(own, text);
  const args = ['mock', own, '--port', '0', '--stateful'];
  const mock = await startCommand(args, READY, { cwd: folder.path });
  const box = { size: 3, label: 'the created box' };
  const headers = { 'Content-Type': 'application/json' };
  await fetch(`${mock.url}/boxes`, { method: 'POST', headers, body: JSON.stringify(box) });
  const boxes = async () => (await fetch(`${mock.url}/boxes`)).json();
  expect(await boxes()).toEqual([box]);
  writeFileSync(own, `${text} `);
  await until(() => /stateful\.json served in/.test(mock.output.out));
  expect(await boxes()).toEqual([box]);
  await mock.stop();
});

describe('a saved contract', () => {
  const saved = (change: object) => JSON.stringify({ ...CONTRACT, ...change });
  const operation = { get: { operationId: 'added', responses: { 204: { description: 'none' } } } };

  it('is served at once; one with errors is reported, and the last good version stays', async () => {
    const own = join(folder.path, 'saved.json');
    writeFileSync(own, saved({}));
    const mock = await startCommand(['mock', own, '--port', '0'], READY, { cwd: folder.path });
    const statusOf = async (path: string) => (await fetch(mock.url + path)).status;
    expect(await statusOf('/added')).toBe(404);
    writeFileSync(own, saved({ paths: { '/added': operation } }));
    await until(() => /saved\.json served in/.test(mock.output.out));
    expect([await statusOf('/added'), await statusOf('/box')]).toEqual([204, 404]);
    writeFileSync(own, '{');
    await until(() => /saved\.json cannot be served/.test(mock.output.err));
    expect(await statusOf('/added')).toBe(204);
    writeFileSync(own, saved({}));
    await until(() => mock.output.out.match(/served in/g)?.length === 2);
    expect([await statusOf('/added'), await statusOf('/box')]).toEqual([404, 200]);
    expect(await mock.stop()).toBe(0);
  });
});

async function until(isDone: () => boolean): Promise<void> {
  for (let tries = 0; tries < 2_000 && !isDone(); tries++) await setTimeout(10);
  expect(isDone()).toBe(true);
}

it.each(isTestAll ? (['SIGINT', 'SIGTERM'] as const) : (['SIGINT'] as const))(
  'stubwright mock ends with 0 at %s',
  async (signal) => {
    const args = ['mock', contract, '--port', '0'];
    const mock = await startProcess(args, READY, { cwd: folder.path });
    expect((await fetch(`${mock.url}/box`)).status).toBe(200);
    expect(await mock.stop(signal)).toBe(0);
    expect(mock.output.err).toBe('');
  },
);

it('listens on a host that others can reach, without tokens', async () => {
  const mock = await start('--host', '0.0.0.0');
  const { port } = new URL(mock.url);
  expect((await fetch(`http://127.0.0.1:${port}/v1/box`)).status).toBe(200);
  await mock.stop();
});

it.each([
  [
    ['no-such-file.yaml'],
    'no-such-file.yaml:1:1  cannot be read: there is no such file  expected a contract',
  ],
  [['--port', 'x'], '--port: got "x", expected an integer from 0 to 65535'],
  [['--delay', '5-1'], '--delay: got "1", expected an integer from 5 to 600000'],
  [['--delay', '1s'], '--delay: got "1s", expected an integer from 0 to 600000'],
  [['--error-rate', '2'], '--error-rate: got "2", expected a number from 0 to 1'],
  [
    ['--host', '203.0.113.9'],
    '--host: got "203.0.113.9" (EADDRNOTAVAIL), expected an address of this machine',
  ],
])('stubwright mock %j fails with one line', async (args, message) => {
  const all = args[0]!.startsWith('--') ? [contract, ...args] : args;
  const { status, out, err } = await runCommand(['mock', ...all]);
  expect({ status, out, err }).toEqual({ status: 2, out: '', err: `stubwright: ${message}\n` });
});
