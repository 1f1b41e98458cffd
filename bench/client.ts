// Runs `make bench WHAT=client`: size and speed of generated clients, for the operation of the plant store.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { dataFolder, describeMachine, warnings } from './machine.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    calls: { type: 'string', default: '5000' },
  },
});
const [rounds, calls] = [Number(flags.rounds), Number(flags.calls)];

const FOLDER = join(dataFolder, 'client');
const MODULES = resolve('bench/client/node_modules');
const CONTRACT = resolve('openapi.yaml');
const bin = (name: string) => join(MODULES, '.bin', name);

interface Contender {
  readonly name: string;
  generate(): void;
  /** A module that exports `call(baseUrl, plant)`. */
  readonly source: string;
}

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] });
const node = (...args: string[]) => run(process.execPath, ...args);

const CONTENDERS: readonly Contender[] = [
  {
    name: 'stubwright',
    generate: () =>
      node(
        resolve('packages/cli/src/main.ts'),
        'client',
        CONTRACT,
        'stubwright',
        '--name',
        'plants',
      ),
    source: `import { connect, createPlant } from './stubwright/index.js';
let connection;
export const call = (baseUrl, body) => createPlant(connection ??= connect({ baseUrl, bearerAuth: 'token', retry: false }), { body });`,
  },
  {
    name: 'openapi-fetch',
    generate() {},
    source: `import createClient from 'openapi-fetch';
let client;
export const call = (baseUrl, body) => (client ??= createClient({ baseUrl, headers: { Authorization: 'Bearer token' } })).POST('/plants', { body });`,
  },
  {
    name: 'hey-api',
    generate: () => run(bin('openapi-ts'), '-i', CONTRACT, '-o', 'hey-api', '--silent'),
    source: `import { createPlant } from './hey-api/sdk.gen.ts';
export const call = (baseUrl, body) => createPlant({ baseUrl, body, auth: 'token' });`,
  },
  {
    name: 'orval',
    generate: () =>
      run(bin('orval'), '--input', CONTRACT, '--output', 'orval/api.ts', '--client', 'fetch'),
    source: `import { createPlant } from './orval/api.ts';
export const call = (baseUrl, body) => createPlant(body, { headers: { Authorization: 'Bearer token' } });`,
  },
  {
    name: 'ky, by hand',
    generate() {},
    source: `import ky from 'ky';
let client;
export const call = (baseUrl, json) => (client ??= ky.create({ prefixUrl: baseUrl, retry: 0, throwHttpErrors: false, headers: { Authorization: 'Bearer token' } })).post('plants', { json }).json();`,
  },
];

/** What a fetch received last. */
let sent = '';

/** Replies at once, as a service does. */
async function reply(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  sent = input instanceof Request ? await input.text() : String(init?.body);
  return new Response('{"name":"Aloe vera"}', {
    headers: { 'Content-Type': 'application/json' },
  });
}

interface Measured {
  readonly name: string;
  readonly bytes: number;
  /** True if an id beyond 2^53 arrives; undefined if the client cannot send a bigint. */
  readonly exact: string;
  call(baseUrl: string, plant: object): Promise<unknown>;
  readonly perSecond: number[];
}

async function prepare({ name, generate, source }: Contender): Promise<Measured> {
  generate();
  const file = join(FOLDER, `${name.replace(/\W/g, '')}.ts`);
  writeFileSync(file, source);
  const bundle = file.replace(/\.ts$/, '.mjs');
  run(
    bin('esbuild'),
    file,
    '--bundle',
    '--minify',
    '--format=esm',
    `--outfile=${bundle}`,
    '--log-level=error',
  );
  const { call } = await import(pathToFileURL(bundle).href);
  return {
    name,
    call,
    bytes: gzipSync(readFileSync(bundle)).length,
    exact: await exactness(call),
    perSecond: [],
  };
}

async function exactness(call: Measured['call']): Promise<string> {
  try {
    await call('http://127.0.0.1:1', { id: 9007199254740993n, name: 'Aloe vera' });
    return sent.includes('9007199254740993') && !sent.includes('"9007') ? 'yes' : 'no';
  } catch (error) {
    return (error as Error).name;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

rmSync(dataFolder, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
try {
  symlinkSync(MODULES, join(FOLDER, 'node_modules'));
  mkdirSync(join(MODULES, '@stubwright'), { recursive: true });
  rmSync(join(MODULES, '@stubwright/client'), { force: true });
  symlinkSync(resolve('packages/client'), join(MODULES, '@stubwright/client'));
  globalThis.fetch = reply as typeof fetch;
  const measured: Measured[] = [];
  for (const each of CONTENDERS) measured.push(await prepare(each));
  const plant = { id: 7, name: 'Aloe vera', tag: 'succulent' };
  for (let round = -1; round < rounds; round++) {
    for (const { call, perSecond } of measured) {
      const before = process.cpuUsage();
      for (let at = 0; at < calls; at++) await call('http://127.0.0.1:1', plant);
      const { user, system } = process.cpuUsage(before);
      // The first round compiles.
      if (round >= 0) perSecond.push((calls / (user + system)) * 1e6);
    }
  }
  const rows = measured.map(({ name, bytes, exact, perSecond }) =>
    [
      name.padEnd(14),
      String(bytes).padStart(7),
      String(Math.round(median(perSecond))).padStart(9),
      `  ${exact}`,
    ].join(' '),
  );
  const head = `${'client'.padEnd(14)}  B gzip   calls/s   int64`;
  process.stdout.write(`${[head, ...rows, describeMachine(), ...warnings].join('\n')}\n`);
} finally {
  rmSync(dataFolder, { recursive: true, force: true });
}
