// The converters between version 3.0.0 and the next one: a cancellation replaces DELETE, and has a reason.
import type { Converters } from '../../generated/versions/3.0.0.ts';

export const converters = {
  operations: {
    deleteParcel: {
      call: async ({ path }, { cancelParcel }) => {
        await cancelParcel({ path, query: { reason: 'no reason given' } });
        return { status: 204 };
      },
    },
  },
  // A cancelled parcel is gone; before, it was not found.
  statuses: { 410: 404 },
} satisfies Converters;
