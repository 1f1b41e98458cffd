// The SQL of plants: what each statement takes, returns and waits for.
import type { NewPlant, Plant } from '../../plants/plant.ts';
import type { Session } from './session.ts';

// Settings of the transaction, not of the session: a reload of the server's configuration or a
// transaction pooler would change those. synchronous_commit may be more than on (remote_apply) or, by
// the operator's choice, less; off would acknowledge a commit that a crash loses. The warning of a
// wait for a standby that was cancelled must arrive, also where a role hides warnings.
const DURABLE = `
  set_config('synchronous_commit',
             coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true),
  set_config('client_min_messages', 'warning', true)`;

// A commit waits for its WAL to be durable here and on the standbys, so a transaction that writes a
// message waits for every row that it has read as well. A read alone waits for nothing, and sees rows
// of commits whose wait was cancelled. A row lock would do the same, but needs the privilege UPDATE.
const MARK = `pg_logical_emit_message(true, 'plant-store', '')`;

// One statement, so one transaction: it is committed when the result arrives. It waits for rivals in
// another transaction. ORDER BY makes all batches take their ids in one order, or two of them could
// wait for each other. The result is the ids that were taken: mostly none.
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

// A statement of its own: the INSERT's snapshot is older than the rivals that it waited for.
const FIND_DURABLE = {
  name: 'find-durable-plants',
  text: `
    WITH durable AS MATERIALIZED (SELECT ${DURABLE}, ${MARK})
    SELECT id, name, tag FROM durable, plant WHERE id = ANY($1::bigint[])`,
};

// Takes the table's lock, checks the privileges and waits for the WAL as a create does.
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

/** Writes as a create does, and changes nothing. */
export async function probe(session: Session): Promise<void> {
  await session.query(PROBE);
}

/** @returns undefined where there is none */
export async function readPlant(session: Session, id: bigint): Promise<Plant | undefined> {
  const [row] = await session.query<Row>({ ...FIND, values: [id] });
  if (row === undefined) return undefined;
  const { id: _, ...plant } = toPlant(row);
  return plant;
}

/** @returns the plants with the smallest ids that are not below `id` */
export async function readPlants(session: Session, id: bigint, most: number): Promise<NewPlant[]> {
  const rows = await session.query<Row>({ ...PAGE, values: [id, most] });
  return rows.map(toPlant);
}

/**
 * Creates the plants whose ids are free.
 *
 * @param lockTimeoutMs how long to wait for another transaction
 * @returns the ids that were taken before
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

export async function findDurable(session: Session, ids: readonly bigint[]): Promise<NewPlant[]> {
  const rows = await session.query<Row>({ ...FIND_DURABLE, values: [ids] });
  return rows.map(toPlant);
}

function toPlant([id, name, tag]: Row): NewPlant {
  return tag === null ? { id: BigInt(id), name } : { id: BigInt(id), name, tag };
}
