// Whether a value is one of the listed constants, as far as a combination decides it.
import { isObject, type Node } from '@stubwright/contract';
import { canonical } from '../values/formatting.ts';
import { type Assignment, within } from './assignment.ts';
import { type Choice, emptyIn, isEqual, typeIn, withinBound } from './domain.ts';
import { HAS_OTHERS } from './memberTruths.ts';
import { and, not, or, type Truth } from './truth.ts';

/** @param values at the location */
export function isListed(
  values: Choice,
  listed: readonly unknown[],
  at: string,
  assignment: Assignment,
): Truth {
  if (values.kind === 'constant') return listed.some((each) => isEqual(each, values.value));
  const empty = emptyIn(values);
  if (empty !== undefined) return listed.some((each) => canonical(each) === empty);
  // The constants of other types are choices of their own.
  switch (typeIn(values)) {
    case 'object':
      return or(listed.filter(isObject).map((each) => () => isThisObject(each, at, assignment)));
    case 'array':
      return or(
        listed.filter(Array.isArray).map((each) => () => isThisArray(each, at, assignment)),
      );
    default:
      return false;
  }
}

/** True if the array at a location has these items. */
function isThisArray(items: readonly unknown[], at: string, assignment: Assignment): Truth {
  const prefixItems = items.map((each) => ({ enum: [each] }));
  const hasLength = (keyword: 'minItems' | 'maxItems') => () => {
    const values = assignment.valuesAt(at);
    return values && withinBound(keyword, items.length, values);
  };
  return and([
    hasLength('minItems'),
    hasLength('maxItems'),
    () => assignment.fact(at, { prefixItems, names: [] }),
  ]);
}

/** True if the object at a location has these properties and no others. */
function isThisObject(object: Node, at: string, assignment: Assignment): Truth {
  const names = new Set([...assignment.namesAt(at), ...Object.keys(object)]);
  const isEqualIn = (name: string) => {
    const values = assignment.valuesAt(within(at, name));
    if (values === undefined || values.kind === 'absent') return values && false;
    return isListed(values, [object[name]], within(at, name), assignment);
  };
  return and([
    ...[...names].map((name) => () => {
      return Object.hasOwn(object, name) ? isEqualIn(name) : not(assignment.has(at, name));
    }),
    () => not(assignment.fact(at, HAS_OTHERS)),
  ]);
}
