// Replaces files, all or none.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes each file under another name first, then renames all.
 *
 * @param files texts by path
 * @throws {Error} if one cannot be written; then all keep their content
 */
export function replaceFiles(files: ReadonlyMap<string, string>): void {
  const temporary = (path: string) => `${path}.${process.pid}.tmp`;
  let current = '';
  try {
    for (const [path, text] of files) {
      current = path;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(temporary(path), text, { flush: true });
    }
    for (const path of files.keys()) {
      current = path;
      renameSync(temporary(path), path);
    }
  } catch (error) {
    for (const path of files.keys()) {
      if (existsSync(temporary(path))) rmSync(temporary(path));
    }
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${current}: got ${code ?? message}, expected a file to write to`);
  }
}
