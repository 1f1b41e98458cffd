// The shared state of a comparison: both contracts, the changes, and the results of comparing schemas.
import {
  type Contract,
  type Direction,
  schemaLocations,
  withoutNullable,
} from '@stubwright/contract';
import type { Holders } from '../counterexample/carrier.ts';
import { type CounterexampleLimits, Counterexamples } from '../counterexample/counterexamples.ts';
import { type ProvenDifference, withCounterexample } from '../counterexample/provenDifferences.ts';
import { ChangeList } from '../rules/change.ts';
import { MINIMUM_NOTICE_DAYS } from '../rules/sunset.ts';
import { isWithoutEffect } from '../schema/absent.ts';
import {
  type Difference,
  SchemaComparison,
  type Transmission,
  type ValuePair,
} from '../schema/comparison.ts';
import { isProvenByRules } from '../schema/decided.ts';
import { implies } from '../schema/implication.ts';
import type { Term } from '../schema/term.ts';
import { Unchanged } from '../schema/unchanged.ts';

/** How the values of two schemas are sent. */
interface Transport extends Transmission {
  /** The holders of the schemas: one of their values may prove that a change is breaking. */
  readonly holders: Holders | undefined;
}

const UNPROVEN = 'Keywords differ, but no generated value shows a difference; review this change.';

const HARMLESS = {
  severity: 'compatible',
  effect: 'Other keywords have the same effect: no client notices it.',
} as const;

/** What changes the severities of a comparison. */
export interface ComparisonOptions {
  /** Of the search for values that prove a change breaking. */
  readonly limits?: CounterexampleLimits | undefined;
  /** A new announcement of a removal before this number of days is breaking; 30 by default. */
  readonly minimumNoticeDays?: number | undefined;
}

export class ContractComparison {
  readonly before: Contract;
  readonly after: Contract;
  readonly changes = new ChangeList();
  readonly unchanged: Unchanged;
  readonly #schemas: SchemaComparison;
  readonly #counterexamples: Counterexamples;

  readonly minimumNoticeDays: number;

  constructor(
    before: Contract,
    after: Contract,
    { limits, minimumNoticeDays = MINIMUM_NOTICE_DAYS }: ComparisonOptions = {},
  ) {
    this.minimumNoticeDays = minimumNoticeDays;
    this.before = withoutNullable(before);
    this.after = withoutNullable(after);
    this.unchanged = new Unchanged(this.before, this.after);
    const counts = [this.before, this.after].map(
      ({ document }) => [...schemaLocations(document)].length,
    );
    this.#schemas = new SchemaComparison(this.unchanged, Math.max(...counts), minimumNoticeDays);
    this.#counterexamples = new Counterexamples(this.before, this.after, limits, this.unchanged);
  }

  /** @returns the differences between two schemas, breaking where a value proves it */
  differences(
    before: Term,
    after: Term,
    { holders, ...transmission }: Transport,
  ): readonly ProvenDifference[] {
    const { direction } = transmission;
    const compared = this.#schemas.differences(before, after, transmission);
    if (holders === undefined) return compared;
    const proven = compared.map((each) => this.#proven(each, holders, direction));
    const isBreaking = proven.some(({ severity }) => severity === 'breaking');
    // Its value is refused, as announced.
    const isAnnounced = proven.some(({ facts, severity }) => {
      return facts?.['announced'] !== undefined && severity !== 'breaking';
    });
    if (isBreaking || isAnnounced) return proven;
    const counterexample = this.#counterexamples.find(holders, direction);
    return counterexample === undefined
      ? proven
      : withCounterexample(proven, counterexample, direction, holders);
  }

  /** Keywords may differ that allow the same values. */
  #proven(difference: Difference, holders: Holders, direction: Direction): Difference {
    const { severity, concernsValues, values, rule } = difference;
    if (severity !== 'compatible' && isWithoutEffect(difference)) {
      return { ...difference, ...HARMLESS };
    }
    const isOfValues = concernsValues || rule.endsWith('-alternatives-overlap');
    if (severity === 'risky' && isOfValues && isHarmless(values, direction)) {
      return { ...difference, ...HARMLESS };
    }
    // The text of another type may be accepted with another meaning.
    const isOtherText = values.wire !== 'json' && rule.endsWith('-type-changed');
    if (severity !== 'breaking' || !concernsValues || isOtherText) return difference;
    if (isProvenByRules(difference, direction)) return difference;
    const proofs = [values, values.outer].flatMap((each) =>
      each === undefined ? [] : [this.#counterexamples.isProven(each, holders, direction)],
    );
    const isUnproven = proofs.includes(false);
    // Without enough values to try, only a proof shows that nothing changed.
    if (!isUnproven && proofs.includes(true)) return difference;
    if (isHarmless(values, direction)) return { ...difference, ...HARMLESS };
    if (!isUnproven) return difference;
    return { ...difference, severity: 'risky', effect: UNPROVEN };
  }
}

/** True if every value that is sent is accepted: of the part, or of what contains it. */
function isHarmless({ before, after, wire, outer }: ValuePair, direction: Direction): boolean {
  if (wire !== 'json') return false;
  const isImplied = direction === 'request' ? implies(before, after) : implies(after, before);
  return isImplied || (outer !== undefined && isHarmless(outer, direction));
}
