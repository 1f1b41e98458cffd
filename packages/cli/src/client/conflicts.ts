// Compares two alternatives of a schema: whether a number may be an integer of 64 bits in one only.
import {
  isBigint,
  itemSchemas,
  prefixLength,
  propertySchemas,
  type Schema,
} from '@stubwright/contract';
import { inPlace } from './inPlace.ts';

/** Deeper schemas count as different. */
const MAX_DEPTH = 8;

/**
 * @returns true if a value of `other` may have a number that is no integer of 64 bits, where `schema` has one
 */
export function mayConflict(schema: Schema, other: Schema, depth = 0): boolean {
  const [own, others] = [inPlace([schema]), inPlace([other])];
  if (own.some(isBigint)) return hasOtherNumber(others);
  if (depth === MAX_DEPTH) return true;
  const names = new Set(own.flatMap((each) => [...each.map('properties').keys()]));
  const isFreeForm = allows(others, 'object') && !isTyped(others);
  for (const name of names) {
    const properties = own.flatMap((each) => each.map('properties').get(name) ?? []);
    const rivals = propertySchemas(new Set(others), name, false);
    if (!properties.some(hasBigints)) continue;
    if (isFreeForm && rivals.length === 0) return true;
    if (anyConflict(properties, rivals, depth)) return true;
  }
  const maps = own
    .flatMap((each) => [
      ...each.map('patternProperties').values(),
      each.child('additionalProperties') ?? [],
      each.child('unevaluatedProperties') ?? [],
    ])
    .flat()
    .filter(hasBigints);
  if (maps.length > 0 && allows(others, 'object')) return true;
  if (!allows(others, 'array')) return false;
  const positions = Array.from({ length: prefixLength([...own, ...others]) + 1 }, (_, at) => at);
  return positions.some((at) => {
    const items = itemSchemas(new Set(own), at, false).filter(hasBigints);
    const rivals = itemSchemas(new Set(others), at, false);
    return items.length > 0 && (rivals.length === 0 || anyConflict(items, rivals, depth));
  });
}

function anyConflict(own: readonly Schema[], others: readonly Schema[], depth: number): boolean {
  return own.some((each) =>
    others.some((other) => each !== other && mayConflict(each, other, depth + 1)),
  );
}

/** True if a number is valid that is no integer of 64 bits. */
function hasOtherNumber(schemas: readonly Schema[]): boolean {
  return !schemas.some(isBigint) && allows(schemas, 'number');
}

function allows(schemas: readonly Schema[], type: string): boolean {
  const typed = schemas.filter(({ types }) => types !== undefined);
  const isOf = ({ types }: Schema) =>
    types!.has(type as never) || (type === 'number' && types!.has('integer'));
  return typed.length === 0 || typed.some(isOf);
}

function isTyped(schemas: readonly Schema[]): boolean {
  return schemas.some((each) => each.has('properties') || each.has('additionalProperties'));
}

function hasBigints(schema: Schema): boolean {
  const seen = new Set([schema]);
  for (const each of seen) {
    if (isBigint(each)) return true;
    for (const inner of each.inner) seen.add(inner);
  }
  return false;
}
