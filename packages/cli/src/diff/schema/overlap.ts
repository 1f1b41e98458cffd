// Whether a value may be valid against two schemas at once, which `oneOf` refuses.
import type { View } from './view.ts';

/** @returns false only if no value can be valid against both */
export function mayOverlap(one: View, other: View): boolean {
  const shared = [...one.types].filter((type) => other.types.has(type));
  if (shared.length === 0 || areDisjoint(one, other)) return false;
  if (shared.some((type) => type !== 'object')) return true;
  const tags = one.required.filter((name) => other.required.includes(name));
  return !tags.some((name) => areDisjoint(one.property(name), other.property(name)));
}

function areDisjoint(one: View, other: View): boolean {
  const [values, others] = [one.values, other.values];
  if (values === undefined || others === undefined) return false;
  return [...values.keys()].every((value) => !others.has(value));
}
