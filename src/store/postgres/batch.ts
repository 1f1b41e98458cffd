// Creates that are committed together become decisions, which are kept when a connection is lost.
import { type NewPlant, type Plant, samePlant } from '../../plants/plant.ts';
import type { CreateOutcome } from '../../plants/store.ts';
import type { Decision } from '../groupCommit.ts';
import type { Session } from './session.ts';
import { isLocked, isOfARow } from './sqlState.ts';
import { findDurable, insert } from './statements.ts';

/** Longer than rivals take to commit, on any disk that is well. */
const LOCK_TIMEOUT_MS = 100;
/** While the batch is divided to find the ids that another transaction holds. */
const DIVIDED_LOCK_TIMEOUT_MS = 5;
/** With more held ids in a batch, the rest is not divided further. */
const MOST_DIVIDED = 8;

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
