// Compares two schemas in one direction. Each pair is compared once, so schemas may be recursive.

import type { Direction, Schema } from '@stubwright/contract';
import { MINIMUM_NOTICE_DAYS } from '../rules/sunset.ts';
import { type BranchPair, matchBranches } from './branches.ts';
import { discriminatorComparison } from './discriminator.ts';
import { keywordFindings } from './keywordFindings.ts';
import {
  type ClassifiedFinding,
  classifyFinding,
  findingOf,
  type Polarity,
} from './schemaFinding.ts';
import { type Branch, branchesOf, haveSameConjuncts, keyOf, type Term, wholeOf } from './term.ts';
import type { Unchanged } from './unchanged.ts';
import { View } from './view.ts';
import type { Wire } from './wire.ts';

/** A classified finding and its path from the compared schema: `/tags/*`. */
export interface Difference extends ClassifiedFinding {
  readonly path: string;
  /** Of the path those of properties and items, until a subschema such as `(not)`. */
  readonly segments: readonly (string | null)[];
  /** The innermost schemas of a property, an item or the whole value that contain the difference. */
  readonly values: ValuePair;
}

/** The schemas of the same values in both contracts. */
export interface ValuePair {
  readonly before: readonly Schema[];
  readonly after: readonly Schema[];
  readonly wire: Wire;
  /** From the compared schemas. */
  readonly path: string;
  /** The object or array around the values, if its own keywords or conditions differ as well. */
  readonly outer: ValuePair | undefined;
}

interface LocatedPair {
  readonly values: Omit<ValuePair, 'path' | 'outer'>;
  readonly own: ClassifiedFinding[];
  readonly subschemas: {
    readonly path: string;
    readonly segment?: string | null | undefined;
    readonly pair: LocatedPair;
  }[];
  /** Compares the schemas; undefined once it is called. Recursion would be as deep as the contract is connected. */
  task: (() => void) | undefined;
}

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

const UNCHANGED: LocatedPair = {
  values: { before: [], after: [], wire: 'json' },
  own: [],
  subschemas: [],
  task: undefined,
};

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

  /**
   * @returns every difference once, with its shortest path; one risky difference if the schemas take more
   *   steps than the limit
   */
  differences(
    before: Term,
    after: Term,
    { direction, wire, isAlwaysSent = false }: Transmission,
  ): Difference[] {
    this.#started = [];
    this.#steps = 0;
    const situation = { direction, polarity: 'same', wire, isAlwaysSent } as const;
    try {
      return collectDifferences(this.#compare(before, after, situation), this.#finished);
    } catch (error) {
      if (!(error instanceof TooComplex)) throw error;
      return collectDifferences(this.#givenUp(before, after, situation), this.#finished);
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
    for (const each of parts) this.#pairs.delete(each);
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
    try {
      task();
    } catch (error) {
      // Another comparison may refer to the pair.
      [own.length, subschemas.length, pair.task] = [0, 0, task];
      throw error;
    }
    return pair;
  };

  #isCompatible(start: LocatedPair): boolean {
    if (this.#nested === MAX_NESTED) return true;
    this.#nested++;
    try {
      return isCompatible(start, this.#finished);
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
    pair.own.push(...findings.map((each) => classifyFinding(each, direction, polarity)));
    for (const each of subschemas) {
      const next = this.#compare(each.before, each.after, {
        direction,
        polarity: composePolarity(polarity, each.polarity),
        wire: each.wire ?? wire,
        isAlwaysSent: each.isAlwaysSent === true,
      });
      pair.subschemas.push({ path: each.path, segment: each.segment, pair: next });
    }
  }

  /**
   * Matches `oneOf` and `anyOf` branches. In a request each old branch needs a compatible new one, in a
   * response each new branch a compatible old one.
   */
  #compareBranches(pair: LocatedPair, branches: BranchPair, situation: Situation): void {
    const { direction, polarity, wire } = situation;
    const isOldMatched = (direction === 'request') !== (polarity === 'inverted');
    const compare = (first: Branch, other: Branch) => {
      const [old, now] = isOldMatched ? [first, other] : [other, first];
      return this.#compare(old.term, now.term, situation);
    };
    const { pairs, findings } = matchBranches(branches, {
      isOldMatched,
      fits: (first, other) => this.#isCompatible(compare(first, other)),
      viewOf: (term) => this.#viewOf(term, situation),
    });
    for (const [first, other] of pairs) {
      const path = titleOf(first, other);
      pair.subschemas.push({ path, pair: compare(first, other) });
    }
    const views = [branches.before, branches.after].map((term) => new View(direction, term, wire));
    findings.push(...discriminatorComparison(views[0]!, views[1]!).findings);
    pair.own.push(...findings.map((each) => classifyFinding(each, direction, polarity)));
  }
}

/** @returns the location of a branch: `[Cat]` */
function titleOf({ title }: Branch, other: Branch): string {
  const name = title ?? other.title;
  return name === undefined ? '' : `[${name}]`;
}

function composePolarity(outer: Polarity, inner: Polarity): Polarity {
  if (outer === 'unclear' || inner === 'unclear') return 'unclear';
  return outer === inner ? 'same' : 'inverted';
}

function hasDefaults(...terms: readonly Term[]): boolean {
  return terms.some(({ conjuncts }) => conjuncts.some(({ schema }) => schema.has('default')));
}

type Finish = (pair: LocatedPair) => LocatedPair;

function isCompatible(start: LocatedPair, finished: Finish): boolean {
  const seen = new Set([start]);
  for (const pair of seen) {
    const { own, subschemas } = finished(pair);
    if (own.some(({ severity }) => severity !== 'compatible')) return false;
    for (const { pair } of subschemas) seen.add(pair);
  }
  return true;
}

/** The end of a path, which shares its start with others. */
interface Segment {
  readonly segment: string | null;
  readonly before: Segment | undefined;
}

function segmentsTo(last: Segment | undefined): (string | null)[] {
  const segments: (string | null)[] = [];
  for (let at = last; at !== undefined; at = at.before) segments.push(at.segment);
  return segments.reverse();
}

function collectDifferences(start: LocatedPair, finished: Finish): Difference[] {
  const found = new Map<string, Difference>();
  const seen = new Set([start]);
  const values: ValuePair = { ...start.values, path: '', outer: undefined };
  const first = {
    path: '',
    last: undefined as Segment | undefined,
    isCut: false,
    isInPlace: false,
    isNegated: false,
  };
  let front = [{ ...first, pair: start, values }];
  while (front.length > 0) {
    const next: typeof front = [];
    for (const { path, last, isCut, pair, values, isInPlace, isNegated } of front) {
      const { own, subschemas } = finished(pair);
      const hasFindings =
        own.some(({ concernsValues }) => concernsValues) ||
        subschemas.some((each) => each.path.startsWith('(') && each.pair !== UNCHANGED);
      for (const each of own) {
        const key = `${each.before} ${each.after} ${each.what}`;
        // `contentSchema` is an annotation: no value of the string is refused.
        const isAnnotation = path.includes('(contentSchema)');
        const isRemoved = isInPlace && each.rule.endsWith('-property-removed');
        const concernsValues = (each.concernsValues || isRemoved) && !isAnnotation;
        if (found.has(key)) continue;
        const segments = segmentsTo(last);
        found.set(key, { ...each, path, segments, values, concernsValues });
      }
      for (const each of subschemas) {
        if (seen.has(each.pair)) continue;
        seen.add(each.pair);
        const inner = path + each.path;
        // Branches and `(not)` are schemas of the same value.
        const isPart = each.path.startsWith('/');
        // More values of a part are fewer of the whole there.
        const isInverted = isNegated || /^\((?:not|if)\)/.test(each.path);
        const isInner = each.segment !== undefined && !isCut;
        next.push({
          path: inner,
          last: isInner ? { segment: each.segment!, before: last } : last,
          isCut: isCut || each.path.startsWith('('),
          pair: each.pair,
          isInPlace: each.path.startsWith('('),
          isNegated: isInverted,
          values:
            isPart && !isInverted
              ? { ...each.pair.values, path: inner, outer: hasFindings ? values : undefined }
              : values,
        });
      }
    }
    front = next;
  }
  return [...found.values()];
}
