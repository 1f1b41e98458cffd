// Compares `not`, `if`, `propertyNames`, `dependent…`, `patternProperties` and `contentSchema`.
import type { Schema } from '@stubwright/contract';
import { typeOf, without } from '../values/formatting.ts';
import { containsComparison, pairUp } from './contains.ts';
import { discriminatorComparison } from './discriminator.ts';
import { patternPropertyComparison } from './objects.ts';
import { findingOf, type SubschemaComparison, type SubschemaPair } from './schemaFinding.ts';
import { allOf, doublyNegated, type Term, termOf } from './term.ts';
import { isTrivial, onlyKeyword, unwrapped } from './trivial.ts';
import { View } from './view.ts';

export function applicatorComparison(before: View, after: View): SubschemaComparison {
  const parts = [
    containsComparison(before, after),
    negationComparison(before, after),
    conditionComparison(before, after),
    patternPropertyComparison(before, after),
    dependentComparison(before, after),
    discriminatorComparison(before, after),
  ];
  return {
    findings: parts.flatMap(({ findings }) => findings),
    subschemas: [
      ...parts.flatMap(({ subschemas }) => subschemas),
      ...nameSubschemas(before, after),
      ...contentSubschemas(before, after),
    ],
  };
}

/** Names are strings; the wire does not change them. */
function nameSubschemas(before: View, after: View): SubschemaPair[] {
  const [was, is] = [before, after].map((view) => under(view, (one) => one.child('propertyNames')));
  if (isEmpty(was!) && isEmpty(is!)) return [];
  const string = { type: 'string' } as const;
  return [
    {
      path: '(propertyNames)',
      before: { ...was!, only: string },
      after: { ...is!, only: string },
      polarity: 'same',
      wire: 'json',
    },
  ];
}

/** The schema of the document that a string contains. */
function contentSubschemas(before: View, after: View): SubschemaPair[] {
  const contentOf = (view: View) =>
    under(view, (schema) =>
      schema.has('contentSchema') ? schema.model.at(schema.pointerTo('contentSchema')) : undefined,
    );
  const [was, is] = [contentOf(before), contentOf(after)];
  if (isEmpty(was) && isEmpty(is)) return [];
  return [{ path: '(contentSchema)', before: was, after: is, polarity: 'same', wire: 'json' }];
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

/** `dependentRequired`, and `dependentSchemas` that only require properties. */
function dependentComparison(before: View, after: View): SubschemaComparison {
  const at = {
    before: before.at('dependentRequired', 'dependentSchemas'),
    after: after.at('dependentRequired', 'dependentSchemas'),
  };
  const [was, is] = [dependentNames(before), dependentNames(after)];
  const describe = ([name, needed]: readonly [string, string]) => `${name} without ${needed}`;
  const [old, now] = [was.map(describe), is.map(describe)];
  const implied = (view: View) => (pair: string) =>
    view.required.some((name) => pair.endsWith(` without ${name}`));
  return {
    findings: [
      ...without(now, old)
        .filter((pair) => !implied(before)(pair))
        .map((values) => findingOf('dependent-required-added', { values }, at)),
      ...without(old, now)
        .filter((pair) => !implied(after)(pair))
        .map((values) => findingOf('dependent-required-removed', { values }, at)),
    ],
    subschemas: dependentSubschemas(before, after),
  };
}

function dependentNames({ conjuncts }: View): (readonly [string, string])[] {
  return conjuncts.flatMap(({ schema }) => {
    const lists = Object.entries<string[]>(schema.keywords['dependentRequired'] ?? {});
    const schemas = [...schema.map('dependentSchemas')]
      .filter(([, schema]) => isOnlyRequired(schema))
      .map(([name, schema]): [string, string[]] => [name, schema.keywords['required']]);
    return [...lists, ...schemas].flatMap(([name, needed]) =>
      needed.map((other) => [name, other] as const),
    );
  });
}

function isOnlyRequired({ written, keywords }: Schema): boolean {
  return Array.isArray(keywords['required']) && Object.keys(written as object).length === 1;
}

function dependentSubschemas(before: View, after: View): SubschemaPair[] {
  const find = (view: View, name: string) =>
    under(view, (schema) => {
      const found = schema.map('dependentSchemas').get(name);
      return found === undefined || isOnlyRequired(found) ? undefined : found;
    });
  const names = [before, after].flatMap(({ conjuncts }) =>
    conjuncts.flatMap(({ schema }) => [...schema.map('dependentSchemas').keys()]),
  );
  return [...new Set(names)].flatMap((name): SubschemaPair[] => {
    const [was, is] = [find(before, name), find(after, name)];
    if (isEmpty(was) && isEmpty(is)) return [];
    return [{ path: `(dependentSchemas)/${name}`, before: was, after: is, polarity: 'same' }];
  });
}

interface Condition {
  readonly if: Schema;
  readonly then: Schema | undefined;
  readonly else: Schema | undefined;
}

/** @returns the conditions that restrict values */
function conditionsOf({ conjuncts }: View): Condition[] {
  return conjuncts.flatMap(({ schema }) => {
    const [condition, ...branches] = [
      schema.child('if'),
      schema.child('then'),
      schema.child('else'),
    ];
    const [then, otherwise] = branches.map((branch) =>
      branch === undefined || isTrivial(branch) ? undefined : branch,
    );
    if (condition === undefined || (then ?? otherwise) === undefined) return [];
    return [{ if: condition, then, else: otherwise }];
  });
}

function conditionComparison(before: View, after: View): SubschemaComparison {
  const { pairs, removed, added } = pairUp(conditionsOf(before), conditionsOf(after), [
    (condition) => [
      condition.if.written,
      condition.then?.written ?? null,
      condition.else?.written ?? null,
    ],
    (condition) => condition.if.written,
  ]);
  return {
    findings: [
      ...added.map(({ if: { written, pointer } }) =>
        findingOf('condition-set', { written }, { before: before.at('if'), after: pointer }),
      ),
      ...removed.map(({ if: { written, pointer } }) =>
        findingOf('condition-removed', { written }, { before: pointer, after: after.at('if') }),
      ),
    ],
    subschemas: pairs.flatMap(([was, is]) => conditionSubschemas(was, is)),
  };
}

/** `then` and `else` are monotone; `if` is where only one of them exists. */
function conditionSubschemas(was: Condition, is: Condition): SubschemaPair[] {
  const [hasThen, hasElse] = (['then', 'else'] as const).map(
    (keyword) => (was[keyword] ?? is[keyword]) !== undefined,
  );
  const one = hasElse ? 'same' : 'inverted';
  const pair = (keyword: keyof Condition, polarity: SubschemaPair['polarity']): SubschemaPair => ({
    path: `(${keyword})`,
    before: termOf(was[keyword], was.if.pointer),
    after: termOf(is[keyword], is.if.pointer),
    polarity,
  });
  return [
    pair('if', hasThen && hasElse ? 'unclear' : one),
    ...(hasThen ? [pair('then', 'same')] : []),
    ...(hasElse ? [pair('else', 'same')] : []),
  ];
}

interface Negations {
  /** The values that are not allowed, by canonical JSON. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly schemas: readonly Schema[];
}

function negationComparison(before: View, after: View): SubschemaComparison {
  const [was, is] = [negationsOf(before), negationsOf(after)];
  const { pairs, removed, added } = pairUp(was.schemas, is.schemas, [({ written }) => written]);
  // A value that other keywords refuse does not become valid or invalid.
  const lost = [...is.values].filter(
    ([key, value]) => !was.values.has(key) && before.accepts(value),
  );
  const gained = [...was.values].filter(
    ([key, value]) => !is.values.has(key) && after.accepts(value),
  );
  const at = { before: before.at('not'), after: after.at('not') };
  return {
    findings: [
      ...lost.map(([, written]) => findingOf('not-set', { written, isValue: true }, at)),
      ...gained.map(([, written]) => findingOf('not-removed', { written, isValue: true }, at)),
      ...added
        .filter((schema) => concerns(schema, before))
        .map(({ written, pointer }) =>
          findingOf('not-set', { written, isValue: false }, { ...at, after: pointer }),
        ),
      ...removed
        .filter((schema) => concerns(schema, after))
        .map(({ written, pointer }) =>
          findingOf('not-removed', { written, isValue: false }, { ...at, before: pointer }),
        ),
    ],
    subschemas: pairs.map(([one, other]) => ({
      path: '(not)',
      before: termOf(one, one.pointer),
      after: termOf(other, other.pointer),
      polarity: 'inverted',
    })),
  };
}

/** @returns the negations that exclude a value of an allowed type */
function negationsOf(view: View): Negations {
  const values = new Map<string, unknown>();
  const schemas: Schema[] = [];
  for (const schema of view.conjuncts.flatMap((conjunct) =>
    negated(conjunct.schema.child('not')),
  )) {
    const inner = new View(view.direction, termOf(schema, schema.pointer), view.wire);
    if (inner.isEnumerated && inner.values !== undefined) {
      for (const [key, value] of inner.values) {
        if (view.types.has(typeOf(value))) values.set(key, value);
      }
    } else if (concerns(schema, view)) schemas.push(schema);
  }
  return { values, schemas };
}

/** False if the types of a view exclude every value that a negated schema allows. */
function concerns(schema: Schema, view: View): boolean {
  return view.has(...new View(view.direction, termOf(schema, schema.pointer), view.wire).types);
}

/** `not: {anyOf: [a, b]}` is `not: a` and `not: b`. A term contains double negations already. */
function negated(not: Schema | undefined): readonly Schema[] {
  return not === undefined || doublyNegated(not) !== undefined ? [] : disjuncts(not);
}

function disjuncts(schema: Schema): readonly Schema[] {
  const plain = unwrapped(schema);
  return onlyKeyword(plain) === 'anyOf' ? plain.list('anyOf').flatMap(disjuncts) : [plain];
}
