// Runs `make bench WHAT=streams`: events of a service beside a hand-written Koa stream, and idle streams.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { dataFolder, describeMachine, pinned, SERVER_CORE, warnings } from './machine.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    items: { type: 'string', default: '200000' },
    idle: { type: 'string', default: '1000' },
  },
});
const [rounds, items, idle] = [flags.rounds, flags.items, flags.idle].map(Number) as [
  number,
  number,
  number,
];

/** What a server answers to a message: CPU in milliseconds, memory in bytes. */
interface Usage {
  readonly cpuMs: number;
  readonly memory: number;
}

const KINDS = ['stubwright', 'koa'] as const;

async function start(kind: string): Promise<{ child: ChildProcess; url: string }> {
  const [command, args] = pinned(SERVER_CORE, [process.execPath]);
  const child = fork(resolve('bench/streams/server.ts'), [kind, String(items)], {
    execPath: args.length > 0 ? command : process.execPath,
    execArgv: args.length > 0 ? [...args, '--expose-gc'] : ['--expose-gc'],
  });
  const [url] = await once(child, 'message');
  return { child, url: String(url) };
}

async function usageOf(child: ChildProcess): Promise<Usage> {
  child.send('usage');
  const [usage] = await once(child, 'message');
  return usage as Usage;
}

/** @returns the number of events */
async function drain(url: string): Promise<number> {
  const [response] = (await once(get(`${url}/events`), 'response')) as [IncomingMessage];
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  return bytes;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

mkdirSync(dataFolder, { recursive: true });
const rates = new Map<string, number[]>(KINDS.map((kind) => [kind, []]));
const servers = new Map(
  await Promise.all(KINDS.map(async (kind) => [kind, await start(kind)] as const)),
);
try {
  for (let round = -1; round < rounds; round++) {
    for (const kind of KINDS) {
      const { child, url } = servers.get(kind)!;
      const before = await usageOf(child);
      await drain(url);
      const { cpuMs } = await usageOf(child);
      // The first round compiles.
      if (round >= 0) rates.get(kind)!.push((items / (cpuMs - before.cpuMs)) * 1000);
    }
  }
  for (const kind of KINDS) {
    process.stdout.write(
      `${kind}: ${Math.round(median(rates.get(kind)!))} events per CPU second\n`,
    );
  }
  const ratios = rates.get('stubwright')!.map((rate, at) => rate / rates.get('koa')![at]!);
  process.stdout.write(`stubwright over koa: ${median(ratios).toFixed(2)}\n`);
  for (const kind of KINDS) {
    const { child, url } = servers.get(kind)!;
    const before = await usageOf(child);
    const open = await Promise.all(
      Array.from(
        { length: idle },
        async () => (await once(get(`${url}/idle`), 'response'))[0] as IncomingMessage,
      ),
    );
    await sleep(1000);
    const { memory } = await usageOf(child);
    const mib = (memory - before.memory) / 1024 / 1024;
    process.stdout.write(`${kind}: ${open.length} idle streams take ${mib.toFixed(1)} MiB\n`);
    for (const each of open) each.destroy();
  }
  process.stdout.write(`${[describeMachine(), ...warnings].join('\n')}\n`);
} finally {
  for (const { child } of servers.values()) child.kill();
  rmSync(dataFolder, { recursive: true, force: true });
}
