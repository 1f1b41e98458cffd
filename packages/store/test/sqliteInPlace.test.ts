import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { runs } from '@stubwright/test-support/testAll';
import { openToyStore as openStore, watchedEvents } from './support/toyStore.ts';

const temporary = temporaryPaths();

async function openWatched(file = temporary('data/toys.db')) {
  const { events, seen } = watchedEvents();
  const store = await openStore(`sqlite:${file}`, { events });
  expect(await store.create({ id: 1n, name: 'Aloe vera' })).toBe('created');
  return { file, store, events: seen };
}

const renames: [string, (file: string) => string][] = [
  ['renamed', (file) => file],
  ['in a renamed directory', dirname],
];
const losses: [string, (file: string) => void][] = [
  ['deleted', (file) => unlinkSync(file)],
  [
    'replaced',
    (file) => {
      copyFileSync(file, `${file}.other`);
      renameSync(`${file}.other`, file);
    },
  ],
  ['deleted with its directory', (file) => rmSync(dirname(file), { recursive: true })],
];

describe('a database file under an open store', () => {
  it.each([
    ...losses,
    ...renames.map(([how, part]): [string, (file: string) => void] => [
      how,
      (file) => renameSync(part(file), `${part(file)}.moved`),
    ]),
  ])('that is %s has no create acknowledged, and is reported once', async (_, lose) => {
    const { file, store, events } = await openWatched();
    lose(file);
    for (const toy of [
      { id: 1n, name: 'Aloe vera' },
      { id: 1n, name: 'another' },
      { id: 2n, name: 'Monstera' },
    ]) {
      await expect(store.create(toy)).rejects.toMatchObject({ name: 'StoreUnavailable' });
    }
    expect(events).toEqual([
      `Expected ${file} to be the file that the service opened, but it was deleted, renamed or replaced; toys acknowledged before may be gone with it`,
    ]);
    await expect(store.close()).rejects.toThrow(events[0]!);
  });

  it.each(renames)('that was %s takes creates again at its path', async (_, part) => {
    const { file, store, events } = await openWatched();
    renameSync(part(file), `${part(file)}.moved`);
    await expect(store.create({ id: 2n, name: 'Monstera' })).rejects.toThrow();
    renameSync(`${part(file)}.moved`, part(file));
    expect(await store.create({ id: 3n, name: 'Fern' })).toBe('created');
    expect(events.slice(1)).toEqual(['available']);
    await store.close();
    const again = await openStore(`sqlite:${file}`);
    expect(await again.create({ id: 1n, name: 'Aloe vera' })).toBe('same');
    expect(await again.create({ id: 3n, name: 'Fern' })).toBe('same');
    await again.close();
  });

  it('whose log is deleted has no create acknowledged, and has every toy once closed', async () => {
    const { file, store, events } = await openWatched();
    unlinkSync(`${file}-wal`);
    await expect(store.create({ id: 2n, name: 'Monstera' })).rejects.toThrow();
    expect(events[0]).toContain(`${file}-wal`);
    await store.close();
    const again = await openStore(`sqlite:${file}`);
    expect(await again.create({ id: 1n, name: 'Aloe vera' })).toBe('same');
    await again.close();
  });

  it('leaves the log of the file that replaced it alone when it is closed', async () => {
    const { file, store } = await openWatched();
    for (const part of ['', '-wal']) renameSync(`${file}${part}`, `${file}.moved${part}`);
    const successor = await openWatched(file);
    await expect(store.close()).rejects.toThrow();
    expect(await successor.store.create({ id: 2n, name: 'Monstera' })).toBe('created');
    await successor.store.close();
  });

  it('that a symbolic link no longer leads to has no create acknowledged', async () => {
    const folder = temporary('linked');
    mkdirSync(folder);
    symlinkSync(`${folder}/one.db`, `${folder}/toys.db`);
    const { store, file } = await openWatched(`${folder}/toys.db`);
    unlinkSync(file);
    symlinkSync(`${folder}/two.db`, file);
    await expect(store.create({ id: 2n, name: 'Monstera' })).rejects.toThrow();
    await expect(store.close()).rejects.toThrow(file);
  });
});

describe('a file of an open store', () => {
  /** Copies the files as a killed process leaves them, and opens the copy. */
  async function afterKill(file: string) {
    const copy = temporary('copy.db');
    for (const part of ['', '-wal']) copyFileSync(file + part, copy + part);
    return openStore(`sqlite:${copy}`);
  }

  const size = (path: string) => statSync(path).size;

  it.each<[string, (file: string) => void]>([
    ['the log, to nothing', (file) => truncateSync(`${file}-wal`)],
    ['the log, by a byte', (file) => truncateSync(`${file}-wal`, size(`${file}-wal`) - 1)],
    ['the log, to its header', (file) => truncateSync(`${file}-wal`, 32)],
    ['the database, by a byte', (file) => truncateSync(file, size(file) - 1)],
  ])('that is truncated has no create acknowledged: %s', async (_, truncate) => {
    const { file, store, events } = await openWatched();
    for (let id = 2n; id <= 100n; id++) await store.create({ id, name: 'Fern' });
    truncate(file);
    for (const id of [1n, 100n, 101n]) {
      await expect(store.create({ id, name: 'Fern' })).rejects.toThrow('could not commit');
    }
    expect(await store.isReady()).toBe(false);
    expect(events).toEqual([expect.stringMatching(/, but it was truncated; toys .* may be lost/)]);
    await expect(store.backUp!()).rejects.toThrow('truncated');
    // A checkpoint would write the gaps into the database.
    const [before, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
    await expect(store.close()).rejects.toThrow('truncated');
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);
  });

  it('that is truncated and restored has no create acknowledged before a restart', async () => {
    const { file, store } = await openWatched();
    const log = readFileSync(`${file}-wal`);
    truncateSync(`${file}-wal`);
    await expect(store.create({ id: 2n, name: 'Fern' })).rejects.toThrow();
    writeFileSync(`${file}-wal`, log);
    await expect(store.create({ id: 2n, name: 'Fern' })).rejects.toThrow();
    const again = await afterKill(file);
    expect(await again.create({ id: 1n, name: 'Aloe vera' })).toBe('same');
    await again.close();
  });

  // A truncation between the check before a commit and the write of the commit leaves a gap in the log.
  it.each([
    ['to nothing', 0],
    ['to a part', 0.5],
  ])(
    'that is truncated %s during commits has no create acknowledged after',
    async (_, share) => {
      for (let run = 0; run < runs(50); run++) {
        const { file, store } = await openWatched(temporary(`data/${run}-${share}.db`));
        const worker = new Worker(
          `const { statSync, truncateSync } = require('node:fs');
         const { parentPort, workerData: { log, share, delayMs } } = require('node:worker_threads');
         const end = performance.now() + delayMs;
         while (performance.now() < end);
         truncateSync(log, Math.floor(statSync(log).size * share));
         parentPort.postMessage('truncated');`,
          {
            eval: true,
            workerData: { log: `${file}-wal`, share, delayMs: 5 + Math.random() * 10 },
          },
        );
        let isTruncated = false;
        worker.once('message', () => {
          isTruncated = true;
        });
        let id = 2n;
        const batch = () =>
          Array.from({ length: 50 }, () => store.create({ id: id++, name: 'x'.repeat(1000) }));
        while (!isTruncated) await Promise.allSettled(batch());
        const after = await Promise.allSettled(batch());
        expect(after.filter(({ status }) => status === 'fulfilled')).toEqual([]);
        await worker.terminate();
      }
    },
    120_000,
  );
});
