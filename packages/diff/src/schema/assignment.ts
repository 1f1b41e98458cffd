// The combination that implication.ts tries, as the keywords of parts of a value read it.
import type { Schema } from '@stubwright/contract';
import type { Truth } from './truth.ts';

/** The assignment of a search. */
export interface Assignment {
  /** @returns the names of properties that the schemas mention at a location */
  namesAt(at: string): Iterable<string>;
  has(at: string, name: string): Truth;
  fact(at: string, keywords: object): Truth;
  schema(schema: Schema, at: string): Truth;
}
