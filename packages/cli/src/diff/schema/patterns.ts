// Compares patterns by automata, and those that automata do not decide by example strings.

import { compilePattern } from 'stubwright/contract';
import { Random, stringsMatching } from 'stubwright/validation';
import { abbreviated, without } from '../formatting.ts';
import type { SchemaFinding } from './finding.ts';
import { type LanguageChange, languageChange, type StringSet } from './language.ts';
import { lengthOf } from './lengths.ts';
import type { View } from './view.ts';

const UNPROVEN = 'No example string shows a difference in this direction; review the pattern.';

export function patternFindings(before: View, after: View): SchemaFinding[] {
  if (!before.has('string') || !after.has('string')) return [];
  const was = before.all('pattern') as string[];
  const is = after.all('pattern') as string[];
  const removed = without(was, is);
  const added = without(is, was);
  if (removed.length === 0 && added.length === 0) return [];
  const at = { before: before.at('pattern'), after: after.at('pattern') };
  const [old, now] = [removed.join(' and '), added.join(' and ')];
  const change = languageChange(...stringSets(before, after));
  if (change !== undefined) return decidedFindings(change, { old, now }, at);
  if (removed.length === 0) {
    const values = `a string that does not match ${now}`;
    const what = `pattern ${now} was set`;
    return [{ rule: 'pattern-set', kind: 'narrower', what, values, ...at }];
  }
  if (added.length === 0) {
    const values = `a string that does not match ${old}`;
    const what = `pattern ${old} was removed`;
    return [{ rule: 'pattern-removed', kind: 'wider', what, values, ...at }];
  }
  const what = `pattern ${old} became ${now}`;
  return replacedPattern(what, counterexample(was, is), counterexample(is, was), at);
}

/** With the lengths that both views allow: a change of lengths is another finding. */
function stringSets(before: View, after: View): readonly [StringSet, StringSet] {
  const of = (keyword: 'minLength' | 'maxLength') =>
    [before, after].map((view) => lengthOf(view, keyword).explicit);
  const [min, max] = [Math.max(...of('minLength')), Math.min(...of('maxLength'))];
  const setOf = (view: View) => ({ patterns: view.all('pattern') as string[], min, max });
  return [setOf(before), setOf(after)];
}

function decidedFindings(
  { lost, gained }: LanguageChange,
  { old, now }: { readonly old: string; readonly now: string },
  at: { readonly before: string; readonly after: string },
): SchemaFinding[] {
  if (lost === undefined && gained === undefined) return [];
  const [rule, what] =
    old === ''
      ? ['pattern-set', `pattern ${now} was set`]
      : now === ''
        ? ['pattern-removed', `pattern ${old} was removed`]
        : ['pattern-changed', `pattern ${old} became ${now}`];
  const finding = { rule, what, isDecided: true, ...at } as const;
  if (lost !== undefined && gained !== undefined) {
    const [values, others] = [exampleString(lost), exampleString(gained)];
    return [{ ...finding, kind: 'other', lost: values, gained: others }];
  }
  const kind = lost === undefined ? 'wider' : 'narrower';
  return [{ ...finding, kind, values: exampleString((lost ?? gained)!) }];
}

function replacedPattern(
  what: string,
  lost: string | undefined,
  gained: string | undefined,
  at: { before: string; after: string },
): SchemaFinding[] {
  const rule = 'pattern-changed';
  if (lost !== undefined && gained !== undefined) {
    return [
      {
        rule,
        kind: 'other',
        what,
        lost: exampleString(lost),
        gained: exampleString(gained),
        ...at,
      },
    ];
  }
  const outcome = (value: string | undefined, effect: string) =>
    value === undefined
      ? (['risky', UNPROVEN] as const)
      : (['breaking', effect.replace('EXAMPLE', () => exampleString(value))] as const);
  return [
    {
      rule,
      kind: 'explicit',
      what,
      ...at,
      outcomes: {
        request: outcome(lost, 'Clients that send EXAMPLE are refused.'),
        response: outcome(
          gained,
          'Clients may get EXAMPLE, which the older contract does not allow.',
        ),
      },
    },
  ];
}

function exampleString(value: string): string {
  return `a string such as ${abbreviated(value)}`;
}

/** @returns a string that matches all of `some` and not all of `others`, if one is found */
function counterexample(some: readonly string[], others: readonly string[]): string | undefined {
  const all = (patterns: readonly string[]) => patterns.map((each) => compilePattern(each));
  const inside = all(some);
  const outside = all(others);
  if ([...inside, ...outside].includes(undefined)) return undefined;
  const matching = [...stringsMatching(some[0]!, new Random('evolution'), { min: 0, max: 64 })];
  const strings = [
    ...matching,
    ...matching.slice(0, 10).flatMap((text) => variantsOf(text)),
    ...['', ' ', 'a', 'Z', '0', '-', '_', 'é', '\n', '\0', 'a'.repeat(64)],
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
