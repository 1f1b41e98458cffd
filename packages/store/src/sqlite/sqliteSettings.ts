// The settings of a SQLite connection: durability and sizes.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { StoreRefused } from '../store.ts';

/** By number (https://sqlite.org/pragma.html#pragma_synchronous). */
const SYNCHRONOUS = { NORMAL: 1, FULL: 2 };

/**
 * For ids in random order: checkpoints every 16 MB instead of 4 MB use 20 % less CPU per row, measured
 * with 300,000 ids in batches of 512.
 */
export const CHECKPOINT_FRAMES = 4000;

/**
 * Each setting is read back: SQLite ignores unsupported values, and some builds reduce FULL to NORMAL.
 *
 * @throws {StoreRefused} if SQLite does not support one
 */
export function makeDurable(database: DatabaseSync, file: string): void {
  const settings: readonly (readonly [name: string, value: SQLOutputValue])[] = [
    ['journal_mode', 'wal'],
    // NORMAL syncs checkpoints and the header of the log; LogSync syncs the commits.
    ['synchronous', canObserveLog(database) ? SYNCHRONOUS.NORMAL : SYNCHRONOUS.FULL],
    ['fullfsync', 1], // macOS: only F_FULLFSYNC flushes the cache of the drive
  ];
  for (const [name, expected] of settings) {
    database.exec(`PRAGMA ${name} = ${expected}`);
    const actual = pragma(database, name);
    if (actual === expected) continue;
    throw new StoreRefused(
      `Expected ${file} to work with PRAGMA ${name} = ${expected}, but SQLite keeps it at ${actual}`,
    );
  }
}

/** The number of frames in the log is known from SQLite 3.51 on, which Node.js 22.22.1 and 24.14 have. */
export function canObserveLog(database: DatabaseSync): boolean {
  const { version } = database.prepare('SELECT sqlite_version() AS version').get() as {
    version: string;
  };
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 3 || (major === 3 && minor >= 51);
}

/** @returns false if its commits need a sync of the log */
export function syncsInCommit(database: DatabaseSync): boolean {
  return pragma(database, 'synchronous') === SYNCHRONOUS.FULL;
}

export function setSizes(database: DatabaseSync): void {
  // Pages beyond 4 MB of cache are in the cache of the system.
  const frames = syncsInCommit(database) ? CHECKPOINT_FRAMES : 0;
  database.exec(`PRAGMA wal_autocheckpoint = ${frames}; PRAGMA cache_size = -4096`);
}

export function pragma(database: DatabaseSync, name: string): SQLOutputValue | undefined {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}
