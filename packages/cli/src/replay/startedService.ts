// The service that requests are replayed to: at a URL, or started in this process.

import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoadedContract } from '@stubwright/contract';
import { POLICY } from '../project/layout.ts';
import { serviceModule } from '../project/serviceModule.ts';
import type { ReplayTarget } from './replayer.ts';

/** A service, and the end of it. */
export interface StartedService extends ReplayTarget {
  stop?(): Promise<unknown>;
}

/**
 * Starts the service in a state, with an empty store.
 *
 * @param situation the name that a conversation has for the state; undefined for the usual one
 * @returns undefined for an unknown situation, and to use the usual service
 */
export type StartIn = (situation: string | undefined) => Promise<StartedService | undefined>;

const SERVICE = 'src/service.ts';

interface StartOptions {
  readonly cwd: string;
  readonly contract: LoadedContract;
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  /** The DATABASE_URL of the service; by default a new SQLite file for each start. */
  readonly database?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly startIn?: StartIn | undefined;
}

export async function startOf({ startIn, token, ...options }: StartOptions): Promise<StartIn> {
  const usual = options.url === undefined ? await ownService(options) : serviceAt(options.url);
  return async (situation) => {
    const started = await startIn?.(situation);
    const service = started ?? (situation === undefined ? await usual() : undefined);
    return service && { ...service, token: token ?? service.token };
  };
}

function serviceAt(url: string): () => Promise<StartedService> {
  const root = url.replace(/\/+$/, '');
  return async () => ({ url: root, isOrigin: new URL(root).pathname === '/' });
}

/**
 * Settings that a test needs: tests share this process and its event loop. Replayed requests are no
 * recorded traffic.
 */
const ENV = {
  ...{ PORT: '0', LAG_LIMIT: '60000', LOG_LEVEL: 'silent', HOST: '127.0.0.1' },
  RECORD: undefined,
};

async function ownService({ cwd, env, contract, database }: StartOptions) {
  const path = resolve(cwd, SERVICE);
  return async (): Promise<StartedService> => {
    if (!existsSync(path)) {
      throw new Error(`${SERVICE}: not found, expected it, or the URL of a running service`);
    }
    expectOwnDatabase(env?.['DATABASE_URL'], database);
    const { startService } = await serviceModule('replay');
    const { service: options } = await import(pathToFileURL(path).href);
    const token = randomBytes(16).toString('hex');
    const tokens = [`${token} scope=*`];
    const { url: databaseUrl, remove } = database === undefined ? newDatabase() : kept(database);
    const service = await startService({
      compatibility: resolve(cwd, POLICY),
      ...{ ...options, contract, tokens, env: { ...env, ...ENV, DATABASE_URL: databaseUrl } },
    }).catch((error: Error) => {
      remove();
      throw error;
    });
    // A release may have other servers than the current contract.
    const isOrigin = !env?.['BASE_URL'];
    const url = isOrigin ? new URL(service.url).origin : service.url;
    return { url, isOrigin, token, stop: () => service.stop().finally(remove) };
  };
}

/** Replay creates SQLite files only. @throws {Error} for another database that is not named */
function expectOwnDatabase(configured = '', database: string | undefined): void {
  if (database !== undefined || configured === '' || configured.startsWith('sqlite:')) return;
  throw new Error(
    'DATABASE_URL: replay writes to no database that it did not create, expected a SQLite file, or --database with the URL of a database for the replay',
  );
}

function newDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'stubwright-replay-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { url: `sqlite:${join(folder, 'replay.db')}`, remove };
}

const kept = (url: string) => ({ url, remove() {} });
