import { EventEmitter } from 'node:events';
import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { StoreEvents } from '../../src/plants/store.ts';
import { openStore } from '../../src/store/open.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const temporary = temporaryFolder();

async function openWatched(file = temporary('data/plants.db')) {
  const events: string[] = [];
  const store = await openStore(`sqlite:${file}`, {
    events: new EventEmitter<StoreEvents>()
      .on('unavailable', ({ message }) => events.push(message))
      .on('available', () => events.push('back')),
  });
  expect(await store.create({ id: 1n, name: 'Aloe vera' })).toBe('created');
  return { file, store, events };
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
    for (const plant of [
      { id: 1n, name: 'Aloe vera' },
      { id: 1n, name: 'another' },
      { id: 2n, name: 'Monstera' },
    ]) {
      await expect(store.create(plant)).rejects.toMatchObject({ name: 'StoreUnavailable' });
    }
    expect(events).toEqual([
      `Expected ${file} to be the file that the service opened, but it was deleted, renamed or replaced; plants acknowledged before may be gone with it`,
    ]);
    await expect(store.close()).rejects.toThrow(events[0]!);
  });

  it.each(renames)('that was %s takes creates again at its path', async (_, part) => {
    const { file, store, events } = await openWatched();
    renameSync(part(file), `${part(file)}.moved`);
    await expect(store.create({ id: 2n, name: 'Monstera' })).rejects.toThrow();
    renameSync(`${part(file)}.moved`, part(file));
    expect(await store.create({ id: 3n, name: 'Fern' })).toBe('created');
    expect(events.slice(1)).toEqual(['back']);
    await store.close();
    const again = await openStore(`sqlite:${file}`);
    expect(await again.create({ id: 1n, name: 'Aloe vera' })).toBe('same');
    expect(await again.create({ id: 3n, name: 'Fern' })).toBe('same');
    await again.close();
  });

  it('whose log is deleted has no create acknowledged, and has every plant once closed', async () => {
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
    symlinkSync(`${folder}/one.db`, `${folder}/plants.db`);
    const { store, file } = await openWatched(`${folder}/plants.db`);
    unlinkSync(file);
    symlinkSync(`${folder}/two.db`, file);
    await expect(store.create({ id: 2n, name: 'Monstera' })).rejects.toThrow();
    await expect(store.close()).rejects.toThrow(file);
  });
});
