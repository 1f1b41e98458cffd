// The rules of objects and arrays. Inherited properties such as `constructor` do not count.

import type { Node } from '../../document/node.ts';
import { lenientTest } from '../pattern.ts';
import { assertion, type JsonObject, Marks, type Rule } from './rule.ts';
import { limit, sizeRules } from './strings.ts';

const MISSING = { keyword: 'required', message: 'is required', value: undefined };

/** The message for a property that no schema declares. */
const UNDECLARED = 'is not declared';

export function objectSizeRules(schema: Node): Rule<JsonObject>[] {
  return sizeRules(
    schema,
    'Properties',
    'property',
    (value, count) => Object.keys(value).length > count,
  );
}

/** @param tested the names that no other rule tests */
export function requiredRule(
  names: readonly string[],
  tested: readonly string[],
): Rule<JsonObject> {
  return {
    test(value) {
      for (const name of tested) if (!has(value, name)) return false;
      return true;
    },
    code(value, test) {
      const isPresent = test.constant(has);
      const missing = tested.map((name) => `!${isPresent}(${value}, ${JSON.stringify(name)})`);
      return missing.length === 0 ? '' : `if (${missing.join(' || ')}) return false;\n`;
    },
    report(value, at, errors) {
      for (const name of names) {
        if (errors.isFull) return;
        if (!has(value, name)) errors.add(at.child(name), MISSING);
      }
    },
  };
}

export function dependentRequiredRules({ dependentRequired = {} }: Node) {
  return Object.entries<readonly string[]>(dependentRequired).map(([name, needed]) => {
    const properties = needed.length === 1 ? 'property' : 'properties';
    return assertion<JsonObject>(
      'dependentRequired',
      (value) => !has(value, name) || needed.every((other) => has(value, other)),
      `expected to have ${properties} ${needed.join(', ')} when property ${name} is present`,
    );
  });
}

export function propertyNamesRule(inner: Rule): Rule<JsonObject> {
  return {
    test(value, evaluation) {
      for (const name of Object.keys(value)) if (!inner.test(name, evaluation)) return false;
      return true;
    },
    report(value, at, errors) {
      for (const name of Object.keys(value)) {
        if (errors.isFull) return;
        if (inner.test(name, errors.evaluation)) continue;
        const message = 'is not an allowed property name';
        errors.add(at.child(name), { keyword: 'propertyNames', message, value: value[name] });
      }
    },
  };
}

interface PropertySchemas {
  readonly own: ReadonlyMap<string, Rule>;
  /** Of patternProperties. */
  readonly patterns: readonly (readonly [pattern: string, rule: Rule])[];
  /** Of all others; `false` for none. */
  readonly others: Rule | false | undefined;
  /** The names in `own` whose absence fails the test, without a report. */
  readonly required: ReadonlySet<string>;
}

/** A longer function takes longer than the loop: V8 does not optimize it. */
const MAX_CODED = 500;

export function propertiesRule(schemas: PropertySchemas): Rule<JsonObject> {
  const { own, patterns, others, required } = schemas;
  const names = [...own.keys()];
  const rules = [...own.values()];
  const isRequired = names.map((name) => required.has(name));
  const mayBeInherited = names.some(isInherited);
  const matchers = patterns.map(([pattern, rule]) => [lenientTest(pattern), rule] as const);
  const readsNames = matchers.length > 0 || others !== undefined;
  const isOther = (name: string) =>
    !own.has(name) && !matchers.some(([pattern]) => pattern.test(name));
  const testNames: Rule<JsonObject>['test'] = (value, evaluation) => {
    for (const name of Object.keys(value)) {
      let isKnown = own.has(name);
      for (const [pattern, rule] of matchers) {
        if (!pattern.test(name)) continue;
        if (!rule.test(value[name], evaluation)) return false;
        isKnown = true;
      }
      if (isKnown || others === undefined) continue;
      if (others === false || !others.test(value[name], evaluation)) return false;
    }
    return true;
  };
  return {
    test(value, evaluation) {
      const isOwn = !mayBeInherited && isPlain(value);
      for (let at = 0; at < names.length; at++) {
        const name = names[at]!;
        const each = value[name];
        if (each === undefined || !(isOwn || Object.hasOwn(value, name))) {
          if (isRequired[at]) return false;
          continue;
        }
        if (!rules[at]!.test(each, evaluation)) return false;
      }
      return !readsNames || testNames(value, evaluation);
    },
    code(value, test) {
      if (names.length > MAX_CODED) return undefined;
      const isOwn = test.variable();
      const hasOwn = test.constant(Object.hasOwn);
      const start = mayBeInherited ? 'false' : `${test.constant(isPlain)}(${value})`;
      const statements = names.map((name, at) => {
        const [each, key] = [test.variable(), JSON.stringify(name)];
        const isMissing = `${each} === undefined || !(${isOwn} || ${hasOwn}(${value}, ${key}))`;
        const missing = isRequired[at] ? 'return false;' : '';
        const read = `const ${each} = ${value}[${key}];\n`;
        return `${read}if (${isMissing}) {${missing}} else {\n${test.of(rules[at]!, each)}}\n`;
      });
      const rest = `if (!${test.constant(testNames)}(${value}, evaluation)) return false;\n`;
      return `const ${isOwn} = ${start};\n${statements.join('')}${readsNames ? rest : ''}`;
    },
    report(value, at, errors) {
      for (const [name, rule] of own) {
        if (errors.isFull) return;
        if (has(value, name)) rule.report(value[name], at.child(name), errors);
      }
      for (const name of readsNames ? Object.keys(value) : []) {
        if (errors.isFull) return;
        for (const [pattern, rule] of matchers) {
          if (pattern.test(name)) rule.report(value[name], at.child(name), errors);
        }
        if (others === undefined || !isOther(name)) continue;
        const [keyword, each] = ['additionalProperties', value[name]];
        if (others !== false) others.report(each, at.child(name), errors);
        else errors.add(at.child(name), { keyword, message: UNDECLARED, value: each });
      }
    },
    mark(value, marks) {
      if (others !== undefined) marks.hasAllNames = true;
      for (const name of Object.keys(value)) if (!isOther(name)) marks.names.add(name);
    },
  };
}

/** A property with the value undefined is missing. */
export function has(value: JsonObject, name: string): boolean {
  return value[name] !== undefined && Object.hasOwn(value, name);
}

function isInherited(name: string): boolean {
  return name in Object.prototype;
}

/** True for an object that inherits from Object.prototype only: `Object.hasOwn` takes longer. */
function isPlain(value: JsonObject): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

type Items = readonly unknown[];

interface ArrayKeywords {
  readonly minContains?: number;
  readonly maxContains?: number;
}

export function arraySizeRules(schema: Node): Rule<Items>[] {
  return sizeRules(schema, 'Items', 'item', (items, count) => items.length > count);
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

/** @param others the other rules of the schema @param inner `false` to allow none */
export function unevaluatedPropertiesRule(
  others: readonly Rule<JsonObject>[],
  inner: Rule | false,
) {
  return unevaluatedRule(others, inner, {
    keyword: 'unevaluatedProperties',
    message: UNDECLARED,
    restOf: (value, { names, hasAllNames }) =>
      hasAllNames ? [] : Object.keys(value).filter((name) => !names.has(name)),
    markAll(_, marks) {
      marks.hasAllNames = true;
    },
  });
}

/** @param others the other rules of the schema @param inner `false` to allow none */
export function unevaluatedItemsRule(others: readonly Rule<Items>[], inner: Rule | false) {
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
  others: readonly Rule<Value>[],
  inner: Rule | false,
  { keyword, message, restOf, markAll }: Parts<Value>,
): Rule<Value> {
  const rest = (value: Value, marks: Marks) => {
    for (const rule of others) rule.mark?.(value, marks);
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
