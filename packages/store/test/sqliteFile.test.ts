import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { makeDurable } from '../src/sqlite/sqliteFile.ts';
import { refusal } from './support/refusal.ts';
import { kill, storeProcesses } from './support/storeProcesses.ts';
import { openToyFile } from './support/toyStore.ts';

const temporary = temporaryPaths();
const storeProcess = storeProcesses();

function pragma(database: DatabaseSync, name: string) {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}

/** A toy store of about 500 pages. */
function filledFile(): string {
  const file = temporary();
  const database = openToyFile(file);
  database.exec(`
    WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids LIMIT 2000)
    INSERT INTO toy SELECT id, printf('%.*c', 1000, 'x'), NULL FROM ids`);
  database.close();
  return file;
}

function overwrite(file: string, start: number, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, start);
  closeSync(descriptor);
}

describe('openSqliteFile', () => {
  it('configures syncs of checkpoints, and leaves those of commits to the store', () => {
    const database = openToyFile(temporary());
    expect(pragma(database, 'journal_mode')).toBe('wal');
    expect(pragma(database, 'synchronous')).toBe(1);
    expect(pragma(database, 'fullfsync')).toBe(1);
    expect(pragma(database, 'wal_autocheckpoint')).toBe(0);
    expect(pragma(database, 'locking_mode')).toBe('exclusive');
    database.close();
  });

  it('rejects a database that does not support it', () => {
    const database = new DatabaseSync(':memory:');
    expect(() => makeDurable(database, '/toys.db')).toThrow(
      'Expected /toys.db to work with PRAGMA journal_mode = wal, but SQLite keeps it at memory',
    );
    database.close();
  });

  it('marks the file as its own, at the newest schema version', () => {
    const database = openToyFile(temporary());
    expect(pragma(database, 'application_id')).toBe(Buffer.from('Toys').readInt32BE());
    expect(pragma(database, 'user_version')).toBe(1);
    database.close();
  });

  it('makes the directory', () => {
    const file = temporary('a/b/toys.db');
    openToyFile(file).close();
    expect(statSync(file).isFile()).toBe(true);
  });

  it('treats an empty file as a new database', () => {
    const file = temporary();
    writeFileSync(file, '');
    openToyFile(file).close();
    expect(readFileSync(file, 'latin1')).toMatch(/^SQLite format 3/);
  });
});

const WITHOUT_FOLDER =
  'Expected the folder of FILE to exist, but it does not; create it, or correct the path';

describe('openSqliteFile refuses', () => {
  it('a text file, and leaves it as it was', () => {
    const file = temporary();
    writeFileSync(file, 'id,name\n'.repeat(1000));
    expect(refusal(file)).toBe('Expected FILE to be a toy store, but it is not a SQLite database');
    expect(readFileSync(file, 'utf8')).toBe('id,name\n'.repeat(1000));
  });

  it('a directory', () => {
    const folder = temporary();
    mkdirSync(folder);
    expect(refusal(folder)).toBe('Expected FILE to be a file, but it is not');
  });

  it('a path through a file', () => {
    const file = temporary();
    writeFileSync(file, '');
    expect(refusal(`${file}/toys.db`)).toBe(WITHOUT_FOLDER);
    expect(refusal(`${file}/toys.db`, { createsFolder: true })).toMatch(
      /^Expected to open FILE, but it failed: E/,
    );
  });

  (process.platform === 'linux' ? it : it.skip)('a path where nothing can be made', () => {
    expect(refusal('/proc/toys/toys.db', { createsFolder: true })).toMatch(
      /^Expected to open FILE, but it failed: ENOENT/,
    );
  });

  it('a file with damaged pages', () => {
    const file = filledFile();
    overwrite(file, 100 * 4096, Buffer.alloc(2 * 4096, 0xaa));
    expect(refusal(file)).toMatch(
      /^Expected FILE to be whole, but it is damaged \(.*page \d+.*\); restore it from a backup$/,
    );
  });

  it('a file with a damaged schema', () => {
    const file = filledFile();
    overwrite(file, 100, Buffer.alloc(3000, 0xaa));
    expect(refusal(file)).toMatch(/^Expected FILE to be whole, but it is damaged/);
  });

  it.each([100, 4096, 100 * 4096, 100 * 4096 + 77])('a file cut to %d bytes', (bytes) => {
    const file = filledFile();
    truncateSync(file, bytes);
    expect(refusal(file)).toBe(
      'Expected FILE to be whole, but it is damaged (database disk image is malformed); restore it from a backup',
    );
  });

  it('another application’s database, and leaves it as it was', () => {
    const file = temporary();
    const foreign = new DatabaseSync(file);
    foreign.exec('CREATE TABLE toy (id INTEGER PRIMARY KEY, name TEXT)');
    foreign.close();
    const before = readFileSync(file);
    expect(refusal(file)).toBe(
      'Expected FILE to be a toy store, but it belongs to another application (application_id 0)',
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('an empty database that another application has marked', () => {
    const file = temporary();
    const foreign = new DatabaseSync(file);
    foreign.exec('PRAGMA application_id = 77');
    foreign.close();
    expect(refusal(file)).toMatch(/belongs to another application \(application_id 77\)$/);
  });

  it('a file from a newer version of the service', () => {
    const file = temporary();
    const newer = openToyFile(file);
    newer.exec('PRAGMA user_version = 2');
    newer.close();
    expect(refusal(file)).toBe(
      'Expected FILE to have at most schema version 1, but it has 2: a newer version of the service wrote it',
    );
  });

  it.each(['missing', 'empty'])('a log whose database is %s', async (fate) => {
    const file = temporary();
    await kill(await storeProcess(`sqlite:${file}`, 3));
    if (fate === 'missing') rmSync(file);
    else truncateSync(file);
    const logBytes = statSync(`${file}-wal`).size;
    expect(refusal(file)).toBe(
      `Expected FILE to hold the toys that its log FILE-wal continues, but it is ${fate}; restore it, or delete the log`,
    );
    expect(statSync(`${file}-wal`).size).toBe(logBytes);
  });

  it('a file that another process has open, until that ends', async () => {
    const file = temporary();
    const other = await storeProcess(`sqlite:${file}`);
    expect(refusal(file)).toBe(
      'Expected to be the only process that uses FILE, but it is locked by another one',
    );
    await kill(other);
    openToyFile(file).close();
  });

  it('a file that this process has open', () => {
    const file = temporary();
    const first = openToyFile(file);
    expect(refusal(file)).toMatch(/locked by another one$/);
    first.close();
  });
});
