// The combination that combinations.ts tries, as the keywords of parts of a value read it.
import { escapeToken, type Schema } from '@stubwright/contract';
import type { Choice } from './domain.ts';
import type { Truth } from './truth.ts';

/** The assignment of a search. */
export interface Assignment {
  /** @returns the names of properties that the schemas mention at a location */
  namesAt(at: string): Iterable<string>;
  /** @returns undefined while the values are not chosen */
  valuesAt(location: string): Choice | undefined;
  has(at: string, name: string): Truth;
  fact(at: string, keywords: object): Truth;
  schema(schema: Schema, at: string): Truth;
}

/** @returns the location of a property */
export function within(location: string, name: string): string {
  return `${location}/${escapeToken(name)}`;
}
