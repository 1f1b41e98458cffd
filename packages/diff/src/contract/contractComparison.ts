// The shared state of a comparison: both contracts, the changes, and the results of comparing schemas.
import { type Contract, schemaLocations, withoutNullable } from '@stubwright/contract';
import type { Holders } from '../counterexample/carrier.ts';
import { Counterexamples } from '../counterexample/counterexamples.ts';
import { ChangeList } from '../rules/change.ts';
import { MINIMUM_NOTICE_DAYS } from '../rules/sunset.ts';
import { SchemaComparison, type Transmission } from '../schema/comparison.ts';
import type { Difference } from '../schema/differences.ts';
import type { Term } from '../schema/term.ts';
import { Unchanged } from '../schema/unchanged.ts';
import { type DecidedDifference, Decider } from './decision.ts';
import { type StaticContract, withStaticReferences } from './staticReferences.ts';

/** How the values of two schemas are sent. */
interface Transport extends Transmission {
  /** The holders of the schemas: one of their values may prove that a change is breaking. */
  readonly holders: Holders | undefined;
}

/** What changes the severities of a comparison. */
export interface ComparisonOptions {
  /** The number of values that are tried as examples of breaking changes; 60,000 by default. */
  readonly maxValues?: number | undefined;
  /** A new announcement of a removal before this number of days is breaking; 30 by default. */
  readonly minimumNoticeDays?: number | undefined;
}

export class ContractComparison {
  readonly before: Contract;
  readonly after: Contract;
  readonly changes: ChangeList;
  readonly unchanged: Unchanged;
  readonly #schemas: SchemaComparison;
  readonly #decider: Decider;

  readonly minimumNoticeDays: number;

  constructor(
    before: Contract,
    after: Contract,
    { maxValues, minimumNoticeDays = MINIMUM_NOTICE_DAYS }: ComparisonOptions = {},
  ) {
    this.minimumNoticeDays = minimumNoticeDays;
    const [was, is] = [before, after].map((contract) =>
      withStaticReferences(withoutNullable(contract)),
    ) as [StaticContract, StaticContract];
    this.before = was.contract;
    this.after = is.contract;
    this.changes = new ChangeList({ before: was.originalOf, after: is.originalOf });
    this.unchanged = new Unchanged(this.before, this.after);
    const counts = [this.before, this.after].map(
      ({ document }) => [...schemaLocations(document)].length,
    );
    this.#schemas = new SchemaComparison(this.unchanged, Math.max(...counts), minimumNoticeDays);
    this.#decider = new Decider(
      new Counterexamples(this.before, this.after, maxValues),
      this.unchanged,
    );
  }

  /** @returns the differences between two schemas with their severities */
  differences(
    before: Term,
    after: Term,
    { holders, ...transmission }: Transport,
  ): readonly (Omit<Difference, 'values' | 'concernsValues' | 'isDecided'> &
    Pick<Partial<DecidedDifference>, 'by' | 'example'>)[] {
    const compared = this.#schemas.differences(before, after, transmission);
    if (holders === undefined || this.#areEqual(holders)) return compared;
    return this.#decider.decided(compared, holders, transmission.direction);
  }

  #areEqual({ before, after }: Holders): boolean {
    const [was, is] = [before.value.schema, after.value.schema];
    return was === undefined || is === undefined || this.unchanged.hasSchema(was, is);
  }
}
