// The examples of docs/stubwright/frameworks.md, with the frameworks of docs/site/package.json.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { writeExample } from '../../docs/examples.ts';

/** The packages of the site resolve from here, and those of the project. */
const FOLDER = resolve('docs/site/build/examples');

/** Starts each framework, and prints `[name, statuses and bodies]`. */
const SCRIPT = `
import { createServer } from 'node:http';

const TOY = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"id":9007199254740993}' };
const REQUESTS = [['/toys', TOY], ['/toys', { ...TOY, body: '{"id":"1"}' }], ['/health'], ['/nowhere']];

async function answers(send) {
  const all = [];
  for (const [path, init] of REQUESTS) {
    const response = await send(path, init);
    const text = await response.text();
    all.push(path === '/health' || response.status === 201 ? response.status + ' ' + text : response.status);
  }
  return all;
}
const overHttp = (port) => answers((path, init) => fetch('http://127.0.0.1:' + port + path, init));
const report = (name, all) => console.log(JSON.stringify([name, all]));

const { app: express } = await import('./express.ts');
const server = createServer(express).listen(0);
report('express', await overHttp(server.address().port));

const { app: fastify } = await import('./fastify.ts');
report('fastify', await overHttp(new URL(await fastify.listen({ port: 0 })).port));

const { app: hono } = await import('./hono.ts');
report('hono', await answers((path, init) => hono.request(path, init)));

const { app: nest } = await import('./nest.ts');
await nest.listen(0);
report('nest', await overHttp(nest.getHttpServer().address().port));

const { default: { fetch: handle } } = await import('./server.ts');
report('server', await answers((path, init) => handle(new Request('http://localhost' + path, init))));

const { handler } = await import('./lambda.ts');
report('lambda', await answers(async (rawPath, { method = 'GET', headers = {}, body } = {}) => {
  const requestContext = { domainName: 'localhost', http: { method, path: rawPath } };
  const reply = await handler({ version: '2.0', rawPath, rawQueryString: '', headers, body, requestContext });
  return new Response(reply.body, { status: reply.statusCode });
}));
process.exit();
`;

/** The module of a NestJS application, without decorators, which Node cannot remove. */
const NEST_MODULE = `import { Controller, Get, Module } from '@nestjs/common';

class HealthController {
  check() {
    return 'ok';
  }
}
Get('health')(HealthController.prototype, 'check', Object.getOwnPropertyDescriptor(HealthController.prototype, 'check'));
Controller()(HealthController);

export class AppModule {}
Module({ controllers: [HealthController] })(AppModule);
`;

let printed: Map<string, unknown>;

beforeAll(async () => {
  await writeExample('docs/stubwright/frameworks.md', FOLDER);
  writeFileSync(join(FOLDER, 'app.module.js'), NEST_MODULE);
  writeFileSync(join(FOLDER, 'start.mjs'), SCRIPT);
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(FOLDER, 'start.mjs')], {
    encoding: 'utf8',
    env,
  });
  if (status !== 0) throw new Error(stdout + stderr);
  printed = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
});

const EXACT = '201 {"id":9007199254740993}';

it.each(['express', 'fastify', 'hono', 'nest'])(
  '%s serves the contract and its own routes',
  (name) => {
    expect(printed.get(name)).toEqual([EXACT, 400, '200 ok', 404]);
  },
);

it('lambda serves the contract and the routes of Hono', () => {
  expect(printed.get('lambda')).toEqual([EXACT, 400, '200 ok', 404]);
});

it('a fetch handler serves the contract', () => {
  expect(printed.get('server')).toEqual([EXACT, 400, expect.stringContaining('no such path'), 404]);
});
