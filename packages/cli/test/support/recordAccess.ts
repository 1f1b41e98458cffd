// Preloaded with --import: writes each file that is opened, each connection and each program to ACCESS_LOG.
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

type Calls = Record<string, ((...args: unknown[]) => unknown) | undefined>;

const { writeSync } = fs;
const log = fs.openSync(process.env['ACCESS_LOG']!, 'a');
/** The ports of this process: a command may call the service that it starts. */
const own = new Set<number>();

function record(kind: string, value: string): void {
  writeSync(log, `${kind}\t${value}\n`);
}

function before(holder: object, names: readonly string[], act: (...args: unknown[]) => void): void {
  for (const name of names) {
    const original = (holder as Calls)[name];
    if (original === undefined) throw new Error(`${name}: got nothing, expected a function`);
    function recorded(this: unknown, ...args: unknown[]): unknown {
      act.apply(this, args);
      return original!.apply(this, args);
    }
    // Such as the function that `promisify` returns instead.
    const properties = Object.getOwnPropertyDescriptors(original);
    (holder as Calls)[name] = Object.defineProperties(recorded, properties) as typeof recorded;
  }
}

function recordPath(path: unknown): void {
  if (typeof path === 'number') return;
  record('open', path instanceof URL ? fileURLToPath(path) : resolve(String(path)));
}

const READERS = ['open', 'readFile', 'readdir', 'opendir', 'readlink', 'cp', 'copyFile'];
before(fs, [...READERS, ...READERS.map((name) => `${name}Sync`)], recordPath);
before(fs, ['createReadStream'], recordPath);
before(fs.promises, READERS, recordPath);
before(net.Server.prototype, ['emit'], function (this: net.Server, event) {
  const address = event === 'listening' ? this.address() : null;
  if (typeof address === 'object' && address !== null) own.add(address.port);
} as (this: unknown, event: unknown) => void);
before(net.Socket.prototype, ['connect'], (...args) => {
  const [first] = args.flat() as ({ host?: string; port?: number; path?: string } | number)[];
  const { host, port, path } = typeof first === 'object' ? first : { port: first };
  if (!own.has(Number(port))) record('connect', path ?? `${host}:${port}`);
});
before(dgram.Socket.prototype, ['send', 'connect'], () => record('connect', 'a datagram'));
for (const resolver of [dns, dns.promises]) {
  before(resolver, ['lookup', 'resolve'], (host) => {
    if (host !== '127.0.0.1' && host !== 'localhost') record('connect', String(host));
  });
}
const PROGRAMS = ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync', 'fork'];
before(childProcess, PROGRAMS, (program) => record('spawn', String(program)));
syncBuiltinESMExports();
