// Starts one PostgreSQL with default settings on first use, on the core of the load generator.
import { Postgres, query } from '@stubwright/test-support/postgres';
import { dataFolder, LOAD_CORE, pinned } from './machine.ts';

let started: Promise<Postgres> | undefined;

/** @returns the URL of a new database */
export async function newDatabase(): Promise<string> {
  const [command, args] = pinned(LOAD_CORE, []);
  const launcher = [command, ...args].filter((each) => each !== undefined);
  started ??= Postgres.start({ above: dataFolder, launcher });
  return (await started).createDatabase();
}

export async function countRows(url: string): Promise<number> {
  const [row] = await query(url, 'SELECT count(*)::int AS rows FROM plant');
  return Number(row?.['rows']);
}

export async function stopPostgres(): Promise<void> {
  await (await started?.catch(() => undefined))?.remove();
}
