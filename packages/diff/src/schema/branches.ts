// Matches the branches of `oneOf` and `anyOf`, and finds those that a value may satisfy at once.
import { abbreviated, without } from '../values/formatting.ts';
import { FORMAT_PATTERNS, hasNoString } from './language.ts';
import { lengthOf } from './lengths.ts';
import { itemOf, tupleLength } from './memberTerms.ts';
import { findingOf, type SchemaFinding } from './schemaFinding.ts';
import { type Branch, branchesOf, type Term } from './term.ts';
import { View } from './view.ts';
import { wireOfItem } from './wire.ts';

/** The branches of two terms. */
export interface BranchPair {
  readonly was: readonly Branch[];
  readonly is: readonly Branch[];
  readonly before: Term;
  readonly after: Term;
}

interface Matching {
  /** True if each old branch needs a new one, false if each new branch needs an old one. */
  readonly isOldMatched: boolean;
  /** True if each value of the first branch is valid against the other. */
  readonly fits: (first: Branch, other: Branch) => boolean;
  readonly viewOf: (term: Term) => View;
}

/** Maximum number of branches and of values that are matched one by one. */
const MAX_PARTS = 200;
const MAX_DEPTH = 4;

/** @returns the findings, and the pairs of branches to compare next; `covered` ones if another branch allows their values */
export function matchBranches(
  { was, is, before, after }: BranchPair,
  matching: Matching,
): { pairs: [Branch, Branch][]; covered: [Branch, Branch][]; findings: SchemaFinding[] } {
  const { isOldMatched, viewOf } = matching;
  const fits = (first: Branch, other: Branch) =>
    !areApart(viewOf(first.term), viewOf(other.term)) && matching.fits(first, other);
  const [required, candidates] = (isOldMatched ? [was, is] : [is, was]).map((list) =>
    flattened(list),
  ) as [Branch[], Branch[]];
  const pairs: [Branch, Branch][] = [];
  const covered: [Branch, Branch][] = [];
  const matched = new Set<Branch>();
  const unmatched: Branch[] = [];
  const match = (first: Branch, other: Branch) => {
    matched.add(other);
    pairs.push([first, other]);
  };
  const counterparts = counterpartsOf(required, candidates, viewOf);
  const claimed = new Set(counterparts.values());
  const unclaimed = candidates.filter((candidate) => !claimed.has(candidate));
  for (const first of required) {
    const counterpart = counterparts.get(first);
    const fit = [...(counterpart === undefined ? [] : [counterpart]), ...candidates].find(
      (branch) => fits(first, branch),
    );
    if (fit !== undefined) {
      const isRenamed =
        counterpart === undefined ||
        first.title === undefined ||
        first.title !== counterpart.title ||
        areApart(viewOf(first.term), viewOf(counterpart.term));
      if (fit === counterpart || isRenamed) match(first, fit);
      else {
        matched.add(counterpart);
        covered.push([first, counterpart]);
      }
      continue;
    }
    const parts = partsOf(first, matching);
    const fitting = parts.map((part) => candidates.find((candidate) => fits(part, candidate)));
    const isSplit = fitting.some((each) => each !== undefined);
    const isInPlace = (part: Branch, index: number) =>
      counterpart !== undefined && (fitting[index] === undefined || fits(part, counterpart));
    if (counterpart !== undefined && fitting.includes(undefined) && parts.every(isInPlace)) {
      match(first, counterpart);
      continue;
    }
    for (const [index, part] of parts.entries()) {
      const other = fitting[index] ?? counterpart ?? similar(part, unclaimed, matching);
      if (other === undefined) unmatched.push(isSplit ? part : first);
      else match(isSplit ? part : first, other);
    }
  }
  const left = candidates.filter((candidate) => !matched.has(candidate));
  const missing = [...new Set(unmatched)];
  const [removed, added] = isOldMatched ? [missing, left] : [left, missing];
  const findings = [
    ...branchFindings(removed, added, before.at, after.at),
    ...overlapFindings({ required, candidates, left, before, after }, { ...matching, fits }),
  ];
  return { pairs, covered, findings };
}

/** Pairs branches by component, discriminator value, title, content and position, in this order. */
function counterpartsOf(
  required: readonly Branch[],
  candidates: readonly Branch[],
  viewOf: Matching['viewOf'],
): Map<Branch, Branch> {
  const [component, ...others] = [0, 1, 2, 3].map(
    (at) => (branch: Branch) => branch.keys[at] ?? '',
  );
  const counterparts = new Map<Branch, Branch>();
  for (const keyOf of [component!, (branch: Branch) => tagOf(viewOf(branch.term)), ...others]) {
    const taken = new Set(counterparts.values());
    const free = new Map(
      candidates
        .filter((candidate) => !taken.has(candidate))
        .toReversed()
        .map((candidate) => [keyOf(candidate), candidate]),
    );
    for (const first of required) {
      if (counterparts.has(first)) continue;
      const key = keyOf(first);
      const other = key === '' ? undefined : free.get(key);
      if (other === undefined || haveOtherTags(viewOf(first.term), viewOf(other.term))) continue;
      counterparts.set(first, other);
      free.delete(key);
    }
  }
  return counterparts;
}

/** @returns the required properties that have one value; `''` without any */
function tagOf(view: View): string {
  if (!view.has('object')) return '';
  const tags = view.required.flatMap((name) => {
    const { isEnumerated, values } = view.property(name);
    return isEnumerated && values?.size === 1 ? [`${name} ${[...values.keys()][0]}`] : [];
  });
  return tags.sort().join();
}

function hasValues(view: View): boolean {
  return view.types.size > 0 && !(view.isEnumerated && view.values?.size === 0);
}

/** True if the first has a value and they share none, by type or by list: a fast path. */
function areApart(one: View, other: View): boolean {
  if (!hasValues(one)) return false;
  if (!one.has(...other.types) || haveOtherTags(one, other)) return true;
  const values = one.isEnumerated && other.isEnumerated ? one.values : undefined;
  return (
    values !== undefined &&
    values.size > 0 &&
    [...values.keys()].every((key) => !other.values!.has(key))
  );
}

/** True if objects of the first lack a property that the other requires: a fast path. */
export function lacksRequired(one: View, other: View): boolean {
  const areDecided = [one, other].every(
    (view) => view.has('object') && !view.isEnumerated && branchesOf(view.term) === undefined,
  );
  return areDecided && without(other.required, one.required).length > 0;
}

/** Replaces branches of `anyOf` by their own branches. */
function flattened(branches: readonly Branch[], depth = 0): Branch[] {
  return branches.flatMap((branch) => {
    const inner = depth < MAX_DEPTH && !branch.isExclusive ? branchesOf(branch.term) : undefined;
    if (inner === undefined || inner.some(({ isExclusive }) => isExclusive)) return [branch];
    return flattened(inner, depth + 1);
  });
}

/** Divides a branch by its values, else by its types. */
function partsOf(branch: Branch, { viewOf }: Pick<Matching, 'viewOf'>): Branch[] {
  if (branchesOf(branch.term) !== undefined || branch.term.only !== undefined) return [branch];
  const view = viewOf(branch.term);
  const part = (only: NonNullable<Term['only']>, name: string): Branch => ({
    ...branch,
    name,
    term: { ...branch.term, only },
  });
  if (view.isEnumerated) {
    const values = [...(view.values ?? new Map()).values()];
    if (values.length > MAX_PARTS || values.length === 0) return [branch];
    return values.map((value) => part({ value }, abbreviated(value)));
  }
  if (view.types.size < 2) return [branch];
  return [...view.types].map((type) => part({ type }, TYPE_NAMES[type] ?? type));
}

const TYPE_NAMES: Readonly<Record<string, string>> = { nonInteger: 'non-integer number' };

/** @returns the only candidate with a type of the branch, and without another name or tag */
function similar(
  branch: Branch,
  candidates: readonly Branch[],
  { viewOf }: Pick<Matching, 'viewOf'>,
): Branch | undefined {
  const types = [...viewOf(branch.term).types];
  const isClose = (branch: Branch) => viewOf(branch.term).has(...types);
  const close = candidates
    .filter(isClose)
    .filter(({ title }) => title === undefined || branch.title === undefined)
    .filter((candidate) => !haveOtherTags(viewOf(branch.term), viewOf(candidate.term)));
  return close.length === 1 ? close[0] : undefined;
}

function branchFindings(
  removed: readonly Branch[],
  added: readonly Branch[],
  before: string,
  after: string,
): SchemaFinding[] {
  return [
    ...removed.map(({ name, term }) =>
      findingOf('alternative-removed', { name }, { before: term.at, after }),
    ),
    ...added.map(({ name, term }) =>
      findingOf('alternative-added', { name }, { before, after: term.at }),
    ),
  ];
}

interface Candidates extends Pick<BranchPair, 'before' | 'after'> {
  readonly required: readonly Branch[];
  readonly candidates: readonly Branch[];
  readonly left: readonly Branch[];
}

/** `oneOf` refuses a value that is valid against a second branch as well. */
function overlapFindings(
  { required, candidates, left, before, after }: Candidates,
  matching: Matching,
): SchemaFinding[] {
  const { isOldMatched, fits, viewOf } = matching;
  const wasExclusive = required.every(({ isExclusive }) => isExclusive);
  const suspects = (wasExclusive ? left : candidates).filter(({ isExclusive }) => isExclusive);
  if (suspects.length === 0 || candidates.length < 2) return [];
  const at = isOldMatched
    ? ({ term }: Branch) => ({ before: before.at, after: term.at })
    : ({ term }: Branch) => ({ before: term.at, after: after.at });
  const doubled = required
    .flatMap((first) => partsOf(first, matching))
    .filter(({ term }) => hasValues(viewOf(term)))
    .flatMap((part): SchemaFinding[] => {
      const fitting = candidates.filter((candidate) => fits(part, candidate));
      if (fitting.length < 2 || !fitting.some((branch) => suspects.includes(branch))) return [];
      const both = fitting.slice(0, 2).map(({ name }) => name);
      const facts = { name: part.name, both, isOld: isOldMatched };
      return [findingOf('alternatives-overlap', facts, at(fitting[1]!))];
    });
  if (doubled.length > 0) return doubled;
  return suspects
    .filter((one) =>
      candidates.some(
        (candidate) => candidate !== one && mayOverlap(viewOf(one.term), viewOf(candidate.term)),
      ),
    )
    .map((one) =>
      findingOf('alternatives-overlap', { name: one.name, isOld: isOldMatched }, at(one)),
    );
}

/** Of the properties and items that keep schemas apart. */
const MAX_OVERLAP_DEPTH = 4;

/** @returns false only if no value can be valid against both */
function mayOverlap(one: View, other: View, depth = 0): boolean {
  const shared = [...one.types].filter((type) => other.types.has(type));
  if (areDisjoint(one, other)) return false;
  return shared.some((type) => {
    if (depth === MAX_OVERLAP_DEPTH) return true;
    if (type === 'string') return !haveOtherTexts(one, other);
    if (type === 'array') return !haveOtherItems(one, other, depth);
    if (type !== 'object') return true;
    const tags = one.required.filter((name) => other.required.includes(name));
    return tags.every((name) => mayOverlap(one.property(name), other.property(name), depth + 1));
  });
}

/** True if no string matches the patterns and the formats of both. */
function haveOtherTexts(...views: readonly View[]): boolean {
  const patterns = views.map((view) => [
    ...(view.all('pattern') as string[]),
    ...view.all('format').flatMap((value) => FORMAT_PATTERNS[value as string]?.pattern ?? []),
  ]);
  if (patterns.some((pattern) => pattern.length === 0)) return false;
  return hasNoString({ patterns: patterns.flat(), min: 0, max: Number.POSITIVE_INFINITY }, []);
}

/** True if an item that arrays of both have keeps them apart. */
function haveOtherItems(one: View, other: View, depth: number): boolean {
  const length = Math.max(...[one, other].map((view) => lengthOf(view, 'minItems').effective));
  const count = Math.min(length, Math.max(tupleLength(one), tupleLength(other)) + 1);
  return Array.from({ length: count }, (_, at) => at).some((at) => {
    const [item, otherItem] = [one, other].map(
      (view) => new View(view.direction, itemOf(view, at), wireOfItem(view.wire)),
    );
    return !mayOverlap(item!, otherItem!, depth + 1);
  });
}

/** @returns true if both are objects whose required tags have different values */
function haveOtherTags(one: View, other: View): boolean {
  const areObjects = [one, other].every(({ types }) => types.size === 1 && types.has('object'));
  if (!areObjects) return false;
  const tags = one.required.filter((name) => other.required.includes(name));
  return tags.some((name) => {
    const [tag, otherTag] = [one.property(name), other.property(name)];
    const areListed = [tag, otherTag].every((view) => view.isEnumerated && view.values?.size);
    return areListed && areDisjoint(tag, otherTag);
  });
}

function areDisjoint(one: View, other: View): boolean {
  const [values, others] = [one.values, other.values];
  if (values === undefined || others === undefined) return false;
  return [...values.keys()].every((value) => !others.has(value));
}
