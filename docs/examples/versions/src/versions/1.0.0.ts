// The converters between version 1.0.0 and the next one: `weight` was renamed to `grams`.
import type { Converters } from '../../generated/versions/1.0.0.ts';

export const converters = {
  schemas: {
    NewParcel: { toNew: ({ weight, ...rest }) => ({ ...rest, grams: weight }) },
    Parcel: { toOld: ({ grams, ...rest }) => ({ ...rest, weight: grams }) },
  },
} satisfies Converters;
