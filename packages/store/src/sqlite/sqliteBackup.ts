// Online backup of a SQLite database.
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';

/** A step blocks the event loop for less than 1 ms. */
const PAGES_PER_STEP = 100;
/** Under full load about one attempt in ten coincides with a commit. */
const MAX_RETRIES = 100;

/**
 * Copies a database to a file, including commits during the backup. Replaces the file atomically and
 * durably at the end.
 *
 * @param options `verify` throws if the database is damaged; the previous backup is then kept. `idle`
 *   resolves when no transaction is open: SQLite copies nothing meanwhile
 * @throws {NodeJS.ErrnoException} and SQLite errors
 */
export async function backUpTo(
  file: string,
  database: DatabaseSync,
  { verify, idle }: { readonly verify: () => void; readonly idle: () => Promise<void> },
): Promise<void> {
  const partial = `${file}.partial`;
  try {
    await rm(partial, { force: true });
    await backUpWithRetry(database, partial, idle);
    verify();
    await rename(partial, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    throw error;
  }
}

/** Node retries a step during a commit, except for the first step, which fails with errcode 0. */
async function backUpWithRetry(
  database: DatabaseSync,
  file: string,
  idle: () => Promise<void>,
): Promise<void> {
  for (let retriesLeft = MAX_RETRIES; ; retriesLeft--) {
    await idle();
    try {
      await backup(database, file, { rate: PAGES_PER_STEP });
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== 0 || retriesLeft === 0) throw error;
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
