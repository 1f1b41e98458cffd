// Compares `patternProperties`: divides names by the patterns of both contracts, so that within a region the same
// patterns apply to every name.
import { hasNoString, literalPattern } from './language.ts';
import { schemaOf } from './memberTerms.ts';
import { findingOf, type SchemaFinding } from './schemaFinding.ts';
import type { SubschemaComparison, SubschemaPair } from './subschema.ts';
import { allOf, type Term } from './term.ts';
import { allowsNothing } from './trivial.ts';
import type { View } from './view.ts';

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
export function isEachNameMentioned(before: View, after: View): boolean {
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
