// The texts of numbers and booleans in parameters, headers and forms, which may also be strings.
import { keywordsOfType } from '@stubwright/contract';
import type { Type } from '../values/types.ts';
import { languageChange, type StringSet } from './language.ts';
import { isAnnotation } from './trivial.ts';
import type { View } from './view.ts';
import { isTextual } from './wire.ts';

const OF_STRINGS = new Set(keywordsOfType('string'));
const DIGITS = '(?:0|[1-9][0-9]*)';
/** Longer texts of bounded integers take too many states. */
const MAX_DIGITS = 20;

/** True if the text of each value of a type is a string that the other schema allows. */
export function areStrings(type: Type, own: View, other: View): boolean {
  if (!isTextual(own.wire) || !other.has('string')) return false;
  const [texts, strings] = [textsOf(type, own), stringsOf(other)];
  if (texts === undefined || strings === undefined) return false;
  const change = languageChange(texts, strings);
  return change !== undefined && change.lost === undefined;
}

function textsOf(type: Type, view: View): StringSet | undefined {
  const lengths = { min: 0, max: Number.POSITIVE_INFINITY };
  switch (type) {
    case 'boolean':
      return { patterns: ['^(?:true|false)$'], ...lengths };
    case 'integer':
      return { patterns: [integersOf(view)], ...lengths };
    case 'nonInteger':
      return { patterns: [`^-?${DIGITS}(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`], ...lengths };
    default:
      return undefined;
  }
}

function integersOf(view: View): string {
  const [from, to] = [view.bound('minimum')?.value, view.bound('maximum')?.value].map((each) =>
    each === undefined ? undefined : BigInt(Math.trunc(Number(each))),
  );
  const sign = from !== undefined && from >= 0n ? '' : '-?';
  if (from === undefined || to === undefined) return `^${sign}${DIGITS}$`;
  const count = Math.max(...[from, to].map((each) => `${each}`.replace('-', '').length));
  return count > MAX_DIGITS ? `^${sign}${DIGITS}$` : `^${sign}(?:0|[1-9][0-9]{0,${count - 1}})$`;
}

/** @returns undefined if other keywords restrict the strings */
function stringsOf({ conjuncts, term }: View): StringSet | undefined {
  if (term.only !== undefined) return undefined;
  const keywords = conjuncts.flatMap(({ schema }) => Object.entries(schema.keywords));
  const isSimple = conjuncts.every(({ schema }) =>
    Object.keys(Object(schema.written)).every(
      (each) => each === 'type' || OF_STRINGS.has(each) || isAnnotation(each),
    ),
  );
  if (!isSimple) return undefined;
  const all = (name: string) => keywords.flatMap(([each, value]) => (each === name ? [value] : []));
  return {
    patterns: all('pattern'),
    min: Math.max(0, ...all('minLength').map(Number)),
    max: Math.min(Number.POSITIVE_INFINITY, ...all('maxLength').map(Number)),
  };
}
