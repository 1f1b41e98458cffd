// What the operator reads when a SQLite file is refused.
import { expect } from '@jest/globals';
import type { SqliteFileOptions } from '../../packages/store/src/sqlite/sqliteFile.ts';
import { openPlantFile } from '../support/plantStore.ts';

/** The message, with FILE for the file. It must be one line of a StoreRefused that names the file. */
export function refusal(file: string, options?: SqliteFileOptions): string {
  try {
    openPlantFile(file, options).close();
  } catch (error) {
    const { name, message } = error as Error;
    expect(name).toBe('StoreRefused');
    expect(message).toContain(file);
    expect(message).not.toContain('\n');
    return message.replaceAll(file, 'FILE');
  }
  throw new Error(`${file} was not refused`);
}
