// Compares `not`.
import type { Schema } from '@stubwright/contract';
import { typeOf } from '../values/types.ts';
import { pairUp } from './pairing.ts';
import { findingOf } from './schemaFinding.ts';
import type { SubschemaComparison } from './subschema.ts';
import { doublyNegated, termOf } from './term.ts';
import { onlyKeyword, unwrapped } from './trivial.ts';
import { View } from './view.ts';

interface Negations {
  /** The values that are not allowed, by canonical JSON. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly schemas: readonly Schema[];
}

export function negationComparison(before: View, after: View): SubschemaComparison {
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
