// Compares `enum`, `const` and `x-extensible-enum`.
import type { Severity } from '../change.ts';
import { abbreviated, canonical, without } from '../formatting.ts';
import type { SchemaFinding } from './finding.ts';
import type { View } from './view.ts';

/**
 * Compares values one by one if `enum` or `const` lists them on one side.
 *
 * @returns undefined if neither side has a list
 */
export function enumFindings(before: View, after: View): SchemaFinding[] | undefined {
  if (!before.isEnumerated && !after.isEnumerated) return undefined;
  const [was, is] = [before.values, after.values];
  const at = { before: before.at('enum', 'const'), after: after.at('enum', 'const') };
  const listed = (values: ReadonlyMap<string, unknown>) =>
    [...values.values()].map(abbreviated).join(', ');
  const single = (value: unknown, kind: 'narrower' | 'wider'): SchemaFinding => {
    const what = `the value ${abbreviated(value)} was ${kind === 'wider' ? 'added' : 'removed'}`;
    const rule = kind === 'wider' ? 'enum-value-added' : 'enum-value-removed';
    return { rule, kind, what, values: abbreviated(value), ...at };
  };
  const lost = [...(was ?? [])].filter(([key, value]) => !(is?.has(key) ?? after.accepts(value)));
  const gained = [...(is ?? [])].filter(
    ([key, value]) => !(was?.has(key) ?? before.accepts(value)),
  );
  const findings = [
    ...lost.map(([, value]) => single(value, 'narrower')),
    ...gained.map(([, value]) => single(value, 'wider')),
  ];
  if (was === undefined) {
    const what = `the enum ${listed(is!)} was set`;
    const values = `a value other than ${listed(is!)}`;
    findings.push({ rule: 'enum-set', kind: 'narrower', what, values, ...at });
  }
  if (is === undefined) {
    const what = `the enum ${listed(was!)} was removed`;
    const values = `a value other than ${listed(was!)}`;
    findings.push({ rule: 'enum-removed', kind: 'wider', what, values, ...at });
  }
  return findings;
}

/** An extension: values that may grow, so a client expects unknown values in responses. */
export function extensibleEnumFindings(before: View, after: View): SchemaFinding[] {
  const keyword = 'x-extensible-enum';
  const valuesOf = (view: View) =>
    view.all(keyword).flatMap((list) => (Array.isArray(list) ? list.map(canonical) : []));
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const at = { before: before.at(keyword), after: after.at(keyword) };
  const explicit = (
    rule: string,
    what: string,
    request: readonly [Severity, string],
  ): SchemaFinding => {
    const response = ['compatible', 'Clients expect unknown values.'] as const;
    return {
      rule: `extensible-enum-${rule}`,
      kind: 'explicit',
      what,
      ...at,
      outcomes: { request, response },
    };
  };
  if (was.length === 0 && is.length > 0 && before.values === undefined) {
    const effect = 'Clients that send another value may be refused.';
    return [explicit('set', `${keyword} ${is.join(', ')} was set`, ['risky', effect])];
  }
  return [
    ...without(was, is).map((value) =>
      is.length === 0
        ? explicit('removed', `${keyword} ${value} was removed`, [
            'compatible',
            'Clients may send it.',
          ])
        : explicit('value-removed', `the value ${value} of ${keyword} was removed`, [
            'breaking',
            `Clients that send ${value} are refused.`,
          ]),
    ),
    ...(was.length === 0 ? [] : without(is, was)).map((value) =>
      explicit('value-added', `the value ${value} of ${keyword} was added`, [
        'compatible',
        `Clients may now send ${value}.`,
      ]),
    ),
  ];
}
