// PlantStore: what a store of plants must promise, in the domain's words.
// Knows no HTTP and no database; src/store/ holds the implementations.
import type { EventEmitter } from 'node:events';
import type { NewPlant, Plant } from './plant.ts';

/**
 * What became of a create:
 * - `created`: the plant is stored durably under its id.
 * - `same`: the id already held exactly this plant; nothing was stored twice.
 * - `different`: the id holds another plant, which stays as it was.
 */
export type CreateOutcome = 'created' | 'same' | 'different';

export interface PlantStore {
  /**
   * Stores a plant. Resolves only once the outcome is durable: on disk, or committed.
   * Of any number of concurrent rivals for one id exactly one is answered `created`.
   *
   * @throws {StoreUnavailable} when the outcome could not be made durable; trying again is safe.
   */
  create(plant: NewPlant): Promise<CreateOutcome>;

  /**
   * Reads what is committed, which may be a plant whose create is not acknowledged yet.
   *
   * @returns the plant with that id; undefined where there is none
   * @throws {StoreUnavailable} when it could not be read; trying again is safe.
   */
  find(id: bigint): Promise<Plant | undefined>;

  /** True when a create would be taken now. Answers within a second, and never rejects. */
  isReady(): Promise<boolean>;

  /** Creates that were taken and are not yet decided. */
  readonly waiting: number;

  /**
   * Copies the whole store into a file beside it, while it works; for stores that are a file.
   *
   * @returns the file's path; it holds at least every plant whose create was answered before
   */
  backUp?(): Promise<string>;

  /** Commits what was accepted, then closes. Creates that come later are refused. */
  close(): Promise<void>;
}

/** The part of a store that handlers use. */
export type Plants = Pick<PlantStore, 'create' | 'find'>;

/** A store that can be read as a whole, to move it or to compare it. */
export interface ReadableStore extends PlantStore {
  /**
   * @returns the plants with the smallest ids that are not below `id`, in their order
   * @throws {StoreUnavailable} when they cannot be read now
   */
  pageFrom(id: bigint, most: number): Promise<NewPlant[]>;
}

/** The events of a store: payloads by event name. */
export interface StoreEvents {
  committed: [commit: { readonly creates: number; readonly durationMs: number }];
  /** Creates are refused until `available`. Emitted again if the reason changes meanwhile. */
  unavailable: [reason: Error];
  available: [outage: { readonly durationMs: number }];
}

export type StoreEmitter = EventEmitter<StoreEvents>;

/** The store cannot take or confirm a create now. Trying the same create again is always safe. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The store cannot be opened. `message` is one line for the operator: what is wrong with what. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
}
