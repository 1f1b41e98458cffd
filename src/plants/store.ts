// The interface of a plant store, its events and its errors.
import type { EventEmitter } from 'node:events';
import type { NewPlant, Plant } from './plant.ts';

/**
 * The outcome of a create:
 * - `created`: the plant is stored durably.
 * - `same`: an equal plant with this id exists.
 * - `different`: a different plant with this id exists, and is unchanged.
 */
export type CreateOutcome = 'created' | 'same' | 'different';

export interface PlantStore {
  /**
   * Stores a plant. Resolves after the outcome is durable. Exactly one of several concurrent creates
   * with one id is `created`.
   *
   * @throws {StoreUnavailable} if the outcome is not durable; a retry is safe
   */
  create(plant: NewPlant): Promise<CreateOutcome>;

  /**
   * Reads a committed plant; its create may still be pending.
   *
   * @returns undefined if no plant has this id
   * @throws {StoreUnavailable} if the read fails; a retry is safe
   */
  find(id: bigint): Promise<Plant | undefined>;

  /** @returns true if a create would succeed now. Resolves within a second, never rejects. */
  isReady(): Promise<boolean>;

  /** The number of pending creates. */
  readonly waiting: number;

  /**
   * Creates an online backup; for stores in a file.
   *
   * @returns the path of the backup, which contains at least every plant that was acknowledged before
   */
  backUp?(): Promise<string>;

  /** Rejects new creates, commits the pending ones, then closes. */
  close(): Promise<void>;
}

/** The part of a store that handlers use. */
export type Plants = Pick<PlantStore, 'create' | 'find'>;

/** A store whose plants can be listed, to move or compare it. */
export interface ReadableStore extends PlantStore {
  /**
   * @returns at most `limit` plants with ids from `id` on, in ascending order
   * @throws {StoreUnavailable} if the read fails
   */
  pageFrom(id: bigint, limit: number): Promise<NewPlant[]>;
}

/** The events of a store: payloads by event name. */
export interface StoreEvents {
  /** A database file is open. `isNew`: it was missing or empty. */
  opened: [database: { readonly file: string; readonly isNew: boolean }];
  committed: [commit: { readonly creates: number; readonly durationMs: number }];
  /** Creates are rejected until `available`. Emitted again if the reason changes. */
  unavailable: [reason: Error];
  available: [outage: { readonly durationMs: number }];
}

export type StoreEmitter = EventEmitter<StoreEvents>;

/** The store is temporarily unavailable. The outcome of a create is unknown; a retry is safe. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The database cannot be used. `message` is one line for the operator. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
}
