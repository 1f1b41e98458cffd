// What `stubwright proxy --record` writes.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { startCommand } from '../support/command.ts';
import { CONTRACT, testProxies, type Upstream } from '../support/proxied.ts';

const { startUpstream } = testProxies();

const READY = /^proxy {2}(\S+) -> /m;

let folder: TemporaryFolder;
let upstream: Upstream;
beforeEach(async () => {
  folder = temporaryFolder();
  upstream = await startUpstream();
});
afterEach(() => folder.remove());

it('counts served and refused requests, without values', async () => {
  const contract = join(folder.path, 'openapi.yaml');
  writeFileSync(contract, CONTRACT);
  const file = resolve(folder.path, 'traffic.jsonl');
  const record = ['--record', file, '--caller', 'X-App'];
  const args = ['proxy', contract, upstream.url.href, '--port', '0', ...record];
  const command = await startCommand(args, READY);
  const send = async (body: string) => {
    const headers = {
      'Content-Type': 'application/json',
      'X-App': 'web',
      Authorization: 'Bearer hunter2',
    };
    await (await fetch(`${command.url}/v1/items`, { method: 'POST', headers, body })).text();
  };
  await send('{"id":9007199254740991,"name":"a"}');
  await send('{"id":"one"}');
  expect(await command.stop()).toBe(1);
  const [name = ''] = readdirSync(folder.path).filter((each) => each.endsWith('.jsonl'));
  const text = readFileSync(join(folder.path, name), 'utf8');
  expect(text).not.toContain('hunter2');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { caller: 'web', operation: 'POST /items', requests: 2, valid: 1, responses: { 200: 2 } },
  ]);
});

const SECRET = 'hunter2';
const TOY = `openapi: 3.1.0
info: {title: Toys, version: '1'}
paths:
  /v1/items:
    post:
      operationId: storeItem
      parameters:
        - {name: pin, in: query, schema: {type: integer, format: password}}
        - {name: size, in: query, schema: {type: integer}}
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties: {password: {type: string, format: password, minLength: 20}, name: {type: integer}}
              additionalProperties: false
      responses: {default: {description: ok, content: {'*/*': {}}}}
`;

it.each([
  ['?access_token=hunter2', {}, 'query parameter access_token is not declared'],
  ['?pin=hunter2', {}, 'query parameter pin expected integer'],
  ['', { token: SECRET }, 'body /token is not declared'],
  ['', { password: SECRET }, 'body /password expected to NOT have fewer than 20'],
  ['', { password: { value: SECRET } }, 'body /password expected string'],
  ['', [{ password: SECRET }], 'body expected object'],
  ['', SECRET, 'body expected object'],
  ['?size=hunter1', { name: 'Bear' }, 'query parameter size expected integer, got "hunter1"'],
])('logs of %s %j have no secret', async (query, body, line) => {
  const contract = join(folder.path, 'openapi.yaml');
  writeFileSync(contract, TOY);
  const command = await startCommand(['proxy', contract, upstream.url.href, '--port', '0'], READY);
  const headers = { 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  await (await fetch(`${command.url}/v1/items${query}`, init)).text();
  await command.stop();
  const text = command.output.out + command.output.err;
  expect(text).toContain(line);
  expect(text).not.toContain(SECRET);
});
