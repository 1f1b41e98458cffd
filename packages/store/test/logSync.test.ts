// What a SQLite store reports before a sync, after a failed one, and after its recovery.
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { StoreEvents } from '@stubwright/store';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { SUCCESS_HOLDS_MS } from '../src/groupCommit.ts';
import { openToyFile, openToyStore, toyStoreOn, watchedEvents } from './support/toyStore.ts';

type Callback = (error: Error | null) => void;

/** More than a sync on the event loop may take. */
const LONG_MS = 2;

/** Of the syncs in the thread pool: under way until `finish`, while it is held. */
let isHeld = false;
const held: ((error?: Error) => void)[] = [];
let syncMs = LONG_MS;
/** Syncs on the event loop. */
let shortSyncs = 0;
let nowMs = 0;
let shortFailure: Error | undefined;

const original = { fdatasync: fs.fdatasync, fdatasyncSync: fs.fdatasyncSync };

function fdatasync(descriptor: number, callback: Callback): void {
  if (isHeld)
    held.push((error) => (error ? callback(error) : original.fdatasync(descriptor, callback)));
  else setTimeout(() => original.fdatasync(descriptor, callback), syncMs);
  nowMs += syncMs;
}

function fdatasyncSync(descriptor: number): void {
  shortSyncs++;
  if (shortFailure !== undefined) throw shortFailure;
  original.fdatasyncSync(descriptor);
  nowMs += syncMs;
  const end = performance.now() + syncMs;
  while (performance.now() < end);
}

/** What named imports of node:fs are bound to. */
function replaceSyncs(replacement: Record<'fdatasync' | 'fdatasyncSync', unknown>): void {
  Object.assign(fs, replacement);
  syncBuiltinESMExports();
}

beforeAll(() => replaceSyncs({ fdatasync, fdatasyncSync }));
afterAll(() => replaceSyncs(original));

const temporary = temporaryPaths();
const unavailable = { name: 'StoreUnavailable' };
const EIO = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });

afterEach(() => {
  isHeld = false;
  syncMs = LONG_MS;
  shortFailure = undefined;
  held.splice(0);
});

/** A store with the toy 1, and its events. */
async function openFilled(file = temporary()) {
  const { events, seen } = watchedEvents();
  const store = await openToyStore(`sqlite:${file}`, { events });
  await store.create({ id: 1n, name: 'aloe' });
  return { file, store, events: seen };
}

/** Resolves after the commit of a batch to which nothing is added. */
async function collected(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

async function finish(error?: Error): Promise<void> {
  while (held.length === 0) await nextTurn();
  held.shift()!(error);
}

/** @returns what was settled so far */
function settledOf(promises: Record<string, Promise<unknown>>): string[] {
  const settled: string[] = [];
  for (const [name, promise] of Object.entries(promises)) {
    promise.then(
      () => settled.push(name),
      () => settled.push(`${name} rejected`),
    );
  }
  return settled;
}

describe('before a sync of the log has succeeded', () => {
  it('reports no row that needs it, and every other', async () => {
    const { store } = await openFilled();
    isHeld = true;
    const created = store.create({ id: 2n, name: 'fern' });
    await collected();
    const waiting = {
      created,
      retried: store.create({ id: 2n, name: 'fern' }),
      conflict: store.create({ id: 2n, name: 'another' }),
      found: store.find(2n),
      listed: store.data.query('SELECT * FROM toy'),
      begun: store.data.begin().then((transaction) => transaction.rollBack()),
    };
    const settled = settledOf(waiting);
    await sleep(20);
    expect(settled).toEqual([]);
    isHeld = false;
    await finish();
    await Promise.all(Object.values(waiting));
    expect(settled.toSorted()).toEqual(Object.keys(waiting).toSorted());
    await store.close();
  });

  it('collects the next batch, which the next sync covers', async () => {
    const { store } = await openFilled();
    isHeld = true;
    const first = store.create({ id: 2n, name: 'fern' });
    await collected();
    const next = [3n, 4n].map((id) => store.create({ id, name: 'fern' }));
    const settled = settledOf({ first, second: next[0]!, third: next[1]! });
    await sleep(LONG_MS);
    await finish();
    await first;
    await sleep(10);
    expect(settled).toEqual(['first']);
    await finish();
    expect(await Promise.all(next)).toEqual(['created', 'created']);
    isHeld = false;
    await store.close();
  });

  it('commits no transaction', async () => {
    const { store } = await openFilled();
    const transaction = await store.data.begin();
    await transaction.run('INSERT INTO toy (id, name) VALUES (2, $1)', ['fern']);
    isHeld = true;
    const commit = transaction.commit();
    const settled = settledOf({ commit });
    await sleep(10);
    expect(settled).toEqual([]);
    await finish(EIO);
    await expect(commit).rejects.toMatchObject(unavailable);
    isHeld = false;
    await store.close();
  });

  it('is not ready, and does not wait for it', async () => {
    const { store } = await openFilled();
    // A timer may fire up to a millisecond early.
    await sleep(SUCCESS_HOLDS_MS + 10);
    isHeld = true;
    expect(await store.isReady()).toBe(false);
    isHeld = false;
    await finish();
    await store.close();
  });

  it('does not close', async () => {
    const { store } = await openFilled();
    isHeld = true;
    const read = store.data.query("INSERT INTO toy (id, name) VALUES (2, 'fern')");
    const closed = store.close();
    const settled = settledOf({ read, closed });
    await sleep(10);
    expect(settled).toEqual([]);
    isHeld = false;
    await finish();
    await closed;
  });
});

describe('a disk whose syncs are short', () => {
  /** A store on a disk whose syncs take `syncMs`, by a clock that nothing else moves. */
  function openShort(events = new EventEmitter<StoreEvents>()) {
    syncMs = 0.25;
    shortSyncs = 0;
    return toyStoreOn(openToyFile(temporary()), { events, now: () => nowMs });
  }

  it('syncs on the event loop', async () => {
    const store = openShort();
    isHeld = true;
    for (const id of [1n, 2n, 3n]) expect(await store.create({ id, name: 'fern' })).toBe('created');
    expect(shortSyncs).toBe(3);
    isHeld = false;
    await store.close();
  });

  it('syncs in the thread pool after a long one, until one is short again', async () => {
    const store = openShort();
    syncMs = LONG_MS;
    await store.create({ id: 1n, name: 'fern' });
    await store.create({ id: 2n, name: 'fern' });
    syncMs = 0.25;
    await store.create({ id: 3n, name: 'fern' });
    expect(shortSyncs).toBe(1);
    await store.create({ id: 4n, name: 'fern' });
    expect(shortSyncs).toBe(2);
    await store.close();
  });

  it('rejects what rests on a failed one, and recovers with the next request', async () => {
    const { events, seen } = watchedEvents();
    const store = openShort(events);
    shortFailure = EIO;
    const creates = [1n, 2n, 1n].map((id) => store.create({ id, name: 'fern' }));
    for (const { status } of await Promise.allSettled(creates)) expect(status).toBe('rejected');
    shortFailure = undefined;
    expect(await store.create({ id: 1n, name: 'fern' })).toBe('same');
    expect(seen).toEqual(['SQLite could not sync its log', 'available']);
    await store.close();
  });
});

describe('a failed sync of the log', () => {
  it('rejects all that rests on it, and is recovered from by the next request', async () => {
    const { file, store, events } = await openFilled();
    isHeld = true;
    const creates = [2n, 3n, 2n].map((id) => store.create({ id, name: 'fern' }));
    await collected();
    const resting = [...creates, store.find(2n), store.data.begin()];
    await nextTurn();
    await finish(EIO);
    for (const { status } of await Promise.allSettled<unknown>(resting))
      expect(status).toBe('rejected');
    expect(events).toEqual(['SQLite could not sync its log']);
    isHeld = false;
    expect(await store.create({ id: 4n, name: 'fern' })).toBe('created');
    expect(events.slice(1)).toEqual(['available']);
    expect(await store.create({ id: 2n, name: 'fern' })).toBe('same');
    await store.close();
    const again = await openToyStore(`sqlite:${file}`);
    expect((await again.pageFrom(0n, 9)).map(({ id }) => id)).toEqual([1n, 2n, 3n, 4n]);
    await again.close();
  });

  /** Fails a sync, and changes a byte of its log, as a file system does that discards what it cannot write. */
  async function withChangedLog() {
    const opened = await openFilled();
    isHeld = true;
    const create = opened.store.create({ id: 2n, name: 'fern' });
    await finish(EIO);
    await expect(create).rejects.toMatchObject(unavailable);
    isHeld = false;
    const log = `${opened.file}-wal`;
    const bytes = fs.readFileSync(log);
    const at = bytes.lastIndexOf('fern');
    const descriptor = fs.openSync(log, 'r+');
    fs.writeSync(descriptor, Buffer.from([0]), 0, 1, at);
    fs.closeSync(descriptor);
    return opened;
  }

  it('whose log has changed is not recovered from, and leaves both files to the next start', async () => {
    const { file, store, events } = await withChangedLog();
    await expect(store.create({ id: 3n, name: 'fern' })).rejects.toMatchObject(unavailable);
    await expect(store.find(1n)).rejects.toMatchObject(unavailable);
    expect(events).toEqual([
      'SQLite could not sync its log',
      'SQLite could not write its log again',
    ]);
    expect(await store.isReady()).toBe(false);
    const before = [fs.readFileSync(file), fs.readFileSync(`${file}-wal`)];
    await expect(store.close()).rejects.toMatchObject({
      cause: { message: expect.stringContaining('log to have the content that was written') },
    });
    expect([fs.readFileSync(file), fs.readFileSync(`${file}-wal`)]).toEqual(before);
    const copy = temporary('copy.db');
    for (const part of ['', '-wal']) fs.copyFileSync(file + part, copy + part);
    await expect(openToyStore(`sqlite:${copy}`)).rejects.toThrow(/its frame 2 is damaged/);
  });

  it('rejects a backup that was in progress, and keeps the previous one', async () => {
    const { file, store } = await openFilled();
    await store.backUp!();
    const previous = fs.readFileSync(`${file}.backup`);
    isHeld = true;
    const create = store.create({ id: 2n, name: 'fern' });
    await collected();
    const backup = store.backUp!();
    await finish(EIO);
    await expect(create).rejects.toMatchObject(unavailable);
    await expect(backup).rejects.toMatchObject(unavailable);
    expect(fs.readFileSync(`${file}.backup`).equals(previous)).toBe(true);
    isHeld = false;
    await store.close();
  });
});

describe('an older SQLite, which does not report the frames of its log,', () => {
  it('syncs in COMMIT', async () => {
    const file = temporary();
    const database: DatabaseSync = openToyFile(file);
    database.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000');
    const store = toyStoreOn(database);
    isHeld = true;
    expect(await store.create({ id: 2n, name: 'fern' })).toBe('created');
    expect(await store.create({ id: 2n, name: 'another' })).toBe('different');
    expect(held).toEqual([]);
    await store.close();
  });
});
