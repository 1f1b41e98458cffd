// A contender as its processes: started, each on its core, with an empty database, asked, stopped, its rows
// counted. Ends only what it started.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  createReadStream,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from './contenders.ts';
import {
  cpuSecondsOf,
  dataFolder,
  LOAD_CORE,
  type Memory,
  memoryOf,
  pinned,
  project,
  SERVER_CORE,
} from './machine.ts';
import { countRows, newDatabase } from './postgres.ts';

export const TOKEN = 'bench-token-0123456789abcdef';
/** A plant less its opening brace and id; load generators put those before it. */
export const REST = '"name":"Monstera deliciosa","tag":"tropical"}';
export const ANSWER = '{"name":"Monstera deliciosa","tag":"tropical"}';

const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 15_000;
const POLL_MS = 2;

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Of the answer as it came over the wire, headers included. */
  readonly bytes: number;
}

export class Server {
  readonly contender: Contender;
  /** One for each process. */
  readonly urls: readonly string[];
  /** From the start to the first 200 of each process. */
  readonly msToFirst200: number;
  readonly #children: readonly ChildProcess[];
  readonly #place: Place;

  private constructor(
    from: Pick<Server, 'contender' | 'urls' | 'msToFirst200'>,
    children: readonly ChildProcess[],
    place: Place,
  ) {
    this.contender = from.contender;
    this.urls = from.urls;
    this.msToFirst200 = from.msToFirst200;
    this.#children = children;
    this.#place = place;
  }

  /**
   * Starts a contender and waits for its first 200, which stores the plant with id 1.
   *
   * @param nodeOptions for Node, before the script
   * @throws when it ends before, or takes too long; the message has its last line
   */
  static async start(
    contender: Contender,
    contract: string,
    nodeOptions: readonly string[] = [],
  ): Promise<Server> {
    const folder = join(dataFolder, `${contender.name}-${process.pid}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const databaseUrl =
      contender.database === 'postgres'
        ? await newDatabase()
        : `sqlite:${join(folder, 'plants.db')}`;
    const place = { folder, databaseUrl };
    const numbers = Array.from({ length: contender.processes }, (_, number) => number);
    const ports = await Promise.all(numbers.map(freePort));
    const startedAt = performance.now();
    const children = numbers.map((number) =>
      spawnOne(contender, contract, place, nodeOptions, { number, port: ports[number]! }),
    );
    const urls = ports.map((port) => `http://127.0.0.1:${port}/plants`);
    try {
      await Promise.all(numbers.map((at) => first200(urls[at]!, children[at]!, startedAt)));
    } catch {
      for (const child of children) child.kill('SIGKILL');
      const why = lastWords(folder);
      rmSync(folder, { recursive: true, force: true });
      throw new Error(`${contender.name} did not start: ${why}`);
    }
    const msToFirst200 = performance.now() - startedAt;
    return new Server({ contender, urls, msToFirst200 }, children, place);
  }

  get url(): string {
    return this.urls[0]!;
  }

  /** Of all its processes, less what a database server holds. */
  memory(): Memory {
    const all = this.#children.map(({ pid }) => memoryOf(pid!));
    return {
      rssMb: all.reduce((sum, { rssMb }) => sum + rssMb, 0),
      peakMb: all.reduce((sum, { peakMb }) => sum + peakMb, 0),
    };
  }

  /** CPU time of all its processes so far. */
  cpuSeconds(): number {
    return this.#children.reduce((sum, { pid }) => sum + cpuSecondsOf(pid!), 0);
  }

  /** Stops it; then its files may be counted. */
  async stop(): Promise<void> {
    await Promise.all(this.#children.map(stopOne));
  }

  async rows(): Promise<number> {
    const { databaseUrl } = this.#place;
    if (this.contender.database === 'postgres') return countRows(databaseUrl);
    const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length));
    const { rows } = database.prepare('SELECT count(*) AS rows FROM plant').get() as {
      rows: number;
    };
    database.close();
    return rows;
  }

  /** Lines that tell of an answered request. */
  async logLines(): Promise<number> {
    let lines = 0;
    for (const file of logsIn(this.#place.folder)) {
      for await (const chunk of createReadStream(file)) {
        lines += (chunk as Buffer).toString('latin1').split('"msg":"request"').length - 1;
      }
    }
    return lines;
  }

  clear(): void {
    rmSync(this.#place.folder, { recursive: true, force: true });
  }
}

interface Place {
  /** For its logs, and its database if that is a file. */
  readonly folder: string;
  readonly databaseUrl: string;
}

/** The first process has its core for itself; a second shares the other with load and database. */
function spawnOne(
  contender: Contender,
  contract: string,
  { folder, databaseUrl }: Place,
  nodeOptions: readonly string[],
  { number, port }: { number: number; port: number },
): ChildProcess {
  const output = openSync(join(folder, `log-${number}`), 'w');
  const core = number === 0 ? SERVER_CORE : LOAD_CORE;
  const [command, args] = pinned(core, [
    process.execPath,
    ...contender.nodeOptions,
    ...nodeOptions,
    contender.script,
  ]);
  const child = spawn(command, args, {
    cwd: project,
    stdio: ['ignore', output, output],
    env: {
      PATH: process.env.PATH,
      ...contender.environment,
      NODE_ENV: 'production',
      PORT: String(port),
      API_TOKENS: TOKEN,
      DATABASE_URL: databaseUrl,
      CONTRACT: contract,
      MOCK: contender.isLarge ? 'missing' : 'off',
    },
  });
  closeSync(output);
  return child;
}

async function first200(url: string, child: ChildProcess, startedAt: number): Promise<void> {
  while ((await post(url, plantWith(1)).catch(() => undefined))?.status !== 200) {
    const isLate = performance.now() - startedAt > START_LIMIT_MS;
    if (hasEnded(child) || isLate) throw new Error(`no 200 from ${url}`);
    await sleep(POLL_MS);
  }
}

async function stopOne(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(timer);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function lastWords(folder: string): string | undefined {
  const said = logsIn(folder).flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'));
  return (said.find((line) => /error/i.test(line)) ?? said.at(-1))?.slice(0, 120);
}

function logsIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.startsWith('log-'));
  return names.map((name) => join(folder, name));
}

export function plantWith(id: number): string {
  return `{"id":${id},${REST}`;
}

/** Posts a body on a connection of its own kept alive, as the load generators do. */
export function post(url: string, body: string, token = TOKEN): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
      Connection: 'keep-alive',
    };
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      const { socket } = response;
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        resolve({ status: response.statusCode!, body: text, bytes: socket.bytesRead });
        socket.destroy();
      });
    });
    sent.on('error', reject).end(body);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
