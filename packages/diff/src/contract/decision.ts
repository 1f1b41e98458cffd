// Decides the severity of a difference of schemas: in one order, with the reason and the value that shows it.
import { Content, type Direction, stringifyJson, valueAt } from '@stubwright/contract';
import { type Holders, isJsonText } from '../counterexample/carrier.ts';
import type { Counterexample, Counterexamples } from '../counterexample/counterexamples.ts';
import { applying, areRelated, inside, type Spot, segmentsOf } from '../counterexample/spot.ts';
import { type ChangeExample, type DecidedBy, directedChange } from '../rules/rules.ts';
import type { Difference, ValuePair } from '../schema/differences.ts';
import { implies } from '../schema/implication.ts';
import { referenced } from '../schema/term.ts';
import type { Unchanged } from '../schema/unchanged.ts';
import { areIndependent, isProvenByRules, isWithoutEffect } from './keywordProofs.ts';

/** A severity and its basis. */
interface Outcome extends Pick<Difference, 'severity' | 'effect'> {
  readonly by: DecidedBy;
  readonly example?: ChangeExample | undefined;
}

/** A difference with its final severity. */
export interface DecidedDifference
  extends Omit<Difference, 'values' | 'concernsValues' | 'isDecided'>,
    Outcome {}

const UNPROVEN = 'Keywords differ, but no generated value shows a difference; review this change.';
const HARMLESS = {
  severity: 'compatible',
  effect: 'Other keywords have the same effect: no client notices it.',
  by: 'implication',
} as const;
const MAX_CHANGED_PARTS = 12;
/** For a difference without an example, values of this many schemas that contain it are tried. */
const MAX_ATTEMPTS = 3;
const MAX_VALUE_LENGTH = 120;
const MAX_ERROR_LENGTH = 200;

/** Decides the differences of schemas of two contracts. */
export class Decider {
  readonly #counterexamples: Counterexamples;
  readonly #unchanged: Unchanged;
  /** Whether every value that is sent is accepted, by direction and the pointers of both schemas. */
  readonly #harmless = new Map<string, boolean>();
  /** The differences of two schemas, by their transport: many operations may share them. */
  readonly #decided = new WeakMap<readonly Difference[], Map<string, DecidedDifference[]>>();
  /** Decisions of a finding with the schemas around it, in any JSON body. */
  readonly #shared = new Map<string, { outcome: Outcome; attempts: number }>();

  constructor(counterexamples: Counterexamples, unchanged: Unchanged) {
    this.#counterexamples = counterexamples;
    this.#unchanged = unchanged;
  }

  /**
   * Decides all differences of two schemas.
   *
   * @param holders of the schemas: their values are transported as those of the holders
   */
  decided(
    differences: readonly Difference[],
    holders: Holders,
    direction: Direction,
  ): readonly DecidedDifference[] {
    const known = this.#decided.get(differences) ?? new Map<string, DecidedDifference[]>();
    this.#decided.set(differences, known);
    const key = `${direction} ${transportOf(holders)}`;
    const decided = known.get(key) ?? this.#decideAll(differences, holders, direction);
    known.set(key, decided);
    return decided;
  }

  #decideAll(
    differences: readonly Difference[],
    holders: Holders,
    direction: Direction,
  ): DecidedDifference[] {
    const isJson = isJsonOf(holders);
    const found = differences.map((difference) => {
      const isShared = isJson && difference.severity === 'breaking';
      const outcome = isShared
        ? this.#sharedOutcomeOf(difference, holders, direction)
        : this.#outcomeOf(difference, holders, direction);
      return { ...difference, ...outcome };
    });
    const isBreaking = found.some(({ severity }) => severity === 'breaking');
    // Its value is refused, as announced.
    const isAnnounced = found.some(({ facts, severity }) => {
      return facts?.['announced'] !== undefined && severity !== 'breaking';
    });
    if (isBreaking || isAnnounced) return found;
    // Keywords that the rules classify one by one may refuse a value together.
    const parts = differences.length === 0 ? changedParts(holders, this.#unchanged) : differences;
    for (const difference of parts) {
      const { rule, values, severity } = difference;
      const isRuled =
        (differences.length === 0 || severity === 'compatible') && !this.#unchanged.hasIdentifiers;
      if (rule === 'documentation-changed' || (isRuled && areIndependent(values))) continue;
      if (this.#isHarmless(values, direction)) continue;
      const { counterexample } = this.#counterexamples.find(difference, holders, direction);
      if (counterexample !== undefined) {
        return withExample(found, counterexample, direction, holders);
      }
    }
    return found;
  }

  #sharedOutcomeOf(difference: Difference, holders: Holders, direction: Direction): Outcome {
    const { rule, what, before, after, path, values } = difference;
    const around = `${path.includes('(')} ${keyOf(values)}`;
    const key = [direction, rule, what, before, after, around].join('\n');
    const known = this.#shared.get(key);
    const isFinal = known?.outcome.example !== undefined || known?.attempts === MAX_ATTEMPTS;
    if (known !== undefined && isFinal) return known.outcome;
    const outcome = this.#outcomeOf(difference, holders, direction);
    const isRetried =
      outcome.by !== 'implication' && this.#counterexamples.mayShow(difference, direction);
    const attempts = isRetried ? (known?.attempts ?? 0) + 1 : MAX_ATTEMPTS;
    this.#shared.set(key, { outcome, attempts });
    return outcome;
  }

  #outcomeOf(difference: Difference, holders: Holders, direction: Direction): Outcome {
    const { severity, effect, concernsValues, isDecided, values, rule } = difference;
    const byRule = { severity, effect, by: isDecided ? 'automaton' : 'rule' } as const;
    if (severity === 'compatible') return byRule;
    if (isWithoutEffect(difference)) return HARMLESS;
    const isOverlap = rule.endsWith('-alternatives-overlap');
    if (severity === 'risky') {
      const isHarmless = (concernsValues || isOverlap) && this.#isHarmless(values, direction);
      return isHarmless ? HARMLESS : byRule;
    }
    const found = this.#counterexamples.find(difference, holders, direction);
    const example = found.counterexample && exampleOf(found.counterexample);
    // The text of another type may be accepted with another meaning.
    const isOtherText = values.wire !== 'json' && rule.endsWith('-type-changed');
    if (example !== undefined || !concernsValues || isOtherText) return { ...byRule, example };
    const isRefused = found.isPartRefused && values.outer === undefined;
    if (isRefused || isProvenByRules(difference, direction)) return byRule;
    if (this.#isHarmless(values, direction)) return HARMLESS;
    if (!found.isConclusive) return byRule;
    return { severity: 'risky', effect: UNPROVEN, by: 'samples' };
  }

  /** True if every value that is sent is accepted: of the part, or of what contains it. */
  #isHarmless({ before, after, wire, outer }: ValuePair, direction: Direction): boolean {
    if (wire !== 'json') return false;
    const pointers = [before, after].map((list) => list.map(({ pointer }) => pointer));
    const key = `${direction} ${pointers.join(' > ')}`;
    const isImplied =
      this.#harmless.get(key) ??
      (direction === 'request' ? implies(before, after) : implies(after, before));
    this.#harmless.set(key, isImplied);
    return isImplied || (outer !== undefined && this.#isHarmless(outer, direction));
  }
}

/** @returns the same for all schemas whose values are transported alike */
function transportOf({ before, after }: Holders): string {
  if (!isJsonOf({ before, after })) {
    return [before, after].map(({ name, value }) => `${name} ${value.pointer}`).join(' > ');
  }
  return [before, after].map(({ value }) => referenced(value.schema!).pointer).join(' > ');
}

function isJsonOf({ before, after }: Holders): boolean {
  return [before, after].every(({ name, value }) => value instanceof Content && isJsonText(name));
}

function keyOf({ before, after, wire, outer }: ValuePair): string {
  const own = [before, after].map((list) => list.map(({ pointer }) => pointer).join()).join(' > ');
  return `${wire} ${own}${outer === undefined ? '' : `\n${keyOf(outer)}`}`;
}

/** @returns the parts of two schemas that differ although no rule names a difference */
function changedParts({ before, after }: Holders, unchanged: Unchanged): Difference[] {
  const whole = { before: [before.value.schema!], after: [after.value.schema!] };
  const pending: { readonly spot: Spot; readonly segments: readonly (string | null)[] }[] = [
    { spot: whole, segments: [] },
  ];
  for (const { spot, segments } of pending) {
    const own = applying([...spot.before, ...spot.after]);
    const names = new Set(own.flatMap((schema) => [...schema.map('properties').keys()]));
    for (const segment of [
      ...names,
      ...(own.some((schema) => schema.has('items')) ? [null] : []),
    ]) {
      const inner = inside(spot, segment);
      const isUnchanged =
        inner.before.length === inner.after.length &&
        inner.before.every((schema, at) => unchanged.hasSchema(schema, inner.after[at]!));
      if (!isUnchanged && pending.length < MAX_CHANGED_PARTS) {
        pending.push({ spot: inner, segments: [...segments, segment] });
      }
    }
  }
  return pending.map(({ spot, segments }) => ({
    ...{ rule: 'request-values-changed', severity: 'risky', what: '', effect: '' },
    ...{ before: before.value.pointer, after: after.value.pointer },
    ...{ concernsValues: true, isDecided: false, path: '', segments },
    values: { ...spot, wire: 'json', outer: undefined },
  }));
}

/** @returns the differences; breaking is the risky one nearest to the refused part, else an additional one */
function withExample(
  differences: readonly DecidedDifference[],
  counterexample: Counterexample,
  direction: Direction,
  holders: Holders,
): DecidedDifference[] {
  const { path } = counterexample;
  const segments = segmentsOf(path);
  const { rule, what, ...outcome } = directedChange('values-changed', { direction });
  const proof = { ...outcome, by: 'samples', example: exampleOf(counterexample) } as const;
  const nearest = differences
    .filter(
      (difference) => difference.severity === 'risky' && areRelated(difference.segments, segments),
    )
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  if (nearest !== undefined) {
    return differences.map((difference) =>
      difference === nearest ? { ...difference, ...proof } : difference,
    );
  }
  const [before, after] = [holders.before, holders.after].map(
    ({ value }) => referenced(value.schema!).pointer,
  );
  return [{ ...proof, rule, what, path, segments, before: before!, after: after! }, ...differences];
}

/** Of a long value, the refused part: the error has its path. */
function exampleOf({ value, path, message }: Counterexample): ChangeExample {
  const whole = stringifyJson(value);
  const shown = whole.length > MAX_VALUE_LENGTH ? valueAt(value, path) : value;
  return {
    value: shortened(shown === undefined ? whole : stringifyJson(shown), MAX_VALUE_LENGTH),
    error: shortened(message, MAX_ERROR_LENGTH),
  };
}

function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}
