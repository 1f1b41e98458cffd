// Patterns. Nobody can tell in general which of two regular expressions matches more, so texts that
// match the one are put to the other: a text that fails proves the difference and is shown.

import { textsMatching } from '../../../../stubwright/src/mock/sampling/pattern.ts';
import { Random } from '../../../../stubwright/src/mock/sampling/random.ts';
import { compilePattern } from '../../../../stubwright/src/schema/pattern.ts';
import { shown, without } from '../words.ts';
import type { Finding } from './finding.ts';
import type { View } from './view.ts';

const UNPROVEN =
  'No text was found that shows a difference for this direction; look at the pattern.';

export function patternFindings(before: View, after: View): Finding[] {
  if (!before.has('string') || !after.has('string')) return [];
  const was = before.all('pattern') as string[];
  const is = after.all('pattern') as string[];
  const removed = without(was, is);
  const added = without(is, was);
  if (removed.length === 0 && added.length === 0) return [];
  const at = { before: before.at('pattern'), after: after.at('pattern') };
  const [old, now] = [removed.join(' and '), added.join(' and ')];
  if (removed.length === 0) {
    const values = `a text that does not match ${now}`;
    return [{ kind: 'narrower', what: `pattern ${now} was set`, values, ...at }];
  }
  if (added.length === 0) {
    const values = `a text that does not match ${old}`;
    return [{ kind: 'wider', what: `pattern ${old} was removed`, values, ...at }];
  }
  const what = `pattern ${old} became ${now}`;
  return changed(what, matched(was, is), matched(is, was), at);
}

function changed(
  what: string,
  lost: string | undefined,
  gained: string | undefined,
  at: { before: string; after: string },
): Finding[] {
  if (lost !== undefined && gained !== undefined) {
    return [{ kind: 'other', what, lost: text(lost), gained: text(gained), ...at }];
  }
  const told = (value: string | undefined, effect: string) =>
    value === undefined
      ? (['risky', UNPROVEN] as const)
      : (['breaking', effect.replace('TEXT', () => text(value))] as const);
  return [
    {
      kind: 'told',
      what,
      ...at,
      told: {
        request: told(lost, 'Clients that send TEXT are refused.'),
        response: told(gained, 'Clients may get TEXT, which the older contract rules out.'),
      },
    },
  ];
}

function text(value: string): string {
  return `a text such as ${shown(value)}`;
}

/** @returns a text that matches all of `some` and not all of `others`, if one is found */
function matched(some: readonly string[], others: readonly string[]): string | undefined {
  const all = (patterns: readonly string[]) => patterns.map((each) => compilePattern(each));
  const inside = all(some);
  const outside = all(others);
  if ([...inside, ...outside].includes(undefined)) return undefined;
  const texts = [
    ...textsMatching(some[0]!, new Random('evolution'), { min: 0, max: 64 }),
    ...['', ' ', 'a', 'Z', '0', '-', '_', 'é', '\n', '\0', 'a'.repeat(64)],
  ];
  return texts.find(
    (each) => inside.every((one) => one!.test(each)) && !outside.every((one) => one!.test(each)),
  );
}
