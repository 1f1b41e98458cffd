// What the operator reads when a SQLite file is refused.
import { expect } from '@jest/globals';
import { openSchema } from '../../src/schema.ts';
import { openSqliteFile, type SqliteFileOptions } from '../../src/sqlite/sqliteFile.ts';
import { TOY_STORE } from './toyStore.ts';

/** Read once: another user, whom a test becomes, may have no access to the migrations. */
const SCHEMA = openSchema(TOY_STORE, 'sqlite');

/** The message, with FILE for the file. It must be one line of a StoreRefused that names the file. */
export function refusal(file: string, options?: SqliteFileOptions): string {
  try {
    openSqliteFile(file, SCHEMA, options).close();
  } catch (error) {
    const { name, message } = error as Error;
    expect(name).toBe('StoreRefused');
    expect(message).toContain(file);
    expect(message).not.toContain('\n');
    return message.replaceAll(file, 'FILE');
  }
  throw new Error(`${file} was not refused`);
}
