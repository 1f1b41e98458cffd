// Opens, verifies, locks and migrates the database file.

import { closeSync, fsyncSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import {
  failedMigration,
  type Migration,
  type OpenedSchema,
  pendingMigrations,
  type RecordedMigration,
  unnamedMigrations,
} from '../schema.ts';
import { type StoreEmitter, StoreRefused } from '../store.ts';
import { damageOf, rewriteLog } from './logSync.ts';

export interface SqliteFileOptions {
  /** Creates a missing folder of the file. Its own folder must exist. */
  readonly createsFolder?: boolean | undefined;
  readonly events?: StoreEmitter | undefined;
}

/**
 * Opens a database file with an exclusive lock; creates a missing file.
 *
 * @param file absolute path
 * @throws {StoreRefused} if the file is unusable, or if its folder is missing
 */
export function openSqliteFile(
  file: string,
  schema: OpenedSchema,
  { createsFolder = false, events }: SqliteFileOptions = {},
): DatabaseSync {
  let database: DatabaseSync | undefined;
  let isWritten = false;
  try {
    requireFolder(file, createsFolder);
    const isNew = rejectUnusable(file, schema);
    database = new DatabaseSync(file, { enableDoubleQuotedStringLiterals: false });
    // Before the first read, which then acquires the lock until close and needs no shared memory.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    rejectForeign(database, file, schema);
    isWritten = true;
    rewriteInherited(database);
    rejectDamaged(database, file);
    makeDurable(database, file);
    setSizes(database);
    migrate(database, file, schema);
    syncInherited(database, file);
    events?.emit('opened', { file, isNew });
    return database;
  } catch (error) {
    if (database !== undefined && isWritten && mayBeFailedSync(error)) abandon(database);
    else database?.close();
    throw error instanceof StoreRefused ? error : refusal(file, error, schema);
  }
}

/** After a failed sync, that of closing may report success. */
function mayBeFailedSync(error: unknown): boolean {
  if (error instanceof StoreRefused) return false;
  const { errcode } = error as { errcode?: number };
  return errcode === undefined || (errcode & 0xff) === IO_ERROR;
}

function requireFolder(file: string, createsFolder: boolean): void {
  const folder = dirname(file);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (!createsFolder) {
    // A misspelled path would start with an empty database.
    throw new StoreRefused(
      `Expected the folder of ${file} to exist, but it does not; create it, or correct the path`,
    );
  }
  mkdirSync(folder);
}

/** @returns true for a missing or empty file */
function rejectUnusable(file: string, { rows }: OpenedSchema): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats && !stats.isFile())
    throw new StoreRefused(`Expected ${file} to be a file, but it is not`);
  // SQLite would delete a WAL without its database, and the last rows with it.
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (!stats?.size && log?.size) {
    throw new StoreRefused(
      `Expected ${file} to hold the ${rows} that its log ${file}-wal continues, but it is ${stats ? 'empty' : 'missing'}; restore it, or delete the log`,
    );
  }
  // Before SQLite opens it: closing the database would delete the log.
  const damage = stats?.size ? damageOf(`${realpathSync(file)}-wal`) : undefined;
  if (damage !== undefined) {
    throw new StoreRefused(
      `Expected the log ${file}-wal to be whole, but ${damage} is damaged: without it, ${rows} acknowledged since would be lost. Keep both files, and see docs/stubwright/store.md#a-damaged-log`,
    );
  }
  return !stats?.size;
}

// https://sqlite.org/pragma.html#pragma_application_id
function rejectForeign(
  database: DatabaseSync,
  file: string,
  { name, applicationId }: OpenedSchema,
): void {
  const id = pragma(database, 'application_id');
  if (id === applicationId) return;
  const empty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (id === 0 && empty) return;
  throw new StoreRefused(
    `Expected ${file} to be a ${name} store, but it belongs to another application (application_id ${id})`,
  );
}

// quick_check omits only index consistency, and takes half the time. 1: stops at the first error.
function rejectDamaged(database: DatabaseSync, file: string): void {
  const hasIndex = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'index'").get();
  const finding = pragma(database, hasIndex ? 'integrity_check(1)' : 'quick_check(1)');
  if (finding !== 'ok') throw new StoreRefused(damaged(file, String(finding).replace(/\s+/g, ' ')));
}

/**
 * Makes the log durable that a killed process has left: a power cut during the checkpoint of a log that is
 * only in the cache of the system would leave a part of its pages in the database.
 */
function rewriteInherited(database: DatabaseSync): void {
  if (!canObserveLog(database)) return;
  const { log } = database.prepare('PRAGMA wal_checkpoint(NOOP)').get() as { log: number };
  if (log <= 0) return;
  const descriptor = openSync(`${database.location()}-wal`, 'r+');
  try {
    rewriteLog(descriptor, log);
  } finally {
    closeSync(descriptor);
  }
}

/** Each migration and its record is one transaction. */
function migrate(database: DatabaseSync, file: string, schema: OpenedSchema): void {
  const { name, applicationId } = schema;
  const table = `${name}_migration`;
  const recorded = recordedMigrations(database, schema);
  const pending = pendingMigrations(schema, recorded, file);
  const unnamed = unnamedMigrations(schema, recorded);
  if (pending.length + unnamed.length === 0) return;
  const record = ({ version, name, sha256, compatible }: Migration) =>
    database
      .prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?, ?)`)
      .run(version, name, sha256, compatible);
  database.exec('BEGIN IMMEDIATE');
  database.exec(`CREATE TABLE IF NOT EXISTS ${table}
    (version INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, compatible INTEGER)`);
  for (const migration of unnamed) record(migration);
  database.exec(`PRAGMA application_id = ${applicationId}`);
  database.exec('COMMIT');
  for (const migration of pending) {
    database.exec('BEGIN IMMEDIATE');
    try {
      database.exec(migration.sql);
    } catch (error) {
      throw failedMigration(error, migration);
    }
    record(migration);
    database.exec(`PRAGMA user_version = ${migration.version}`);
    database.exec('COMMIT');
  }
}

/** A database without the table has the number of its last migration only: it has run those before, too. */
function recordedMigrations(
  database: DatabaseSync,
  { name, migrations }: OpenedSchema,
): RecordedMigration[] {
  const table = `${name}_migration`;
  const last = Number(pragma(database, 'user_version'));
  const hasTable = database
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    .get(table);
  const recorded = hasTable
    ? (database
        .prepare(`SELECT version, name, sha256, compatible FROM ${table} ORDER BY version`)
        .all() as unknown as RecordedMigration[])
    : [];
  const latest = Math.max(0, ...recorded.map(({ version }) => version));
  const versions = new Set([...migrations.map(({ version }) => version), last]);
  // A version of the store before hashes may have migrated it again, after a rollback.
  const unnamed = [...versions].filter((version) => version > latest && version <= last);
  return [
    ...recorded,
    ...unnamed.map((version) => ({ version, name: null, sha256: null, compatible: null })),
  ];
}

/**
 * Makes the content durable: a killed process may have written pages without fsync. PostgreSQL does the
 * same before crash recovery (SyncDataDirectory, `recovery_init_sync_method`). The checkpoint writes the
 * pages of the log to the database file, and syncs that.
 */
function syncInherited(database: DatabaseSync, file: string): void {
  // A checkpoint of an empty WAL syncs nothing.
  rewriteHeader(database);
  if (pragma(database, 'wal_checkpoint(TRUNCATE)') !== 0) {
    throw new StoreRefused(`Expected to write the log of ${file} into it, but SQLite is busy`);
  }
  syncPath(file);
}

/** A commit that changes nothing. */
export function rewriteHeader(database: DatabaseSync): void {
  database.exec(`PRAGMA user_version = ${pragma(database, 'user_version')}`);
}

function refusal(file: string, error: unknown, { name }: OpenedSchema): StoreRefused {
  const { errcode = 0, message } = error as { errcode?: number; message: string };
  // The low byte is the primary result code.
  const messageOf = MESSAGES[errcode] ?? MESSAGES[errcode & 0xff];
  const text =
    messageOf?.(file, message, name) ?? `Expected to open ${file}, but it failed: ${message}`;
  return new StoreRefused(text, { cause: error });
}

/** The primary result code of I/O errors. */
const IO_ERROR = 10;

type RefusalText = (file: string, message: string, name: string) => string;

/** By result code (https://sqlite.org/rescode.html). */
const MESSAGES: Readonly<Record<number, RefusalText>> = {
  3: notWritable, // PERM
  // BUSY
  5: (file) => `Expected to be the only process that uses ${file}, but it is locked by another one`,
  8: notWritable, // READONLY
  11: damaged, // CORRUPT
  13: (file) => `Expected room to write ${file}, but the disk is full`, // FULL
  14: notWritable, // CANTOPEN
  // NOTADB
  26: (file, _, name) => `Expected ${file} to be a ${name} store, but it is not a SQLite database`,
  3850: notWritable, // IOERR_LOCK: no write lock on a read-only file
};

function notWritable(file: string): string {
  return `Expected ${file} and its directory to be readable and writable, but they are not`;
}

function damaged(file: string, finding: string): string {
  return `Expected ${file} to be whole, but it is damaged (${finding}); restore it from a backup`;
}

/** Garbage collection closes a database, too. */
const abandoned = new Set<DatabaseSync>();

/** Leaves a database to the next start, which makes its log durable first; its file stays locked until the process ends. */
export function abandon(database: DatabaseSync): void {
  // A process that ends by itself closes its databases after these listeners; process.exit does not.
  if (abandoned.size === 0) process.once('exit', (code) => process.exit(code));
  abandoned.add(database);
}

/** EACCES: the directory of another user. EINVAL: the file system does not sync directories. */
const NOT_SYNCED = new Set<string | undefined>(['EACCES', 'EINVAL']);

/**
 * Syncs all directories above a file: after a power failure every entry of the path must exist.
 *
 * @throws {NodeJS.ErrnoException}
 */
export function syncPath(file: string): void {
  let folder = realpathSync(file);
  while (folder !== dirname(folder)) {
    folder = dirname(folder);
    syncFolder(folder);
  }
}

function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!NOT_SYNCED.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}

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
function canObserveLog(database: DatabaseSync): boolean {
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

function setSizes(database: DatabaseSync): void {
  // Pages beyond 4 MB of cache are in the cache of the system.
  const frames = syncsInCommit(database) ? CHECKPOINT_FRAMES : 0;
  database.exec(`PRAGMA wal_autocheckpoint = ${frames}; PRAGMA cache_size = -4096`);
}

function pragma(database: DatabaseSync, name: string): SQLOutputValue | undefined {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}
