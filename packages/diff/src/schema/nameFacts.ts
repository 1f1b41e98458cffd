// Whether the facts of a combination about unnamed properties and about items can be true at once.

import { isObject } from '@stubwright/contract';
import type { Choice } from './domain.ts';
import { hasNoString, literalPattern } from './language.ts';
import type { NameSet } from './modelled.ts';

/** More patterns divide names into too many regions. */
const MAX_PATTERNS = 4;

/** `otherNames` are facts about all names that no schema mentions; a false one has an exception among them. */
export function areNamesPossible(
  facts: readonly ItemFact[],
  mentioned: Iterable<string>,
  areDisjoint: AreDisjoint,
): boolean {
  const names = facts.flatMap(({ keywords: { otherNames }, truth }) =>
    otherNames === undefined ? [] : [{ ...(otherNames as OtherNames), truth }],
  );
  const allowed = names.filter(({ truth }) => truth);
  const patterns = allowed.flatMap(({ patterns, areAll, areExcluded }) =>
    !areExcluded && (areAll || patterns.length === 1) ? patterns : [],
  );
  const excluded = [
    ...Array.from(mentioned, literalPattern),
    ...allowed.flatMap((each) => (each.areExcluded ? each.patterns : [])),
  ];
  const set = { patterns, min: 0, max: Infinity };
  const hasOthers = facts.some(({ keywords, truth }) => truth && keywords['hasOthers'] === true);
  if (hasOthers && allowed.length > 0 && hasNoString(set, excluded)) return false;
  const members = facts.flatMap(({ keywords: { members: each }, truth }) =>
    each === undefined ? [] : [{ ...(each as MemberNames), truth }],
  );
  if (!areMembersPossible(members, { patterns, excluded, hasOthers, areDisjoint })) return false;
  return names
    .filter(({ truth }) => !truth)
    .every((refused) => {
      if (refused.areExcluded) {
        return refused.patterns.some(
          (pattern) => !hasNoString({ ...set, patterns: [...patterns, pattern] }, excluded),
        );
      }
      if (!refused.areAll) return !hasNoString(set, [...excluded, ...refused.patterns]);
      return refused.patterns.some((pattern) => !hasNoString(set, [...excluded, pattern]));
    });
}

/** Names match one of the patterns, all of them, or none. */
export interface OtherNames {
  readonly patterns: readonly string[];
  readonly areAll?: boolean;
  readonly areExcluded?: boolean;
}

/** The values of all properties with some names are valid against a schema. */
interface MemberNames extends NameSet {
  readonly schema: unknown;
  /** False if `schema` is not the text of a schema. */
  readonly isLocal: boolean;
}

type MemberFact = MemberNames & { readonly truth: boolean };

interface OtherMembers {
  /** All names match these. */
  readonly patterns: readonly string[];
  /** No name matches these. */
  readonly excluded: readonly string[];
  readonly hasOthers: boolean;
  readonly areDisjoint: AreDisjoint;
}

/** Each false fact has an exception among the names of a region, in which the same patterns match each name. */
function areMembersPossible(
  facts: readonly MemberFact[],
  { patterns, excluded, hasOthers, areDisjoint }: OtherMembers,
): boolean {
  const all = [...new Set(facts.flatMap((fact) => [...fact.matching, ...fact.excluded]))];
  if (facts.length === 0 || all.length > MAX_PATTERNS) return true;
  const regions = subsetsOf(all).flatMap((matching) => {
    const others = all.filter((pattern) => !matching.includes(pattern));
    const set = { patterns: [...patterns, ...matching], min: 0, max: Number.POSITIVE_INFINITY };
    if (set.patterns.length > 0 && hasNoString(set, [...excluded, ...others])) return [];
    const own = facts.filter(
      (fact) =>
        fact.matching.every((one) => matching.includes(one)) &&
        !fact.excluded.some((one) => matching.includes(one)),
    );
    const required = own.flatMap((memberFact) =>
      memberFact.truth && memberFact.isLocal ? [memberFact.schema] : [],
    );
    return areDisjoint([{}, ...required]) ? [] : [{ own, required }];
  });
  if (hasOthers && regions.length === 0) return false;
  return facts
    .filter(({ truth }) => !truth)
    .every((fact) =>
      regions.some(
        ({ own, required }) =>
          own.includes(fact) &&
          !(fact.isLocal && areDisjoint([{}, ...required, { not: fact.schema }])),
      ),
    );
}

function subsetsOf(all: readonly string[]): string[][] {
  const subsets: string[][] = [[]];
  for (const text of all) subsets.push(...subsets.map((some) => [...some, text]));
  return subsets;
}

/** Keywords of items that are true or false of an array. */
export interface ItemFact {
  readonly keywords: Readonly<Record<string, unknown>>;
  readonly truth: boolean;
}

/** True only if no value is valid against all of the schemas. */
export type AreDisjoint = (schemas: readonly unknown[]) => boolean;

export type Range = Extract<Choice, { kind: 'range' }>;

/** Positions of a long head are not checked one by one. */
const MAX_HEAD = 10;

/** @returns false only if no array of these lengths has all facts */
export function areItemsPossible(
  facts: readonly ItemFact[],
  range: Range,
  areDisjoint: AreDisjoint,
): boolean {
  const { min, max } = lengthsIn(range);
  const known = facts.filter(({ keywords }) => isOfPositions(keywords));
  const head = Math.max(0, ...known.map(({ keywords }) => headOf(keywords).length));
  if (head > MAX_HEAD) return true;
  const required = known.filter(({ truth }) => truth);
  const allowedAt = (at: number) => required.map(({ keywords }) => schemaAt(keywords, at));
  // The position after the head stands for all further ones.
  const positions = Array.from({ length: Math.min(max, head + 1) }, (_, at) => at);
  if (positions.some((at) => at < min && areDisjoint(allowedAt(at)))) return false;
  const isViolable = ({ keywords }: ItemFact) =>
    positions.some((at) => !areDisjoint([...allowedAt(at), { not: schemaAt(keywords, at) }]));
  if (!known.filter(({ truth }) => !truth).every(isViolable)) return false;
  const areUnique = facts.some(({ keywords, truth }) => keywords['uniqueItems'] === true && !truth);
  if (!areUnique) return true;
  return positions.some((at) => {
    const others = positions.filter((other) => other > at);
    if (at === head && max > head + 1) others.push(at);
    return others.some((other) => !areDisjoint([...allowedAt(at), ...allowedAt(other)]));
  });
}

/** @returns the lengths of a range of arrays; `max` may be infinite */
export function lengthsIn({ above, below }: Range): { readonly min: number; readonly max: number } {
  return { min: Math.max(0, Math.floor(Number(above)) + 1), max: Math.ceil(Number(below)) - 1 };
}

/** False for keywords of `contains`, for references, and for arrays of schemas before 2020-12. */
function isOfPositions({ items, prefixItems, additionalItems, names }: ItemFact['keywords']) {
  const isKnown = names !== undefined && additionalItems === undefined && !Array.isArray(items);
  return isKnown && (items !== undefined || Array.isArray(prefixItems));
}

function headOf({ prefixItems }: ItemFact['keywords']): readonly unknown[] {
  return Array.isArray(prefixItems) ? prefixItems : [];
}

function schemaAt(keywords: ItemFact['keywords'], at: number): unknown {
  const schema = headOf(keywords)[at] ?? keywords['items'] ?? {};
  return schema === true ? {} : isObject(schema) ? schema : { not: {} };
}
