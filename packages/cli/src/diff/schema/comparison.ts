// Compares two schemas in one direction. Each pair is compared once, so schemas may be recursive.

import type { Direction, Schema } from 'stubwright/contract';
import type { Unchanged } from '../unchanged.ts';
import { type BranchPair, matchBranches } from './branches.ts';
import { discriminatorComparison } from './discriminator.ts';
import { type ClassifiedFinding, classifyFinding, findingOf, type Polarity } from './finding.ts';
import { keywordFindings } from './keywordFindings.ts';
import { type Branch, branchesOf, haveSameConjuncts, keyOf, type Term, wholeOf } from './term.ts';
import { View } from './view.ts';
import type { Wire } from './wire.ts';

/** A classified finding and its path from the compared schema: `/tags/*`. */
export interface Difference extends ClassifiedFinding {
  readonly path: string;
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
  /** The object or array around the values, if its own keywords differ as well. */
  readonly outer: ValuePair | undefined;
}

interface LocatedPair {
  readonly values: Omit<ValuePair, 'path' | 'outer'>;
  readonly own: ClassifiedFinding[];
  readonly subschemas: { readonly path: string; readonly pair: LocatedPair }[];
}

/** The situation of two schemas. */
interface Situation {
  readonly direction: Direction;
  readonly polarity: Polarity;
  readonly wire: Wire;
}

const UNCHANGED: LocatedPair = {
  values: { before: [], after: [], wire: 'json' },
  own: [],
  subschemas: [],
};

const INVERTED: Readonly<Record<Polarity, Polarity>> = {
  same: 'inverted',
  inverted: 'same',
  unclear: 'unclear',
};

/** Maximum number of pairs and views that two schemas take. Published contracts need up to 4,000. */
const MAX_STEPS = 10_000;
/** After this many steps of comparisons that were given up, each one has fewer. */
const MAX_WASTED = 10 * MAX_STEPS;
const FEW_STEPS = 1_000;

/** Compositions have too many combinations of branches. */
class TooComplex extends Error {}

export class SchemaComparison {
  readonly #pairs = new Map<string, LocatedPair>();
  readonly #views = new WeakMap<Term, View[]>();
  readonly #unchanged: Pick<Unchanged, 'hasSchema'>;
  /** The pairs of the current comparison, by key. */
  #started: string[] = [];
  #steps = 0;
  #wasted = 0;

  /** @param unchanged schemas are not compared */
  constructor(unchanged: Pick<Unchanged, 'hasSchema'>) {
    this.#unchanged = unchanged;
  }

  /** The number of pairs of schemas that were compared. */
  get size(): number {
    return this.#pairs.size;
  }

  /**
   * @returns every difference once, with its shortest path; one risky difference if the schemas take more
   *   steps than the limit
   */
  differences(before: Term, after: Term, direction: Direction, wire: Wire): Difference[] {
    this.#started = [];
    this.#steps = 0;
    const situation = { direction, polarity: 'same', wire } as const;
    try {
      return collectDifferences(this.#compare(before, after, situation));
    } catch (error) {
      if (!(error instanceof TooComplex)) throw error;
      return collectDifferences(this.#givenUp(before, after, situation));
    }
  }

  #step(): void {
    const limit = this.#wasted < MAX_WASTED ? MAX_STEPS : FEW_STEPS;
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
    const pair = { values, own, subschemas: [] };
    this.#pairs.set(key!, pair);
    return pair;
  }

  #compare(before: Term, after: Term, situation: Situation): LocatedPair {
    const isUnchanged = haveSameConjuncts(before, after, (was, is) => {
      return this.#unchanged.hasSchema(was, is);
    });
    if (isUnchanged) return UNCHANGED;
    const { direction, polarity, wire } = situation;
    const key = `${direction} ${polarity} ${wire} ${keyOf(before)} > ${keyOf(after)}`;
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    this.#step();
    const values = { before: before.roots ?? [], after: after.roots ?? [], wire };
    const pair: LocatedPair = { values, own: [], subschemas: [] };
    this.#pairs.set(key, pair);
    this.#started.push(key);
    const [was, is] = [branchesOf(before), branchesOf(after)];
    if (was === undefined && is === undefined) {
      this.#compareConjuncts(pair, before, after, situation);
    } else {
      const branches = { was: was ?? [wholeOf(before)], is: is ?? [wholeOf(after)] };
      this.#compareBranches(pair, { ...branches, before, after }, situation);
    }
    return pair;
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
    const { findings, subschemas } = keywordFindings(was, is);
    pair.own.push(...findings.map((each) => classifyFinding(each, direction, polarity)));
    for (const each of subschemas) {
      const next = this.#compare(each.before, each.after, {
        direction,
        polarity: composePolarity(polarity, each.polarity),
        wire: each.wire ?? wire,
      });
      pair.subschemas.push({ path: each.path, pair: next });
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
      fits: (first, other) => isCompatible(compare(first, other)),
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
  return inner === 'inverted' ? INVERTED[outer] : outer;
}

function isCompatible(start: LocatedPair): boolean {
  const seen = new Set([start]);
  for (const { own, subschemas } of seen) {
    if (own.some(({ severity }) => severity !== 'compatible')) return false;
    for (const { pair } of subschemas) seen.add(pair);
  }
  return true;
}

function collectDifferences(start: LocatedPair): Difference[] {
  const found = new Map<string, Difference>();
  const seen = new Set([start]);
  const values: ValuePair = { ...start.values, path: '', outer: undefined };
  let front = [{ path: '', pair: start, values, isInPlace: false }];
  while (front.length > 0) {
    const next: typeof front = [];
    for (const { path, pair, values, isInPlace } of front) {
      const hasFindings = pair.own.some(({ concernsValues }) => concernsValues);
      for (const each of pair.own) {
        const key = `${each.before} ${each.after} ${each.what}`;
        // `contentSchema` is an annotation: no value of the string is refused.
        const isAnnotation = path.includes('(contentSchema)');
        const isRemoved = isInPlace && each.rule.endsWith('-property-removed');
        const concernsValues = (each.concernsValues || isRemoved) && !isAnnotation;
        if (!found.has(key)) found.set(key, { ...each, path, values, concernsValues });
      }
      for (const each of pair.subschemas) {
        if (seen.has(each.pair)) continue;
        seen.add(each.pair);
        const inner = path + each.path;
        // Branches and `(not)` are schemas of the same value.
        const isPart = each.path.startsWith('/');
        next.push({
          path: inner,
          pair: each.pair,
          isInPlace: each.path.startsWith('('),
          values: isPart
            ? { ...each.pair.values, path: inner, outer: hasFindings ? values : undefined }
            : values,
        });
      }
    }
    front = next;
  }
  return [...found.values()];
}
