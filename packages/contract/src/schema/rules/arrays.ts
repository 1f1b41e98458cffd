// The rules of arrays.
import type { Node } from '../../document/node.ts';
import { assertion, type Rule } from './rule.ts';
import { limit, sizeRules } from './strings.ts';

type Items = readonly unknown[];

interface ArrayKeywords {
  readonly minContains?: number;
  readonly maxContains?: number;
}

export function arraySizeRules(schema: Node): Rule<Items>[] {
  return sizeRules(schema, 'Items', 'item', (items) => items.length);
}

/** @param rest of the items after the prefix; `false` for none */
export function itemsRule(prefix: readonly Rule[], rest: Rule | false | undefined): Rule<Items> {
  const start = prefix.length;
  const ofItem = (at: number) => (at < start ? prefix[at] : rest || undefined);
  return {
    test(items, evaluation) {
      if (rest === false && items.length > start) return false;
      const end = rest ? items.length : Math.min(start, items.length);
      for (let at = 0; at < end; at++) {
        if (!ofItem(at)!.test(items[at], evaluation)) return false;
      }
      return true;
    },
    code(items, code) {
      const statements = prefix.map((rule, at) => {
        const item = code.variable();
        return `if (${items}.length > ${at}) {\nconst ${item} = ${items}[${at}];\n${code.of(rule, item)}}\n`;
      });
      if (rest === false) statements.unshift(`if (${items}.length > ${start}) return false;\n`);
      if (rest) {
        const [at, item] = [code.variable(), code.variable()];
        statements.push(
          `for (let ${at} = ${start}; ${at} < ${items}.length; ${at}++) {\n`,
          `const ${item} = ${items}[${at}];\n${code.of(rest, item)}}\n`,
        );
      }
      return statements.join('');
    },
    report(items, at, errors) {
      if (rest === false && items.length > start) {
        errors.add(at, { keyword: 'items', message: limit('more', start, 'item'), value: items });
      }
      for (let index = 0; index < items.length && !errors.isFull; index++) {
        ofItem(index)?.report(items[index], at.child(index), errors);
      }
    },
    mark(items, marks) {
      marks.items = Math.max(marks.items, rest === undefined ? start : items.length);
    },
  };
}

export function containsRule(inner: Rule, schema: ArrayKeywords): Rule<Items> {
  const { minContains: min = 1, maxContains: max = Number.POSITIVE_INFINITY } = schema;
  const message =
    max < Number.POSITIVE_INFINITY
      ? `expected to contain at least ${min} and no more than ${max} valid item(s)`
      : `expected to contain at least ${min} valid item(s)`;
  const rule = assertion<Items>(
    'contains',
    (items, evaluation) => {
      let count = 0;
      if (min <= 0 && max >= items.length) return true;
      for (const item of items) {
        if (!inner.test(item, evaluation)) continue;
        if (++count > max) return false;
        if (count >= min && max >= items.length) return true;
      }
      return count >= min;
    },
    message,
  );
  return {
    ...rule,
    mark(items, { indexes, evaluation }) {
      for (const [at, item] of items.entries()) if (inner.test(item, evaluation)) indexes.add(at);
    },
  };
}

export const distinctItemsRule: Rule<Items> = {
  test: (items, evaluation) =>
    equalItems(items, (item) => evaluation.identityOf(item)) === undefined,
  report(items, at, errors) {
    const equal = equalItems(items, (item) => errors.evaluation.identityOf(item));
    if (equal === undefined) return;
    const message = `expected different items, ${equal[0]} and ${equal[1]} are equal`;
    errors.add(at, { keyword: 'uniqueItems', message, value: items });
  },
};

function equalItems(
  items: Items,
  identityOf: (item: unknown) => string,
): [first: number, second: number] | undefined {
  const positions = new Map<string, number>();
  for (const [at, item] of items.entries()) {
    const identity = identityOf(item);
    const first = positions.get(identity);
    if (first !== undefined) return [first, at];
    positions.set(identity, at);
  }
  return undefined;
}
