// The converters between version 4.0.0 and the next one: express parcels, parcels that are held, typed events.
import type { Converters } from '../../generated/versions/4.0.0.ts';

export const converters = {
  schemas: {
    NewParcel: { toNew: (parcel) => ({ ...parcel, service: 'standard' }) },
    State: { toOld: (state) => (state === 'held' ? 'underway' : state) },
  },
  operations: {
    // Undefined leaves the event out.
    watchParcel: {
      item: ({ id, event, data: { place } }) =>
        event === 'held' ? undefined : { id, data: { place, state: event } },
    },
  },
} satisfies Converters;
