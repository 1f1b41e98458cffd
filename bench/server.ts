// Starts and stops the processes of a contender, each on its core, with an empty database.
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
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@stubwright/test-support/freePort';
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
/** A plant after its id. Load generators prepend the opening brace and the id. */
export const REST = '"name":"Monstera deliciosa","tag":"tropical"}';
export const ANSWER = '{"name":"Monstera deliciosa","tag":"tropical"}';

const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 15_000;
const POLL_MS = 2;

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Length of the response on the wire, including headers. */
  readonly bytes: number;
}

export class Server {
  readonly contender: Contender;
  /** One per process. */
  readonly urls: readonly string[];
  /** From the start until every process has returned 200. */
  readonly msToFirst200: number;
  readonly #children: readonly ChildProcess[];
  readonly #resources: Resources;

  private constructor(
    from: Pick<Server, 'contender' | 'urls' | 'msToFirst200'>,
    children: readonly ChildProcess[],
    resources: Resources,
  ) {
    this.contender = from.contender;
    this.urls = from.urls;
    this.msToFirst200 = from.msToFirst200;
    this.#children = children;
    this.#resources = resources;
  }

  /**
   * Starts a contender and waits for its first 200, which stores the plant with id 1.
   *
   * @param nodeOptions Node.js options, before the script
   * @throws Error if a process exits or takes too long; the message contains a line of its log
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
    const resources = { folder, databaseUrl };
    const numbers = Array.from({ length: contender.processes }, (_, number) => number);
    const ports = await Promise.all(numbers.map(freePort));
    const startedAt = performance.now();
    const children = numbers.map((number) =>
      spawnOne(contender, contract, resources, nodeOptions, { number, port: ports[number]! }),
    );
    const urls = ports.map((port) => `http://127.0.0.1:${port}/plants`);
    try {
      await Promise.all(numbers.map((at) => first200(urls[at]!, children[at]!, startedAt)));
    } catch {
      for (const child of children) child.kill('SIGKILL');
      const why = lastLogLine(folder);
      rmSync(folder, { recursive: true, force: true });
      throw new Error(`${contender.name} did not start: ${why}`);
    }
    const msToFirst200 = performance.now() - startedAt;
    return new Server({ contender, urls, msToFirst200 }, children, resources);
  }

  get url(): string {
    return this.urls[0]!;
  }

  /** Sum over all processes, without a database server. */
  memory(): Memory {
    const all = this.#children.map(({ pid }) => memoryOf(pid!));
    return {
      rssMb: all.reduce((sum, { rssMb }) => sum + rssMb, 0),
      peakMb: all.reduce((sum, { peakMb }) => sum + peakMb, 0),
    };
  }

  /** CPU time of all processes since their start. */
  cpuSeconds(): number {
    return this.#children.reduce((sum, { pid }) => sum + cpuSecondsOf(pid!), 0);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#children.map(stopOne));
  }

  async rows(): Promise<number> {
    const { databaseUrl } = this.#resources;
    if (this.contender.database === 'postgres') return countRows(databaseUrl);
    const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length));
    const { rows } = database.prepare('SELECT count(*) AS rows FROM plant').get() as {
      rows: number;
    };
    database.close();
    return rows;
  }

  /** Number of log lines for finished requests. */
  async logLines(): Promise<number> {
    let lines = 0;
    for (const file of logsIn(this.#resources.folder)) {
      for await (const chunk of createReadStream(file)) {
        lines += (chunk as Buffer).toString('latin1').split('"msg":"request"').length - 1;
      }
    }
    return lines;
  }

  clear(): void {
    rmSync(this.#resources.folder, { recursive: true, force: true });
  }
}

interface Resources {
  /** Contains the logs and a SQLite database. */
  readonly folder: string;
  readonly databaseUrl: string;
}

/** The second process shares its core with the load generator and PostgreSQL. */
function spawnOne(
  contender: Contender,
  contract: string,
  { folder, databaseUrl }: Resources,
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

function lastLogLine(folder: string): string | undefined {
  const lines = logsIn(folder).flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'));
  return (lines.find((line) => /error/i.test(line)) ?? lines.at(-1))?.slice(0, 120);
}

function logsIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.startsWith('log-'));
  return names.map((name) => join(folder, name));
}

export function plantWith(id: number): string {
  return `{"id":${id},${REST}`;
}

/** Posts a body with keep-alive headers on a new connection, like the load generators. */
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
