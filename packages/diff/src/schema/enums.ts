// Compares `enum`, `const` and `x-extensible-enum`.
import { canonical, without } from '../values/formatting.ts';
import { hasNoString, literalPattern } from './language.ts';
import { findingOf, type SchemaFinding } from './schemaFinding.ts';
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
  const lost = [...(was ?? [])].filter(([key, value]) => !(is?.has(key) ?? after.accepts(value)));
  const gained = [...(is ?? [])].filter(
    ([key, value]) => !(was?.has(key) ?? before.accepts(value)),
  );
  const findings = [
    ...lost.map(([, value]) => findingOf('enum-value-removed', { value }, at)),
    ...gained.map(([, value]) => findingOf('enum-value-added', { value }, at)),
  ];
  if (was === undefined && !areAll(is!, before))
    findings.push(findingOf('enum-set', { values: [...is!.values()] }, at));
  if (is === undefined && !areAll(was!, after))
    findings.push(findingOf('enum-removed', { values: [...was!.values()] }, at));
  return findings;
}

/** True if the patterns of a schema allow no other strings. */
function areAll(values: ReadonlyMap<string, unknown>, view: View): boolean {
  const patterns = view.all('pattern') as string[];
  if (patterns.length === 0 || view.types.size > 1 || !view.has('string')) return false;
  const literals = [...values.values()].map((each) => literalPattern(String(each)));
  return hasNoString({ patterns, min: 0, max: Number.POSITIVE_INFINITY }, [literals.join('|')]);
}

/** An extension: values that may grow, so a client expects unknown values in responses. */
export function extensibleEnumFindings(before: View, after: View): SchemaFinding[] {
  const keyword = 'x-extensible-enum';
  const valuesOf = (view: View) =>
    view.all(keyword).flatMap((list) => (Array.isArray(list) ? list.map(canonical) : []));
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const at = { before: before.at(keyword), after: after.at(keyword) };
  if (was.length === 0 && is.length > 0 && before.values === undefined) {
    return [findingOf('extensible-enum-set', { values: is.join(', ') }, at)];
  }
  const lost = is.length === 0 ? 'extensible-enum-removed' : 'extensible-enum-value-removed';
  return [
    ...without(was, is).map((values) => findingOf(lost, { values }, at)),
    ...(was.length === 0 ? [] : without(is, was)).map((values) =>
      findingOf('extensible-enum-value-added', { values }, at),
    ),
  ];
}
