// The SQL of plants. A batch of creates becomes decisions in a form that survives its connection: what
// was learned on one is kept, and the rest is asked again on the next. Knows no time and no retry.
import { type NewPlant, type Plant, samePlant } from '../../plants/plant.ts';
import type { Decision } from '../groupCommit.ts';
import type { Session } from './session.ts';
import { isOfARow } from './sqlState.ts';

// One statement, so one transaction: it is committed when the answer comes. Rivals in another
// transaction are waited for, and then either took the id or did not. ORDER BY makes all batches take
// their ids in one order, or two of them could wait for each other. What it answers is the ids that
// were taken: mostly none, while a row for each that was created would have to be sent and read.
const INSERT = {
  name: 'insert-plants',
  text: `
    WITH given AS (
      SELECT id, name, tag
      FROM unnest($1::bigint[], $2::text[], $3::text[]) AS given (id, name, tag)
    ), created AS (
      INSERT INTO plant (id, name, tag)
      SELECT id, name, tag FROM given ORDER BY id
      ON CONFLICT (id) DO NOTHING
      RETURNING id
    )
    SELECT id FROM given EXCEPT SELECT id FROM created`,
};

// A statement of its own: the INSERT's snapshot is older than the rivals that it waited for.
const FIND = {
  name: 'find-plants',
  text: 'SELECT id, name, tag FROM plant WHERE id = ANY($1::bigint[])',
};

const PAGE = {
  name: 'page-of-plants',
  text: 'SELECT id, name, tag FROM plant WHERE id >= $1 ORDER BY id LIMIT $2',
};

type Row = [id: string, name: string, tag: string | null];

/** What is known of the row with an id. */
interface Taken {
  readonly plant: Plant;
  /** Which create of the batch stored it, if one did. */
  readonly createdBy: number | undefined;
}

export class Batch {
  readonly #plants: readonly NewPlant[];
  readonly #taken = new Map<bigint, Taken>();
  /** By position in the batch. */
  readonly #refused = new Map<number, Error>();

  constructor(plants: readonly NewPlant[]) {
    this.#plants = plants;
  }

  /**
   * Commits what is not decided yet. May be called again after it failed: an INSERT whose answer was
   * lost then finds its own rows, equal to what it brings, and they are `same`.
   *
   * @throws {ConnectionLost | DatabaseError} with a part of the batch perhaps decided
   */
  async settle(session: Session): Promise<void> {
    for (let open = this.#open(); open.length > 0; open = this.#open()) {
      await this.#store(session, open);
    }
  }

  /** @param undecided what the creates are told that are not decided */
  decisions(undecided: Error): Decision[] {
    return this.#plants.map((plant, at) => {
      const refused = this.#refused.get(at);
      if (refused !== undefined) return refused;
      const taken = this.#taken.get(plant.id);
      if (taken === undefined) return undecided;
      if (taken.createdBy === at) return 'created';
      return samePlant(plant, taken.plant) ? 'same' : 'different';
    });
  }

  /** The positions that are not decided; of those with one id, only the first. */
  #open(): number[] {
    const open = new Map<bigint, number>();
    for (const [at, { id }] of this.#plants.entries()) {
      if (this.#taken.has(id) || this.#refused.has(at) || open.has(id)) continue;
      open.set(id, at);
    }
    return [...open.values()];
  }

  // A statement that one row makes fail stores none: each half is tried by itself, down to that row.
  async #store(session: Session, positions: readonly number[]): Promise<void> {
    try {
      await this.#insert(session, positions);
    } catch (error) {
      if (!isOfARow(error)) throw error;
      if (positions.length === 1) {
        this.#refuse(positions[0]!, error);
        return;
      }
      const middle = positions.length >> 1;
      await this.#store(session, positions.slice(0, middle));
      await this.#store(session, positions.slice(middle));
    }
  }

  #refuse(at: number, cause: unknown): void {
    const { id } = this.#plants[at]!;
    this.#refused.set(at, new Error(`PostgreSQL cannot store plant ${id}`, { cause }));
  }

  async #insert(session: Session, positions: readonly number[]): Promise<void> {
    const plants = positions.map((at) => this.#plants[at]!);
    const values = [
      `{${plants.map(({ id }) => id).join()}}`,
      plants.map(({ name }) => name),
      plants.map(({ tag }) => tag),
    ];
    const rows = await session.query<[id: string]>({ ...INSERT, values });
    const others = new Set(rows.map(([id]) => BigInt(id)));
    for (const [index, plant] of plants.entries()) {
      if (others.has(plant.id)) continue;
      this.#taken.set(plant.id, { plant, createdBy: positions[index] });
    }
    if (others.size > 0) await this.#find(session, [...others]);
  }

  // An id that is gone again, by somebody's DELETE, stays open.
  async #find(session: Session, ids: readonly bigint[]): Promise<void> {
    for (const row of await session.query<Row>({ ...FIND, values: [ids] })) {
      const plant = toPlant(row);
      this.#taken.set(plant.id, { plant, createdBy: undefined });
    }
  }
}

/** @returns undefined where there is none */
export async function readPlant(session: Session, id: bigint): Promise<Plant | undefined> {
  const [row] = await session.query<Row>({ ...FIND, values: [[id]] });
  if (row === undefined) return undefined;
  const { id: _, ...plant } = toPlant(row);
  return plant;
}

/** @returns the plants with the smallest ids that are not below `id` */
export async function readPlants(session: Session, id: bigint, most: number): Promise<NewPlant[]> {
  const rows = await session.query<Row>({ ...PAGE, values: [id, most] });
  return rows.map(toPlant);
}

function toPlant([id, name, tag]: Row): NewPlant {
  return tag === null ? { id: BigInt(id), name } : { id: BigInt(id), name, tag };
}
