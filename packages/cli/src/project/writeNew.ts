// Writes the files of a project, all or none.
import { lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deferSignals, makeFolder } from './folders.ts';

/**
 * Writes new files: into a temporary folder inside `folder`, then moves them.
 *
 * @param files by path relative to `folder`, which may not exist
 * @throws {Error} if one exists, or cannot be written; then nothing is left of the others
 */
export function writeNew(folder: string, files: ReadonlyMap<string, string | Buffer>): void {
  for (const path of files.keys()) expectNone(folder, path);
  deferSignals();
  const undo: (() => void)[] = [];
  try {
    makeFolder(folder, undo);
    const staging = mkdtempSync(join(folder, '.stubwright-'));
    undo.push(() => rmSync(staging, { recursive: true, force: true }));
    for (const [path, content] of files) {
      mkdirSync(dirname(join(staging, path)), { recursive: true });
      writeFileSync(join(staging, path), content, { flush: true });
    }
    for (const path of files.keys()) {
      makeFolder(dirname(join(folder, path)), undo);
      renameSync(join(staging, path), join(folder, path));
      undo.push(() => rmSync(join(folder, path)));
    }
    rmSync(staging, { recursive: true });
  } catch (error) {
    for (const step of undo.reverse()) step();
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${folder}: got ${code ?? message}, expected a folder to write to`);
  }
}

function expectNone(folder: string, path: string): void {
  if (!exists(join(folder, path))) return;
  throw new Error(
    `${join(folder, path)}: got an existing file, expected none: nothing is overwritten`,
  );
}

/** True also for a broken symbolic link, and for a path that leads through a file. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
