// The converters between version 2.0.0 and the next one: `recipient` became two names, and notes shorter.
import type { Converters } from '../../generated/versions/2.0.0.ts';

export const converters = {
  schemas: {
    NewParcel: {
      toNew: ({ recipient, note, ...rest }) => ({
        ...{ ...rest, ...namesIn(recipient) },
        // By code points, as maxLength counts.
        ...(note !== undefined && { note: [...note].slice(0, 50).join('') }),
      }),
      // The end of a long note.
      loses: ['note'],
    },
    Parcel: {
      toOld: ({ givenName, familyName, ...rest }) => ({
        ...rest,
        recipient: givenName === undefined ? familyName : `${givenName} ${familyName}`,
      }),
    },
  },
} satisfies Converters;

/** `toOld` joins them to the same text. */
function namesIn(recipient: string): { givenName?: string; familyName: string } {
  const [, givenName, familyName] = /^(.+) (\S+)$/s.exec(recipient) ?? [];
  if (givenName === undefined || familyName === undefined) return { familyName: recipient };
  return { givenName, familyName };
}
