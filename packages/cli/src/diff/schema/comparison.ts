// Two schemas, compared as what a client sends or reads. Every pair is compared once, however often
// the contracts refer to it, so that a schema may hold itself.
import { differing } from './differing.ts';
import { type Direction, type Finding, type Judged, judge, type Sense } from './finding.ts';
import { mayOverlap } from './overlap.ts';
import { type Branch, branchesOf, keyOf, type Term } from './term.ts';
import { View } from './view.ts';

/** A judged difference and the way to it from where the comparison started: `/tags/*`. */
export interface Difference extends Judged {
  readonly path: string;
}

interface Pair {
  readonly own: Judged[];
  readonly inner: { readonly path: string; readonly pair: Pair }[];
}

const FLIPPED: Readonly<Record<Sense, Sense>> = {
  same: 'flipped',
  flipped: 'same',
  unclear: 'unclear',
};

export class SchemaComparison {
  readonly #pairs = new Map<string, Pair>();

  /** @returns every difference that is reached, by its shortest path, each once */
  differences(before: Term, after: Term, direction: Direction): Difference[] {
    return reached(this.#compare(before, after, direction, 'same'));
  }

  #compare(before: Term, after: Term, direction: Direction, sense: Sense): Pair {
    const key = `${direction} ${sense} ${keyOf(before)} > ${keyOf(after)}`;
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    const pair: Pair = { own: [], inner: [] };
    this.#pairs.set(key, pair);
    const branches = [branchesOf(before), branchesOf(after)] as const;
    if (branches[0] === undefined && branches[1] === undefined) {
      this.#compareWhole(pair, before, after, direction, sense);
    } else {
      const whole = (term: Term): Branch[] => [{ label: '', term, isExclusive: false }];
      const [was, is] = [branches[0] ?? whole(before), branches[1] ?? whole(after)];
      this.#compareBranches(pair, { was, is, before, after, direction, sense });
    }
    return pair;
  }

  #compareWhole(pair: Pair, before: Term, after: Term, direction: Direction, sense: Sense): void {
    const was = new View(direction, before);
    const is = new View(direction, after);
    const { findings, inner } = differing(was, is);
    pair.own.push(...findings.map((each) => judge(each, direction, sense)));
    for (const each of inner) {
      const turned = sense === 'unclear' ? sense : turn(sense, each.sense);
      const next = this.#compare(each.before, each.after, direction, turned);
      pair.inner.push({ path: each.path, pair: next });
    }
  }

  /**
   * Every way to be valid must fit one on the other side: of what is sent each old one a new one, of
   * what is read each new one an old one.
   */
  #compareBranches(pair: Pair, { was, is, before, after, direction, sense }: Choice): void {
    const isOldFirst = (direction === 'request') !== (sense === 'flipped');
    const [firsts, others] = isOldFirst ? [was, is] : [is, was];
    const compare = (first: Branch, other: Branch) => {
      const [old, now] = isOldFirst ? [first, other] : [other, first];
      return this.#compare(old.term, now.term, direction, sense);
    };
    const fits = (first: Branch, other: Branch) =>
      reached(compare(first, other)).every(({ verdict }) => verdict === 'compatible');
    const met = new Set<Branch>();
    const alone: Branch[] = [];
    for (const first of firsts) {
      const same = others.find(({ label }) => label === first.label);
      const fit =
        same !== undefined && fits(first, same) ? same : others.find((each) => fits(first, each));
      const other = fit ?? same;
      if (other === undefined) alone.push(first);
      else {
        met.add(other);
        pair.inner.push({ path: '', pair: compare(first, other) });
      }
    }
    const left = others.filter((each) => !met.has(each));
    const [removed, added] = isOldFirst ? [alone, left] : [left, alone];
    const findings = branchFindings(removed, added, before.at, after.at);
    if (isOldFirst) findings.push(...this.#overlaps(was, is, added, before.at));
    pair.own.push(...findings.map((each) => judge(each, direction, sense)));
  }

  /** A value that fits a second branch of a `oneOf` is refused, though it fits the first as before. */
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
    const effect = 'Clients that send what fits this alternative and another one may be refused.';
    const told = ['risky', effect] as const;
    return overlapping.map(({ label, term }) => ({
      kind: 'told',
      what: `the alternative ${nameOf(label)} of oneOf may overlap with others`,
      before,
      after: term.at,
      told: { request: told, response: told },
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
      return { kind: 'narrower', what, values, before: term.at, after };
    }),
    ...added.map(({ label, term }): Finding => {
      const [values, what] = [nameOf(label), `the alternative ${nameOf(label)} was added`];
      return { kind: 'wider', what, values, before, after: term.at };
    }),
  ];
}

interface Choice {
  readonly was: readonly Branch[];
  readonly is: readonly Branch[];
  readonly before: Term;
  readonly after: Term;
  readonly direction: Direction;
  readonly sense: Sense;
}

function nameOf(label: string): string {
  return label.slice(label.lastIndexOf('/') + 1);
}

function turn(outer: Sense, inner: Sense): Sense {
  return inner === 'flipped' ? FLIPPED[outer] : inner === 'unclear' ? inner : outer;
}

function reached(start: Pair): Difference[] {
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
      for (const inner of pair.inner) {
        if (seen.has(inner.pair)) continue;
        seen.add(inner.pair);
        next.push({ path: path + inner.path, pair: inner.pair });
      }
    }
    front = next;
  }
  return [...found.values()];
}
