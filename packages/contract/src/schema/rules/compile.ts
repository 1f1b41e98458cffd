// Compiles translated schemas: for each kind of value the keywords that apply to it, the fast ones first.

import { numericRule } from '../numeric.ts';
import {
  type AlternativesOptions,
  allowedRule,
  alternativesRule,
  type Traits,
  traitsOf,
} from './alternatives.ts';
import {
  arraySizeRules,
  containsRule,
  dependentRequiredRules,
  distinctItemsRule,
  has,
  itemsRule,
  objectSizeRules,
  propertiesRule,
  propertyNamesRule,
  requiredRule,
  undeclared,
} from './objects.ts';
import {
  assertion,
  forEach,
  type JsonObject,
  type JsonSchema,
  KINDS,
  Marks,
  type Rule,
  SchemaRule,
} from './rule.ts';
import { stringRules } from './strings.ts';

type SchemaObject = Exclude<JsonSchema, boolean>;
type SchemaMap = Readonly<Record<string, JsonSchema>>;

const NEVER = assertion('false', () => false, 'is not accepted here');
const ALWAYS: Rule = { test: () => true, report: () => {} };

/** @returns the rule of a schema; referenced schemas are compiled when they are first used */
export function compileSchema(schema: JsonSchema): Rule {
  if (typeof schema === 'boolean') return schema ? ALWAYS : NEVER;
  const inPlace = inPlaceRules(schema);
  if (Object.keys(schema).join() === '$ref') return inPlace[0]!;
  const values = valueRules(schema);
  const others = [...values, ...inPlace];
  const { type } = schema;
  return new SchemaRule(type, {
    ...forEach(KINDS, () => others),
    string: [...values, ...(stringRules(schema) as Rule[]), ...inPlace],
    array: arrayRules(schema, values, inPlace),
    object: objectRules(schema, values, inPlace),
  });
}

function compiledList(schemas: readonly JsonSchema[] = []): Rule[] {
  return schemas.map(compileSchema);
}

/** Applicators for the same value. */
function inPlaceRules(schema: SchemaObject): Rule[] {
  const { $ref, allOf = [], anyOf, oneOf, not } = schema;
  const condition: JsonSchema | undefined = schema.if;
  const rules: Rule[] = [];
  if ($ref !== undefined) {
    let target: Rule | undefined;
    rules.push(referenceRule(() => (target ??= $ref.rule)));
  }
  rules.push(...compiledList(allOf));
  const { discriminator } = schema;
  if (anyOf !== undefined)
    rules.push(compiledAlternatives(anyOf, { isExclusive: false, discriminator }));
  if (oneOf !== undefined)
    rules.push(compiledAlternatives(oneOf, { isExclusive: true, discriminator }));
  if (not !== undefined) rules.push(notRule(compileSchema(not)));
  if (condition !== undefined) {
    const [then, otherwise] = [schema.then, schema.else].map((each) =>
      each === undefined ? undefined : compileSchema(each),
    );
    rules.push(conditionalRule(compileSchema(condition), { then, otherwise }));
  }
  return rules;
}

function compiledAlternatives(schemas: readonly JsonSchema[], options: AlternativesOptions): Rule {
  const alternatives = schemas.map((schema) => {
    let known: Traits | undefined;
    const traits = () => (known ??= traitsOf(schema));
    return { rule: compileSchema(schema), traits };
  });
  return alternativesRule(alternatives, options);
}

function arrayRules(
  schema: SchemaObject,
  values: readonly Rule[],
  inPlace: readonly Rule[],
): Rule[] {
  const { prefixItems, items, contains, distinctItems, unevaluatedItems } = schema;
  const rules: Rule<readonly unknown[]>[] = [...values, ...arraySizeRules(schema), ...inPlace];
  if (prefixItems !== undefined || items !== undefined) {
    rules.push(itemsRule(compiledList(prefixItems), orFalse(items)));
  }
  if (contains !== undefined) rules.push(containsRule(compileSchema(contains), schema));
  if (distinctItems === true) rules.push(distinctItemsRule);
  const inner = orFalse(unevaluatedItems);
  if (inner !== undefined) rules.push(unevaluatedItemsRule(allRule([...rules] as Rule[]), inner));
  return rules as Rule[];
}

function objectRules(
  schema: SchemaObject,
  values: readonly Rule[],
  inPlace: readonly Rule[],
): Rule[] {
  const rules: Rule<JsonObject>[] = [...values, ...objectSizeRules(schema)];
  const names: readonly string[] = schema.required ?? [];
  // One read of each property, unless a slower rule would precede it.
  const isTested = (name: string) =>
    inPlace.length === 0 && Object.hasOwn(schema.properties ?? {}, name);
  if (names.length > 0) {
    rules.push(
      requiredRule(
        names,
        names.filter((name) => !isTested(name)),
      ),
    );
  }
  rules.push(...dependentRequiredRules(schema), ...inPlace);
  if (schema.propertyNames !== undefined) {
    rules.push(propertyNamesRule(compileSchema(schema.propertyNames)));
  }
  const [own, patterns] = [schema.properties, schema.patternProperties].map(
    (map: SchemaMap | undefined) =>
      Object.entries(map ?? {}).map(
        ([name, jsonSchema]) => [name, compileSchema(jsonSchema)] as const,
      ),
  );
  const others = orFalse(schema.additionalProperties);
  if (own!.length + patterns!.length > 0 || others !== undefined) {
    const required = new Set(names.filter(isTested));
    rules.push(propertiesRule({ own: new Map(own), patterns: patterns!, others, required }));
  }
  for (const [name, dependentSchema] of Object.entries<JsonSchema>(schema.dependentSchemas ?? {})) {
    rules.push(dependentRule(name, compileSchema(dependentSchema)));
  }
  const inner = orFalse(schema.unevaluatedProperties);
  if (inner !== undefined) {
    rules.push(unevaluatedPropertiesRule(allRule([...rules] as Rule[]), inner));
  }
  return rules as Rule[];
}

function orFalse(schema: JsonSchema | undefined): Rule | false | undefined {
  return schema === undefined || schema === false ? schema : compileSchema(schema);
}

/** The rules of all kinds of values. */
function valueRules({ numeric, allowed, binary }: SchemaObject): Rule[] {
  return [
    ...(numeric === undefined ? [] : [numericRule(numeric)]),
    ...(allowed === undefined ? [] : [allowedRule(allowed)]),
    ...(binary === undefined ? [] : [binaryRule(binary)]),
  ];
}

/** A Blob in forms, a string in JSON. */
function binaryRule(isNullable: boolean): Rule {
  return assertion(
    'format',
    (value) => typeof value === 'string' || value instanceof Blob || (isNullable && value === null),
    'expected a file',
  );
}

/** @param target the rule of the referenced schema */
function referenceRule(target: () => Rule): Rule {
  return {
    test: (value, evaluation) => evaluation.isValid(target(), value),
    code(value, test) {
      const rule = test.variable();
      const isValid = `evaluation.countStep() ? ${rule}.test(${value}, evaluation) : evaluation.isKnownValid(${rule}, ${value})`;
      return `const ${rule} = ${test.constant(target)}();\nif (!(${isValid})) return false;\n`;
    },
    report(value, at, errors) {
      const rule = target();
      if (!errors.isFull && errors.enter(rule, value, at)) rule.report(value, at, errors);
    },
    mark(value, marks) {
      const rule = target();
      if (marks.enter(rule)) rule.mark?.(value, marks);
    },
  };
}

function allRule(rules: readonly Rule[]): Rule {
  return {
    test(value, evaluation) {
      for (const rule of rules) if (!rule.test(value, evaluation)) return false;
      return true;
    },
    report(value, at, errors) {
      for (const rule of rules) rule.report(value, at, errors);
    },
    mark(value, marks) {
      for (const rule of rules) rule.mark?.(value, marks);
    },
  };
}

function notRule(inner: Rule): Rule {
  return {
    test: (value, evaluation) => !inner.test(value, evaluation),
    report(value, at, errors) {
      if (!inner.test(value, errors.evaluation)) return;
      errors.add(at, { keyword: 'not', message: 'expected to NOT be valid', value });
    },
  };
}

function conditionalRule(
  condition: Rule,
  branches: { readonly then: Rule | undefined; readonly otherwise: Rule | undefined },
): Rule {
  const { then, otherwise } = branches;
  return {
    test(value, evaluation) {
      const branch = condition.test(value, evaluation) ? then : otherwise;
      return branch === undefined || branch.test(value, evaluation);
    },
    report(value, at, errors) {
      const isMet = condition.test(value, errors.evaluation);
      (isMet ? then : otherwise)?.report(value, at, errors);
    },
    mark(value, marks) {
      const isMet = condition.test(value, marks.evaluation);
      if (isMet) condition.mark?.(value, marks);
      (isMet ? then : otherwise)?.mark?.(value, marks);
    },
  };
}

function dependentRule(name: string, inner: Rule): Rule<JsonObject> {
  return {
    test: (value, evaluation) => !has(value, name) || inner.test(value, evaluation),
    report(value, at, errors) {
      if (has(value, name)) inner.report(value, at, errors);
    },
    mark(value, marks) {
      if (has(value, name)) inner.mark?.(value, marks);
    },
  };
}

type Items = readonly unknown[];

/** @param others the other rules of the schema @param inner `false` to allow none */
function unevaluatedPropertiesRule(others: Rule<JsonObject>, inner: Rule | false) {
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
function unevaluatedItemsRule(others: Rule<Items>, inner: Rule | false) {
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
