// Three PostgreSQL nodes under Patroni, with etcd and synchronous replication, on free ports of
// 127.0.0.1. They end with the process that started them.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@stubwright/test-support/freePort';
import { own, query } from '@stubwright/test-support/postgres';
import { childrenOf, credentials, signalAll } from '@stubwright/test-support/postgresProcess';
import { startTcpProxy, type TcpProxy } from '@stubwright/test-support/tcpProxy';

/** Seconds without a renewal after which the leader's key is free. At least loopWait + 2 retries. */
const TTL = 10;
const LOOP_WAIT = 1;
const RETRY_TIMEOUT = 4;

/** A former primary may have to be copied anew. */
const LONGEST_WAIT_MS = 180_000;
/** Longer than a rewind takes. */
const STALE_MS = 45_000;

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

// Ends everything in its folder when the test closes its standard input, or dies. The working
// directory shows that a process id has not been reused.
const GUARD = `
  cat >/dev/null
  for file in */pid */data/postmaster.pid; do
    [ -e "$file" ] || continue
    pid=$(head -n 1 "$file")
    case $(readlink /proc/$pid/cwd) in "$PWD"/*) ;; *) continue ;; esac
    children=$(cat /proc/$pid/task/$pid/children)
    kill -KILL $pid
    [ -z "$children" ] || kill -CONT $children
  done 2>/dev/null
  sleep 0.2
  rm -rf "$PWD"`;

/** @returns the programs that are not installed */
export function missingPrograms(): string[] {
  const missing = ['patroni', 'etcd'].filter(
    (program) => spawnSync(program, ['--version']).status !== 0,
  );
  return postgresBin() === undefined ? [...missing, 'postgres'] : missing;
}

function postgresBin(): string | undefined {
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
  return versions
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(DEBIAN_POSTGRES, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'pg_rewind')));
}

export class PatroniCluster {
  readonly nodes: readonly PatroniNode[];
  readonly #guard: ChildProcess;
  readonly #proxies: readonly TcpProxy[];

  private constructor(
    nodes: readonly PatroniNode[],
    guard: ChildProcess,
    proxies: readonly TcpProxy[],
  ) {
    this.nodes = nodes;
    this.#guard = guard;
    this.#proxies = proxies;
  }

  /** Resolves when a leader replicates to both others. */
  static async start(): Promise<PatroniCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'plants-patroni-'));
    own(folder);
    const guard = spawn('sh', ['-c', GUARD], {
      ...credentials,
      cwd: folder,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const etcdPort = await startEtcd(join(folder, 'etcd'));
    const proxies: TcpProxy[] = [];
    const through = async (port: number) => {
      proxies.push(await startTcpProxy(`tcp://127.0.0.1:${port}`));
      return proxies.at(-1)!;
    };
    const nodes: PatroniNode[] = [];
    for (const name of ['one', 'two', 'three']) {
      const [port, restPort] = [await freePort(), await freePort()];
      const network = [await through(port), await through(restPort), await through(etcdPort)];
      nodes.push(new PatroniNode(join(folder, name), port, restPort, network));
    }
    const cluster = new PatroniCluster(nodes, guard, proxies);
    try {
      for (const node of nodes) node.startPatroni();
      await cluster.untilReplicated();
      return cluster;
    } catch (error) {
      await cluster.remove();
      throw error;
    }
  }

  /** @returns the URL of a new database, with all nodes: libpq's form for several hosts */
  async createDatabase(): Promise<string> {
    const leader = await this.leader();
    const name = `plants_${Date.now()}`;
    await query(leader.urlOf('postgres'), `CREATE DATABASE ${name}`);
    const hosts = this.nodes.map(({ port }) => `127.0.0.1:${port}`).join();
    return `postgres://postgres@${hosts}/${name}?target_session_attrs=read-write`;
  }

  /** Resolves with the node that holds the leader's key, once there is one. */
  async leader({ other }: { other?: PatroniNode } = {}): Promise<PatroniNode> {
    return eventually('a leader', async () => {
      for (const node of this.nodes) if (node !== other && (await node.isLeader())) return node;
      return undefined;
    });
  }

  /**
   * Resolves when the leader streams to both others, and Patroni may promote one of them. A standby
   * that does not stream after STALE_MS is copied anew, as an operator does (`patronictl reinit`).
   */
  async untilReplicated(): Promise<void> {
    const sql = "SELECT application_name FROM pg_stat_replication WHERE state = 'streaming'";
    let reinitializeAt = performance.now() + STALE_MS;
    try {
      await eventually('replication to both standbys', async () => {
        const leader = await this.leader();
        const standbys = await query(leader.urlOf('postgres'), sql);
        if (standbys.length === 2 && (await leader.hasSynchronousStandby())) return true;
        if (performance.now() < reinitializeAt) return undefined;
        reinitializeAt = performance.now() + STALE_MS;
        const streaming = standbys.map((row) => row['application_name']);
        const stale = this.nodes.filter(
          (node) => node !== leader && !streaming.includes(node.name),
        );
        await Promise.all(stale.map((node) => node.reinitialize()));
        return undefined;
      });
    } catch (error) {
      const logs = this.nodes.map((node) => node.logEnd()).join('\n');
      throw new Error(`${(error as Error).message}; Patroni logged:\n${logs}`, { cause: error });
    }
  }

  /** Ends all processes and removes all data. */
  async remove(): Promise<void> {
    const exited = new Promise((resolve) => this.#guard.once('exit', resolve));
    this.#guard.stdin!.end();
    await exited;
    for (const proxy of this.#proxies) proxy.close();
  }
}

export class PatroniNode {
  readonly port: number;
  readonly #folder: string;
  readonly #restPort: number;
  /** To its PostgreSQL, to its Patroni, and from it to etcd. */
  readonly #network: readonly TcpProxy[];
  #patroni: ChildProcess | undefined;
  #frozen: number[] = [];

  constructor(folder: string, port: number, restPort: number, network: readonly TcpProxy[]) {
    this.#folder = folder;
    this.port = port;
    this.#restPort = restPort;
    this.#network = network;
    mkdirSync(folder);
    own(folder);
    writeFileSync(join(folder, 'patroni.yml'), JSON.stringify(this.#configuration()));
  }

  get name(): string {
    return this.#folder.split('/').at(-1)!;
  }

  urlOf(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  async isLeader(): Promise<boolean> {
    return (await this.#ask('/primary').catch(() => undefined))?.ok ?? false;
  }

  /** True when Patroni has recorded which standby has every commit. */
  async hasSynchronousStandby(): Promise<boolean> {
    const { members } = (await (await this.#ask('/cluster')).json()) as {
      members: { role: string }[];
    };
    return members.some(({ role }) => role === 'sync_standby');
  }

  /**
   * Resolves when its PostgreSQL is a standby. A former leader must not reach etcd before that: Patroni
   * 3.0 then starts PostgreSQL a second time, takes the failure of that start for the end of both, and
   * removes the data directory under the first, which keeps the port.
   */
  async untilStandby(): Promise<void> {
    await eventually(`${this.name} as a standby`, async () => {
      const [row] = await query(this.urlOf('postgres'), 'SELECT pg_is_in_recovery() AS it_is');
      return row!['it_is'] === true || undefined;
    });
    // Its Patroni completes the demotion in one of its next loops.
    await sleep(3_000 * LOOP_WAIT);
  }

  /** Removes its data and copies them from the leader. */
  async reinitialize(): Promise<void> {
    await fetch(`http://127.0.0.1:${this.#restPort}/reinitialize`, {
      method: 'POST',
      body: JSON.stringify({ force: true }),
      signal: AbortSignal.timeout(5_000),
    });
  }

  #ask(path: string): Promise<Response> {
    const url = `http://127.0.0.1:${this.#restPort}${path}`;
    return fetch(url, { signal: AbortSignal.timeout(500) });
  }

  startPatroni(): void {
    this.#patroni = spawnLogged('patroni', ['patroni.yml'], this.#folder);
  }

  /** kill -9 of Patroni; its PostgreSQL continues. */
  killPatroni(): void {
    this.#patroni?.kill('SIGKILL');
  }

  /** kill -9 of the postmaster, which ends all its processes. */
  killPostgres(): void {
    signalAll([this.#postmaster()], 'SIGKILL');
  }

  /** Stops PostgreSQL and Patroni (SIGSTOP): connections stay, and no answer comes. */
  freeze(): void {
    const postmaster = this.#postmaster();
    signalAll([postmaster], 'SIGSTOP');
    this.#frozen = [this.#patroni!.pid!, postmaster, ...childrenOf(postmaster)];
    signalAll(this.#frozen, 'SIGSTOP');
  }

  thaw(): void {
    signalAll(this.#frozen.splice(0), 'SIGCONT');
  }

  /** Cuts it off from the other nodes and from etcd; clients reach it still. */
  disconnect(): void {
    for (const proxy of this.#network) proxy.freeze();
  }

  /** Cuts off its standbys only. */
  disconnectStandbys(): void {
    this.#network[0]!.freeze();
  }

  reconnect(): void {
    for (const proxy of this.#network) proxy.thaw();
  }

  /** @returns the last lines that Patroni and PostgreSQL logged */
  logEnd(): string {
    return readFileSync(join(this.#folder, 'log'), 'utf8').split('\n').slice(-20).join('\n');
  }

  #postmaster(): number {
    return Number(
      readFileSync(join(this.#folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
    );
  }

  #configuration() {
    const [postgres, rest, etcd] = this.#network.map(({ port }) => `127.0.0.1:${port}`);
    return {
      scope: 'plants',
      name: this.name,
      restapi: { listen: `127.0.0.1:${this.#restPort}`, connect_address: rest },
      // Not version 3 of the API: Patroni 3.0 caches its keys, and one that was frozen may keep an old
      // copy of the key `sync`, which it then fails to write for ever.
      etcd: { hosts: [etcd], use_proxies: true },
      bootstrap: {
        dcs: {
          ttl: TTL,
          loop_wait: LOOP_WAIT,
          retry_timeout: RETRY_TIMEOUT,
          // No commit without a standby that has it, even while only one node is left.
          synchronous_mode: true,
          synchronous_mode_strict: true,
          // A primary that crashed is replaced at once.
          primary_start_timeout: 0,
          postgresql: {
            use_pg_rewind: true,
            parameters: {
              wal_keep_size: '128MB',
              shared_buffers: '16MB',
              wal_retrieve_retry_interval: '500ms',
              unix_socket_directories: '',
            },
          },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }],
      },
      postgresql: {
        listen: `127.0.0.1:${this.port}`,
        connect_address: postgres,
        data_dir: join(this.#folder, 'data'),
        bin_dir: postgresBin(),
        // A former primary that cannot be rewound is copied from the new one.
        remove_data_directory_on_rewind_failure: true,
        basebackup: { checkpoint: 'fast' },
        pgpass: join(this.#folder, 'pgpass'),
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
        authentication: {
          superuser: { username: 'postgres' },
          replication: { username: 'replicator' },
        },
      },
    };
  }
}

/** @returns its port for clients */
async function startEtcd(folder: string): Promise<number> {
  mkdirSync(folder);
  own(folder);
  const port = await freePort();
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${await freePort()}`];
  spawnLogged(
    'etcd',
    [
      '--data-dir=data',
      '--enable-v2',
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
    ],
    folder,
  );
  await eventually('etcd', async () => (await fetch(`${client}/health`)).ok || undefined);
  return port;
}

/** Runs a program in a folder, with its output in `log` and its process id in `pid`. */
function spawnLogged(program: string, options: readonly string[], folder: string): ChildProcess {
  const log = openSync(join(folder, 'log'), 'a');
  const child = spawn(program, options, {
    ...credentials,
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  writeFileSync(join(folder, 'pid'), String(child.pid));
  return child;
}

/** Asks again until there is an answer; an error counts as none. */
async function eventually<Result>(
  what: string,
  ask: () => Promise<Result | undefined>,
): Promise<Result> {
  const endAt = performance.now() + LONGEST_WAIT_MS;
  let last: unknown;
  while (performance.now() < endAt) {
    try {
      const result = await ask();
      if (result !== undefined) return result;
    } catch (error) {
      last = error;
    }
    await sleep(100);
  }
  throw new Error(`expected ${what} within ${LONGEST_WAIT_MS} ms`, { cause: last });
}
