// Plant and NewPlant: domain names for the contract's generated types, and pure rules on them.
// Knows no HTTP, no SQL.
import type { components } from '../../generated/contract.ts';

/** What the store returns of a plant (`openapi.yaml#/components/schemas/Plant`). */
export type Plant = components['schemas']['Plant'];

/** A plant to store (`openapi.yaml#/components/schemas/NewPlant`); `id` is an int64 as bigint. */
export type NewPlant = components['schemas']['NewPlant'];

/** True when both hold the same name and tag; a missing tag equals only a missing tag. */
export function samePlant(a: Plant, b: Plant): boolean {
  return a.name === b.name && a.tag === b.tag;
}
