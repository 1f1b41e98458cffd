// Lengths of strings, arrays and objects: explicit ones, and those that other keywords imply.
import { containsOf } from './contains.ts';
import { lengthsOf } from './language.ts';
import { isClosed, itemOf, tupleLength } from './memberTerms.ts';
import { allowsNothing } from './trivial.ts';
import { View } from './view.ts';
import { wireOfItem } from './wire.ts';

export type Length =
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'minProperties'
  | 'maxProperties';

/** Minimum and maximum length of strings with a format. */
const FORMAT_LENGTHS: Readonly<Record<string, readonly [number, number]>> = {
  date: [10, 10],
  uuid: [36, 36],
  time: [9, Infinity],
  'date-time': [20, Infinity],
  duration: [3, Infinity],
  ipv4: [7, 15],
  ipv6: [2, 45],
  hostname: [1, 254],
  email: [3, Infinity],
};

interface Lengths {
  /** The strictest keyword; 0 for an absent minimum, infinity for an absent maximum. */
  readonly explicit: number;
  /** The strictest keyword or implied length. */
  readonly effective: number;
}

export function lengthOf(view: View, keyword: Length): Lengths {
  const isMinimum = keyword.startsWith('min');
  const written = view.all(keyword).map(Number);
  // A closed tuple states its maximum length.
  const all = keyword === 'maxItems' ? [...written, ...closedLength(view)] : written;
  const strictest = (lengths: readonly number[]) =>
    isMinimum ? Math.max(0, ...lengths) : Math.min(Number.POSITIVE_INFINITY, ...lengths);
  return { explicit: strictest(all), effective: strictest([...all, ...impliedBy(view, keyword)]) };
}

function impliedBy(view: View, keyword: Length): number[] {
  switch (keyword) {
    case 'minLength':
    case 'maxLength':
      return [
        ...view.all('format').flatMap((value) => {
          return FORMAT_LENGTHS[value as string]?.[keyword === 'minLength' ? 0 : 1] ?? [];
        }),
        ...view.all('pattern').flatMap((value) => {
          return lengthsOf(value as string)?.[keyword === 'minLength' ? 'min' : 'max'] ?? [];
        }),
      ];
    case 'minItems':
      return containsOf(view).map(({ min }) => min);
    case 'maxItems':
      return view.all('uniqueItems').includes(true) ? distinctItems(view) : [];
    case 'minProperties':
      return [view.required.length];
    case 'maxProperties':
      return isClosed(view) ? [view.propertyNames.length] : [];
  }
}

/** @returns the index of the first item that no value can have */
function closedLength(view: View): number[] {
  const indices = Array.from({ length: tupleLength(view) + 1 }, (_, index) => index);
  const closed = indices.find((index) =>
    itemOf(view, index).conjuncts.some(({ schema }) => allowsNothing(schema)),
  );
  return closed === undefined ? [] : [closed];
}

/** @returns how many items an array of distinct ones can have, if their values are few */
function distinctItems(view: View): number[] {
  const head = tupleLength(view);
  const { values } = new View(view.direction, itemOf(view, head), wireOfItem(view.wire));
  return values === undefined ? [] : [head + values.size];
}
