// The write-ahead log of SQLite, verified and written again.
import { closeSync, copyFileSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rewriteLog } from '../../packages/store/src/sqlite/writeAheadLog.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const temporary = temporaryFolder();
const HEADER_BYTES = 32;
const FRAME_BYTES = 24 + 1024;

let database: DatabaseSync;
let log: string;
let bytes: Buffer;
let frames: number;

/** A log with pages that were written more than once, after an older log of the same file. */
beforeAll(() => {
  const file = temporary();
  database = new DatabaseSync(file);
  database.exec(`PRAGMA page_size = 1024; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;
    PRAGMA cache_size = 5; CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT)`);
  const insert = (count: number) =>
    database.exec(`WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids LIMIT ${count})
      INSERT INTO row (text) SELECT printf('%.*c', 300, 'x') FROM ids`);
  insert(200);
  database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  for (let batch = 0; batch < 10; batch++) insert(5);
  log = `${file}-wal`;
  bytes = readFileSync(log);
  const state = database.prepare('PRAGMA wal_checkpoint(NOOP)').get() as { log: number };
  frames = state.log;
});
afterAll(() => database.close());

function rewritten(content: Buffer, count: number): Buffer {
  const copy = temporary('log');
  writeFileSync(copy, content);
  const descriptor = openSync(copy, 'r+');
  try {
    rewriteLog(descriptor, count);
  } finally {
    closeSync(descriptor);
  }
  return readFileSync(copy);
}

describe('rewriteLog', () => {
  it('leaves the log as it is, with the rest of an older one', () => {
    expect(frames).toBeGreaterThan(20);
    expect(bytes.length).toBeGreaterThan(HEADER_BYTES + frames * FRAME_BYTES);
    expect(rewritten(bytes, frames).equals(bytes)).toBe(true);
  });

  it('verifies all frames that SQLite uses, and no other', () => {
    const used = HEADER_BYTES + frames * FRAME_BYTES;
    const property = fc.property(
      fc.nat(bytes.length - 1),
      fc.integer({ min: 1, max: 255 }),
      (at, change) => {
        // SQLite does not verify all bytes of a frame's header: the salts follow from the checksum.
        const inFrame = (at - HEADER_BYTES) % FRAME_BYTES;
        fc.pre(at < HEADER_BYTES || inFrame < 8 || inFrame >= 16);
        const changed = Buffer.from(bytes);
        changed[at]! ^= change;
        if (at < used) expect(() => rewritten(changed, frames)).toThrow('it has changed');
        else expect(rewritten(changed, frames).equals(changed)).toBe(true);
      },
    );
    fc.assert(property, { numRuns: 200 });
  });

  it('rejects a log that has fewer frames', () => {
    const short = bytes.subarray(0, HEADER_BYTES + (frames - 1) * FRAME_BYTES);
    expect(() => rewritten(Buffer.from(short), frames)).toThrow('it has changed');
    expect(() => rewritten(bytes, frames + 1)).toThrow('it has changed');
  });

  it('accepts a log that was not started yet', () => {
    expect(rewritten(Buffer.alloc(0), 0)).toHaveLength(0);
  });

  it('is read by SQLite as before', () => {
    const copy = temporary('copy.db');
    copyFileSync(log.replace(/-wal$/, ''), copy);
    writeFileSync(`${copy}-wal`, rewritten(bytes, frames));
    const again = new DatabaseSync(copy);
    expect(again.prepare('SELECT count(*) AS rows FROM row').get()).toEqual({ rows: 250 });
    again.close();
  });
});
