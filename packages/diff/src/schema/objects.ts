// Compares properties, their patterns, and items; lists the pairs of subschemas to compare next.
import { announcedRemoval } from '../rules/sunset.ts';
import { without } from '../values/formatting.ts';
import { hasNoString, literalPattern } from './language.ts';
import { lengthOf } from './lengths.ts';
import { itemOf, schemaOf, tupleLength, UNNAMED } from './memberTerms.ts';
import {
  findingOf,
  type SchemaFinding,
  type SubschemaComparison,
  type SubschemaPair,
} from './schemaFinding.ts';
import { allOf, type Term } from './term.ts';
import { allowsAnything, allowsNothing } from './trivial.ts';
import type { View } from './view.ts';
import { wireOfItem, wireOfProperty } from './wire.ts';

export function objectComparison(before: View, after: View): SubschemaComparison {
  if (!before.has('object') || !after.has('object')) return { findings: [], subschemas: [] };
  const names = [...new Set([...before.propertyNames, ...after.propertyNames])];
  const byName = new Map(names.map((name) => [name, compareProperty(name, before, after)]));
  const reported = new Set(names.filter((name) => byName.get(name)!.findings.length > 0));
  const parts = [...byName.values(), compareUnnamed(before, after)];
  return {
    findings: [
      ...parts.flatMap(({ findings }) => findings),
      ...requiredFindings(before, after, reported),
    ],
    subschemas: parts.flatMap(({ subschemas }) => subschemas),
  };
}

function compareProperty(name: string, before: View, after: View): SubschemaComparison {
  const was = schemaOf(before, name);
  const is = schemaOf(after, name);
  // Declared in one conjunct and disallowed by another, or without a valid value, in both contracts.
  const isDisallowed =
    is === undefined && (was === undefined || !isPossible(before.property(name)));
  if (isDisallowed) return { findings: [], subschemas: [] };
  if (before.isHidden(name) || after.isHidden(name) || was === undefined || is === undefined) {
    return { findings: propertyAddedOrRemoved(name, before, after), subschemas: [] };
  }
  const isDeclared = [before, after].map((view) => view.properties(name).length > 0);
  // An open object that does not declare the property does not restrict its value.
  if ((!isDeclared[0] && allowsAnything(was)) || (!isDeclared[1] && allowsAnything(is))) {
    return { findings: propertyAddedOrRemoved(name, before, after), subschemas: [] };
  }
  return {
    findings: [],
    subschemas: [
      {
        path: `/${name}`,
        segment: name,
        before: was,
        after: isRepeated(before, name, after) ? itemOf(after.property(name), 0) : is,
        polarity: 'same',
        wire: wireOfProperty(before.wire),
        isAlwaysSent: (before.direction === 'request' ? before : after).required.includes(name),
      },
    ],
  };
}

/** In a request, one file of a form is an array of one file: each item is a part. */
function isRepeated(before: View, name: string, after: View): boolean {
  if (before.wire !== 'form' || before.direction !== 'request') return false;
  const files = after.property(name);
  if (files.types.size > 1 || !files.has('array')) return false;
  return before.property(name).isFile && lengthOf(files, 'minItems').effective < 2;
}

const LENGTHS = {
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems'],
  object: ['minProperties', 'maxProperties'],
} as const;

/** False only if no value is valid. */
function isPossible(view: View): boolean {
  if (!view.hasValues) return false;
  return [...view.types].some((type) => {
    const [min, max] = LENGTHS[type as keyof typeof LENGTHS] ?? [];
    return min === undefined || lengthOf(view, min).effective <= lengthOf(view, max!).effective;
  });
}

function propertyAddedOrRemoved(name: string, before: View, after: View): SchemaFinding[] {
  // A schema that allows nothing disallows the property.
  const wasThere = before.propertyNames.includes(name) && schemaOf(before, name) !== undefined;
  const at = { before: pointerOf(before, name), after: pointerOf(after, name) };
  if (wasThere) {
    const announced = before
      .properties(name)
      .map(({ keywords }) => announcedRemoval(keywords))
      .find((each) => each !== undefined);
    const schema = schemaOf(after, name);
    const isIgnored = schema !== undefined && allowsAnything(schema);
    // A branch or a condition declares it.
    if (isIgnored && before.direction === 'request' && isMentioned(name, after)) return [];
    return [findingOf('property-removed', { name, announced, isIgnored }, at)];
  }
  const isVisible = !before.isHidden(name) && !after.isHidden(name);
  if (isVisible && schemaOf(before, name) !== undefined && schemaOf(after, name) === undefined) {
    return [findingOf('property-disallowed', { name }, at)];
  }
  const wasRefused = schemaOf(before, name) === undefined || schemaOf(after, name) === undefined;
  const isRequired = !wasRefused && after.required.includes(name);
  return [
    isRequired
      ? findingOf('required-property-added', { name }, at)
      : findingOf('property-added', { name, wasRefused }, at),
  ];
}

/** True if an open branch or the result of a condition declares the property. */
function isMentioned(name: string, { conjuncts }: View): boolean {
  const decided = conjuncts.flatMap(({ schema, chosen }) =>
    (['oneOf', 'anyOf'] as const).flatMap((each) =>
      chosen.includes(each) ? schema.list(each) : [],
    ),
  );
  const excluded = new Set(decided);
  const all = new Set(conjuncts.map(({ schema }) => schema));
  for (const schema of all) {
    if (schema.map('properties').has(name)) return true;
    const conditions = [schema.child('if'), schema.child('not')];
    for (const each of schema.inPlace) {
      if (!conditions.includes(each) && !excluded.has(each)) all.add(each);
    }
  }
  return false;
}

function pointerOf(view: View, name: string): string {
  return view.properties(name)[0]?.pointer ?? view.at('properties');
}

/** @param reported the properties that are already reported as added or removed */
function requiredFindings(
  before: View,
  after: View,
  reported: ReadonlySet<string>,
): SchemaFinding[] {
  const was = before.required;
  const is = after.required;
  const at = { before: before.at('required'), after: after.at('required') };
  const isAlreadyReported = (name: string) =>
    reported.has(name) && schemaOf(before, name) !== undefined;
  return [
    ...without(is, was)
      .filter((name) => !isAlreadyReported(name))
      .map((name) => findingOf('property-became-required', { name }, at)),
    ...without(was, is)
      .filter((name) => !reported.has(name))
      .map((name) => findingOf('property-became-optional', { name }, at)),
  ];
}

/** Compares the schemas of properties that neither contract names. */
function compareUnnamed(before: View, after: View): SubschemaComparison {
  if (isEachNameMentioned(before, after)) return { findings: [], subschemas: [] };
  const was = schemaOf(before, UNNAMED);
  const is = schemaOf(after, UNNAMED);
  const keywords = ['additionalProperties', 'unevaluatedProperties'];
  const at = { before: before.at(...keywords), after: after.at(...keywords) };
  if (was === undefined || is === undefined) {
    if (was === is) return { findings: [], subschemas: [] };
    const change = is === undefined ? 'disallowed' : 'allowed';
    return { findings: [findingOf(`additional-properties-${change}`, {}, at)], subschemas: [] };
  }
  if (allowsAnything(was) && allowsAnything(is)) return { findings: [], subschemas: [] };
  const wire = wireOfProperty(before.wire);
  return {
    findings: [],
    subschemas: [
      {
        ...{ path: '/*', segment: null, before: was, after: is, polarity: 'same', wire },
        isAlwaysSent: true,
      },
    ],
  };
}

/** Compares the items that both arrays can have. */
export function itemSubschemas(before: View, after: View): SubschemaPair[] {
  if (!before.has('array') || !after.has('array')) return [];
  const heads = Math.max(tupleLength(before), tupleLength(after));
  const longest = Math.min(...[before, after].map((view) => lengthOf(view, 'maxItems').effective));
  return Array.from({ length: Math.min(heads + 1, longest) }, (_, index) => ({
    path: index < heads ? `/${index}` : '/*',
    segment: null,
    before: itemOf(before, index),
    after: itemOf(after, index),
    polarity: 'same' as const,
    wire: wireOfItem(before.wire),
    isAlwaysSent: true,
  }));
}

const LITERAL = /^\^(\w+)\$$/;

/** A pattern of one contract restricts properties that the other one does not name. */
export function patternPropertyComparison(before: View, after: View): SubschemaComparison {
  const findings: SchemaFinding[] = [];
  const subschemas: SubschemaPair[] = [];
  for (const region of regionsOf(patternsOf(before), patternsOf(after))) {
    const pattern = region.patterns[0]!;
    // A literal name that is declared is compared with the properties.
    const name = literalOf(region);
    if ([before, after].some((view) => view.propertyNames.includes(name ?? ''))) continue;
    const [was, is] = [termUnder(before, region), termUnder(after, region)];
    if (was !== undefined && is !== undefined) {
      const at = { before: was, after: is, polarity: 'same', isAlwaysSent: true } as const;
      subschemas.push({ path: `/${pattern}`, segment: null, ...at });
    } else if (was !== is) {
      const at = { before: before.at('patternProperties'), after: after.at('patternProperties') };
      const change = was === undefined ? 'added' : 'removed';
      findings.push(findingOf(`pattern-property-${change}`, { pattern }, at));
    }
  }
  return { findings, subschemas };
}

/** @returns true if each name is a declared property or matches a pattern, of one of the contracts */
function isEachNameMentioned(before: View, after: View): boolean {
  const patterns = [...new Set([before, after].flatMap(patternsOf))];
  if (patterns.length === 0 || patterns.length ** 2 > MAX_PAIRS) return false;
  const names = [before, after].flatMap(({ propertyNames }) => propertyNames);
  return isEmpty({ patterns: [], excluded: [...patterns, ...names.map(literalPattern)] });
}

function patternsOf({ conjuncts }: View): string[] {
  const all = conjuncts.flatMap(({ schema }) => [...schema.map('patternProperties').keys()]);
  return [...new Set(all)];
}

function literalOf({ patterns }: NameRegion): string | undefined {
  return patterns.flatMap((pattern) => LITERAL.exec(pattern)?.[1] ?? [])[0];
}

/** @returns the schemas that apply to the names of a region; undefined if they are not allowed */
function termUnder(view: View, region: NameRegion): Term | undefined {
  const name = literalOf(region);
  if (name !== undefined) return schemaOf(view, name);
  const schemas = view.conjuncts.flatMap(({ schema }) => {
    const own = [...schema.map('patternProperties')].flatMap(([pattern, schema]) =>
      matchesAll(region, pattern) ? [schema] : [],
    );
    const rest = schema.child('additionalProperties') ?? schema.child('unevaluatedProperties');
    return own.length > 0 || rest === undefined ? own : [rest];
  });
  return schemas.some(allowsNothing) ? undefined : allOf(schemas, view.term.at);
}

/** The names that match all of `patterns` and none of `excluded`. */
interface NameRegion {
  readonly patterns: readonly string[];
  readonly excluded: readonly string[];
}

/** Beyond this number of pairs of patterns, each pattern is a region. */
const MAX_PAIRS = 64;

/** @returns the regions of the names that match a pattern */
function regionsOf(before: readonly string[], after: readonly string[]): NameRegion[] {
  const arePaired = before.length * after.length <= MAX_PAIRS;
  const regions = new Map<string, NameRegion>();
  const add = (region: NameRegion) =>
    regions.set(JSON.stringify([region.patterns, region.excluded]), region);
  for (const [own, others] of [
    [before, after],
    [after, before],
  ] as const) {
    for (const pattern of own) {
      if (others.includes(pattern) || !arePaired) add({ patterns: [pattern], excluded: [] });
      else for (const nameRegion of divided(pattern, others)) add(nameRegion);
    }
  }
  return [...regions.values()];
}

/** @returns the parts of a pattern that others match, and the rest */
function divided(pattern: string, others: readonly string[]): NameRegion[] {
  const overlapping = others.filter(
    (other) => !isEmpty({ patterns: [pattern, other], excluded: [] }),
  );
  const rest = { patterns: [pattern], excluded: overlapping };
  const parts = overlapping.map((other) => ({ patterns: [pattern, other].sort(), excluded: [] }));
  return isEmpty(rest) ? parts : [...parts, rest];
}

/** @returns true if a pattern matches every name of a region */
function matchesAll({ patterns, excluded }: NameRegion, pattern: string): boolean {
  if (patterns.includes(pattern)) return true;
  if (excluded.includes(pattern)) return false;
  return isEmpty({ patterns, excluded: [...excluded, pattern] });
}

function isEmpty({ patterns, excluded }: NameRegion): boolean {
  return hasNoString({ patterns, min: 0, max: Number.POSITIVE_INFINITY }, excluded);
}
