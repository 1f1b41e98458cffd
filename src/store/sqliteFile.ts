// A file path -> a SQLite database that is ours, whole, durable, locked and up to date.
// Knows the schema only as numbered migrations, and nothing of plants.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { StoreRefused } from '../plants/store.ts';
import { readMigrations } from './migrations.ts';
import { syncPath } from './syncPath.ts';

// "Plnt" in ASCII: marks the file as ours (https://sqlite.org/pragma.html#pragma_application_id).
const APPLICATION_ID = 0x506c6e74;

// What "on disk" rests on. Each is set and read back, since SQLite ignores what it cannot do, and
// some builds lower synchronous to NORMAL in WAL mode, which skips the fsync at COMMIT.
const DURABLE: readonly (readonly [name: string, value: SQLOutputValue])[] = [
  ['journal_mode', 'wal'],
  ['synchronous', 2], // FULL
  ['fullfsync', 1], // macOS: its fsync stops at the drive's cache, F_FULLFSYNC does not
];

// Ids in random order touch a page each. Measured with 300,000 of them in batches of 512: a
// checkpoint every 16 MB instead of 4 MB rewrites fewer pages twice (20 % less CPU a row). Pages that
// 4 MB of cache do not hold come from the system's. Ids in ascending order need neither.
const FAST = 'PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -4096';

/**
 * Opens a plant store's SQLite file, made with its directory when missing. The process owns the
 * file until the database is closed: no other can read or write it.
 *
 * @param file absolute path
 * @throws {StoreRefused} when the file cannot be used; the message names it and what was expected.
 */
export function openSqliteFile(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    makeFolder(dirname(file));
    refuseUnfit(file);
    database = new DatabaseSync(file, { enableDoubleQuotedStringLiterals: false });
    // Before the first read, which then takes the lock for good and needs no shared memory.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    refuseForeign(database, file);
    refuseDamaged(database, file);
    makeDurable(database, file);
    database.exec(FAST);
    migrate(database, file);
    syncInherited(database, file);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof StoreRefused ? error : refusal(file, error);
  }
}

// Not by mkdir's `recursive`, which tries for ever where nothing can be made, as in /proc.
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

function refuseUnfit(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats && !stats.isFile())
    throw new StoreRefused(`Expected ${file} to be a file, but it is not`);
  // SQLite would delete such a log, and the last plants with it.
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (!stats?.size && log?.size) {
    throw new StoreRefused(
      `Expected ${file} to hold the plants that its log ${file}-wal continues, but it is ${stats ? 'empty' : 'missing'}; restore it, or delete the log`,
    );
  }
}

function refuseForeign(database: DatabaseSync, file: string): void {
  const id = pragma(database, 'application_id');
  if (id === APPLICATION_ID) return;
  const empty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (id === 0 && empty) return;
  throw new StoreRefused(
    `Expected ${file} to be a plant store, but it belongs to another application (application_id ${id})`,
  );
}

// The quick check reads every page, and leaves out only whether indexes match their tables: there
// are no indexes. It stops at the first finding.
function refuseDamaged(database: DatabaseSync, file: string): void {
  const finding = pragma(database, 'quick_check(1)');
  if (finding !== 'ok') throw new StoreRefused(damaged(file, String(finding).replace(/\s+/g, ' ')));
}

/** @throws {StoreRefused} when the database does not promise that a commit is on disk. */
export function makeDurable(database: DatabaseSync, file: string): void {
  for (const [name, expected] of DURABLE) {
    database.exec(`PRAGMA ${name} = ${expected}`);
    const actual = pragma(database, name);
    if (actual === expected) continue;
    throw new StoreRefused(
      `Expected ${file} to work with PRAGMA ${name} = ${expected}, but SQLite keeps it at ${actual}`,
    );
  }
}

function migrate(database: DatabaseSync, file: string): void {
  const migrations = readMigrations('sqlite');
  const current = Number(pragma(database, 'user_version'));
  const newest = migrations.at(-1)?.version ?? 0;
  if (current > newest) {
    throw new StoreRefused(
      `Expected ${file} to have at most schema version ${newest}, but it has ${current}: a newer version of the service wrote it`,
    );
  }
  for (const { version, sql } of migrations) {
    if (version <= current) continue;
    database.exec('BEGIN IMMEDIATE');
    database.exec(sql);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version}`);
    database.exec('COMMIT');
  }
}

/**
 * Makes everything in the database durable, also what another process wrote. A killed process leaves pages that it
 * wrote and never synced in the system's cache, where they look like any other. PostgreSQL does the
 * same before crash recovery (SyncDataDirectory, setting `recovery_init_sync_method`).
 *
 * The checkpoint syncs the log, writes its pages into the database file once more, and syncs that.
 * Syncing the files alone would not do: after a failed fsync Linux takes their pages for clean
 * (https://wiki.postgresql.org/wiki/Fsync_Errors).
 */
function syncInherited(database: DatabaseSync, file: string): void {
  // A checkpoint of an empty log syncs nothing.
  rewriteHeader(database);
  if (pragma(database, 'wal_checkpoint(TRUNCATE)') !== 0) {
    throw new StoreRefused(`Expected to write the log of ${file} into it, but SQLite is busy`);
  }
  syncPath(file);
}

/** Commits a page as durably as a plant, and changes nothing. */
export function rewriteHeader(database: DatabaseSync): void {
  database.exec(`PRAGMA user_version = ${pragma(database, 'user_version')}`);
}

function pragma(database: DatabaseSync, name: string): SQLOutputValue | undefined {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}

function refusal(file: string, error: unknown): StoreRefused {
  const { errcode = 0, message } = error as { errcode?: number; message: string };
  // The low byte is the kind of failure, the rest says where it happened.
  const sentence = SENTENCES.get(errcode) ?? SENTENCES.get(errcode & 0xff) ?? other;
  return new StoreRefused(sentence(file, message), { cause: error });
}

// By result code (https://sqlite.org/rescode.html).
const SENTENCES = new Map([
  [3, notWritable], // PERM
  [5, inUse], // BUSY
  [8, notWritable], // READONLY
  [11, damaged], // CORRUPT
  [13, noRoom], // FULL
  [14, notWritable], // CANTOPEN
  [26, notADatabase], // NOTADB
  [3850, notWritable], // IOERR_LOCK: a file that is read-only cannot be locked for writing
]);

function notWritable(file: string): string {
  return `Expected ${file} and its directory to be readable and writable, but they are not`;
}

function inUse(file: string): string {
  return `Expected to be the only process that uses ${file}, but it is locked by another one`;
}

function damaged(file: string, finding: string): string {
  return `Expected ${file} to be whole, but it is damaged (${finding}); restore it from a backup`;
}

function noRoom(file: string): string {
  return `Expected room to write ${file}, but the disk is full`;
}

function notADatabase(file: string): string {
  return `Expected ${file} to be a plant store, but it is not a SQLite database`;
}

function other(file: string, message: string): string {
  return `Expected to open ${file}, but it failed: ${message}`;
}
