// The differences between two schemas: the findings of all pairs that they contain, each with its shortest path.
import type { Schema } from '@stubwright/contract';
import type { ClassifiedFinding } from './schemaFinding.ts';
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
  /** The object or array around the values, if its own keywords or conditions differ as well. */
  readonly outer: ValuePair | undefined;
}

/** Two schemas that are compared once, wherever they occur. */
export interface LocatedPair {
  readonly values: Omit<ValuePair, 'outer'>;
  readonly own: ClassifiedFinding[];
  readonly subschemas: {
    readonly path: string;
    readonly segment?: string | null | undefined;
    readonly pair: LocatedPair;
  }[];
  /** Compares the schemas; undefined once it is called. Recursion would be as deep as the contract is connected. */
  task: (() => void) | undefined;
  /** Whether the pair and all that it contains is compatible; undefined until that is known. */
  isCompatible?: boolean;
  /** The shortest ways to all findings; undefined until they are searched. */
  ways?: Ways;
  /** With paths from this pair. */
  differences?: readonly Difference[];
}

/** Parallel arrays, sorted by target: a connected contract has a way for each of its schemas and findings. */
interface Ways {
  /** Pairs with findings of their own, by number. */
  readonly targets: number[];
  readonly distances: number[];
  /** The index of the subschema that is next on the way. */
  readonly steps: number[];
}

interface Way {
  readonly from: LocatedPair;
  readonly step: number;
}

export const UNCHANGED: LocatedPair = {
  values: { before: [], after: [], wire: 'json' },
  own: [],
  subschemas: [],
  task: undefined,
  isCompatible: true,
  ways: { targets: [], distances: [], steps: [] },
  differences: [],
};

/** Finds the findings that a pair contains. Each pair is searched once, from the findings to all that contains them. */
export class DifferenceSearch {
  readonly #finished: (pair: LocatedPair) => LocatedPair;
  /** The pairs with findings, by number. */
  readonly #targets: LocatedPair[] = [];
  #steps = 0;

  /** @param finished compares the schemas of a pair unless that is done */
  constructor(finished: (pair: LocatedPair) => LocatedPair) {
    this.#finished = finished;
  }

  /** The number of pairs that the searches have visited. */
  get steps(): number {
    return this.#steps;
  }

  /** @returns every difference once, with its shortest path; those with shorter paths first */
  from(start: LocatedPair): readonly Difference[] {
    if (start.differences !== undefined) return start.differences;
    this.#addWays(start);
    const { targets } = start.ways!;
    const routes = targets.map((target) => this.#routeTo(target, start)).sort(byLength);
    const found = new Map<string, Difference>();
    for (const { target, steps } of routes) {
      for (const difference of differencesAt(target, steps, start)) {
        const key = `${difference.before} ${difference.after} ${difference.what}`;
        if (!found.has(key)) found.set(key, difference);
      }
    }
    start.differences = [...found.values()];
    return start.differences;
  }

  #routeTo(target: number, start: LocatedPair): Route {
    const steps: number[] = [];
    const end = this.#targets[target]!;
    for (let at = start; at !== end; at = at.subschemas[steps.at(-1)!]!.pair) {
      const { targets, steps: next } = at.ways!;
      steps.push(next[indexOf(target, targets)]!);
    }
    return { target: end, steps };
  }

  /** Pairs that were searched before contain none of the new ones. */
  #addWays(start: LocatedPair): void {
    if (start.ways !== undefined) return;
    const added = new Set([start]);
    for (const locatedPair of added) {
      for (const { pair } of this.#finished(locatedPair).subschemas) {
        if (pair.ways === undefined) added.add(pair);
      }
    }
    const containing = new Map<LocatedPair, Way[]>();
    /** By target and distance. */
    const starts = new Map<number, Way[][]>();
    const begin = (target: number, distance: number, way: Way) => {
      const layers = starts.get(target) ?? [];
      starts.set(target, layers);
      layers[distance] ??= [];
      layers[distance].push(way);
    };
    for (const from of added) {
      for (const [step, { pair }] of from.subschemas.entries()) {
        if (added.has(pair)) {
          const known = containing.get(pair) ?? [];
          containing.set(pair, known);
          known.push({ from, step });
          continue;
        }
        const { targets, distances } = pair.ways!;
        for (const [at, target] of targets.entries())
          begin(target, distances[at]! + 1, { from, step });
      }
      if (from.own.length > 0) begin(this.#targets.push(from) - 1, 0, { from, step: -1 });
    }
    for (const locatedPair of added) locatedPair.ways = { targets: [], distances: [], steps: [] };
    for (const [target, layers] of [...starts].sort(([one], [other]) => one - other)) {
      this.#addWaysTo(target, layers, containing);
    }
  }

  /** A breadth-first search, from the target outward. */
  #addWaysTo(
    target: number,
    layers: Way[][],
    containing: ReadonlyMap<LocatedPair, readonly Way[]>,
  ): void {
    for (let distance = 0; distance < layers.length; distance++) {
      for (const { from, step } of layers[distance] ?? []) {
        this.#steps++;
        const { targets, distances, steps } = from.ways!;
        const last = targets.length - 1;
        if (targets[last] === target) {
          // Of ways of the same length, the one by the first subschema.
          if (distances[last] === distance) steps[last] = Math.min(steps[last]!, step);
          continue;
        }
        targets.push(target);
        distances.push(distance);
        steps.push(step);
        const outer = containing.get(from) ?? [];
        if (outer.length === 0) continue;
        layers[distance + 1] ??= [];
        layers[distance + 1]!.push(...outer);
      }
    }
  }
}

/** The subschemas on the way from a pair to another. */
interface Route {
  readonly target: LocatedPair;
  readonly steps: readonly number[];
}

function byLength({ steps }: Route, { steps: others }: Route): number {
  if (steps.length !== others.length) return steps.length - others.length;
  const at = steps.findIndex((step, index) => step !== others[index]);
  return at < 0 ? 0 : steps[at]! - others[at]!;
}

/** @returns the index of a number in a sorted array */
function indexOf(wanted: number, numbers: readonly number[]): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @returns the findings of the target with their location in the values of the first pair */
function differencesAt(
  target: LocatedPair,
  steps: readonly number[],
  start: LocatedPair,
): Difference[] {
  let path = '';
  const segments: (string | null)[] = [];
  let isCut = false;
  let isInPlace = false;
  let isNegated = false;
  let values: ValuePair = { ...start.values, outer: undefined };
  let pair = start;
  for (const step of steps) {
    const { path: name, segment, pair: inner } = pair.subschemas[step]!;
    path += name;
    isInPlace = name.startsWith('(');
    if (segment !== undefined && !isCut) segments.push(segment);
    isCut ||= isInPlace;
    // More values of a part are fewer of the whole there.
    isNegated ||= /^\((?:not|if)\)/.test(name);
    // Branches and `(not)` are schemas of the same value.
    if (name.startsWith('/') && !isNegated) {
      values = { ...inner.values, outer: restrictsValues(pair) ? values : undefined };
    }
    pair = inner;
  }
  // `contentSchema` is an annotation: no value of the string is refused.
  const isAnnotation = path.includes('(contentSchema)');
  return target.own.map((classifiedFinding) => {
    const isRemoved = isInPlace && classifiedFinding.rule.endsWith('-property-removed');
    const concernsValues = (classifiedFinding.concernsValues || isRemoved) && !isAnnotation;
    return { ...classifiedFinding, path, segments, values, concernsValues };
  });
}

/** True if keywords or conditions of the pair itself differ. */
function restrictsValues({ own, subschemas }: LocatedPair): boolean {
  return (
    own.some(({ concernsValues }) => concernsValues) ||
    subschemas.some(({ path, pair }) => path.startsWith('(') && pair !== UNCHANGED)
  );
}
