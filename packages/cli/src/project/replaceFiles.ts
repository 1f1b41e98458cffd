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
import { dirname, resolve } from 'node:path';
import { makeFolder, type Writing } from './folders.ts';

/**
 * Writes each file under another name first, then renames all. A device or pipe is written to, and a
 * symbolic link stays.
 *
 * @throws {Error} if one cannot be written; then all keep their content, and no folder is new
 */
export function replaceFiles(
  files: ReadonlyMap<string, string>,
  { cwd = '', deferSignals }: Writing = {},
): void {
  deferSignals?.();
  const renames: { name: string; from: string; to: string }[] = [];
  const undo: (() => void)[] = [];
  let current = '';
  try {
    for (const [name, text] of files) {
      current = name;
      const path = resolve(cwd, name);
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
      renames.push({ name, from: temporary, to: target });
    }
    for (const { name, from, to } of renames) {
      current = name;
      renameSync(from, to);
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${current}: got ${code ?? message}, expected a file to write to`);
  }
}
