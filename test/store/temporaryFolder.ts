// A folder for one test file's databases, gone when its tests are done.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

let serial = 0;

/** Returns a function that names a new path, `name` at its end, inside the folder. */
export function temporaryFolder(): (name?: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name = 'plants.db') => join(folder, `${serial++}-${name}`);
}
