// Compares two schemas in one direction. Each pair is compared once, so schemas may be recursive.

import type { Direction } from '@stubwright/contract';
import { MINIMUM_NOTICE_DAYS } from '../rules/sunset.ts';
import { type BranchPair, lacksRequired, matchBranches } from './branches.ts';
import { type Difference, DifferenceSearch, type LocatedPair, UNCHANGED } from './differences.ts';
import { discriminatorComparison } from './discriminator.ts';
import { keywordFindings } from './keywordFindings.ts';
import { classifyFinding, findingOf, type Polarity } from './schemaFinding.ts';
import { type Branch, branchesOf, haveSameConjuncts, keyOf, type Term, wholeOf } from './term.ts';
import type { Unchanged } from './unchanged.ts';
import { View } from './view.ts';
import type { Wire } from './wire.ts';

/** How the values of two schemas are transmitted. */
export interface Transmission {
  readonly direction: Direction;
  readonly wire: Wire;
  /** True for a required parameter: its default never applies. */
  readonly isAlwaysSent?: boolean | undefined;
}

/** The situation of two schemas. */
interface Situation extends Transmission {
  readonly polarity: Polarity;
  /** True if every client sends the value. */
  readonly isAlwaysSent: boolean;
}

/** Maximum number of pairs and views that two schemas take. Published contracts need up to 4,000. */
const MAX_STEPS = 10_000;
/** The same for each schema of a contract that has more. */
const STEPS_OF_SCHEMA = 6;
/** After this many comparisons that were given up, each one has fewer steps. */
const MAX_WASTED = 10;
const FEW_STEPS = 1_000;
/** Within this many matched branches, further ones are matched by name: each takes a part of the call stack. */
const MAX_NESTED = 60;

/** Compositions have too many combinations of branches. */
class TooComplex extends Error {}

export class SchemaComparison {
  readonly #pairs = new Map<string, LocatedPair>();
  readonly #views = new WeakMap<Term, View[]>();
  readonly #unchanged: Pick<Unchanged, 'hasSchema'>;
  /** The pairs of the current comparison, by key. */
  #started: string[] = [];
  readonly #maxSteps: number;
  readonly #minimumNoticeDays: number;
  #steps = 0;
  #wasted = 0;
  #nested = 0;
  /** The pairs whose comparison is in progress. */
  readonly #unfinished = new Set<LocatedPair>();
  readonly #search = new DifferenceSearch((pair) => this.#finished(pair));

  /**
   * @param unchanged schemas are not compared
   * @param schemas the number of schemas in the larger contract
   * @param minimumNoticeDays from today to the date of a new announcement
   */
  constructor(
    unchanged: Pick<Unchanged, 'hasSchema'>,
    schemas = 0,
    minimumNoticeDays = MINIMUM_NOTICE_DAYS,
  ) {
    this.#minimumNoticeDays = minimumNoticeDays;
    this.#unchanged = unchanged;
    this.#maxSteps = Math.max(MAX_STEPS, STEPS_OF_SCHEMA * schemas);
  }

  /** The number of pairs of schemas that were compared. */
  get size(): number {
    return this.#pairs.size;
  }

  /** The number of pairs that were visited to find the paths of differences. */
  get visited(): number {
    return this.#search.steps;
  }

  /**
   * @returns every difference once, with its shortest path; one risky difference if the schemas take more
   *   steps than the limit
   */
  differences(
    before: Term,
    after: Term,
    { direction, wire, isAlwaysSent = false }: Transmission,
  ): readonly Difference[] {
    this.#started = [];
    this.#steps = 0;
    const situation = { direction, polarity: 'same', wire, isAlwaysSent } as const;
    try {
      return this.#search.from(this.#compare(before, after, situation));
    } catch (error) {
      if (!(error instanceof TooComplex)) throw error;
      return this.#search.from(this.#givenUp(before, after, situation));
    }
  }

  #step(): void {
    const isUsual = this.#wasted < MAX_WASTED * this.#maxSteps;
    const limit = isUsual ? this.#maxSteps : FEW_STEPS;
    if (++this.#steps > limit) throw new TooComplex();
  }

  /** The result for all references to the same schemas. Their parts are incomplete. */
  #givenUp(before: Term, after: Term, { direction, wire }: Situation): LocatedPair {
    this.#wasted += this.#steps;
    const [key, ...parts] = this.#started;
    for (const part of parts) this.#pairs.delete(part);
    const finding = findingOf('too-complex', {}, { before: before.at, after: after.at });
    const values = { before: before.roots ?? [], after: after.roots ?? [], wire };
    const own = [classifyFinding(finding, direction, 'same')];
    const pair = { values, own, subschemas: [], task: undefined };
    this.#pairs.set(key!, pair);
    return pair;
  }

  #compare(before: Term, after: Term, situation: Situation): LocatedPair {
    const isUnchanged = haveSameConjuncts(before, after, (was, is) => {
      return this.#unchanged.hasSchema(was, is);
    });
    if (isUnchanged) return UNCHANGED;
    const { direction, polarity, wire, isAlwaysSent } = situation;
    const presence = isAlwaysSent && hasDefaults(before, after) ? 'sent ' : '';
    const key = `${direction} ${polarity} ${wire} ${presence}${keyOf(before)} > ${keyOf(after)}`;
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    this.#step();
    const values = { before: before.roots ?? [], after: after.roots ?? [], wire };
    const task = () => {
      const [was, is] = [branchesOf(before), branchesOf(after)];
      if (was === undefined && is === undefined) {
        this.#compareConjuncts(pair, before, after, situation);
      } else {
        const branches = { was: was ?? [wholeOf(before)], is: is ?? [wholeOf(after)] };
        this.#compareBranches(pair, { ...branches, before, after }, situation);
      }
    };
    const pair: LocatedPair = { values, own: [], subschemas: [], task };
    this.#pairs.set(key, pair);
    this.#started.push(key);
    return pair;
  }

  /** Compares the schemas of a pair, unless that is done or in progress; not their parts. */
  readonly #finished = (pair: LocatedPair): LocatedPair => {
    const { task, own, subschemas } = pair;
    if (task === undefined) return pair;
    pair.task = undefined;
    this.#unfinished.add(pair);
    try {
      task();
    } catch (error) {
      // Another comparison may refer to the pair.
      [own.length, subschemas.length, pair.task] = [0, 0, task];
      throw error;
    } finally {
      this.#unfinished.delete(pair);
    }
    return pair;
  };

  #isCompatible(start: LocatedPair): boolean {
    if (this.#nested === MAX_NESTED) return true;
    this.#nested++;
    try {
      const seen = new Set([start]);
      let isComplete = true;
      for (const pair of seen) {
        if (pair.isCompatible === true) continue;
        const { own, subschemas } = this.#finished(pair);
        if (pair.isCompatible === false || own.some(({ severity }) => severity !== 'compatible')) {
          start.isCompatible = false;
          return false;
        }
        isComplete &&= !this.#unfinished.has(pair);
        for (const { pair } of subschemas) seen.add(pair);
      }
      if (isComplete) for (const pair of seen) pair.isCompatible = true;
      return true;
    } finally {
      this.#nested--;
    }
  }

  #viewOf(term: Term, { direction, wire }: Situation): View {
    const known = this.#views.get(term) ?? [];
    const found = known.find((view) => view.direction === direction && view.wire === wire);
    if (found !== undefined) return found;
    this.#step();
    const view = new View(direction, term, wire);
    this.#views.set(term, [...known, view]);
    return view;
  }

  #compareConjuncts(pair: LocatedPair, before: Term, after: Term, situation: Situation): void {
    const { direction, polarity, wire } = situation;
    const [was, is] = [this.#viewOf(before, situation), this.#viewOf(after, situation)];
    const { findings, subschemas } = keywordFindings(was, is, {
      ...situation,
      minimumNoticeDays: this.#minimumNoticeDays,
    });
    pair.own.push(...findings.map((finding) => classifyFinding(finding, direction, polarity)));
    for (const subschema of subschemas) {
      const next = this.#compare(subschema.before, subschema.after, {
        direction,
        polarity: composePolarity(polarity, subschema.polarity),
        wire: subschema.wire ?? wire,
        isAlwaysSent: subschema.isAlwaysSent === true,
      });
      pair.subschemas.push({ path: subschema.path, segment: subschema.segment, pair: next });
    }
  }

  /**
   * Matches `oneOf` and `anyOf` branches. In a request each old branch needs a compatible new one, in a
   * response each new branch a compatible old one.
   */
  #compareBranches(pair: LocatedPair, branches: BranchPair, situation: Situation): void {
    const { direction, polarity, wire } = situation;
    const isOldMatched = (direction === 'request') !== (polarity === 'inverted');
    const compare = (first: Branch, other: Branch, own: Situation = situation) => {
      const [old, now] = isOldMatched ? [first, other] : [other, first];
      return this.#compare(old.term, now.term, own);
    };
    const { pairs, covered, findings } = matchBranches(branches, {
      isOldMatched,
      fits: (first, other) => {
        const views = [first, other].map(({ term }) => this.#viewOf(term, situation));
        const isShort = polarity !== 'covered' && lacksRequired(views[0]!, views[1]!);
        return !isShort && this.#isCompatible(compare(first, other));
      },
      viewOf: (term) => this.#viewOf(term, situation),
    });
    for (const [first, other] of pairs) {
      const path = titleOf(first, other);
      pair.subschemas.push({ path, pair: compare(first, other) });
    }
    for (const [first, other] of covered) {
      const inner = compare(first, other, { ...situation, polarity: 'covered' });
      pair.subschemas.push({ path: titleOf(first, other), pair: inner });
    }
    const views = [branches.before, branches.after].map((term) => new View(direction, term, wire));
    findings.push(...discriminatorComparison(views[0]!, views[1]!).findings);
    pair.own.push(...findings.map((finding) => classifyFinding(finding, direction, polarity)));
  }
}

/** @returns the location of a branch: `[Cat]` */
function titleOf({ title }: Branch, other: Branch): string {
  const name = title ?? other.title;
  return name === undefined ? '' : `[${name}]`;
}

function composePolarity(outer: Polarity, inner: Polarity): Polarity {
  if (outer === 'covered') return outer;
  if (outer === 'unclear' || inner === 'unclear') return 'unclear';
  return outer === inner ? 'same' : 'inverted';
}

function hasDefaults(...terms: readonly Term[]): boolean {
  return terms.some(({ conjuncts }) => conjuncts.some(({ schema }) => schema.has('default')));
}
