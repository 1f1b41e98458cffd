// What is SQLite's own; conformance.test.ts has what every store must do.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { openToyFile, toyStoreOn } from './support/toyStore.ts';

const temporary = temporaryPaths();

function openStore(file = temporary()) {
  return { file, store: toyStoreOn(openToyFile(file)) };
}

/** Commits in a write-ahead log: the frames that end one (https://sqlite.org/fileformat2.html#walformat). */
function commits(file: string): number {
  const log = readFileSync(`${file}-wal`);
  const frameBytes = 24 + log.readUInt32BE(8);
  let count = 0;
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes) {
    if (log.readUInt32BE(at + 4) > 0) count++;
  }
  return count;
}

describe('create', () => {
  it('shares commits among the creates of one turn', async () => {
    const { file, store } = openStore();
    await store.create({ id: 0n, name: 'Aloe vera' });
    const before = commits(file);
    const ids = Array.from({ length: 500 }, (_, index) => BigInt(index + 1));
    await Promise.all(ids.map((id) => store.create({ id, name: 'Aloe vera' })));
    expect(commits(file) - before).toBeLessThan(10);
    await store.close();
  });
});
