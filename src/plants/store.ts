// The interface of a plant store.
import type { NewPlant, Plant } from './plant.ts';

/**
 * The outcome of a create:
 * - `created`: the plant is stored durably.
 * - `same`: an equal plant with this id exists.
 * - `different`: a different plant with this id exists, and is unchanged.
 */
export type CreateOutcome = 'created' | 'same' | 'different';

export interface Plants {
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
}
