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

/** @returns true if both are objects whose required tags have different values */
export function haveOtherTags(one: View, other: View): boolean {
  const areObjects = [one, other].every(({ types }) => types.size === 1 && types.has('object'));
  if (!areObjects) return false;
  const tags = one.required.filter((name) => other.required.includes(name));
  return tags.some((name) => {
    const [tag, otherTag] = [one.property(name), other.property(name)];
    const areListed = [tag, otherTag].every((each) => each.isEnumerated && each.values?.size);
    return areListed && areDisjoint(tag, otherTag);
  });
}

function areDisjoint(one: View, other: View): boolean {
  const [values, others] = [one.values, other.values];
  if (values === undefined || others === undefined) return false;
  return [...values.keys()].every((value) => !others.has(value));
}
