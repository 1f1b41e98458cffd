// Writes the files of a project, all or none.
import { lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder, type Writing } from './folders.ts';

/**
 * Writes new files: into a temporary folder inside `folder`, then moves them.
 *
 * @param files by path relative to `folder`, which may not exist
 * @throws {Error} if one exists, or cannot be written; then nothing is left of the others
 */
export function writeNew(
  folder: string,
  files: ReadonlyMap<string, string | Buffer>,
  {
    cwd = '',
    deferSignals,
    force = false,
  }: Writing & { readonly force?: boolean | undefined } = {},
): void {
  for (const path of force ? [] : files.keys()) expectNone(join(folder, path), cwd);
  deferSignals?.();
  const root = resolve(cwd, folder);
  const undo: (() => void)[] = [];
  try {
    makeFolder(root, undo);
    const staging = mkdtempSync(join(root, '.stubwright-'));
    undo.push(() => rmSync(staging, { recursive: true, force: true }));
    for (const [path, content] of files) {
      mkdirSync(dirname(join(staging, path)), { recursive: true });
      writeFileSync(join(staging, path), content, { flush: true });
    }
    const replaced = mkdtempSync(join(staging, 'replaced-'));
    for (const path of files.keys()) {
      makeFolder(dirname(join(root, path)), undo);
      if (force) moveAside(join(root, path), join(replaced, String(undo.length)), undo);
      renameSync(join(staging, path), join(root, path));
      undo.push(() => rmSync(join(root, path)));
    }
    rmSync(staging, { recursive: true });
  } catch (error) {
    for (const step of undo.reverse()) step();
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${folder}: got ${code ?? message}, expected a folder to write to`);
  }
}

/** A folder stays, so that the file cannot be written. */
function moveAside(path: string, to: string, undo: (() => void)[]): void {
  const kind = lstatSync(path, { throwIfNoEntry: false });
  if (kind === undefined || kind.isDirectory()) return;
  renameSync(path, to);
  undo.push(() => renameSync(to, path));
}

function expectNone(path: string, cwd: string): void {
  if (!exists(resolve(cwd, path))) return;
  throw new Error(`${path}: got an existing file, expected none: --force overwrites it`);
}

/** True also for a broken symbolic link, and for a path that leads through a file. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
