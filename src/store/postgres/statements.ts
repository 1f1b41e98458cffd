// The SQL statements of the plant store.
import type { NewPlant, Plant } from '../../plants/plant.ts';
import type { Session } from './session.ts';

// Per transaction: a configuration reload or a transaction pooler would reset settings of the session.
// synchronous_commit is not overridden, except for off, which would acknowledge commits that a crash
// loses. client_min_messages permits the warning about a cancelled wait for a standby.
const DURABLE = `
  set_config('synchronous_commit',
             coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true),
  set_config('client_min_messages', 'warning', true)`;

// A commit waits for its WAL to be durable, on the standbys too. Emitting a message makes a read wait for
// the rows that it has read: a plain read also returns rows that are not durable on the standbys. A row
// lock would have the same effect, but needs the UPDATE privilege.
const MARK = `pg_logical_emit_message(true, 'plant-store', '')`;

// One statement is one transaction. It waits for concurrent inserts of the same ids. ORDER BY prevents
// deadlocks between batches. Returns the ids that already exist.
const INSERT = {
  name: 'insert-plants',
  text: `
    WITH durable AS MATERIALIZED (
      SELECT ${DURABLE}, set_config('lock_timeout', $4, true)
    ), given AS (
      SELECT id, name, tag
      FROM durable, unnest($1::bigint[], $2::text[], $3::text[]) AS given (id, name, tag)
    ), created AS (
      INSERT INTO plant (id, name, tag)
      SELECT id, name, tag FROM given ORDER BY id
      ON CONFLICT (id) DO NOTHING
      RETURNING id
    )
    SELECT id FROM given EXCEPT SELECT id FROM created`,
};

// A separate statement: the snapshot of the INSERT excludes the concurrent rows that it waited for.
const FIND_DURABLE = {
  name: 'find-durable-plants',
  text: `
    WITH durable AS MATERIALIZED (SELECT ${DURABLE}, ${MARK})
    SELECT id, name, tag FROM durable, plant WHERE id = ANY($1::bigint[])`,
};

// Locks the table, requires the privileges and waits for the WAL as a create does.
const PROBE = {
  name: 'probe',
  text: `
    WITH durable AS MATERIALIZED (SELECT ${DURABLE}, ${MARK} AS mark), nothing AS (
      INSERT INTO plant (id, name) SELECT 0, '' FROM durable WHERE mark IS NULL
    )
    SELECT 1 FROM durable`,
};

const FIND = {
  name: 'find-plant',
  text: 'SELECT id, name, tag FROM plant WHERE id = $1',
};

const PAGE = {
  name: 'page-of-plants',
  text: 'SELECT id, name, tag FROM plant WHERE id >= $1 ORDER BY id LIMIT $2',
};

type Row = [id: string, name: string, tag: string | null];

/** A durable write that changes nothing. */
export async function probe(session: Session): Promise<void> {
  await session.query(PROBE);
}

/** @returns undefined if no plant has this id */
export async function readPlant(session: Session, id: bigint): Promise<Plant | undefined> {
  const [row] = await session.query<Row>({ ...FIND, values: [id] });
  if (row === undefined) return undefined;
  const { id: _, ...plant } = toPlant(row);
  return plant;
}

/** @returns at most `limit` plants with ids from `id` on, in ascending order */
export async function readPlants(session: Session, id: bigint, limit: number): Promise<NewPlant[]> {
  const rows = await session.query<Row>({ ...PAGE, values: [id, limit] });
  return rows.map(toPlant);
}

/**
 * Inserts the plants whose ids do not exist.
 *
 * @param lockTimeoutMs maximum wait for another transaction
 * @returns the ids that already exist
 */
export async function insert(session: Session, plants: readonly NewPlant[], lockTimeoutMs: number) {
  const values = [
    `{${plants.map(({ id }) => id).join()}}`,
    plants.map(({ name }) => name),
    plants.map(({ tag }) => tag),
    String(lockTimeoutMs),
  ];
  const rows = await session.query<[id: string]>({ ...INSERT, values });
  return new Set(rows.map(([id]) => BigInt(id)));
}

/** @returns the plants with these ids, after they are durable */
export async function findDurable(session: Session, ids: readonly bigint[]): Promise<NewPlant[]> {
  const rows = await session.query<Row>({ ...FIND_DURABLE, values: [ids] });
  return rows.map(toPlant);
}

function toPlant([id, name, tag]: Row): NewPlant {
  return tag === null ? { id: BigInt(id), name } : { id: BigInt(id), name, tag };
}
