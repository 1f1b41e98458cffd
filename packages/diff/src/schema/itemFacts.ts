// Whether an array can have the facts of a combination about its items: each position is checked by itself.
import { isObject } from '@stubwright/contract';
import type { Choice } from './domain.ts';

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
