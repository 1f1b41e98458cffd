// Subschemas that are compared.
import type { Polarity } from './finding.ts';
import type { Term } from './term.ts';
import type { Wire } from './wire.ts';

/** The subschemas of two schemas under the same keyword. */
export interface SubschemaPair {
  /** Relative to the schemas: `/tag`. */
  readonly path: string;
  readonly before: Term;
  readonly after: Term;
  readonly polarity: Polarity;
  /** That of the schemas by default. */
  readonly wire?: Wire;
}
