// Compares `if`, `then` and `else`.
import type { Schema } from '@stubwright/contract';
import { pairUp } from './pairing.ts';
import { findingOf } from './schemaFinding.ts';
import type { SubschemaComparison, SubschemaPair } from './subschema.ts';
import { termOf } from './term.ts';
import { isTrivial } from './trivial.ts';
import type { View } from './view.ts';

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
    const [then, otherwise] = branches.map((each) =>
      each === undefined || isTrivial(each) ? undefined : each,
    );
    if (condition === undefined || (then ?? otherwise) === undefined) return [];
    return [{ if: condition, then, else: otherwise }];
  });
}

export function conditionComparison(before: View, after: View): SubschemaComparison {
  const { pairs, removed, added } = pairUp(conditionsOf(before), conditionsOf(after), [
    (each) => [each.if.written, each.then?.written ?? null, each.else?.written ?? null],
    (each) => each.if.written,
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
