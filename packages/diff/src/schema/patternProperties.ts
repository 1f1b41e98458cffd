// Compares `patternProperties` by the names that the patterns match.
import { schemaOf } from './memberTerms.ts';
import { isCovered, type NameRegion, regionsOf } from './patternRegions.ts';
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
      const at = { before: was, after: is, polarity: 'same' } as const;
      subschemas.push({ path: `/${pattern}`, segment: null, ...at });
    } else if (was !== is) {
      const at = { before: before.at('patternProperties'), after: after.at('patternProperties') };
      const change = was === undefined ? 'added' : 'removed';
      findings.push(findingOf(`pattern-property-${change}`, { pattern }, at));
    }
  }
  return { findings, subschemas };
}

function patternsOf({ conjuncts }: View): string[] {
  const all = conjuncts.flatMap(({ schema }) => [...schema.map('patternProperties').keys()]);
  return [...new Set(all)];
}

function literalOf({ patterns }: NameRegion): string | undefined {
  return patterns.flatMap((each) => LITERAL.exec(each)?.[1] ?? [])[0];
}

/** @returns the schemas that apply to the names of a region; undefined if they are not allowed */
function termUnder(view: View, region: NameRegion): Term | undefined {
  const name = literalOf(region);
  if (name !== undefined) return schemaOf(view, name);
  const schemas = view.conjuncts.flatMap(({ schema }) => {
    const own = [...schema.map('patternProperties')].flatMap(([pattern, each]) =>
      isCovered(region, pattern) ? [each] : [],
    );
    const rest = schema.child('additionalProperties') ?? schema.child('unevaluatedProperties');
    return own.length > 0 || rest === undefined ? own : [rest];
  });
  return schemas.some(allowsNothing) ? undefined : allOf(schemas, view.term.at);
}
