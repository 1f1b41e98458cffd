// Runs `make bench WHAT=proxy`: loads this project directly and through `stubwright proxy`, which validates.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { CONNECTIONS, ours } from './contenders.ts';
import { load, type Result } from './load.ts';
import {
  dataFolder,
  describeMachine,
  LOAD_CORE,
  memoryOf,
  pinned,
  project,
  warnings,
} from './machine.ts';
import { Server } from './server.ts';
import { median } from './statistics.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: String(CONNECTIONS) },
  },
});
const seconds = Number(flags.seconds);
const connections = Number(flags.connections);

interface Summary {
  readonly violations: readonly unknown[];
  readonly requests: number;
  readonly unvalidated: number;
  readonly failed: number;
}

mkdirSync(dataFolder, { recursive: true });
try {
  const machine = describeMachine();
  const direct: Result[] = [];
  const proxied: Result[] = [];
  let summary: Summary | undefined;
  const server = await Server.start(ours, `${project}/generated/contract.json`);
  try {
    const proxy = await startProxy(new URL(server.url).origin);
    const target = behind(server, proxy);
    await load(target, { connections, seconds: 2 });
    for (let round = 1; round <= Number(flags.rounds); round++) {
      process.stderr.write(`round ${round}\n`);
      direct.push(await load(server, { connections, seconds }));
      proxied.push(await load(target, { connections, seconds }));
    }
    summary = await proxy.stop();
  } finally {
    await server.stop();
    server.clear();
  }
  print(direct, proxied, summary);
  process.stdout.write(`${[machine, ...warnings].join('\n')}\n`);
} finally {
  rmSync(dataFolder, { recursive: true, force: true });
}

interface RunningProxy {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<Summary>;
}

/** On the core of the load generator: the service keeps its own. */
async function startProxy(origin: string): Promise<RunningProxy> {
  const script = `${project}/packages/cli/src/main.ts`;
  const contract = `${project}/generated/contract.json`;
  const options = ['--port', '0', '--format', 'json', '--undeclared', 'report'];
  const [command, args] = pinned(LOAD_CORE, [
    ...[process.execPath, script, 'proxy', contract, origin, ...options],
  ]);
  const child = spawn(command, args, { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
  const out = text(child.stdout);
  return {
    url: await urlOf(child),
    pid: child.pid!,
    async stop() {
      child.kill('SIGINT');
      await once(child, 'close');
      return JSON.parse(await out);
    },
  };
}

/** Also shows the lines of violations. */
function urlOf(child: ChildProcess): Promise<string> {
  let lines = '';
  return new Promise((resolve, reject) => {
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      lines = (lines + chunk).slice(0, 2000);
      const [, url] = /^proxy {2}(\S+) /m.exec(lines) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', () => reject(new Error(`the proxy did not start: ${lines}`)));
  });
}

/** @returns the service behind the proxy, with the memory of the proxy */
function behind(server: Server, { url, pid }: RunningProxy): Pick<Server, 'urls' | 'memory'> {
  const { pathname } = new URL(server.url);
  return { urls: [url + pathname], memory: () => memoryOf(pid) };
}

function print(direct: readonly Result[], proxied: readonly Result[], summary: Summary): void {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const row = (label: string, results: readonly Result[]) => {
    const mid = (of: (result: Result) => number) => median(results.map(of));
    const failed = results.reduce((sum, each) => sum + each.failed, 0);
    const figures = [
      mid((each) => each.perSecond),
      mid((each) => each.p50),
      mid((each) => each.p99),
    ];
    const shown = figures.map((each) => Math.round(each).toLocaleString('en'));
    say(`| ${[label, ...shown, failed, Math.round(mid((each) => each.rssMb))].join(' | ')} |`);
  };
  say('| load | creates/s | p50 µs | p99 µs | failed | RSS MB |');
  say('|---|---|---|---|---|---|');
  row('direct', direct);
  row('through the proxy', proxied);
  const { requests, violations, unvalidated, failed } = summary;
  say(
    `The proxy validated ${requests.toLocaleString('en')} requests and responses: ${violations.length} violations, ${unvalidated} bodies not validated, ${failed} failed`,
  );
  const isClean = violations.length === 0 && unvalidated === 0 && failed === 0;
  if (!isClean) process.exitCode = 1;
}
