// A process with a plant store on a recorded disk. It takes the steps of its argument, and notes on the
// disk's log which rows it may rely on, in the order of its effects on the disk.
import { openSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { StoreRefused, type StoreTransaction } from '@stubwright/store';
import { SqliteStore } from '../../../packages/store/src/sqlite/sqliteStore.ts';
import { plantsIn } from '../../../src/store/plants.ts';
import { openPlantFile } from '../../support/plantStore.ts';
import { failIn } from './shim.ts';

/** A page has room for four rows, so that their inserts change several pages. */
const NAME_LENGTH = 900;

/** A row that was reported: with this name, or with another one. */
export interface Claim {
  readonly id: number;
  readonly name?: string;
  readonly not?: string;
}

export type Step =
  /** Creates at the same time, without waiting for the outcomes. */
  | { readonly creates: readonly (readonly [id: number, name: string])[] }
  | { readonly find: number }
  /** Reads a row, inserts it if it is missing, and rolls back otherwise. */
  | { readonly transaction: readonly [id: number, name: string] }
  /** A bit for each of the next syncs: 1 fails. */
  | { readonly failing: number }
  | { readonly wait: 'turn' | 'sync' | 'outcomes' };

export interface Life {
  readonly steps: readonly Step[];
  readonly checkpointFrames: number;
  readonly end: 'close' | 'kill';
}

const RECOVERY_LIMIT_MS = 5_000;

async function live(root: string, { steps, checkpointFrames, end }: Life): Promise<void> {
  const notes = openSync(`${root}/notes`, 'w');
  const claim = (row: Claim) => writeSync(notes, JSON.stringify(row));
  const options = { patienceMs: 800, transactionTimeoutMs: 30_000, rows: 'plants' };
  const database = openedUnlessRefused(`${root}/plants.db`);
  if (database === undefined) return;
  const store = new SqliteStore(database, { ...options, checkpointFrames });
  fail(0);
  const plants = plantsIn(store);
  const create = async (id: number, name: string) => {
    const outcome = await plants.create({ id: BigInt(id), name: stored(name) });
    claim(outcome === 'different' ? { id, not: name } : { id, name });
  };
  const find = async (id: number) => {
    const row = await plants.find(BigInt(id));
    if (row !== undefined) claim({ id, name: row.name.trimEnd() });
  };
  const take = (step: Step): Promise<void>[] => {
    if ('creates' in step) return step.creates.map(([id, name]) => create(id, name));
    if ('find' in step) return [find(step.find)];
    if ('transaction' in step) return [transact(store, step.transaction, claim)];
    return [];
  };

  let pending: Promise<void>[] = [];
  for (const step of steps) {
    pending.push(...take(step).map((each) => each.catch(rejectsUnavailable)));
    if ('failing' in step) fail(step.failing);
    else if ('wait' in step && step.wait === 'outcomes') {
      await Promise.all(pending);
      pending = [];
    } else if ('wait' in step) await (step.wait === 'turn' ? nextTurn() : sleep(2));
  }
  if (end === 'kill') process.kill(process.pid, 'SIGKILL');
  await Promise.all(pending);
  fail(0);
  await recovered(() => create(1000, 'recovered'));
  await store.close();
}

/** The exit code of a start that is refused. */
export const REFUSED = 3;

/** A refused start ends by itself, as that of a service: Node.js then closes databases. */
function openedUnlessRefused(file: string) {
  try {
    return openPlantFile(file);
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    process.exitCode = REFUSED;
    return undefined;
  }
}

function stored(name: string): string {
  return name.padEnd(NAME_LENGTH);
}

function fail(pattern: number): void {
  failIn(process.env['DISK_FAULTS']!, 'fsync pattern', pattern);
}

async function transact(
  store: SqliteStore,
  [id, name]: readonly [number, string],
  claim: (row: Claim) => void,
): Promise<void> {
  const transaction: StoreTransaction = await store.begin();
  const [row] = await transaction.query<{ name: string }>('SELECT name FROM plant WHERE id = $1', [
    id,
  ]);
  if (row !== undefined) {
    await transaction.rollBack();
    claim({ id, name: row.name.trimEnd() });
    return;
  }
  await transaction.run('INSERT INTO plant (id, name) VALUES ($1, $2)', [id, stored(name)]);
  await transaction.commit();
  claim({ id, name });
}

function rejectsUnavailable(error: Error): void {
  if (error.name !== 'StoreUnavailable') throw error;
}

/** Repeats an act until it succeeds. */
async function recovered(act: () => Promise<void>): Promise<void> {
  const endAt = performance.now() + RECOVERY_LIMIT_MS;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() > endAt) throw error;
      await sleep(20);
    }
  }
}

if (process.argv[1] === import.meta.filename) {
  const [root, life] = process.argv.slice(2);
  await live(root!, JSON.parse(life!) as Life);
}
