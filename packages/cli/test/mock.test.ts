// `stubwright mock`: in this process, its signals in a process of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { isTestAll } from '@stubwright/test-support/testAll';
import { type RunningCommand, runCommand, startCommand, startProcess } from './support/command.ts';

const READY = /^mock {2}(\S+)$/m;

const OPERATIONS = 60;
const more = Array.from(
  { length: OPERATIONS },
  (_, at) =>
    `  /more/${at}: { get: { operationId: more${at}, responses: { 204: { description: none } } } }`,
);
const CONTRACT = `openapi: 3.0.3
info: { title: Boxes, version: 1.0.0 }
servers: [{ url: 'https://example.com/v1' }]
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Box:
      type: object
      required: [size, label]
      properties:
        size: { type: integer, format: int64, minimum: 0, example: 4 }
        label: { type: string, minLength: 12, example: by the schema }
  responses:
    Box:
      description: a box
      content:
        application/json:
          schema: { $ref: '#/components/schemas/Box' }
          examples:
            small: { value: { size: 1, label: the small box } }
            large: { value: { size: 9, label: the large box } }
paths:
  /box:
    get:
      operationId: getBox
      responses:
        200: { $ref: '#/components/responses/Box' }
        404: { description: none, content: { application/json: { example: { reason: no box } } } }
  /declared:
    get:
      operationId: declared
      parameters: [{ name: __code, in: query, schema: { type: integer } }]
      responses: { 200: { $ref: '#/components/responses/Box' }, 404: { description: none } }
  /secret:
    get: { operationId: secret, security: [{ key: [] }], responses: { 200: { $ref: '#/components/responses/Box' } } }
${more.join('\n')}
`;
/** @returns the contract with other paths */
const withPaths = (paths: string) => CONTRACT.replace(/^paths:\n.*/ms, `paths:\n${paths}`);

const folder = temporaryFolder();
const contract = join(folder.path, 'boxes.yaml');
writeFileSync(contract, CONTRACT);
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

it('replies to requests that violate the contract, with --no-validation', async () => {
  const mock = await start('--no-validation');
  const { status } = await fetch(`${mock.url}/box?unknown=1`);
  expect(status).toBe(200);
  await mock.stop();
});

it('with --stateful keeps what was created, and acts once for each idempotency key, also after a save', async () => {
  const box = "$ref: '#/components/schemas/Box'";
  const json = (schema: string) => `content: { application/json: { schema: ${schema} } }`;
  const key = 'name: Idempotency-Key, in: header, required: true, x-idempotency: { ttl: 1h }';
  const text = withPaths(`  /boxes:
    get: { responses: { 200: { description: boxes, ${json(`{ type: array, items: { ${box} } }`)} } } }
    post:
      parameters: [{ ${key}, schema: { type: string } }]
      requestBody: { ${json(`{ ${box} }`)} }
      responses: { 201: { description: a box, ${json(`{ ${box} }`)} } }
`);
  const own = join(folder.path, 'shelf.yaml');
  writeFileSync(own, text);
  const args = ['mock', own, '--port', '0', '--stateful'];
  const mock = await startCommand(args, READY, { cwd: folder.path });
  const boxes = `${mock.url}/boxes`;
  const post = async (label: string, key?: string) => {
    const headers = { 'Content-Type': 'application/json', ...(key && { 'Idempotency-Key': key }) };
    const body = JSON.stringify({ size: 3, label });
    return (await fetch(boxes, { method: 'POST', headers, body })).status;
  };
  const statuses = [await post('the first box', 'a'), await post('the first box', 'a')];
  writeFileSync(own, text.replace('Boxes', 'Saved boxes'));
  await until(() => /shelf\.yaml served in/.test(mock.output.out));
  statuses.push(await post('the first box', 'a'), await post('the other box', 'a'));
  statuses.push(await post('the first box'), await post('the other box', 'b'));
  expect(statuses).toEqual([201, 201, 201, 422, 400, 201]);
  expect(await (await fetch(boxes)).json()).toEqual([
    { size: 3, label: 'the first box' },
    { size: 3, label: 'the other box' },
  ]);
  await mock.stop();
});

describe('a saved contract', () => {
  it('is served at once; one with errors is reported, and the last good version stays', async () => {
    const own = join(folder.path, 'saved.yaml');
    writeFileSync(own, CONTRACT);
    const mock = await startCommand(['mock', own, '--port', '0'], READY, { cwd: folder.path });
    const statusOf = async (path: string) => (await fetch(mock.url + path)).status;
    expect(await statusOf('/added')).toBe(404);
    const added = '{ get: { operationId: added, responses: { 204: { description: none } } } }';
    writeFileSync(own, withPaths(`  /added: ${added}\n`));
    await until(() => /saved\.yaml served in/.test(mock.output.out));
    expect([await statusOf('/added'), await statusOf('/box')]).toEqual([204, 404]);
    writeFileSync(own, '{');
    await until(() => /saved\.yaml cannot be served/.test(mock.output.err));
    expect(await statusOf('/added')).toBe(204);
    writeFileSync(own, CONTRACT);
    await until(() => mock.output.out.match(/served in/g)?.length === 2);
    expect([await statusOf('/added'), await statusOf('/box')]).toEqual([404, 200]);
    expect(await mock.stop()).toBe(0);
    await expect(fetch(mock.url)).rejects.toThrow('fetch failed');
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
