// The write-ahead log of SQLite, verified and written again.
import { closeSync, copyFileSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { damageOf, rewriteLog } from '../src/sqlite/logSync.ts';
import { openToyStore } from './support/toyStore.ts';

const temporary = temporaryPaths();
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

describe('a start with the log of a killed process', () => {
  const ROWS = 60;
  let file: string;
  let written: Buffer;

  beforeAll(async () => {
    file = temporary();
    const store = await openToyStore(`sqlite:${file}`);
    // One commit each, synced before the next one.
    for (let id = 1n; id <= ROWS; id++)
      await store.create({ id, name: `toy ${id} ${'x'.repeat(400)}` });
    const copy = temporary('killed.db');
    copyFileSync(file, copy);
    written = readFileSync(`${file}-wal`);
    await store.close();
    file = copy;
  });

  /** @returns the number of toys, or why the start is refused, which keeps the log as it is */
  async function start(content: Buffer): Promise<number | string> {
    const copy = temporary('start.db');
    copyFileSync(file, copy);
    writeFileSync(`${copy}-wal`, content);
    try {
      const store = await openToyStore(`sqlite:${copy}`);
      const toys = await store.pageFrom(0n, 1000);
      await store.close();
      return toys.length;
    } catch (error) {
      expect(readFileSync(`${copy}-wal`).equals(content)).toBe(true);
      return (error as Error).message.replaceAll(copy, 'FILE');
    }
  }

  const changed = (change: (content: Buffer) => void): Buffer => {
    const content = Buffer.from(written);
    change(content);
    return content;
  };
  /** Of 4096 bytes and their header. */
  const pageFrame = 24 + 4096;

  it('has all rows', async () => {
    expect(await start(written)).toBe(ROWS);
  });

  it('is refused for any flipped bit, wherever it is', async () => {
    // Only 8 bytes of the header of the log are redundant: the number of checkpoints and the version.
    const property = fc.asyncProperty(fc.nat(written.length - 1), fc.nat(7), async (at, bit) => {
      const outcome = await start(changed((content) => (content[at]! ^= 1 << bit)));
      expect(outcome).toMatch(
        /^Expected the log FILE-wal to be whole, but its (?:header|frame \d+) is damaged: without it, toys acknowledged since would be lost\. Keep both files, and see docs\/stubwright\/store\.md#a-damaged-log$/,
      );
    });
    await fc.assert(property, {
      // The examples count, too.
      numRuns: 20 + runs(40),
      examples: [
        // The magic number, the size of pages, the salts and the checksum of the log.
        ...[3, 0, 10, 17, 21, 25].map((at): [number, number] => [at, 0]),
        // The first frame and the last one: number of the page, commit, salts, checksum, page.
        ...[0, 5, 9, 13, 17, 21, 300].map((at): [number, number] => [32 + at, 3]),
        ...[0, 5, 9, 13, 17, 21, 300].map((at): [number, number] => [
          written.length - pageFrame + at,
          3,
        ]),
      ],
    });
  });

  it('is refused for a sector that was overwritten long before the end', async () => {
    for (const value of [0x41, 0xff]) {
      const outcome = await start(changed((content) => content.fill(value, 20 * 512, 21 * 512)));
      expect(outcome).toMatch(/frame \d+ is damaged/);
    }
  });

  it('has the rows before a tail that is torn, cut or missing', async () => {
    const last = written.length - pageFrame;
    const cuts: [string, Buffer][] = [
      ['cut', written.subarray(0, last + 1000)],
      ['cut in the header of a frame', written.subarray(0, last + 10)],
      ['cut to nothing', Buffer.alloc(0)],
      ['cut in its header', written.subarray(0, 20)],
      ['without its last sectors', changed((content) => content.fill(0, last + 2048))],
      [
        'without a page near the end',
        changed((content) => content.fill(0, last - 3000, last + 1096)),
      ],
      ['followed by zeros', Buffer.concat([written, Buffer.alloc(3 * pageFrame)])],
      [
        'followed by an older log',
        Buffer.concat([written, written.subarray(32).map((each) => each ^ 0x55)]),
      ],
    ];
    for (const [name, content] of cuts) {
      expect([name, await start(content)]).toEqual([name, expect.any(Number)]);
    }
    expect(await start(cuts.at(-1)![1])).toBe(ROWS);
    expect(await start(cuts.at(-2)![1])).toBe(ROWS);
  });

  it('has the rows before sectors that were lost, whatever stood there', async () => {
    // Equal words: their sum of the checksum may be that of one other word.
    for (const letter of ['x', ' ', '\u007f']) {
      const path = temporary();
      const store = await openToyStore(`sqlite:${path}`);
      for (let id = 1n; id <= 8n; id++) await store.create({ id, name: letter.repeat(3000) });
      const log = readFileSync(`${path}-wal`);
      await store.close();
      const lost = temporary('lost-wal');
      const first = Math.ceil((log.length - 3 * pageFrame) / 512) * 512;
      const damages: string[] = [];
      for (let from = first; from < log.length; from += 512) {
        for (let to = from + 512; to < log.length + 512; to += 512) {
          writeFileSync(lost, Buffer.from(log).fill(0, from, Math.min(to, log.length)));
          const damage = damageOf(lost);
          if (damage !== undefined) damages.push(`${letter}: ${damage}, ${from} to ${to}`);
        }
      }
      expect(damages).toEqual([]);
    }
  });

  it('has the rows before any cut', async () => {
    const property = fc.asyncProperty(fc.nat(written.length), async (length) => {
      expect(await start(written.subarray(0, length))).toEqual(expect.any(Number));
    });
    await fc.assert(property, { numRuns: runs(20) });
  });
});
