// A SQLite database -> a copy of it in a file, while it is written to. Knows nothing of plants.
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';

/** Each step holds the database, and with it the event loop, for less than a millisecond. */
const PAGES_PER_STEP = 100;
/** Each meets a commit by chance, about one in ten under full load. */
const MOST_TRIES = 100;

/**
 * Copies a database into a file, with all that was committed before and what is committed
 * meanwhile. The file is replaced at the end, whole and on disk, or stays as it was.
 *
 * @throws the system's error or SQLite's
 */
export async function backUpTo(file: string, database: DatabaseSync): Promise<void> {
  const partial = `${file}.partial`;
  try {
    await rm(partial, { force: true });
    await backUpOnceFree(database, partial);
    await rename(partial, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * A step that finds a commit under way is repeated by Node, but for the first one: there Node fails
 * with SQLite's code for no error, since what is left to copy is not known yet.
 */
async function backUpOnceFree(database: DatabaseSync, file: string): Promise<void> {
  for (let triesLeft = MOST_TRIES; ; triesLeft--) {
    try {
      await backup(database, file, { rate: PAGES_PER_STEP });
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== 0 || triesLeft === 0) throw error;
    }
  }
}

/** A name is on disk once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
