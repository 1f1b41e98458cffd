// Moves a store to another database: copies all rows, and compares both. Resumable.
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { compareStores, copyMissing, undeclaredTables } from './move.ts';
import { openStore, withoutSecrets } from './open.ts';
import type { StoreSchema } from './schema.ts';
import type { DataStore, StoreEvents } from './store.ts';

const REPORT_EACH = 100_000;
/** Maximum wait for a database that restarts. */
const PATIENCE_MS = 60_000;

/** The URLs of a move, each as DATABASE_URL. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * Copies all rows of the declared tables, of the outbox and of the idempotency keys to another database, then
 * compares both completely. It writes the result to standard output, progress and errors to standard error. After an interruption it continues.
 *
 * @returns the exit code: 0 if both are equal
 * @example process.exitCode = await moveStore({ from: process.argv[2], to: process.argv[3] }, schema);
 */
export async function moveStore(move: Move, schema: StoreSchema): Promise<0 | 1> {
  const opened: DataStore[] = [];
  try {
    await moveRows(move, schema, opened);
    return 0;
  } catch (error) {
    logProgress(lineOf(error));
    return 1;
  } finally {
    for (const store of opened) await store.close();
  }
}

async function moveRows(
  { from: fromUrl, to: toUrl }: Move,
  schema: StoreSchema,
  opened: DataStore[],
): Promise<void> {
  const { tables, rows = 'rows' } = schema;
  const file = /^sqlite:(.*)$/is.exec(fromUrl)?.[1];
  // Opening would create the file.
  if (file && !existsSync(file)) throw new Error(`expected ${file} to exist`);
  const open = async (name: string, url: string) => {
    const store = await openSide(name, url, schema);
    opened.push(store);
    return store;
  };
  const from = await open('FROM', fromUrl);
  const to = await open('TO', toUrl);
  const onRead = (count: number) => {
    if (count % REPORT_EACH === 0) logProgress(`${formatted(count)} read`);
  };
  const created = await copyMissing(from, to, { tables, onRead });
  logProgress(`${formatted(created)} created; now comparing`);
  const { examples, ...result } = await compareStores(from, to, tables);
  process.stdout.write(
    `FROM ${withoutSecrets(fromUrl)}: ${formatted(result.from)} ${rows}\n` +
      `TO ${withoutSecrets(toUrl)}: ${formatted(result.to)} ${rows}, ${formatted(created)} of them created now\n`,
  );
  if (result.from === 0) throw new Error(`expected FROM to hold ${rows}, but it is empty`);
  const { missing, different, surplus } = result;
  if (missing + different + surplus > 0) {
    throw new Error(
      `expected both to be equal, but of TO's ${rows} ${missing} are missing, ${different} different, ${surplus} surplus (${examples.join(', ')})`,
    );
  }
  process.stdout.write('equal in count and content\n');
  const left = await undeclaredTables(from, schema);
  if (left.length > 0) {
    process.stdout.write(`not moved, since the schema does not declare them: ${left.join(', ')}\n`);
  }
}

async function openSide(name: string, url: string, schema: StoreSchema): Promise<DataStore> {
  if (url === '') throw new Error('expected FROM=… and TO=…, each as DATABASE_URL');
  try {
    const events = new EventEmitter<StoreEvents>()
      .on('unavailable', ({ message }) => logProgress(`${name} is unavailable: ${message}`))
      .on('available', () => logProgress(`${name} is back`));
    return await openStore(url, { ...schema, events, patienceMs: PATIENCE_MS });
  } catch (error) {
    throw new Error((error as Error).message.replace(/^DATABASE_URL/, name), { cause: error });
  }
}

function lineOf(error: unknown): string {
  const { name, message } = error as Error;
  return name === 'StoreUnavailable' || name === 'ConnectionLost'
    ? `${message}; run this again to continue`
    : message;
}

/** Progress on standard error; standard output has only the result. */
function logProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}

function formatted(count: number): string {
  return count.toLocaleString('en');
}
