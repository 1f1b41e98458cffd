// The SQL statements of the plant store.
import { escapeIdentifier, escapeLiteral } from 'pg';
import type { NewPlant, Plant } from '../../plants/plant.ts';
import type { Session } from './session.ts';
import { isRowError, Unfit } from './sqlState.ts';

interface QueryConfig {
  readonly name: string;
  readonly text: string;
}

// Outside of the classes that PostgreSQL uses.
const ROW_CHANGED = 'PLNT1';
const ROLLED_BACK = 'PLNT2';

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

type Row = [id: string, name: string, tag: string | null];

/**
 * The statements of a plant store. The table is qualified: with the search path, a table of the same name
 * in an earlier schema, or in a later one after a rename, would be used instead.
 */
export class Statements {
  readonly schema: string;
  readonly #insert: QueryConfig;
  readonly #findDurable: QueryConfig;
  readonly #find: QueryConfig;
  readonly #page: QueryConfig;
  readonly #checkTable: QueryConfig;
  readonly #checkRow: QueryConfig;
  readonly #mark: QueryConfig;

  constructor(schema: string) {
    this.schema = schema;
    const table = `${escapeIdentifier(schema)}.plant`;
    const literal = escapeLiteral(table);
    // One statement is one transaction. It waits for concurrent inserts of the same ids. ORDER BY prevents
    // deadlocks between batches. Nothing is given to a table that a crash empties. Returns the number of
    // given plants, and the ids that exist, or that were created with other content by a trigger.
    this.#insert = {
      name: 'insert-plants',
      text: `
        WITH durable AS MATERIALIZED (
          SELECT ${DURABLE}, set_config('lock_timeout', $4, true)
          FROM pg_catalog.pg_class WHERE oid = ${literal}::regclass AND relpersistence = 'p'
        ), given AS (
          SELECT id, name, tag
          FROM durable, unnest($1::bigint[], $2::text[], $3::text[]) AS given (id, name, tag)
        ), created AS (
          INSERT INTO ${table} (id, name, tag)
          SELECT id, name, tag FROM given ORDER BY id
          ON CONFLICT (id) DO NOTHING
          RETURNING id, name, tag
        )
        SELECT (SELECT count(*)::integer FROM given),
               ARRAY(SELECT id FROM (TABLE given EXCEPT TABLE created) AS missing)`,
    };
    // A separate statement: the snapshot of the INSERT excludes the concurrent rows that it waited for.
    this.#findDurable = {
      name: 'find-durable-plants',
      text: `
        WITH durable AS MATERIALIZED (SELECT ${DURABLE}, ${MARK})
        SELECT id, name, tag FROM durable, ${table} WHERE id = ANY($1::bigint[])`,
    };
    this.#find = {
      name: 'find-plant',
      text: `SELECT id, name, tag FROM ${table} WHERE id = $1`,
    };
    this.#page = {
      name: 'page-of-plants',
      text: `SELECT id, name, tag FROM ${table} WHERE id >= $1 ORDER BY id LIMIT $2`,
    };
    this.#checkTable = {
      name: 'check-table',
      text: `SELECT relpersistence FROM pg_catalog.pg_class WHERE oid = ${literal}::regclass`,
    };
    // Inserts a row, reads it, and rolls back. It runs triggers, the deferred ones too.
    this.#checkRow = {
      name: 'check-row',
      text: `DO $probe$
        DECLARE
          probe CONSTANT bigint := ('x' || pg_catalog.md5(pg_catalog.random()::text))::bit(64)::bigint;
          stored record;
        BEGIN
          INSERT INTO ${table} (id, name, tag) VALUES (probe, 'probe', NULL)
            ON CONFLICT (id) DO NOTHING RETURNING id, name, tag INTO stored;
          SET CONSTRAINTS ALL IMMEDIATE;
          SELECT id, name, tag INTO stored FROM ${table} WHERE id = probe;
          IF stored IS DISTINCT FROM ROW(probe, 'probe'::text, NULL::text) THEN
            RAISE EXCEPTION USING ERRCODE = '${ROW_CHANGED}', MESSAGE =
              'expected the table ' || ${escapeLiteral(`${schema}.plant`)} || ' to store a row as it is, but a trigger or a rule suppresses or changes it';
          END IF;
          RAISE EXCEPTION USING ERRCODE = '${ROLLED_BACK}';
        EXCEPTION WHEN SQLSTATE '${ROLLED_BACK}' THEN NULL;
        END $probe$`,
    };
    this.#mark = {
      name: 'mark',
      text: `SELECT ${DURABLE}, ${MARK}`,
    };
  }

  /**
   * Checks that a create would succeed: a durable write that changes nothing.
   *
   * @throws {Unfit | DatabaseError} for a table that would lose or change rows
   */
  async probe(session: Session): Promise<void> {
    const [[persistence] = []] = await session.query<[string]>(this.#checkTable);
    if (persistence !== 'p') throw new Unfit(this.#expectedLogged());
    try {
      await session.query(this.#checkRow);
    } catch (error) {
      // A constraint may reject this row and accept others.
      if (!isRowError(error)) throw error;
    }
    await session.query(this.#mark);
  }

  /** @returns undefined if no plant has this id */
  async readPlant(session: Session, id: bigint): Promise<Plant | undefined> {
    const [row] = await session.query<Row>({ ...this.#find, values: [id] });
    if (row === undefined) return undefined;
    const { id: _, ...plant } = toPlant(row);
    return plant;
  }

  /** @returns at most `limit` plants with ids from `id` on, in ascending order */
  async readPlants(session: Session, id: bigint, limit: number): Promise<NewPlant[]> {
    const rows = await session.query<Row>({ ...this.#page, values: [id, limit] });
    return rows.map(toPlant);
  }

  /**
   * Inserts the plants whose ids do not exist.
   *
   * @param lockTimeoutMs maximum wait for another transaction
   * @returns the ids of the plants that it did not create
   * @throws {Unfit} for a table that is not logged
   */
  async insert(
    session: Session,
    plants: readonly NewPlant[],
    lockTimeoutMs: number,
  ): Promise<Set<bigint>> {
    const values = [
      `{${plants.map(({ id }) => id).join()}}`,
      plants.map(({ name }) => name),
      plants.map(({ tag }) => tag),
      String(lockTimeoutMs),
    ];
    const [[given, missing] = [0, []]] = await session.query<[given: number, missing: string[]]>({
      ...this.#insert,
      values,
    });
    if (given !== plants.length) throw new Unfit(this.#expectedLogged());
    return new Set(missing.map(BigInt));
  }

  /** @returns the plants with these ids, after they are durable */
  async findDurable(session: Session, ids: readonly bigint[]): Promise<NewPlant[]> {
    const rows = await session.query<Row>({ ...this.#findDurable, values: [ids] });
    return rows.map(toPlant);
  }

  #expectedLogged(): string {
    return `expected the table ${this.schema}.plant to be logged, but a crash would empty it; run ALTER TABLE ${this.schema}.plant SET LOGGED`;
  }
}

function toPlant([id, name, tag]: Row): NewPlant {
  return tag === null ? { id: BigInt(id), name } : { id: BigInt(id), name, tag };
}
