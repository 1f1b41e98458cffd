// A batch of creates, whose decisions survive the loss of a connection.
import { type NewPlant, type Plant, samePlant } from '../../plants/plant.ts';
import type { CreateOutcome } from '../../plants/store.ts';
import type { Decision } from '../groupCommit.ts';
import type { Session } from './session.ts';
import { isLocked, isRowError, Unfit } from './sqlState.ts';
import type { Statements } from './statements.ts';

/** Longer than the commit of a concurrent create on a healthy disk. */
const LOCK_TIMEOUT_MS = 100;
/** While the batch is divided to find ids that are locked by another transaction. */
const DIVIDED_LOCK_TIMEOUT_MS = 5;
/** With more locked ids, the rest of a batch is not divided further. */
const MAX_LOCKED = 8;
/** Attempts to create a plant that neither is created nor exists: another transaction may delete it. */
const MAX_ATTEMPTS = 3;

interface StoredRow {
  readonly plant: Plant;
  /** The position in the batch of the create that stored it; undefined for another transaction. */
  readonly createdBy: number | undefined;
}

export class Batch {
  readonly #plants: readonly NewPlant[];
  readonly #statements: Statements;
  readonly #stored = new Map<bigint, StoredRow>();
  /** Ids that another transaction may have locked. */
  readonly #locked = new Set<bigint>();
  /** Errors of single rows, by position in the batch. */
  readonly #rejected = new Map<number, Error>();
  /** Attempts without a row, by position in the batch. */
  readonly #attempts = new Map<number, number>();

  constructor(plants: readonly NewPlant[], statements: Statements) {
    this.#plants = plants;
    this.#statements = statements;
  }

  /**
   * Commits the undecided creates. May be repeated after a failure: rows of an INSERT with unknown outcome
   * are then `same`.
   *
   * @throws {ConnectionLost | DatabaseError} a part of the batch may be decided
   */
  async settle(session: Session): Promise<void> {
    for (let positions = this.#undecided(); positions.length > 0; positions = this.#undecided()) {
      await this.#store(session, positions, LOCK_TIMEOUT_MS);
    }
  }

  /**
   * @param undecided the error of undecided creates
   * @param wait decides a create whose id is locked by another transaction
   */
  decisions(undecided: Error, wait: (plant: NewPlant) => Promise<CreateOutcome>): Decision[] {
    return this.#plants.map((plant, at) => {
      const error = this.#rejected.get(at);
      if (error !== undefined) return error;
      const row = this.#stored.get(plant.id);
      if (row === undefined) return this.#locked.has(plant.id) ? wait(plant) : undecided;
      if (row.createdBy === at) return 'created';
      return samePlant(plant, row.plant) ? 'same' : 'different';
    });
  }

  /** @returns the positions of undecided creates, the first of each id */
  #undecided(): number[] {
    const open = new Map<bigint, number>();
    for (const [at, { id }] of this.#plants.entries()) {
      if (this.#stored.has(id) || this.#locked.has(id) || this.#rejected.has(at) || open.has(id))
        continue;
      open.set(id, at);
    }
    return [...open.values()];
  }

  // A statement fails as a whole: divides the batch down to the invalid row.
  async #store(session: Session, positions: readonly number[], lockTimeoutMs: number) {
    try {
      await this.#insert(session, positions, lockTimeoutMs);
    } catch (error) {
      if (!isRowError(error) && !isLocked(error)) throw error;
      if (isLocked(error) && (positions.length === 1 || this.#locked.size >= MAX_LOCKED)) {
        for (const at of positions) this.#locked.add(this.#plants[at]!.id);
      } else if (positions.length > 1) {
        const middle = positions.length >> 1;
        await this.#store(session, positions.slice(0, middle), DIVIDED_LOCK_TIMEOUT_MS);
        await this.#store(session, positions.slice(middle), DIVIDED_LOCK_TIMEOUT_MS);
      } else {
        this.#reject(positions[0]!, error);
      }
    }
  }

  #reject(at: number, cause: unknown): void {
    const { id } = this.#plants[at]!;
    this.#rejected.set(at, new Error(`PostgreSQL cannot store plant ${id}`, { cause }));
  }

  async #insert(session: Session, positions: readonly number[], lockTimeoutMs: number) {
    const plants = positions.map((at) => this.#plants[at]!);
    const taken = await this.#statements.insert(session, plants, lockTimeoutMs);
    for (const [index, plant] of plants.entries()) {
      if (taken.has(plant.id)) continue;
      this.#stored.set(plant.id, { plant, createdBy: positions[index] });
    }
    if (taken.size === 0) return;
    for (const plant of await this.#statements.findDurable(session, [...taken])) {
      this.#stored.set(plant.id, { plant, createdBy: undefined });
    }
    for (const at of positions) this.#countAttempt(at);
  }

  /** A plant that another transaction deleted meanwhile stays undecided, unless a trigger suppresses it. */
  #countAttempt(at: number): void {
    if (this.#stored.has(this.#plants[at]!.id)) return;
    const attempts = (this.#attempts.get(at) ?? 0) + 1;
    this.#attempts.set(at, attempts);
    if (attempts === MAX_ATTEMPTS) this.#reject(at, suppressed());
  }
}

/**
 * Creates one plant whose id may be locked by another transaction.
 *
 * @returns undefined if the id is still locked
 * @throws {ConnectionLost | DatabaseError}
 */
export async function createAlone(
  session: Session,
  plant: NewPlant,
  statements: Statements,
): Promise<CreateOutcome | undefined> {
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const taken = await statements.insert(session, [plant], LOCK_TIMEOUT_MS);
      if (taken.size === 0) return 'created';
      const [held] = await statements.findDurable(session, [plant.id]);
      if (held !== undefined) return samePlant(plant, held) ? 'same' : 'different';
    }
    throw suppressed();
  } catch (error) {
    if (isLocked(error)) return undefined;
    throw error;
  }
}

function suppressed(): Unfit {
  return new Unfit('expected the table to store the row, but a trigger or a rule suppresses it');
}
