// The projects of docs/examples/, with the published packages: one installation for all of them.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@stubwright/test-support/freePort';
import { startProcess } from '@stubwright/test-support/runningProcess';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { describeOrders } from '../support/ordersExample.ts';
import { install } from './install.ts';

const folder = temporaryFolder();
const names = readdirSync('docs/examples', { withFileTypes: true })
  .filter((each) => each.isDirectory())
  .map(({ name }) => name);

beforeAll(() => {
  for (const name of names) {
    cpSync(join('docs/examples', name), join(folder.path, name), {
      recursive: true,
      filter: (path) => !/node_modules|generated|\/client/.test(path.slice('docs/examples'.length)),
    });
  }
  const root = { private: true, workspaces: names };
  writeFileSync(join(folder.path, 'package.json'), JSON.stringify(root));
  install(folder.path, []);
});
afterAll(() => folder.remove());

it('are those of the frameworks, a chat, a shop, a page of React, and served versions', () => {
  expect(names).toEqual([
    'chat',
    'express',
    'fastify',
    'fetch',
    'hono',
    'koa',
    'orders',
    'react',
    'versions',
  ]);
});

describe.each(names)('the example of %s', (name) => {
  const cwd = join(folder.path, name);
  // test/chat.test.ts runs the chat, and test/reactPage.test.ts the page.
  const itsToys = ['chat', 'orders', 'react', 'versions'].includes(name) ? it.skip : it;

  itsToys('serves its contract and its own route, as its README says', async () => {
    const port = await freePort();
    await using server = startProcess(['npm', 'start'], {
      ...{ cwd, detached: true },
      env: { ...process.env, PORT: String(port), NODE_OPTIONS: '' },
    });
    const url = `http://127.0.0.1:${port}`;
    const health = await server.responding(`${url}/health`);
    expect(await health.text()).toBe('ok');
    const store = (body: string) =>
      fetch(`${url}/toys`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
    const toy = '{"id":9007199254740993,"name":"Teddy bear"}';
    expect((await store(toy)).status).toBe(201);
    expect((await store('{"id":1}')).status).toBe(400);
    expect(await (await fetch(`${url}/toys/9007199254740993`)).text()).toBe(toy);
    const missing = await fetch(`${url}/toys/9007199254740992`);
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ detail: 'no toy has the id 9007199254740992' });
    expect((await fetch(`${url}/nowhere`)).status).toBe(404);
  });

  it.each(name === 'versions' ? ['generate', 'check', 'test'] : ['generate', 'check'])(
    'passes npm run %s',
    (script) => {
      const { status, stdout, stderr } = spawnSync('npm', ['run', script], {
        cwd,
        encoding: 'utf8',
      });
      expect(status === 0 ? '' : stdout + stderr).toBe('');
    },
  );
});

describe('the example of orders', () => {
  describeOrders(() => join(folder.path, 'orders'));
});
