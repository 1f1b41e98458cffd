// A Redis of its own for each caller, on a free port of 127.0.0.1, without a file.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './freePort.ts';
import { own } from './postgres.ts';
import {
  installedProgram,
  type PostgresProcess,
  runPostgres,
  signalAll,
} from './postgresProcess.ts';

const PASSWORD = 'for-tests:@/?#';

const program = installedProgram('redis-server');

/** @returns the programs that are not installed */
export function missingPrograms(): string[] {
  return program === undefined ? ['redis-server'] : [];
}

export class RedisServer {
  readonly #folder: string;
  readonly #port: number;
  #running: PostgresProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  static async start(): Promise<RedisServer> {
    const folder = mkdtempSync(join(tmpdir(), 'plants-redis-'));
    own(folder);
    const redis = new RedisServer(folder, await freePort());
    await redis.restart();
    return redis;
  }

  get url(): string {
    return `redis://default:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.#port}/1`;
  }

  async restart(): Promise<void> {
    const settings = [
      ...['--port', String(this.#port), '--bind', '127.0.0.1', '--requirepass', PASSWORD],
      ...['--save', '', '--dir', this.#folder],
    ];
    // Its log, which goes to standard output, is read from standard error.
    const command = ['sh', '-c', 'exec "$@" >&2', 'sh', program!, ...settings];
    this.#running = await runPostgres(this.#folder, command, /Ready to accept connections/);
  }

  /** As a crash does. */
  async stop(): Promise<void> {
    await this.#running?.end('SIGKILL');
    this.#running = undefined;
  }

  /** Connections stay, and nobody answers. */
  freeze(): void {
    signalAll([this.#running!.pid], 'SIGSTOP');
  }

  thaw(): void {
    signalAll([this.#running!.pid], 'SIGCONT');
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
