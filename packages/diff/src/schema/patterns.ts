// Compares patterns by automata, and those that automata do not decide by example strings.

import { patternTest } from '@stubwright/contract';
import { Random, stringsMatching } from '@stubwright/mock/samples';
import { without } from '../values/formatting.ts';
import { languageChange, type StringSet } from './language.ts';
import { lengthOf } from './lengths.ts';
import { findingOf, type SchemaFinding } from './schemaFinding.ts';
import type { View } from './view.ts';

export function patternFindings(before: View, after: View): SchemaFinding[] {
  if (!before.has('string') || !after.has('string')) return [];
  const was = before.all('pattern') as string[];
  const is = after.all('pattern') as string[];
  const removed = without(was, is);
  const added = without(is, was);
  if (removed.length === 0 && added.length === 0) return [];
  const at = { before: before.at('pattern'), after: after.at('pattern') };
  const facts = { was: removed.join(' and '), is: added.join(' and ') };
  const change = languageChange(...stringSets(before, after));
  const rule =
    removed.length === 0
      ? 'pattern-set'
      : added.length === 0
        ? 'pattern-removed'
        : 'pattern-changed';
  if (change !== undefined) {
    if (change.lost === undefined && change.gained === undefined) return [];
    const decided = { ...facts, ...change, isDecided: true };
    return [{ ...findingOf(rule, decided, at), isDecided: true }];
  }
  const examples =
    rule === 'pattern-changed'
      ? { lost: counterexample(was, is), gained: counterexample(is, was) }
      : {};
  return [findingOf(rule, { ...facts, ...examples, isDecided: false }, at)];
}

/** V8 tests a pattern with back references, in time that may grow exponentially with the length of the text. */
const MAX_TESTED = 20;

/** With the lengths that both views allow: a change of lengths is another finding. */
function stringSets(before: View, after: View): readonly [StringSet, StringSet] {
  const of = (keyword: 'minLength' | 'maxLength') =>
    [before, after].map((view) => lengthOf(view, keyword).explicit);
  const [min, max] = [Math.max(...of('minLength')), Math.min(...of('maxLength'))];
  const setOf = (view: View) => ({ patterns: view.all('pattern') as string[], min, max });
  return [setOf(before), setOf(after)];
}

/** @returns a string that matches all of `some` and not all of `others`, if one is found */
function counterexample(some: readonly string[], others: readonly string[]): string | undefined {
  const all = (patterns: readonly string[]) => patterns.map((each) => patternTest(each));
  const inside = all(some);
  const outside = all(others);
  if ([...inside, ...outside].includes(undefined)) return undefined;
  const matching = [
    ...stringsMatching(some[0]!, new Random('evolution'), { min: 0, max: MAX_TESTED }),
  ];
  const strings = [
    ...matching,
    ...matching.slice(0, 10).flatMap((text) => variantsOf(text)),
    ...['', ' ', 'a', 'Z', '0', '-', '_', 'é', '\n', '\0', 'a'.repeat(MAX_TESTED)],
  ];
  return strings.find(
    (each) => inside.every((one) => one!.test(each)) && !outside.every((one) => one!.test(each)),
  );
}

/** @returns longer and changed forms of a string, which need not match its pattern */
function variantsOf(text: string): string[] {
  const around = [' ', '0', 'a', 'Z', '-', '/', '\n'];
  return [
    ...around.flatMap((each) => [each + text, text + each]),
    ...[text.toLowerCase(), text.toUpperCase(), text.slice(1), text.slice(0, -1), text + text],
  ];
}
