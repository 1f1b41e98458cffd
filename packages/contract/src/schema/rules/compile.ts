// Compiles translated schemas: for each kind of value the keywords that apply to it, the fast ones first.

import { allowedRule } from '../allowedValues.ts';
import { numericRule } from '../numeric.ts';
import type { JsonSchema } from '../translate.ts';
import { type AlternativesOptions, alternativesRule } from './alternatives.ts';
import { arraySizeRules, containsRule, distinctItemsRule, itemsRule } from './arrays.ts';
import { allRule, conditionalRule, dependentRule, notRule, referenceRule } from './composition.ts';
import {
  dependentRequiredRules,
  objectSizeRules,
  propertiesRule,
  propertyNamesRule,
  requiredRule,
} from './objects.ts';
import { assertion, type JsonObject, KINDS, type Rule } from './rule.ts';
import { forEach, SchemaRule } from './schemaRule.ts';
import { stringRules } from './strings.ts';
import { type Lookup, type Traits, traitsOf } from './traits.ts';
import { unevaluatedItemsRule, unevaluatedPropertiesRule } from './unevaluated.ts';

type SchemaObject = Exclude<JsonSchema, boolean>;
type SchemaMap = Readonly<Record<string, JsonSchema>>;

/** Finds referenced schemas by their ids. */
export interface References {
  readonly lookup: Lookup;
  readonly ruleOf: (id: string) => Rule;
}

const NEVER = assertion('false', () => false, 'is not accepted here');
/** A Blob in forms, a string in JSON. */
function binaryRule(isNullable: boolean): Rule {
  return assertion(
    'format',
    (value) => typeof value === 'string' || value instanceof Blob || (isNullable && value === null),
    'expected a file',
  );
}

const ALWAYS: Rule = { test: () => true, report: () => {} };

/** @returns the rule of a schema; referenced schemas are compiled when they are first used */
export function compileSchema(schema: JsonSchema, references: References): Rule {
  if (typeof schema === 'boolean') return schema ? ALWAYS : NEVER;
  return new Compiler(references).rule(schema);
}

class Compiler {
  readonly #references: References;

  constructor(references: References) {
    this.#references = references;
  }

  rule(schema: SchemaObject): Rule {
    const inPlace = this.#inPlace(schema);
    if (Object.keys(schema).join() === '$ref') return inPlace[0]!;
    const values = valueRules(schema);
    const others = [...values, ...inPlace];
    const { type } = schema;
    return new SchemaRule(type, {
      ...forEach(KINDS, () => others),
      string: [...values, ...(stringRules(schema) as Rule[]), ...inPlace],
      array: this.#arrayRules(schema, values, inPlace),
      object: this.#objectRules(schema, values, inPlace),
    });
  }

  #inner(schema: JsonSchema): Rule {
    return compileSchema(schema, this.#references);
  }

  #list(schemas: readonly JsonSchema[] = []): Rule[] {
    return schemas.map((each) => this.#inner(each));
  }

  /** Applicators for the same value. */
  #inPlace(schema: SchemaObject): Rule[] {
    const { $ref, allOf = [], anyOf, oneOf, not } = schema;
    const condition: JsonSchema | undefined = schema.if;
    const rules: Rule[] = [];
    if ($ref !== undefined) {
      let target: Rule | undefined;
      rules.push(referenceRule(() => (target ??= this.#references.ruleOf($ref))));
    }
    rules.push(...this.#list(allOf));
    const { discriminator } = schema;
    if (anyOf !== undefined)
      rules.push(this.#alternatives(anyOf, { isExclusive: false, discriminator }));
    if (oneOf !== undefined)
      rules.push(this.#alternatives(oneOf, { isExclusive: true, discriminator }));
    if (not !== undefined) rules.push(notRule(this.#inner(not)));
    if (condition !== undefined) {
      const [then, otherwise] = [schema.then, schema.else].map((each) =>
        each === undefined ? undefined : this.#inner(each),
      );
      rules.push(conditionalRule(this.#inner(condition), { then, otherwise }));
    }
    return rules;
  }

  #alternatives(schemas: readonly JsonSchema[], options: AlternativesOptions): Rule {
    const alternatives = schemas.map((each) => {
      let known: Traits | undefined;
      const traits = () => (known ??= traitsOf(each, this.#references.lookup));
      return { rule: this.#inner(each), traits };
    });
    return alternativesRule(alternatives, options);
  }

  #arrayRules(schema: SchemaObject, values: readonly Rule[], inPlace: readonly Rule[]): Rule[] {
    const { prefixItems, items, contains, distinctItems, unevaluatedItems } = schema;
    const rules: Rule<readonly unknown[]>[] = [...values, ...arraySizeRules(schema), ...inPlace];
    if (prefixItems !== undefined || items !== undefined) {
      rules.push(itemsRule(this.#list(prefixItems), this.#orFalse(items)));
    }
    if (contains !== undefined) rules.push(containsRule(this.#inner(contains), schema));
    if (distinctItems === true) rules.push(distinctItemsRule);
    const inner = this.#orFalse(unevaluatedItems);
    if (inner !== undefined) rules.push(unevaluatedItemsRule(allRule([...rules] as Rule[]), inner));
    return rules as Rule[];
  }

  #objectRules(schema: SchemaObject, values: readonly Rule[], inPlace: readonly Rule[]): Rule[] {
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
      rules.push(propertyNamesRule(this.#inner(schema.propertyNames)));
    }
    const [own, patterns] = [schema.properties, schema.patternProperties].map(
      (map: SchemaMap | undefined) =>
        Object.entries(map ?? {}).map(([name, each]) => [name, this.#inner(each)] as const),
    );
    const others = this.#orFalse(schema.additionalProperties);
    if (own!.length + patterns!.length > 0 || others !== undefined) {
      const required = new Set(names.filter(isTested));
      rules.push(propertiesRule({ own: new Map(own), patterns: patterns!, others, required }));
    }
    for (const [name, each] of Object.entries<JsonSchema>(schema.dependentSchemas ?? {})) {
      rules.push(dependentRule(name, this.#inner(each)));
    }
    const inner = this.#orFalse(schema.unevaluatedProperties);
    if (inner !== undefined) {
      rules.push(unevaluatedPropertiesRule(allRule([...rules] as Rule[]), inner));
    }
    return rules as Rule[];
  }

  #orFalse(schema: JsonSchema | undefined): Rule | false | undefined {
    return schema === undefined || schema === false ? schema : this.#inner(schema);
  }
}

/** The rules of all kinds of values. */
function valueRules({ numeric, allowed, binary }: SchemaObject): Rule[] {
  return [
    ...(numeric === undefined ? [] : [numericRule(numeric)]),
    ...(allowed === undefined ? [] : [allowedRule(allowed)]),
    ...(binary === undefined ? [] : [binaryRule(binary)]),
  ];
}
