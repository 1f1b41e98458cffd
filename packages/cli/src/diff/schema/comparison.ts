// Compares two schemas in one direction. Each pair is compared once, so schemas may be recursive.

import {
  type ClassifiedFinding,
  classify,
  type Direction,
  type Finding,
  type Polarity,
} from './finding.ts';
import { keywordFindings } from './keywordFindings.ts';
import { mayOverlap } from './overlap.ts';
import { type Branch, branchesOf, keyOf, type Term } from './term.ts';
import { View } from './view.ts';

/** A classified finding and its path from the compared schema: `/tags/*`. */
export interface Difference extends ClassifiedFinding {
  readonly path: string;
}

interface Pair {
  readonly own: ClassifiedFinding[];
  readonly subschemas: { readonly path: string; readonly pair: Pair }[];
}

const INVERTED: Readonly<Record<Polarity, Polarity>> = {
  same: 'inverted',
  inverted: 'same',
  unclear: 'unclear',
};

export class SchemaComparison {
  readonly #pairs = new Map<string, Pair>();

  /** @returns every difference once, with its shortest path */
  differences(before: Term, after: Term, direction: Direction): Difference[] {
    return collectDifferences(this.#compare(before, after, direction, 'same'));
  }

  #compare(before: Term, after: Term, direction: Direction, polarity: Polarity): Pair {
    const key = `${direction} ${polarity} ${keyOf(before)} > ${keyOf(after)}`;
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    const pair: Pair = { own: [], subschemas: [] };
    this.#pairs.set(key, pair);
    const branches = [branchesOf(before), branchesOf(after)] as const;
    if (branches[0] === undefined && branches[1] === undefined) {
      this.#compareConjuncts(pair, before, after, direction, polarity);
    } else {
      const whole = (term: Term): Branch[] => [{ label: '', term, isExclusive: false }];
      const [was, is] = [branches[0] ?? whole(before), branches[1] ?? whole(after)];
      this.#compareBranches(pair, { was, is, before, after, direction, polarity });
    }
    return pair;
  }

  #compareConjuncts(
    pair: Pair,
    before: Term,
    after: Term,
    direction: Direction,
    polarity: Polarity,
  ): void {
    const was = new View(direction, before);
    const is = new View(direction, after);
    const { findings, subschemas } = keywordFindings(was, is);
    pair.own.push(...findings.map((each) => classify(each, direction, polarity)));
    for (const each of subschemas) {
      const composed = polarity === 'unclear' ? polarity : composePolarity(polarity, each.polarity);
      const next = this.#compare(each.before, each.after, direction, composed);
      pair.subschemas.push({ path: each.path, pair: next });
    }
  }

  /**
   * Matches `oneOf` and `anyOf` branches. In a request each old branch needs a compatible new one, in a
   * response each new branch a compatible old one.
   */
  #compareBranches(
    pair: Pair,
    { was, is, before, after, direction, polarity }: BranchComparison,
  ): void {
    const isOldMatched = (direction === 'request') !== (polarity === 'inverted');
    const [required, candidates] = isOldMatched ? [was, is] : [is, was];
    const compare = (first: Branch, other: Branch) => {
      const [old, now] = isOldMatched ? [first, other] : [other, first];
      return this.#compare(old.term, now.term, direction, polarity);
    };
    const fits = (first: Branch, other: Branch) =>
      collectDifferences(compare(first, other)).every(({ severity }) => severity === 'compatible');
    const matched = new Set<Branch>();
    const unmatched: Branch[] = [];
    for (const first of required) {
      const counterpart = candidates.find(({ label }) => label === first.label);
      const fit =
        counterpart !== undefined && fits(first, counterpart)
          ? counterpart
          : candidates.find((each) => fits(first, each));
      const other = fit ?? counterpart;
      if (other === undefined) unmatched.push(first);
      else {
        matched.add(other);
        pair.subschemas.push({ path: '', pair: compare(first, other) });
      }
    }
    const left = candidates.filter((each) => !matched.has(each));
    const [removed, added] = isOldMatched ? [unmatched, left] : [left, unmatched];
    const findings = branchFindings(removed, added, before.at, after.at);
    if (isOldMatched) findings.push(...this.#overlaps(was, is, added, before.at));
    pair.own.push(...findings.map((each) => classify(each, direction, polarity)));
  }

  /** `oneOf` refuses a value that is valid against a second branch as well. */
  #overlaps(
    was: readonly Branch[],
    is: readonly Branch[],
    added: readonly Branch[],
    before: string,
  ): Finding[] {
    const wasExclusive = was.every(({ isExclusive }) => isExclusive);
    const suspects = (wasExclusive ? added : is).filter(({ isExclusive }) => isExclusive);
    const view = ({ term }: Branch) => new View('request', term);
    const overlapping = suspects.filter((one) =>
      is.some((other) => other !== one && mayOverlap(view(one), view(other))),
    );
    const effect =
      'Clients that send a value that is valid against two alternatives may be refused.';
    const outcome = ['risky', effect] as const;
    return overlapping.map(({ label, term }) => ({
      rule: 'alternatives-overlap',
      kind: 'explicit',
      what: `the alternative ${nameOf(label)} of oneOf may overlap with others`,
      before,
      after: term.at,
      outcomes: { request: outcome, response: outcome },
    }));
  }
}

function branchFindings(
  removed: readonly Branch[],
  added: readonly Branch[],
  before: string,
  after: string,
): Finding[] {
  return [
    ...removed.map(({ label, term }): Finding => {
      const [values, what] = [nameOf(label), `the alternative ${nameOf(label)} was removed`];
      const rule = 'alternative-removed';
      return { rule, kind: 'narrower', what, values, before: term.at, after };
    }),
    ...added.map(({ label, term }): Finding => {
      const [values, what] = [nameOf(label), `the alternative ${nameOf(label)} was added`];
      const rule = 'alternative-added';
      return { rule, kind: 'wider', what, values, before, after: term.at };
    }),
  ];
}

interface BranchComparison {
  readonly was: readonly Branch[];
  readonly is: readonly Branch[];
  readonly before: Term;
  readonly after: Term;
  readonly direction: Direction;
  readonly polarity: Polarity;
}

function nameOf(label: string): string {
  return label.slice(label.lastIndexOf('/') + 1);
}

function composePolarity(outer: Polarity, inner: Polarity): Polarity {
  return inner === 'inverted' ? INVERTED[outer] : inner === 'unclear' ? inner : outer;
}

function collectDifferences(start: Pair): Difference[] {
  const found = new Map<string, Difference>();
  const seen = new Set([start]);
  let front = [{ path: '', pair: start }];
  while (front.length > 0) {
    const next: typeof front = [];
    for (const { path, pair } of front) {
      for (const each of pair.own) {
        const key = `${each.before} ${each.after} ${each.what}`;
        if (!found.has(key)) found.set(key, { ...each, path });
      }
      for (const each of pair.subschemas) {
        if (seen.has(each.pair)) continue;
        seen.add(each.pair);
        next.push({ path: path + each.path, pair: each.pair });
      }
    }
    front = next;
  }
  return [...found.values()];
}
