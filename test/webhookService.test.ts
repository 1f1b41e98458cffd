// The service of test/support/webhookService.md in a project of `init`.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ServiceProcess, spawnScript } from '@stubwright/test-support/serviceProcess';
import { verifyWebhook } from '@stubwright/webhooks';
import { filesOf } from '../docs/examples.ts';
import { newProject } from '../packages/cli/src/project/newProject.ts';
import { replaceFiles } from '../packages/cli/src/project/writeFiles.ts';
import { temporaryFolder } from './support/service.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const folder = temporaryFolder();
const project = join(folder.path, 'toys');
const received: string[] = [];
let receiver: Server;
let services: ServiceProcess[] = [];
let urls: string[];

beforeAll(async () => {
  receiver = createServer(async (req, res) => {
    const body = await text(req);
    verifyWebhook({ headers: req.headers, body, secrets: [SECRET] });
    received.push(body);
    res.writeHead(204).end();
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const page = filesOf('test/support/webhookService.md');
  const contract = join(folder.path, 'openapi.yaml');
  writeFileSync(contract, page.get('openapi.yaml')!);
  const { files } = await newProject(contract, project);
  replaceFiles(files, { cwd: project });
  for (const [path, content] of page) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  // Both create the tables of one database.
  services = [0, 1].map(() =>
    spawnScript(join(project, 'src/main.ts'), {
      ...{ CONTRACT: join(project, 'generated/contract.json'), NODE_ENV: 'production' },
      ...{ DATABASE: join(project, 'toys.db'), WEBHOOK_SECRET: SECRET, WEBHOOK_ADDRESSES: 'any' },
    }),
  );
  urls = await Promise.all(services.map(({ url }) => url));
});
afterAll(async () => {
  for (const { child } of services) child.kill();
  await Promise.all(services.map(({ exited }) => exited));
  receiver?.close();
  folder.remove();
});

it('compiles', () => {
  const { stdout } = spawnSync(
    process.execPath,
    [resolve('node_modules/typescript/bin/tsc'), '-p', project],
    { encoding: 'utf8' },
  );
  expect(stdout).toBe('');
});

it('sends a webhook for each toy that is sold, once, from two instances', async () => {
  const notify = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const sell = (id: bigint, at: number) =>
    fetch(`${urls[at % urls.length]}/sales`, {
      ...{ method: 'POST', headers: { 'Content-Type': 'application/json' } },
      body: `{"id":${id},"notify":${JSON.stringify(notify)}}`,
    });
  const ids = Array.from({ length: 20 }, (_, at) => 2n ** 62n + BigInt(at));
  // Each toy is sold twice, at the same time.
  const answers = await Promise.all([...ids, ...ids.toReversed()].map(sell));
  const statuses = Map.groupBy(answers, ({ status }) => status);
  expect([...statuses].map(([status, { length }]) => [status, length]).sort()).toEqual([
    [204, 20],
    [409, 20],
  ]);
  while (received.length < ids.length) await new Promise((next) => setTimeout(next, 5));
  for (const { child } of services) child.kill();
  expect((await Promise.all(services.map(({ exited }) => exited))).map(({ code }) => code)).toEqual(
    [0, 0],
  );
  expect(received.sort()).toEqual(ids.map((id) => `{"id":${id}}`));
});
