// What the test files of a run make once, in a folder of the run.
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names the folder to the processes of the run. */
const VARIABLE = 'TEST_RUN_FOLDER';

/** Makes the folder; it is removed when this process ends. */
export function makeRunFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tests-'));
  // PostgreSQL reads its files as another user.
  chmodSync(folder, 0o711);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env[VARIABLE] = folder;
  return folder;
}

/**
 * @param make writes a file or folder
 * @returns its path; renamed into place, because test files run in parallel
 */
export async function oncePerRun(
  name: string,
  make: (path: string) => void | Promise<void>,
): Promise<string> {
  const path = join(process.env[VARIABLE] ?? makeRunFolder(), name);
  if (existsSync(path)) return path;
  const made = `${path}.${process.pid}`;
  await make(made);
  try {
    renameSync(made, path);
  } catch (error) {
    // Another process has made the folder meanwhile.
    if (!existsSync(path)) throw error;
    rmSync(made, { recursive: true });
  }
  return path;
}
