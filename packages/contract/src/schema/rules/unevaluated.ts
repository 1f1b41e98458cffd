// unevaluatedProperties and unevaluatedItems (JSON Schema 2020-12, section 11).
import { undeclared } from './objects.ts';
import { type JsonObject, Marks, type Rule } from './rule.ts';

/** @param others the other rules of the schema @param inner `false` to allow none */
export function unevaluatedPropertiesRule(
  others: Rule<JsonObject>,
  inner: Rule | false,
): Rule<JsonObject> {
  const namesIn = (value: JsonObject, marks: Marks): string[] => {
    others.mark?.(value, marks);
    return marks.hasAllNames ? [] : Object.keys(value).filter((name) => !marks.names.has(name));
  };
  return {
    test(value, evaluation) {
      const names = namesIn(value, new Marks(evaluation));
      return names.every((name) => inner !== false && inner.test(value[name], evaluation));
    },
    report(value, at, errors) {
      for (const name of namesIn(value, new Marks(errors.evaluation))) {
        if (errors.isFull) return;
        if (inner === false)
          errors.add(at.child(name), undeclared('unevaluatedProperties', value[name]));
        else inner.report(value[name], at.child(name), errors);
      }
    },
    mark(_, marks) {
      marks.hasAllNames = true;
    },
  };
}

type Items = readonly unknown[];

/** @param others the other rules of the schema @param inner `false` to allow none */
export function unevaluatedItemsRule(others: Rule<Items>, inner: Rule | false): Rule<Items> {
  const indexesIn = (items: Items, marks: Marks): number[] => {
    others.mark?.(items, marks);
    const { items: first, indexes } = marks;
    const rest = Array.from({ length: Math.max(0, items.length - first) }, (_, at) => first + at);
    return rest.filter((at) => !indexes.has(at));
  };
  return {
    test(items, evaluation) {
      const indexes = indexesIn(items, new Marks(evaluation));
      return indexes.every((at) => inner !== false && inner.test(items[at], evaluation));
    },
    report(items, at, errors) {
      for (const index of indexesIn(items, new Marks(errors.evaluation))) {
        if (errors.isFull) return;
        if (inner === false) {
          const message = 'is not accepted here';
          errors.add(at.child(index), {
            keyword: 'unevaluatedItems',
            message,
            value: items[index],
          });
        } else inner.report(items[index], at.child(index), errors);
      }
    },
    mark(items, marks) {
      marks.items = items.length;
    },
  };
}
