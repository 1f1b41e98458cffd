// unevaluatedProperties and unevaluatedItems (JSON Schema 2020-12, section 11).
import { undeclared } from './objects.ts';
import { type JsonObject, Marks, type Rule } from './rule.ts';

type Items = readonly unknown[];

/** @param others the other rules of the schema @param inner `false` to allow none */
export function unevaluatedPropertiesRule(others: Rule<JsonObject>, inner: Rule | false) {
  return unevaluatedRule(others, inner, {
    keyword: 'unevaluatedProperties',
    message: undeclared,
    restOf: (value, { names, hasAllNames }) =>
      hasAllNames ? [] : Object.keys(value).filter((name) => !names.has(name)),
    markAll(_, marks) {
      marks.hasAllNames = true;
    },
  });
}

/** @param others the other rules of the schema @param inner `false` to allow none */
export function unevaluatedItemsRule(others: Rule<Items>, inner: Rule | false) {
  return unevaluatedRule(others, inner, {
    keyword: 'unevaluatedItems',
    message: 'is not accepted here',
    restOf: ({ length }, { items: first, indexes }) =>
      Array.from({ length: Math.max(0, length - first) }, (_, at) => first + at).filter(
        (at) => !indexes.has(at),
      ),
    markAll(items, marks) {
      marks.items = items.length;
    },
  });
}

interface Parts<Value> {
  readonly keyword: string;
  /** Of a part that no schema allows. */
  readonly message: string;
  /** @returns the names or indexes of the parts without marks */
  restOf(value: Value, marks: Marks): readonly (keyof Value & (string | number))[];
  markAll(value: Value, marks: Marks): void;
}

function unevaluatedRule<Value extends JsonObject | Items>(
  others: Rule<Value>,
  inner: Rule | false,
  { keyword, message, restOf, markAll }: Parts<Value>,
): Rule<Value> {
  const rest = (value: Value, marks: Marks) => {
    others.mark?.(value, marks);
    return restOf(value, marks);
  };
  return {
    test: (value, evaluation) =>
      rest(value, new Marks(evaluation)).every(
        (key) => inner !== false && inner.test(value[key], evaluation),
      ),
    report(value, at, errors) {
      for (const key of rest(value, new Marks(errors.evaluation))) {
        if (errors.isFull) return;
        if (inner !== false) inner.report(value[key], at.child(key), errors);
        else errors.add(at.child(key), { keyword, message, value: value[key] });
      }
    },
    mark: markAll,
  };
}
