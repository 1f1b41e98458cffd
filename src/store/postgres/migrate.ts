// Brings a PostgreSQL database up to date: the numbered migrations, once each, though many processes
// start at once. Knows the schema only as numbered migrations, and nothing of plants.
import { StoreRefused } from '../../plants/store.ts';
import { type Migration, readMigrations } from '../migrations.ts';
import { type Session, Unfit } from './session.ts';
import { codeOf, UNDEFINED_TABLE } from './sqlState.ts';

/** "Plnt" in ASCII: of all that share a database, only plant stores take this lock. */
const LOCK = 0x506c6e74;

const READ_TIMEOUT_MS = 2_000;
/** An index on a large table takes minutes, and the other processes wait for it. */
const MIGRATION_TIMEOUT_MS = 10 * 60_000;

/**
 * Runs the migrations that the database has not seen. A database that is up to date is only read, so
 * that the service's role needs no right to create tables once another role has migrated.
 *
 * @throws {StoreRefused} when a newer version of the service has migrated it
 * @throws {Unfit} behind a connection pooler that allows no transactions
 * @throws {ConnectionLost | DatabaseError} with nothing migrated; the session is then of no use
 */
export async function migrate(session: Session): Promise<void> {
  const migrations = readMigrations('postgres');
  const newest = migrations.at(-1)?.version ?? 0;
  const current = await session.within(READ_TIMEOUT_MS, () => versionOf(session));
  if (current > newest) {
    throw new StoreRefused(
      `Expected the database to have at most schema version ${newest}, but it has ${current}: a newer version of the service wrote it`,
    );
  }
  if (current < newest) {
    await session.within(MIGRATION_TIMEOUT_MS, () => runAll(session, migrations));
  }
}

// One transaction: it holds the lock to its end, and all of it happens or nothing.
async function runAll(session: Session, migrations: readonly Migration[]): Promise<void> {
  await begin(session);
  await session.run('CREATE TABLE IF NOT EXISTS plant_migration (version integer PRIMARY KEY)');
  const current = await versionOf(session);
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

async function versionOf(session: Session): Promise<number> {
  try {
    const text = 'SELECT max(version) FROM plant_migration';
    const [[version] = [0]] = await session.query<[number | null]>({ text });
    return version ?? 0;
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) return 0;
    throw error;
  }
}
