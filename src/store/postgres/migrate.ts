// Migrates a PostgreSQL database, safely with concurrent processes.
import { escapeIdentifier } from 'pg';
import { StoreRefused } from '../../plants/store.ts';
import { type Migration, readMigrations } from '../migrations.ts';
import type { Session } from './session.ts';
import { codeOf, UNDEFINED_TABLE, Unfit } from './sqlState.ts';

/** "Plnt" in ASCII: the advisory lock of plant stores. */
const LOCK = 0x506c6e74;

const READ_TIMEOUT_MS = 2_000;
/** An index on a large table takes minutes; other processes wait for the lock. */
const MIGRATION_TIMEOUT_MS = 10 * 60_000;

/**
 * Runs the pending migrations. Without pending ones it only reads: the role of the service needs no
 * CREATE privilege if another role migrates.
 *
 * @param known the schema that an earlier connection found: its tables must still exist
 * @returns the schema of the tables: the first of the search path that has them, else the first one
 * @throws {StoreRefused} if a newer version of the service has migrated the database
 * @throws {Unfit} behind a connection pooler in statement pooling mode, without a schema, or if the
 *   tables of the known schema are gone
 * @throws {ConnectionLost | DatabaseError} with nothing migrated; the session is unusable
 */
export async function migrate(session: Session, known?: string): Promise<string> {
  const migrations = readMigrations('postgres');
  const newest = migrations.at(-1)?.version ?? 0;
  const schema = known ?? (await session.within(READ_TIMEOUT_MS, () => schemaOf(session)));
  const current = await session.within(READ_TIMEOUT_MS, () => versionOf(session, schema));
  // New tables would be empty.
  if (known !== undefined && current === 0) {
    throw new Unfit(`expected the tables of the store in the schema ${known}, but they are gone`);
  }
  if (current > newest) {
    throw new StoreRefused(
      `Expected the database to have at most schema version ${newest}, but it has ${current}: a newer version of the service wrote it`,
    );
  }
  if (current < newest) {
    await session.within(MIGRATION_TIMEOUT_MS, () => runAll(session, migrations, schema));
  }
  return schema;
}

async function schemaOf(session: Session): Promise<string> {
  const text = `
    SELECT coalesce((SELECT nspname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                     WHERE pg_class.oid = to_regclass('plant_migration')), current_schema())`;
  const [[schema] = [null]] = await session.query<[string | null]>({ text });
  if (schema !== null) return schema;
  throw new Unfit('expected a schema in the search path, but none exists');
}

// One transaction: atomic, and it releases the lock at its end.
async function runAll(
  session: Session,
  migrations: readonly Migration[],
  schema: string,
): Promise<void> {
  await begin(session);
  await session.run(`SET LOCAL search_path TO ${escapeIdentifier(schema)}`);
  await session.run('CREATE TABLE IF NOT EXISTS plant_migration (version integer PRIMARY KEY)');
  const current = await versionOf(session, schema);
  for (const { version, sql } of migrations) {
    if (version <= current) continue;
    await session.run(sql);
    await session.run(`INSERT INTO plant_migration (version) VALUES (${version})`);
  }
  await session.run('COMMIT');
}

async function begin(session: Session): Promise<void> {
  try {
    await session.run(
      `BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(${LOCK})`,
    );
  } catch (error) {
    if (!/statement pooling/.test((error as Error).message)) throw error;
    throw new Unfit(
      'expected a connection pooler in session or transaction mode to migrate the database, but it is in statement pooling mode',
      { cause: error },
    );
  }
}

async function versionOf(session: Session, schema: string): Promise<number> {
  try {
    const text = `SELECT max(version) FROM ${escapeIdentifier(schema)}.plant_migration`;
    const [[version] = [0]] = await session.query<[number | null]>({ text });
    return version ?? 0;
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) return 0;
    throw error;
  }
}
