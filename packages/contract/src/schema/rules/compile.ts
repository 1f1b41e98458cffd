// Compiles schemas: for each kind of value the keywords that apply to it, the fast ones first.

import { mapped } from '../../document/memo.ts';
import { SAME_VALUE, type SchemaKeyword } from '../../document/vocabulary.ts';
import { alternativeKeysOf } from '../discriminator.ts';
import { type Direction, hiddenNames, isBinary, type JsonType, type Schema } from '../model.ts';
import { numericRule } from '../numeric.ts';
import {
  type Alternative,
  allowedRule,
  alternativesRule,
  enumOrConst,
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
  unevaluatedItemsRule,
  unevaluatedPropertiesRule,
} from './objects.ts';
import { assertion, forEach, type JsonObject, KINDS, type Rule, SchemaRule } from './rule.ts';
import { stringRules } from './strings.ts';

/** The context that changes the meaning of a schema; each context is compiled separately. */
export interface Context {
  /** The dynamic scope (JSON Schema 2020-12, section 8.2.3.2): anchor -> pointer of the outermost schema. */
  readonly anchors: ReadonlyMap<string, string>;
  /** Properties that an enclosing composition hides in this direction. */
  readonly hidden: ReadonlySet<string>;
  /** True in oneOf, anyOf, not and if: a hidden property keeps its schema, which may distinguish branches. */
  readonly isBranch: boolean;
}

export const NO_CONTEXT: Context = { anchors: new Map(), hidden: new Set(), isBranch: false };

export interface CompilerOptions {
  /** True to enforce `contentEncoding` as the format of the same name; by default it is an annotation. */
  readonly assertsEncoding?: boolean;
}

/** Encodings -> formats. */
const FORMATS: Readonly<Record<string, string>> = { base64: 'byte', base64url: 'base64url' };

const NEVER = assertion('false', () => false, 'is not accepted here');
const ALWAYS: Rule = { test: () => true, report: () => {} };
const NULL: Alternative = {
  rule: new SchemaRule(
    ['null'],
    forEach(KINDS, () => []),
  ),
  traits: () => ({ kinds: new Set(['null']), keys: new Map() }),
};

/** Compiles the schemas of one contract for one direction. */
export class SchemaCompiler {
  readonly #direction: Direction;
  readonly #ruleOf: (target: Schema, context: Context) => () => Rule;
  readonly #options: CompilerOptions;

  /** @param ruleOf returns the rule of a referenced schema, which is compiled when it is first used */
  constructor(
    direction: Direction,
    ruleOf: (target: Schema, context: Context) => () => Rule,
    options: CompilerOptions = {},
  ) {
    this.#direction = direction;
    this.#ruleOf = ruleOf;
    this.#options = options;
  }

  /** @param schema the target of a reference, or the first of a validation */
  compile(schema: Schema, context: Context): Rule {
    const anchors = new Map([...schema.dynamicAnchors, ...context.anchors]);
    return this.#compile(schema, { ...context, anchors });
  }

  #compile(schema: Schema, outer: Context): Rule {
    if (schema.isNever) return NEVER;
    const hidden = new Set([...outer.hidden, ...hiddenNames(schema, this.#direction)]);
    const context = { ...outer, hidden, anchors: anchorsIn(schema, outer) };
    const values = valueRules(schema);
    const inPlace = this.#inPlaceRules(schema, context);
    const others = [...values, ...inPlace];
    const rulesOf = {
      ...forEach(KINDS, () => others),
      string: [
        ...values,
        ...(stringRules(schema.keywords, this.#formatOf(schema)) as Rule[]),
        ...inPlace,
      ],
      array: this.#arrayRules(schema, context, values, inPlace),
      object: this.#objectRules(schema, context, values, inPlace),
    };
    const types = isTypeInValues(schema) ? undefined : schema.types;
    const hasOne = types === undefined && KINDS.every((kind) => rulesOf[kind].length === 1);
    // A reference without other keywords.
    if (hasOne && schema.ref !== undefined) return inPlace[0]!;
    const rule = new SchemaRule(types && [...types], rulesOf);
    if (!schema.isNullable) return rule;
    const alternatives = [NULL, { rule, traits: () => traitsOf(schema, hidden) }];
    return alternativesRule(alternatives, { isExclusive: false });
  }

  #formatOf(schema: Schema): string | undefined {
    if (isBinary(schema)) return undefined;
    const { format, contentEncoding } = schema.keywords;
    return format ?? (this.#options.assertsEncoding ? FORMATS[contentEncoding] : undefined);
  }

  #reference(target: Schema, context: Context): Rule {
    return referenceRule(this.#ruleOf(target, contextAt(target, context, this.#direction)));
  }

  /** Resolves `$dynamicRef` in the dynamic scope. */
  #dynamicTarget(
    { dynamicAnchor, dynamicRefs, model }: Schema,
    { anchors }: Context,
  ): Schema | undefined {
    const outermost = dynamicAnchor === undefined ? undefined : anchors.get(dynamicAnchor);
    return outermost === undefined ? dynamicRefs[0] : model.at(outermost)!;
  }

  /** Applicators for the same value, which inherit the hidden properties. */
  #inPlaceRules(schema: Schema, context: Context): Rule[] {
    const branch = { ...context, isBranch: true };
    const dynamic = this.#dynamicTarget(schema, context);
    const discriminator = alternativeKeysOf(schema);
    const alternatives = (['anyOf', 'oneOf'] as const).flatMap((keyword) => {
      const list = schema.list(keyword).map((inner) => this.#alternative(inner, branch));
      const isExclusive = keyword === 'oneOf';
      return list.length === 0 ? [] : alternativesRule(list, { isExclusive, discriminator });
    });
    const inner = forEach(SAME_VALUE, (keyword) => this.#child(schema, keyword, branch));
    return [
      ...(schema.ref === undefined ? [] : [this.#reference(schema.ref, context)]),
      ...schema.list('allOf').map((part) => this.#compile(part, context)),
      ...(dynamic === undefined ? [] : [this.#reference(dynamic, context)]),
      ...alternatives,
      ...(inner.not === undefined ? [] : [notRule(inner.not)]),
      ...(inner.if === undefined ? [] : [conditionalRule(inner.if, inner.then, inner.else)]),
    ];
  }

  #alternative(schema: Schema, branch: Context): Alternative {
    const hidden = new Set([...branch.hidden, ...hiddenNames(schema, this.#direction)]);
    return { rule: this.#compile(schema, branch), traits: () => traitsOf(schema, hidden) };
  }

  #child(schema: Schema, keyword: SchemaKeyword, context: Context): Rule | undefined {
    const inner = schema.child(keyword);
    return inner && this.#compile(inner, context);
  }

  /** @returns the rule of the parts that no other keyword names; `false` to allow none */
  #rest(schema: Schema, keyword: SchemaKeyword, context: Context): Rule | false | undefined {
    return schema.child(keyword)?.isNever ? false : this.#child(schema, keyword, context);
  }

  #arrayRules(
    schema: Schema,
    { anchors }: Context,
    values: readonly Rule[],
    inPlace: readonly Rule[],
  ): Rule[] {
    const { keywords } = schema;
    const inner = { ...NO_CONTEXT, anchors };
    const rules: Rule<readonly unknown[]>[] = [...values, ...arraySizeRules(keywords), ...inPlace];
    const prefix = schema.list('prefixItems').map((item) => this.#compile(item, inner));
    const items = this.#rest(schema, 'items', inner);
    if (prefix.length > 0 || items !== undefined) rules.push(itemsRule(prefix, items));
    const contains = this.#child(schema, 'contains', inner);
    if (contains !== undefined) rules.push(containsRule(contains, keywords));
    if (keywords.uniqueItems === true) rules.push(distinctItemsRule);
    const rest = this.#rest(schema, 'unevaluatedItems', inner);
    if (rest !== undefined) rules.push(unevaluatedItemsRule([...rules], rest));
    return rules as Rule[];
  }

  #objectRules(
    schema: Schema,
    { anchors, hidden, isBranch }: Context,
    values: readonly Rule[],
    inPlace: readonly Rule[],
  ): Rule[] {
    const { keywords } = schema;
    const inner = { ...NO_CONTEXT, anchors };
    const rules: Rule<JsonObject>[] = [...values, ...objectSizeRules(keywords)];
    const declared = schema.map('properties');
    const names: string[] = (keywords.required ?? []).filter((name: string) => !hidden.has(name));
    // One read of each property, unless a slower rule would precede it.
    const isTested = (name: string) => inPlace.length === 0 && declared.has(name);
    if (names.length > 0) {
      const untested = names.filter((name) => !isTested(name));
      rules.push(requiredRule(names, untested));
    }
    rules.push(...dependentRequiredRules(keywords), ...inPlace);
    const propertyNames = this.#child(schema, 'propertyNames', inner);
    if (propertyNames !== undefined) rules.push(propertyNamesRule(propertyNames));
    const own = mapped(declared, (property, name) =>
      hidden.has(name) && !isBranch ? ALWAYS : this.#compile(property, inner),
    );
    const patterns = mapped(schema.map('patternProperties'), (property) =>
      this.#compile(property, inner),
    );
    const others = this.#rest(schema, 'additionalProperties', inner);
    if (own.size + patterns.size > 0 || others !== undefined) {
      const required = new Set(names.filter(isTested));
      rules.push(propertiesRule({ own, patterns: [...patterns], others, required }));
    }
    for (const [name, dependent] of schema.map('dependentSchemas')) {
      const rule = this.#compile(dependent, { anchors, hidden, isBranch: true });
      rules.push(dependentRule(name, rule));
    }
    const rest = this.#rest(schema, 'unevaluatedProperties', inner);
    if (rest !== undefined) rules.push(unevaluatedPropertiesRule([...rules], rest));
    return rules as Rule[];
  }
}

/** A subschema with `$id` is another schema resource: it adds its anchors to the dynamic scope. */
function anchorsIn(schema: Schema, { anchors }: Context): ReadonlyMap<string, string> {
  if (schema.keywords.$id === undefined || schema.dynamicAnchors.size === 0) return anchors;
  return new Map([...schema.dynamicAnchors, ...anchors]);
}

/** @returns the part of a context that affects a schema, to reduce the number of contexts */
export function contextAt(target: Schema, context: Context, direction: Direction): Context {
  const { anchors, hidden, isBranch } = context;
  const own = hiddenNames(target, direction);
  if (hidden.size === 0) return { anchors, hidden, isBranch: isBranch && own.size > 0 };
  const used = namesIn(target, new Set());
  const names = [...hidden].filter((name) => !own.has(name) && used.has(name));
  return {
    anchors,
    hidden: new Set(names),
    isBranch: isBranch && own.size + names.length > 0,
  };
}

/** @returns the property names that a schema and its in-place applicators declare or require */
function namesIn(schema: Schema, seen: Set<Schema>): Set<string> {
  if (seen.has(schema)) return new Set();
  seen.add(schema);
  return new Set([
    ...schema.map('properties').keys(),
    ...(schema.keywords.required ?? []),
    ...schema.inPlace.flatMap((inner) => [...namesIn(inner, seen)]),
  ]);
}

/** True if one of the rules of values asserts the type. */
function isTypeInValues(schema: Schema): boolean {
  return (
    isBinary(schema) || ['integer', 'number'].some((type) => schema.types?.has(type as JsonType))
  );
}

/** The rules of all kinds of values. */
function valueRules(schema: Schema): Rule[] {
  const numeric = numericRule(schema);
  const allowed = enumOrConst(schema);
  return [
    ...(numeric === undefined ? [] : [numeric]),
    ...(allowed === undefined ? [] : [allowedRule(allowed)]),
    ...(isBinary(schema) ? [binaryRule(schema.types!.has('null'))] : []),
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
  then: Rule | undefined,
  otherwise: Rule | undefined,
): Rule {
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
