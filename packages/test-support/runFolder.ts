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

/** What this process has made, or makes now, by path. */
const made = new Map<string, Promise<string>>();

/**
 * @param make writes a file or folder
 * @returns its path, also for calls that meet while it is made
 */
export function oncePerRun(
  name: string,
  make: (path: string) => void | Promise<void>,
): Promise<string> {
  const path = join(process.env[VARIABLE] ?? makeRunFolder(), name);
  const making = made.get(path) ?? makeAt(path, make);
  made.set(path, making);
  return making;
}

/** Renamed into place, because test files run in parallel processes. */
async function makeAt(path: string, make: (path: string) => void | Promise<void>): Promise<string> {
  if (existsSync(path)) return path;
  const unfinished = `${path}.${process.pid}`;
  await make(unfinished);
  try {
    renameSync(unfinished, path);
  } catch (error) {
    // Another process has made the folder meanwhile.
    if (!existsSync(path)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return path;
}
