// Whether a value may be valid against two schemas at once, which `oneOf` refuses.
import { FORMAT_PATTERNS } from './formatPatterns.ts';
import { hasNoString } from './language.ts';
import { lengthOf } from './lengths.ts';
import { itemOf, tupleLength } from './memberTerms.ts';
import { View } from './view.ts';
import { wireOfItem } from './wire.ts';

/** Of the properties and items that keep schemas apart. */
const MAX_DEPTH = 4;

/** @returns false only if no value can be valid against both */
export function mayOverlap(one: View, other: View, depth = 0): boolean {
  const shared = [...one.types].filter((type) => other.types.has(type));
  if (areDisjoint(one, other)) return false;
  return shared.some((type) => {
    if (depth === MAX_DEPTH) return true;
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
export function haveOtherTags(one: View, other: View): boolean {
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
