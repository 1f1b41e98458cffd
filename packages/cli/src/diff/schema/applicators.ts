// Compares `not`, `if`, `contains`, `dependent…`, `patternProperties` and the discriminator.
import type { Schema } from 'stubwright/internal/schema/model';
import { became, canonical, kebabCase, shown, without } from '../formatting.ts';
import type { Finding, Polarity } from './finding.ts';
import type { SubschemaPair } from './objects.ts';
import { allOf, type Term, termOf } from './term.ts';
import type { View } from './view.ts';

const SINGLE: readonly (readonly ['if' | 'then' | 'else' | 'propertyNames', Polarity])[] = [
  ['if', 'unclear'],
  ['then', 'unclear'],
  ['else', 'unclear'],
  ['propertyNames', 'same'],
];
type Repeatable = 'not' | 'contains';
type SchemaMap = 'patternProperties' | 'dependentSchemas';

/** Keywords that can occur in several conjuncts, each on its own; the values that they disallow. */
const REPEATABLE: readonly (readonly [Repeatable, Polarity, string])[] = [
  ['not', 'inverted', 'a value that it accepts'],
  ['contains', 'same', 'an array without a matching item'],
];
const SCHEMA_MAPS: readonly (readonly [SchemaMap, Polarity])[] = [
  ['patternProperties', 'same'],
  ['dependentSchemas', 'same'],
];
const UNCLEAR = ['minContains', 'maxContains', 'xml'];

export function applicatorSubschemas(before: View, after: View): SubschemaPair[] {
  const single = SINGLE.flatMap(([keyword, polarity]) => {
    const was = under(before, (schema) => schema.child(keyword));
    const is = under(after, (schema) => schema.child(keyword));
    if (isEmpty(was) && isEmpty(is)) return [];
    return [{ path: `(${keyword})`, before: was, after: is, polarity }];
  });
  const named = SCHEMA_MAPS.flatMap(([keyword, polarity]) =>
    namesUnder([before, after], keyword).map((name) => ({
      path: `/${name}`,
      before: under(before, (schema) => schema.map(keyword).get(name)),
      after: under(after, (schema) => schema.map(keyword).get(name)),
      polarity,
    })),
  );
  const each = REPEATABLE.flatMap(([keyword, polarity]) =>
    pairsOf(before, after, keyword).pairs.map(([was, is]) => ({
      path: `(${keyword})`,
      before: termOf(was, was.pointer),
      after: termOf(is, is.pointer),
      polarity,
    })),
  );
  return [...single, ...named, ...each];
}

/** Pairs equal subschemas, and the remaining two if one is left on each side. */
function pairsOf(before: View, after: View, keyword: Repeatable) {
  const subschemasOf = ({ conjuncts }: View) =>
    conjuncts.flatMap(({ schema }) => schema.child(keyword) ?? []);
  const pairs: [Schema, Schema][] = [];
  const added = subschemasOf(after);
  const removed = subschemasOf(before).filter((one) => {
    const at = added.findIndex(({ written }) => canonical(written) === canonical(one.written));
    if (at >= 0) pairs.push([one, ...(added.splice(at, 1) as [Schema])]);
    return at < 0;
  });
  const [one, other] = [removed[0], added[0]];
  if (removed.length !== 1 || added.length !== 1) return { pairs, removed, added };
  return { pairs: [...pairs, [one!, other!] as const], removed: [], added: [] };
}

function isEmpty({ conjuncts }: Term): boolean {
  return conjuncts.length === 0;
}

function under({ conjuncts, term }: View, inner: (schema: Schema) => Schema | undefined): Term {
  return allOf(
    conjuncts.flatMap(({ schema }) => inner(schema) ?? []),
    term.at,
  );
}

function namesUnder(views: readonly View[], keyword: SchemaMap): string[] {
  const names = views.flatMap(({ conjuncts }) =>
    conjuncts.flatMap(({ schema }) => [...schema.map(keyword).keys()]),
  );
  return [...new Set(names)];
}

export function applicatorFindings(before: View, after: View): Finding[] {
  return [
    ...repeatableFindings(before, after),
    ...dependentFindings(before, after),
    ...unclearFindings(before, after),
    ...discriminatorFindings(before, after),
  ];
}

function repeatableFindings(before: View, after: View): Finding[] {
  return REPEATABLE.flatMap(([keyword, , values]) => {
    const { removed, added } = pairsOf(before, after, keyword);
    return [
      ...added.map(({ written, pointer }): Finding => {
        const what = `${keyword} ${shown(written)} was set`;
        const rule = `${keyword}-set`;
        return { rule, kind: 'narrower', what, values, before: before.at(keyword), after: pointer };
      }),
      ...removed.map(({ written, pointer }): Finding => {
        const what = `${keyword} ${shown(written)} was removed`;
        const rule = `${keyword}-removed`;
        return { rule, kind: 'wider', what, values, before: pointer, after: after.at(keyword) };
      }),
    ];
  });
}

/** `dependentRequired`: one property requires another. */
function dependentFindings(before: View, after: View): Finding[] {
  const keyword = 'dependentRequired';
  const pairs = ({ conjuncts }: View) =>
    conjuncts.flatMap(({ schema }) =>
      Object.entries<string[]>(schema.keywords[keyword] ?? {}).flatMap(([name, needed]) =>
        needed.map((each) => `${name} without ${each}`),
      ),
    );
  const at = { before: before.at(keyword), after: after.at(keyword) };
  const [was, is] = [pairs(before), pairs(after)];
  return [
    ...without(is, was).map((values): Finding => {
      const rule = 'dependent-required-added';
      return { rule, kind: 'narrower', what: `${values} was disallowed`, values, ...at };
    }),
    ...without(was, is).map((values): Finding => {
      const rule = 'dependent-required-removed';
      return { rule, kind: 'wider', what: `${values} was allowed`, values, ...at };
    }),
  ];
}

function unclearFindings(before: View, after: View): Finding[] {
  return UNCLEAR.flatMap((keyword): Finding[] => {
    const [was] = before.all(keyword);
    const [is] = after.all(keyword);
    if (canonical(was) === canonical(is)) return [];
    const outcome = [
      'risky',
      'Whether more or fewer values are valid cannot be determined; review this change.',
    ] as const;
    const at = { before: before.at(keyword), after: after.at(keyword) };
    return [
      {
        rule: `${kebabCase(keyword)}-changed`,
        kind: 'explicit',
        what: became(keyword, was, is),
        ...at,
        outcomes: { request: outcome, response: outcome },
      },
    ];
  });
}

function discriminatorFindings(before: View, after: View): Finding[] {
  const [was] = before.all('discriminator') as { propertyName?: unknown; mapping?: object }[];
  const [is] = after.all('discriminator') as { propertyName?: unknown; mapping?: object }[];
  const at = { before: before.at('discriminator'), after: after.at('discriminator') };
  if (was?.propertyName !== is?.propertyName) {
    const what = became('discriminator', was?.propertyName, is?.propertyName);
    const outcome = ['breaking', 'Another property selects the schema of a value.'] as const;
    const rule = 'discriminator-changed';
    const outcomes = { request: outcome, response: outcome };
    return [{ rule, kind: 'explicit', what, ...at, outcomes }];
  }
  const [old, now] = [Object.entries(was?.mapping ?? {}), Object.entries(is?.mapping ?? {})];
  const labels = (entries: [string, unknown][]) =>
    entries.map(([value, to]) => `${value} for ${to}`);
  return [
    ...without(labels(old), labels(now)).map((each): Finding => {
      const rule = 'discriminator-mapping-removed';
      return {
        rule,
        kind: 'narrower',
        what: `the mapping ${each} was removed`,
        values: each,
        ...at,
      };
    }),
    ...without(labels(now), labels(old)).map((each): Finding => {
      const rule = 'discriminator-mapping-added';
      return { rule, kind: 'wider', what: `the mapping ${each} was added`, values: each, ...at };
    }),
  ];
}
