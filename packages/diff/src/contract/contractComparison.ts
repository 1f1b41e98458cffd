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
import { type Difference, SchemaComparison, type ValuePair } from '../schema/comparison.ts';
import { isProvenByRules } from '../schema/decided.ts';
import { implies } from '../schema/implication.ts';
import type { Term } from '../schema/term.ts';
import { Unchanged } from '../schema/unchanged.ts';
import type { Wire } from '../schema/wire.ts';

/** How the values of two schemas are sent. */
interface Transport {
  readonly direction: Direction;
  readonly wire: Wire;
  /** The holders of the schemas: one of their values may prove that a change is breaking. */
  readonly holders: Holders | undefined;
}

const UNPROVEN = 'Keywords differ, but no generated value shows a difference; review this change.';

const HARMLESS = {
  severity: 'compatible',
  effect: 'Other keywords have the same effect: no client notices it.',
} as const;

export class ContractComparison {
  readonly before: Contract;
  readonly after: Contract;
  readonly changes = new ChangeList();
  readonly unchanged: Unchanged;
  readonly #schemas: SchemaComparison;
  readonly #counterexamples: Counterexamples;

  constructor(before: Contract, after: Contract, limits?: CounterexampleLimits) {
    this.before = withoutNullable(before);
    this.after = withoutNullable(after);
    this.unchanged = new Unchanged(this.before, this.after);
    const counts = [this.before, this.after].map(
      ({ document }) => [...schemaLocations(document)].length,
    );
    this.#schemas = new SchemaComparison(this.unchanged, Math.max(...counts));
    this.#counterexamples = new Counterexamples(this.before, this.after, limits, this.unchanged);
  }

  /** @returns the differences between two schemas, breaking where a value proves it */
  differences(
    before: Term,
    after: Term,
    { direction, wire, holders }: Transport,
  ): readonly ProvenDifference[] {
    const compared = this.#schemas.differences(before, after, direction, wire);
    if (holders === undefined) return compared;
    const proven = compared.map((each) => this.#proven(each, holders, direction));
    const isBreaking = proven.some(({ severity }) => severity === 'breaking');
    // Its value is refused, as announced.
    const isAnnounced = proven.some(
      ({ rule, severity }) => rule.endsWith('-property-removed') && severity !== 'breaking',
    );
    if (isBreaking || isAnnounced) return proven;
    const counterexample = this.#counterexamples.find(holders, direction);
    return counterexample === undefined
      ? proven
      : withCounterexample(proven, counterexample, direction, holders);
  }

  /** Keywords may differ that allow the same values. */
  #proven(difference: Difference, holders: Holders, direction: Direction): Difference {
    const { severity, concernsValues, values, rule } = difference;
    const isOfValues = concernsValues || rule.endsWith('-alternatives-overlap');
    if (severity === 'risky' && isOfValues && isHarmless(values, direction)) {
      return { ...difference, ...HARMLESS };
    }
    // The text of another type may be accepted with another meaning.
    const isOtherText = values.wire !== 'json' && rule.endsWith('-type-changed');
    if (severity !== 'breaking' || !concernsValues || isOtherText) return difference;
    if (isProvenByRules(difference, direction)) return difference;
    const isUnproven = [values, values.outer].some(
      (each) =>
        each !== undefined && this.#counterexamples.isProven(each, holders, direction) === false,
    );
    if (!isUnproven) return difference;
    if (isHarmless(values, direction)) return { ...difference, ...HARMLESS };
    return { ...difference, severity: 'risky', effect: UNPROVEN };
  }
}

/** True if every value that is sent is accepted. */
function isHarmless({ before, after, wire }: ValuePair, direction: Direction): boolean {
  if (wire !== 'json') return false;
  return direction === 'request' ? implies(before, after) : implies(after, before);
}
