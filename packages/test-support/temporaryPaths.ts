// A folder for one test file's databases, gone when its tests are done.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from '@jest/globals';

let serial = 0;

/** Returns a function that names a new path, `name` at its end, inside the folder; of the path only the file is missing. */
export function temporaryPaths(): (name?: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name = 'store.db') => {
    const path = join(folder, `${serial++}-${name}`);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
}
