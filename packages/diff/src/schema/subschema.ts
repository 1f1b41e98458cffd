// Pairs of subschemas, and the result of comparing keywords.
import type { Polarity, SchemaFinding } from './schemaFinding.ts';
import type { Term } from './term.ts';
import type { Wire } from './wire.ts';

/** The subschemas of two schemas under the same keyword. */
export interface SubschemaPair {
  /** Relative to the schemas: `/tag`. */
  readonly path: string;
  /** The name of a property; null for items and for other properties; undefined for the same value. */
  readonly segment?: string | null;
  readonly before: Term;
  readonly after: Term;
  readonly polarity: Polarity;
  /** True for a required property and for items: their default never applies. */
  readonly isAlwaysSent?: boolean;
  /** That of the schemas by default. */
  readonly wire?: Wire;
}

/** The findings of keywords, and the pairs of subschemas to compare next. */
export interface SubschemaComparison {
  readonly findings: SchemaFinding[];
  readonly subschemas: SubschemaPair[];
}
