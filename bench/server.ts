// A contender as a process: started on its core with an empty database, asked, stopped, its rows
// counted. Ends only the process that it started.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, createReadStream, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from './contenders.ts';
import { dataFolder, type Memory, memoryOf, pinned, project, SERVER_CORE } from './machine.ts';

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
  readonly url: string;
  /** From the start of the process to its first 200. */
  readonly msToFirst200: number;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(
    from: Pick<Server, 'contender' | 'url' | 'msToFirst200'>,
    child: ChildProcess,
    folder: string,
  ) {
    this.contender = from.contender;
    this.url = from.url;
    this.msToFirst200 = from.msToFirst200;
    this.#child = child;
    this.#folder = folder;
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
    const port = await freePort();
    const output = openSync(join(folder, 'log'), 'w');
    const [command, args] = pinned(SERVER_CORE, [
      process.execPath,
      ...contender.nodeOptions,
      ...nodeOptions,
      contender.script,
    ]);
    const startedAt = performance.now();
    const child = spawn(command, args, {
      cwd: project,
      stdio: ['ignore', output, output],
      env: {
        PATH: process.env.PATH,
        ...contender.environment,
        NODE_ENV: 'production',
        PORT: String(port),
        API_TOKENS: TOKEN,
        DATABASE_URL: `sqlite:${join(folder, 'plants.db')}`,
        CONTRACT: contract,
        MOCK: contender.isLarge ? 'missing' : 'off',
      },
    });
    closeSync(output);
    const url = `http://127.0.0.1:${port}/plants`;
    while ((await post(url, plantWith(1)).catch(() => undefined))?.status !== 200) {
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      if (hasEnded || performance.now() - startedAt > START_LIMIT_MS) {
        child.kill('SIGKILL');
        const said = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');
        rmSync(folder, { recursive: true, force: true });
        const why = said.find((line) => /error/i.test(line)) ?? said.at(-1);
        throw new Error(`${contender.name} did not start: ${why?.slice(0, 120)}`);
      }
      await sleep(POLL_MS);
    }
    const msToFirst200 = performance.now() - startedAt;
    return new Server({ contender, url, msToFirst200 }, child, folder);
  }

  memory(): Memory {
    return memoryOf(this.#child.pid!);
  }

  /** Stops it; then its files may be counted. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(timer);
  }

  rows(): number {
    const database = new DatabaseSync(join(this.#folder, 'plants.db'));
    const { rows } = database.prepare('SELECT count(*) AS rows FROM plant').get() as {
      rows: number;
    };
    database.close();
    return rows;
  }

  /** Lines that tell of an answered request. */
  async logLines(): Promise<number> {
    let lines = 0;
    for await (const chunk of createReadStream(join(this.#folder, 'log'))) {
      lines += (chunk as Buffer).toString('latin1').split('"msg":"request"').length - 1;
    }
    return lines;
  }

  clear(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
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
