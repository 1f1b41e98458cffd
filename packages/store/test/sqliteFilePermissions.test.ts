import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { refusal } from './support/refusal.ts';
import { openToyFile } from './support/toyStore.ts';

const temporary = temporaryPaths();

// Root may write everywhere: as root, these tests run as the user "nobody".
function unprivileged<T>(act: () => T): T {
  if (process.getuid?.() !== 0) return act();
  process.seteuid?.(65534);
  try {
    return act();
  } finally {
    process.seteuid?.(0);
  }
}

describe('openSqliteFile refuses, without permission,', () => {
  const UNWRITABLE =
    'Expected FILE and its directory to be readable and writable, but they are not';
  let file: string;

  beforeAll(() => {
    file = temporary('readonly/toys.db');
    openToyFile(file).close();
    chmodSync(dirname(dirname(file)), 0o755);
    chmodSync(dirname(file), 0o555);
  });

  // Unless root, nobody deletes from a read-only directory.
  afterAll(() => chmodSync(dirname(file), 0o755));

  it.each([
    ['a file that is read-only', 0o444, ''],
    ['a file that cannot be read', 0o222, ''],
    ['a file whose directory is read-only', 0o666, ''],
    ['a new file in a read-only directory', 0o666, '.new'],
  ])('%s', (_, mode, suffix) => {
    chmodSync(file, mode);
    expect(unprivileged(() => refusal(file + suffix))).toBe(UNWRITABLE);
  });

  it('a new directory in a read-only directory', () => {
    expect(
      unprivileged(() => refusal(`${dirname(file)}/new/toys.db`, { createsFolder: true })),
    ).toMatch(/^Expected to open FILE, but it failed: EACCES: permission denied, mkdir/);
  });
});
