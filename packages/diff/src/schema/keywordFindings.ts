// Compares two schemas keyword by keyword, apart from their `oneOf` and `anyOf` branches.

import { escapeToken, patternTest, type Schema } from '@stubwright/contract';
import { xmlObject } from '@stubwright/contract/validation';
import { Random, stringsMatching } from '@stubwright/mock/samples';
import { canonical, without } from '../values/formatting.ts';
import { applicatorComparison } from './applicators.ts';
import { hasNoString, languageChange, literalPattern, type StringSet } from './language.ts';
import { lengthOf } from './lengths.ts';
import { itemSubschemas, objectComparison } from './objects.ts';
import {
  documentationFinding,
  findingOf,
  type SchemaFinding,
  type SubschemaComparison,
} from './schemaFinding.ts';
import {
  boundFindings,
  defaultFindings,
  documentationFindings,
  formatFindings,
  mediaFindings,
  typeFindings,
} from './valueFindings.ts';
import type { View } from './view.ts';

/** @returns the findings, and the pairs of subschemas to compare next */
export function keywordFindings(
  before: View,
  after: View,
  context: { readonly isAlwaysSent: boolean; readonly minimumNoticeDays: number },
): SubschemaComparison {
  const annotations = [
    ...extensibleEnumFindings(before, after),
    ...xmlFindings(before, after),
    ...documentationFindings(before, after, context),
  ];
  const values = enumFindings(before, after);
  if (values !== undefined) {
    const findings = [
      ...values,
      ...mediaFindings(before, after),
      ...defaultFindings(before, after, context),
    ];
    return { findings: [...findings, ...annotations], subschemas: [] };
  }
  const types = typeFindings(before, after);
  const areIncomparable = types.some(({ rule }) => rule === 'type-changed');
  const shared = [...before.types].filter((type) => after.types.has(type) && type !== 'null');
  if (areIncomparable || (shared.length === 0 && types.length > 0)) {
    return { findings: [...types, ...annotations], subschemas: [] };
  }
  const objects = objectComparison(before, after);
  const applicators = applicatorComparison(before, after);
  return {
    findings: [
      ...types,
      ...formatFindings(before, after),
      ...patternFindings(before, after),
      ...boundFindings(before, after),
      ...mediaFindings(before, after),
      ...objects.findings,
      ...applicators.findings,
      ...defaultFindings(before, after, context),
      ...annotations,
    ],
    subschemas: [
      ...objects.subschemas,
      ...itemSubschemas(before, after),
      ...applicators.subschemas,
    ],
  };
}

/**
 * Compares values one by one if `enum` or `const` lists them on one side.
 *
 * @returns undefined if neither side has a list
 */
function enumFindings(before: View, after: View): SchemaFinding[] | undefined {
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
  const literals = [...values.values()].map((value) => literalPattern(String(value)));
  return hasNoString({ patterns, min: 0, max: Number.POSITIVE_INFINITY }, [literals.join('|')]);
}

/** An extension: values that may grow, so a client expects unknown values in responses. */
function extensibleEnumFindings(before: View, after: View): SchemaFinding[] {
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

function patternFindings(before: View, after: View): SchemaFinding[] {
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
  const all = (patterns: readonly string[]) => patterns.map((pattern) => patternTest(pattern));
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
    (text) => inside.every((one) => one!.test(text)) && !outside.every((one) => one!.test(text)),
  );
}

/** @returns longer and changed forms of a string, which need not match its pattern */
function variantsOf(text: string): string[] {
  const around = [' ', '0', 'a', 'Z', '-', '/', '\n'];
  return [
    ...around.flatMap((character) => [character + text, text + character]),
    ...[text.toLowerCase(), text.toUpperCase(), text.slice(1), text.slice(0, -1), text + text],
  ];
}

/** Only XML has the names, namespaces and attributes of the `xml` keyword. */
function xmlFindings(before: View, after: View): SchemaFinding[] {
  const [was, is] = [before.all('xml'), after.all('xml')];
  if (canonical(was) === canonical(is)) return [];
  const at = { before: before.at('xml'), after: after.at('xml') };
  const areSame = canonical(xmlOf(before)) === canonical(xmlOf(after));
  if (before.wire !== 'xml' || areSame) return [documentationFinding('xml', at)];
  return [findingOf('xml-changed', { was: was[0], is: is[0] }, at)];
}

/** `nodeType` has the effect of `attribute` and `wrapped`, and parsers return CDATA as text. */
function xmlOf(view: View): object {
  const written = view.conjuncts.map(({ schema }) => withoutDefaultName(schema));
  const isArray = view.has('array');
  const { attribute, wrapped, nodeType, name, ...names } = xmlObject(
    Object.assign({}, ...written),
    isArray,
  );
  // `wrapped` is defined for arrays only. Without it, the name of the items is that of the elements.
  const [isAttribute, isWrapped] = [attribute === true, wrapped === true && isArray];
  const isUnnamed = isArray && !isWrapped && hasNamedItems(view);
  const own = { ...names, isAttribute, isWrapped, isText: nodeType !== undefined };
  return isUnnamed ? own : { ...own, name };
}

function hasNamedItems({ conjuncts }: View): boolean {
  return conjuncts.some(({ schema }) => {
    return Object(schema.child('items')?.keywords['xml']).name !== undefined;
  });
}

/** A property has its own name as the default. */
function withoutDefaultName({ keywords, pointer }: Schema): object {
  const { name, ...others } = Object(keywords['xml']);
  const isDefault = pointer.endsWith(`/properties/${escapeToken(String(name))}`);
  return isDefault || name === undefined ? others : { name, ...others };
}
