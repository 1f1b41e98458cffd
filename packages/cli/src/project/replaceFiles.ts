// Replaces files, all or none.
import {
  closeSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { deferSignals, makeFolder } from './folders.ts';

/**
 * Writes each file under another name first, then renames all. A device or pipe is written to, and a
 * symbolic link stays.
 *
 * @param files texts by path
 * @throws {Error} if one cannot be written; then all keep their content, and no folder is new
 */
export function replaceFiles(files: ReadonlyMap<string, string>): void {
  deferSignals();
  const renames: [from: string, to: string][] = [];
  const undo: (() => void)[] = [];
  let current = '';
  try {
    for (const [path, text] of files) {
      current = path;
      const kind = statSync(path, { throwIfNoEntry: false });
      if (kind?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
      if (kind !== undefined && !kind.isFile()) {
        writeFileSync(path, text);
        continue;
      }
      makeFolder(dirname(path), undo);
      const target = kind === undefined ? path : realpathSync(path);
      const temporary = `${target}.${process.pid}.tmp`;
      const file = openSync(temporary, 'w');
      undo.push(() => rmSync(temporary, { force: true }));
      try {
        writeFileSync(file, text, { flush: true });
      } finally {
        closeSync(file);
      }
      renames.push([temporary, target]);
    }
    for (const [temporary, target] of renames) {
      current = target;
      renameSync(temporary, target);
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${current}: got ${code ?? message}, expected a file to write to`);
  }
}
