// Migrates a PostgreSQL database, safely with concurrent processes.
import { escapeIdentifier, escapeLiteral } from 'pg';
import {
  failedMigration,
  type OpenedSchema,
  pendingMigrations,
  type RecordedMigration,
  unnamedMigrations,
} from '../schema.ts';
import { DatabaseNames, MARK_KIND, type MarkKind } from './postgresRows.ts';
import { codeOf, PROTOCOL_VIOLATION, type Session, UNDEFINED_TABLE, Unfit } from './session.ts';

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
 * @throws {StoreRefused} as {@link pendingMigrations}
 * @throws {Unfit} behind a connection pooler in statement pooling mode, without a schema, or if the known
 *   tables are gone
 * @throws {ConnectionLost | DatabaseError} with nothing migrated; the session is unusable
 */
export async function migrate(
  session: Session,
  schema: OpenedSchema,
  opened?: DatabaseNames,
): Promise<DatabaseNames> {
  const names = opened ?? (await session.within(READ_TIMEOUT_MS, () => namesOf(session, schema)));
  const table = names.table(`${schema.name}_migration`);
  const { recorded, isOwner } = await session.within(READ_TIMEOUT_MS, () =>
    recordOf(session, table, names.literal(`${schema.name}_migration`)),
  );
  // New tables would be empty.
  if (opened !== undefined && recorded.length === 0) {
    throw new Unfit(
      `expected the tables of the store in the schema ${opened.schema}, but they are gone`,
    );
  }
  const pending = pendingMigrations(schema, recorded, 'the database');
  const isUnnamed = isOwner && unnamedMigrations(schema, recorded).length > 0;
  if (pending.length > 0 || isUnnamed) {
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
async function runAll(session: Session, schema: OpenedSchema, names: DatabaseNames): Promise<void> {
  const table = `${schema.name}_migration`;
  await begin(session, schema.applicationId);
  await session.run(`SET LOCAL search_path TO ${escapeIdentifier(names.schema)}`);
  await session.run(
    `CREATE TABLE IF NOT EXISTS ${table}
       (version integer PRIMARY KEY, name text, sha256 text, compatible integer)`,
  );
  const { recorded, hasNames } = await recordOf(session, names.table(table), names.literal(table));
  if (!hasNames) {
    const columns = 'ADD COLUMN name text, ADD COLUMN sha256 text, ADD COLUMN compatible integer';
    await session.run(`ALTER TABLE ${table} ${columns}`);
  }
  const pending = new Set(pendingMigrations(schema, recorded, 'the database'));
  for (const migration of [...unnamedMigrations(schema, recorded), ...pending]) {
    const { version, name, sha256, compatible, sql } = migration;
    if (pending.has(migration)) {
      await session.run(sql).catch((error) => {
        throw failedMigration(error, migration);
      });
    }
    await session.run(
      `INSERT INTO ${names.table(table)} (version, name, sha256, compatible)
       VALUES (${version}, ${escapeLiteral(name)}, ${escapeLiteral(sha256)}, ${compatible ?? 'NULL'})
       ON CONFLICT (version) DO UPDATE
       SET name = excluded.name, sha256 = excluded.sha256, compatible = excluded.compatible`,
    );
  }
  await session.run('COMMIT');
}

async function begin(session: Session, lock: number): Promise<void> {
  try {
    await session.run(
      `BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(${lock})`,
    );
  } catch (error) {
    if (codeOf(error) !== PROTOCOL_VIOLATION) throw error;
    throw new Unfit(
      'expected a connection pooler in session or transaction mode to migrate the database, but it is in statement pooling mode',
      { cause: error },
    );
  }
}

interface MigrationRecord {
  readonly recorded: readonly RecordedMigration[];
  /** False for the table of a version of the store before hashes, which has the column `version` only. */
  readonly hasNames: boolean;
  /** True if the role may add columns to the table. */
  readonly isOwner: boolean;
}

async function recordOf(
  session: Session,
  table: string,
  literal: string,
): Promise<MigrationRecord> {
  try {
    const text = `
      SELECT to_jsonb(each), (SELECT pg_has_role(relowner, 'USAGE') FROM pg_catalog.pg_class
                              WHERE oid = ${literal}::regclass)
      FROM ${table} AS each ORDER BY version`;
    const rows = await session.query<[Partial<RecordedMigration>, boolean]>({ text });
    const recorded = rows.map(([{ version = 0, name, sha256, compatible }]) => ({
      ...{ version, name: name ?? null, sha256: sha256 ?? null },
      compatible: compatible ?? null,
    }));
    const hasNames = rows.every(([row]) => 'sha256' in row);
    return { recorded, hasNames, isOwner: rows.some(([, isOwner]) => isOwner) };
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) return { recorded: [], hasNames: true, isOwner: false };
    throw error;
  }
}
