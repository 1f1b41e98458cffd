// PgBouncer in front of a PostgreSQL, on a free port of 127.0.0.1.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@stubwright/test-support/freePort';
import { own } from '@stubwright/test-support/postgres';
import {
  installedProgram,
  type PostgresProcess,
  runPostgres,
} from '@stubwright/test-support/postgresProcess';

/** When a server connection goes back to the pool: after which unit of a client's work. */
export type PoolMode = 'session' | 'transaction' | 'statement';

const program = installedProgram('pgbouncer');

/** @returns the programs that are not installed */
export function missingPrograms(): string[] {
  return program === undefined ? ['pgbouncer'] : [];
}

export class PgBouncer {
  readonly #folder: string;
  readonly #port: number;
  #running: PostgresProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  /** @param url of the server behind it, and the only user */
  static async start(url: string, mode: PoolMode): Promise<PgBouncer> {
    const folder = mkdtempSync(join(tmpdir(), 'plants-pgbouncer-'));
    own(folder);
    const { hostname, port, username, password } = new URL(url);
    const ownPort = await freePort();
    const ini = `
[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${folder}/users
pool_mode = ${mode}
`;
    writeFileSync(join(folder, 'pgbouncer.ini'), ini);
    const quoted = [username, password].map((text) => `"${decodeURIComponent(text)}"`);
    writeFileSync(join(folder, 'users'), `${quoted.join(' ')}\n`);
    const pgBouncer = new PgBouncer(folder, ownPort);
    await pgBouncer.restart();
    return pgBouncer;
  }

  /** @returns a URL, changed to go through it */
  through(url: string): string {
    const changed = new URL(url);
    changed.port = String(this.#port);
    return changed.href;
  }

  async restart(): Promise<void> {
    const command = [program!, join(this.#folder, 'pgbouncer.ini')];
    this.#running ??= await runPostgres(this.#folder, command, /process up/);
  }

  async kill(): Promise<void> {
    await this.#running?.end('SIGKILL');
    this.#running = undefined;
  }

  /** Ends it and removes its configuration. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
