// Replaces a file at once.
import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** @throws {Error} if it cannot be written; the previous content stays */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${path}: got ${code ?? message}, expected a file to write to`);
  }
}
