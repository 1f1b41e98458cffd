// The domain types Plant and NewPlant, and their equality.
import type { components } from '../../generated/contract.ts';

/** A stored plant without its id (`openapi.yaml#/components/schemas/Plant`). */
export type Plant = components['schemas']['Plant'];

/** A plant with its id, an int64 as bigint (`openapi.yaml#/components/schemas/NewPlant`). */
export type NewPlant = components['schemas']['NewPlant'];

/** @returns true if name and tag are equal; a missing tag equals only a missing tag */
export function samePlant(a: Plant, b: Plant): boolean {
  return a.name === b.name && a.tag === b.tag;
}
