// The service under test: in this process on a real socket and a real database of its own, or as a
// process that can be killed.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Limits, type Service, startService } from '@stubwright/service';
import type { Answer, Call } from '@stubwright/test-support/http';
import { type ServiceProcess, spawnScript } from '@stubwright/test-support/serviceProcess';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { readConfig } from '../../src/config.ts';
import { service as options } from '../../src/service.ts';
import { call } from './http.ts';
import type { PlantStore } from './plantStore.ts';

export { type ServiceProcess, temporaryFolder };

export const TOKEN = 'a-token.for~tests+only/==';

export interface TestService extends Service {
  readonly databaseFile: string;
  /** Creates a plant with a good token; `plant` is an object, or JSON text where digits matter. */
  create(plant: unknown, options?: Call): Promise<Answer>;
  /** Stops it and removes its database. */
  remove(): Promise<void>;
}

/** @returns a store that keeps nothing and does what is given */
export function storeWith(parts: Partial<PlantStore>): PlantStore {
  return {
    create: () => Promise.resolve('created'),
    find: () => Promise.resolve(undefined),
    isReady: () => Promise.resolve(true),
    waiting: 0,
    close: () => Promise.resolve(),
    ...parts,
  };
}

export async function startTestService(
  env: Record<string, string> = {},
  bounds: Partial<Limits> = {},
  plants?: PlantStore,
): Promise<TestService> {
  const folder = temporaryFolder();
  const databaseFile = join(folder.path, 'plants.db');
  const settings = readConfig({
    PORT: '0',
    API_TOKENS: TOKEN,
    DATABASE_URL: `sqlite:${databaseFile}`,
    // Tests share this process and its event loop.
    LAG_LIMIT: '60000',
    LOG_LEVEL: 'silent',
    ...env,
  });
  const service = await startService({
    ...options,
    ...(plants && { open: async () => ({ services: { plants }, store: plants }) }),
    settings,
    bounds: { lingerMs: 100, settleMs: 20, timeoutCheckMs: 50, ...bounds },
  });
  return {
    ...service,
    databaseFile,
    create: (plant, options) => createAt(service.url, plant, options),
    async remove() {
      await service.stop();
      folder.remove();
    },
  };
}

export function createAt(url: string, plant: unknown, { headers, ...rest }: Call = {}) {
  return call(url, {
    headers: { ...authorized, ...json, ...headers },
    body: typeof plant === 'string' || Buffer.isBuffer(plant) ? plant : JSON.stringify(plant),
    ...rest,
  });
}

export const authorized = { Authorization: `Bearer ${TOKEN}` };
export const json = { 'Content-Type': 'application/json' };

export interface StoredPlant {
  readonly id: bigint;
  readonly name: string;
  readonly tag: string | null;
}

/** @returns the rows of a database file that no service has open */
export function storedPlants(databaseFile: string): StoredPlant[] {
  const database = new DatabaseSync(databaseFile);
  const select = database.prepare('SELECT id, name, tag FROM plant ORDER BY id');
  select.setReadBigInts(true);
  const rows = select.all().map(({ id, name, tag }) => ({ id, name, tag }) as StoredPlant);
  database.close();
  return rows;
}

/**
 * Starts `node src/main.ts` with exactly these settings.
 *
 * @param command that runs it and becomes its process, with arguments
 */
export function spawnService(
  env: Record<string, string>,
  command: readonly string[] = [],
): ServiceProcess {
  return spawnScript('src/main.ts', env, command);
}

/** @returns whether npm can install packages; says on standard error that the test is skipped if not */
export function isRegistryReachable(test: string): boolean {
  try {
    execFileSync('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=5000'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(`SKIPPED: ${test} cannot reach the npm registry\n`);
    return false;
  }
}
