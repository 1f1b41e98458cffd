// The SQL of plants: a batch of creates becomes decisions, which are kept when a connection is lost.
import { type NewPlant, type Plant, samePlant } from '../../plants/plant.ts';
import type { CreateOutcome } from '../../plants/store.ts';
import type { Decision } from '../groupCommit.ts';
import type { Session } from './session.ts';
import { isLocked, isOfARow } from './sqlState.ts';

// Settings of the transaction, not of the session: a reload of the server's configuration or a
// transaction pooler would change those. synchronous_commit may be more than on (remote_apply) or, by
// the operator's choice, less; off would acknowledge a commit that a crash loses. The warning of a
// wait for a standby that was cancelled must arrive, whatever client_min_messages the role has.
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

/** Longer than rivals take to commit, on any disk that is well. */
const LOCK_TIMEOUT_MS = 100;
/** While the batch is divided to find the ids that another transaction holds. */
const DIVIDED_LOCK_TIMEOUT_MS = 5;
/** With more held ids in a batch, the rest is not divided further. */
const MOST_DIVIDED = 8;

type Row = [id: string, name: string, tag: string | null];

/** What is known of the row with an id. */
interface Taken {
  readonly plant: Plant;
  /** The position in the batch of the create that stored it, if one did. */
  readonly createdBy: number | undefined;
}

export class Batch {
  readonly #plants: readonly NewPlant[];
  readonly #taken = new Map<bigint, Taken>();
  /** Ids that another transaction holds, or may hold, and has not committed. */
  readonly #held = new Set<bigint>();
  /** By position in the batch. */
  readonly #refused = new Map<number, Error>();

  constructor(plants: readonly NewPlant[]) {
    this.#plants = plants;
  }

  /**
   * Commits what is not decided yet. May be called again after it failed: an INSERT whose result was
   * lost then finds its own rows, equal to its plants, and they are `same`.
   *
   * @throws {ConnectionLost | DatabaseError} with a part of the batch perhaps decided
   */
  async settle(session: Session): Promise<void> {
    for (let open = this.#open(); open.length > 0; open = this.#open()) {
      await this.#store(session, open, LOCK_TIMEOUT_MS);
    }
  }

  /**
   * @param undecided the error for creates that are not decided
   * @param wait decides a create whose id another transaction holds
   */
  decisions(undecided: Error, wait: (plant: NewPlant) => Promise<CreateOutcome>): Decision[] {
    return this.#plants.map((plant, at) => {
      const refused = this.#refused.get(at);
      if (refused !== undefined) return refused;
      const taken = this.#taken.get(plant.id);
      if (taken === undefined) return this.#held.has(plant.id) ? wait(plant) : undecided;
      if (taken.createdBy === at) return 'created';
      return samePlant(plant, taken.plant) ? 'same' : 'different';
    });
  }

  /** The positions that are not decided; of those with one id, only the first. */
  #open(): number[] {
    const open = new Map<bigint, number>();
    for (const [at, { id }] of this.#plants.entries()) {
      if (this.#taken.has(id) || this.#held.has(id) || this.#refused.has(at) || open.has(id))
        continue;
      open.set(id, at);
    }
    return [...open.values()];
  }

  // A statement that one row makes fail stores none: each half is tried by itself, down to that row.
  async #store(session: Session, positions: readonly number[], lockTimeoutMs: number) {
    try {
      await this.#insert(session, positions, lockTimeoutMs);
    } catch (error) {
      if (!isOfARow(error) && !isLocked(error)) throw error;
      if (isLocked(error) && (positions.length === 1 || this.#held.size >= MOST_DIVIDED)) {
        for (const at of positions) this.#held.add(this.#plants[at]!.id);
      } else if (positions.length > 1) {
        const middle = positions.length >> 1;
        await this.#store(session, positions.slice(0, middle), DIVIDED_LOCK_TIMEOUT_MS);
        await this.#store(session, positions.slice(middle), DIVIDED_LOCK_TIMEOUT_MS);
      } else {
        this.#refuse(positions[0]!, error);
      }
    }
  }

  #refuse(at: number, cause: unknown): void {
    const { id } = this.#plants[at]!;
    this.#refused.set(at, new Error(`PostgreSQL cannot store plant ${id}`, { cause }));
  }

  async #insert(session: Session, positions: readonly number[], lockTimeoutMs: number) {
    const plants = positions.map((at) => this.#plants[at]!);
    const taken = await insert(session, plants, lockTimeoutMs);
    for (const [index, plant] of plants.entries()) {
      if (taken.has(plant.id)) continue;
      this.#taken.set(plant.id, { plant, createdBy: positions[index] });
    }
    // An id that is free again, by somebody's DELETE, stays open.
    for (const plant of taken.size === 0 ? [] : await findDurable(session, [...taken])) {
      this.#taken.set(plant.id, { plant, createdBy: undefined });
    }
  }
}

/**
 * Creates one plant whose id another transaction may hold.
 *
 * @returns undefined while that transaction holds it
 * @throws {ConnectionLost | DatabaseError}
 */
export async function createAlone(
  session: Session,
  plant: NewPlant,
): Promise<CreateOutcome | undefined> {
  try {
    const taken = await insert(session, [plant], LOCK_TIMEOUT_MS);
    if (taken.size === 0) return 'created';
    const [held] = await findDurable(session, [plant.id]);
    return held && (samePlant(plant, held) ? 'same' : 'different');
  } catch (error) {
    if (isLocked(error)) return undefined;
    throw error;
  }
}

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
 * @param lockTimeoutMs how long to wait for another transaction
 * @returns the ids that were taken before
 */
async function insert(session: Session, plants: readonly NewPlant[], lockTimeoutMs: number) {
  const values = [
    `{${plants.map(({ id }) => id).join()}}`,
    plants.map(({ name }) => name),
    plants.map(({ tag }) => tag),
    String(lockTimeoutMs),
  ];
  const rows = await session.query<[id: string]>({ ...INSERT, values });
  return new Set(rows.map(([id]) => BigInt(id)));
}

async function findDurable(session: Session, ids: readonly bigint[]): Promise<NewPlant[]> {
  const rows = await session.query<Row>({ ...FIND_DURABLE, values: [ids] });
  return rows.map(toPlant);
}

function toPlant([id, name, tag]: Row): NewPlant {
  return tag === null ? { id: BigInt(id), name } : { id: BigInt(id), name, tag };
}
