// `make migrate-store FROM=… TO=…`: copies all plants to another database, and compares both. Resumable.
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type { ReadableStore, StoreEvents } from '../plants/store.ts';
import { compare, copyMissing } from './move.ts';
import { openStore, withoutSecrets } from './open.ts';

const REPORT_EACH = 100_000;
/** Maximum wait for a database that restarts. */
const PATIENCE_MS = 60_000;

const [fromUrl = '', toUrl = ''] = process.argv.slice(2);
const opened: ReadableStore[] = [];
try {
  await move();
} catch (error) {
  process.stderr.write(`${lineOf(error)}\n`);
  process.exitCode = 1;
} finally {
  for (const store of opened) await store.close();
}

async function move(): Promise<void> {
  const file = /^sqlite:(.*)$/is.exec(fromUrl)?.[1];
  // Opening would create the file.
  if (file && !existsSync(file)) throw new Error(`expected ${file} to exist`);
  const from = await open('FROM', fromUrl);
  const to = await open('TO', toUrl);
  const created = await copyMissing(from, to, (count) => {
    if (count % REPORT_EACH === 0) logProgress(`${formatted(count)} read`);
  });
  logProgress(`${formatted(created)} created; now comparing`);
  const { examples, ...result } = await compare(from, to);
  process.stdout.write(
    `FROM ${withoutSecrets(fromUrl)}: ${formatted(result.from)} plants\n` +
      `TO ${withoutSecrets(toUrl)}: ${formatted(result.to)} plants, ${formatted(created)} of them created now\n`,
  );
  if (result.from === 0) throw new Error('expected FROM to hold plants, but it is empty');
  const { missing, different, surplus } = result;
  if (missing + different + surplus > 0) {
    throw new Error(
      `expected both to be equal, but of TO's plants ${missing} are missing, ${different} different, ${surplus} surplus (${examples.join(', ')})`,
    );
  }
  process.stdout.write('equal in count and content\n');
}

async function open(name: string, url: string): Promise<ReadableStore> {
  if (url === '') throw new Error('expected FROM=… and TO=…, each as DATABASE_URL');
  try {
    const events = new EventEmitter<StoreEvents>()
      .on('unavailable', ({ message }) => logProgress(`${name} is unavailable: ${message}`))
      .on('available', () => logProgress(`${name} is back`));
    const store = await openStore(url, { events, patienceMs: PATIENCE_MS });
    opened.push(store);
    return store;
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
