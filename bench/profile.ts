// Prints the CPU time of a create under load by part and by function.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CONNECTIONS, type Contender } from './contenders.ts';
import { load } from './load.ts';
import { dataFolder, project } from './machine.ts';
import { Server } from './server.ts';

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { functionName: string; url: string; lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the previous sample. */
  readonly timeDeltas: readonly number[];
}

const TOP = 30;

/** The profile includes compilation and warm-up: a longer run is more accurate. */
export async function profile(
  contender: Contender,
  contract: string,
  seconds: number,
  say: (line: string) => void,
): Promise<void> {
  const folder = join(dataFolder, 'profile');
  mkdirSync(folder, { recursive: true });
  const server = await Server.start(contender, contract, [
    '--cpu-prof',
    '--cpu-prof-interval=500',
    `--cpu-prof-dir=${folder}`,
  ]);
  try {
    const { requests, perSecond } = await load(server, { connections: CONNECTIONS, seconds });
    await server.stop();
    say(`${Math.round(perSecond).toLocaleString('en')} creates/s while profiled`);
    const [file] = readdirSync(folder);
    const text = readFileSync(join(folder, file!), 'utf8');
    process.stdout.write(`${formatProfile(JSON.parse(text), requests)}\n`);
  } finally {
    await server.stop();
    server.clear();
    rmSync(folder, { recursive: true, force: true });
  }
}

function formatProfile({ nodes, samples, timeDeltas }: CpuProfile, requests: number): string {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byFunction = new Map<string, number>();
  const byPart = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const { functionName, url, lineNumber } = frames.get(id)!;
    const location = url === '' ? '' : ` ${shortened(url)}:${lineNumber + 1}`;
    // A sample's delta is the time before it, spent in the function of the sample.
    add(byFunction, `${functionName || '(anonymous)'}${location}`, timeDeltas[at]!);
    add(byPart, partOf(functionName, url), timeDeltas[at]!);
  }
  const table = (title: string, times: Map<string, number>) => {
    const rows = [...times].toSorted(([, a], [, b]) => b - a).slice(0, TOP);
    const lines = rows.map(([name, us]) => `${(us / requests).toFixed(2).padStart(8)}  ${name}`);
    return [`${title}, µs of self time per request`, ...lines, ''].join('\n');
  };
  return table('By part', byPart) + table('By function', byFunction);
}

function add(times: Map<string, number>, name: string, us: number): void {
  times.set(name, (times.get(name) ?? 0) + us);
}

function shortened(url: string): string {
  return url.replace(`file://${project}/`, '').replace('node_modules/', '');
}

/** @returns a file of the project, a package or a Node.js module */
function partOf(functionName: string, url: string): string {
  if (url === '') return functionName.startsWith('(') ? functionName : `native ${functionName}`;
  const path = shortened(url);
  if (url.startsWith('node:')) return url;
  if (url.includes('node_modules/')) return /^(@[^/]+\/[^/]+|[^/]+)/.exec(path)![0];
  return path;
}
