// Migrates a PostgreSQL database, safely with concurrent processes.
import { escapeIdentifier } from 'pg';
import type { OpenedSchema } from '../schema.ts';
import { StoreRefused } from '../store.ts';
import { DatabaseNames, MARK_KIND, type MarkKind } from './databaseNames.ts';
import type { Session } from './session.ts';
import { codeOf, UNDEFINED_TABLE, Unfit } from './sqlState.ts';

const READ_TIMEOUT_MS = 2_000;
/** An index on a large table takes minutes; other processes wait for the lock. */
const MIGRATION_TIMEOUT_MS = 10 * 60_000;

/**
 * Runs the pending migrations. Without pending ones it only reads: the role of the service needs no
 * CREATE privilege if another role migrates.
 *
 * @param known the names that an earlier connection found: the tables must still exist
 * @returns the names of the tables in the first schema of the search path that has them, else in the first
 *   one
 * @throws {StoreRefused} if a newer version of the service has migrated the database
 * @throws {Unfit} behind a connection pooler in statement pooling mode, without a schema, or if the known
 *   tables are gone
 * @throws {ConnectionLost | DatabaseError} with nothing migrated; the session is unusable
 */
export async function migrate(
  session: Session,
  schema: OpenedSchema,
  known?: DatabaseNames,
): Promise<DatabaseNames> {
  const newest = schema.migrations.at(-1)?.version ?? 0;
  const names = known ?? (await session.within(READ_TIMEOUT_MS, () => namesOf(session, schema)));
  const table = names.table(`${schema.name}_migration`);
  const current = await session.within(READ_TIMEOUT_MS, () => versionOf(session, table));
  // New tables would be empty.
  if (known !== undefined && current === 0) {
    throw new Unfit(
      `expected the tables of the store in the schema ${known.schema}, but they are gone`,
    );
  }
  if (current > newest) {
    throw new StoreRefused(
      `Expected the database to have at most schema version ${newest}, but it has ${current}: a newer version of the service wrote it`,
    );
  }
  if (current < newest) {
    await session.within(MIGRATION_TIMEOUT_MS, () => runAll(session, schema, names));
  }
  return names;
}

async function namesOf(session: Session, { name }: OpenedSchema): Promise<DatabaseNames> {
  const text = `
    SELECT coalesce((SELECT nspname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                     WHERE pg_class.oid = to_regclass('${name}_migration')), current_schema()),
           ${MARK_KIND}`;
  const [[schema, kind] = [null, 'message']] = await session.query<[string | null, MarkKind]>({
    text,
  });
  if (schema !== null) return new DatabaseNames(schema, { name, kind });
  throw new Unfit('expected a schema in the search path, but none exists');
}

// One transaction: atomic, and it releases the lock at its end.
async function runAll(
  session: Session,
  { name, migrations, applicationId }: OpenedSchema,
  names: DatabaseNames,
): Promise<void> {
  const table = `${name}_migration`;
  await begin(session, applicationId);
  await session.run(`SET LOCAL search_path TO ${escapeIdentifier(names.schema)}`);
  await session.run(`CREATE TABLE IF NOT EXISTS ${table} (version integer PRIMARY KEY)`);
  const current = await versionOf(session, names.table(table));
  for (const { version, sql } of migrations) {
    if (version <= current) continue;
    await session.run(sql);
    await session.run(`INSERT INTO ${table} (version) VALUES (${version})`);
  }
  await session.run('COMMIT');
}

async function begin(session: Session, lock: number): Promise<void> {
  try {
    await session.run(
      `BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(${lock})`,
    );
  } catch (error) {
    if (!/statement pooling/.test((error as Error).message)) throw error;
    throw new Unfit(
      'expected a connection pooler in session or transaction mode to migrate the database, but it is in statement pooling mode',
      { cause: error },
    );
  }
}

async function versionOf(session: Session, table: string): Promise<number> {
  try {
    const text = `SELECT max(version) FROM ${table}`;
    const [[version] = [0]] = await session.query<[number | null]>({ text });
    return version ?? 0;
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) return 0;
    throw error;
  }
}
