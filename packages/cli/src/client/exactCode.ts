// Describes where a schema has integers of 64 bits and other converted values, as expressions of
// @stubwright/client.

import {
  COUNTS,
  compilePattern,
  discriminatorsOf,
  INTEGER_FORMATS,
  isBigint,
  isHidden,
  itemSchemas,
  NUMERIC_BOUNDS,
  prefixLength,
  propertySchemas,
  Reaching,
  type Schema,
} from '@stubwright/contract';
import {
  type ConvertedFormat,
  convertedFormat,
  DEFAULT_TYPES,
  isConverting,
  type ValueTypes,
} from '../types/valueTypes.ts';
import { Code, type Constants, expressionOf, objectOf } from './code.ts';
import { inPlace } from './textShapes.ts';

/** The conversions of @stubwright/client/conversions. */
const CONVERSIONS: Readonly<Record<ConvertedFormat, (types: ValueTypes) => string>> = {
  int64: ({ int64 }) => (int64 === 'string' ? 'int64AsString' : 'int64AsNumber'),
  date: ({ dates }) => `dateAs${dates}`,
  'date-time': ({ dates }) => `dateTimeAs${dates}`,
};

export class ExactCode {
  readonly #constants: Constants;
  readonly #schemas: SchemaCode;
  readonly #types: ValueTypes;
  readonly #integers = new Reaching(isBigint);
  readonly #converted: Reaching;
  readonly #needed: Reaching;
  readonly #conflicts: Conflicts;

  constructor(constants: Constants, schemas: SchemaCode, types: ValueTypes) {
    this.#constants = constants;
    this.#schemas = schemas;
    this.#types = types;
    const leafOf = (schema: Schema) =>
      convertedFormat(schema, types) ?? (isBigint(schema) ? 'integer' : undefined);
    this.#converted = new Reaching((schema) => convertedFormat(schema, types) !== undefined);
    this.#needed = new Reaching((schema) => leafOf(schema) !== undefined);
    this.#conflicts = new Conflicts(leafOf);
  }

  /** @returns undefined for a schema without integers of 64 bits */
  integersIn(schema: Schema | undefined): Code | undefined {
    return schema !== undefined && this.#integers.from(schema) ? this.#of(schema) : undefined;
  }

  /** @returns undefined for a schema without values that have another type in the client */
  conversionsIn(schema: Schema | undefined): Code | undefined {
    return schema !== undefined && this.#converted.from(schema) ? this.#of(schema) : undefined;
  }

  #of(schema: Schema | undefined): Code | undefined {
    if (schema === undefined || !this.#needed.from(schema)) return undefined;
    return this.#constants.shared('exact', schema, () => this.#expression(schema));
  }

  #leaf(schema: Schema): Code | undefined {
    const format = convertedFormat(schema, this.#types);
    if (format !== undefined) return this.#constants.imported(CONVERSIONS[format](this.#types));
    return isBigint(schema) ? new Code('1') : undefined;
  }

  #expression(schema: Schema): Code {
    const leaf = this.#leaf(schema);
    if (leaf !== undefined) return leaf;
    const inherited = [schema.ref, ...schema.list('allOf')].map((part) => this.#of(part));
    return allOf([...this.#own(schema), ...inherited]);
  }

  /** Without those of `$ref` and `allOf`. */
  #own(schema: Schema): (Code | undefined)[] {
    return [
      this.#holder(schema),
      ...this.#alternatives(schema),
      ...this.#selected(schema),
      this.#conditional(schema),
      this.#dependent(schema),
    ];
  }

  #holder(schema: Schema): Code | undefined {
    const properties = this.#exactIn(schema, 'properties');
    const patterns = this.#exactIn(schema, 'patternProperties').map(([pattern, exact]) => {
      return [clientPattern(pattern), exact];
    });
    const others = this.#of(
      schema.child('additionalProperties') ?? schema.child('unevaluatedProperties'),
    );
    const first = schema.list('prefixItems').map((item) => this.#of(item) ?? 0);
    const items = this.#of(schema.child('items') ?? schema.child('unevaluatedItems'));
    const exactNames = new Set(properties.map(([name]) => name));
    const plain = [...schema.map('properties').keys()].filter((name) => !exactNames.has(name));
    const holder = {
      properties: objectOf(properties),
      patterns: patterns.length > 0 ? patterns : undefined,
      others,
      known: others !== undefined && plain.length > 0 ? plain : undefined,
      first: first.some((item) => item !== 0 || items !== undefined) ? first : undefined,
      items,
    };
    const isEmpty = Object.values(holder).every((value) => value === undefined);
    return isEmpty ? undefined : new Code(expressionOf(holder));
  }

  /** Without tests if all alternatives agree where numbers are integers of 64 bits. */
  #alternatives(schema: Schema): Code[] {
    const all = [...schema.dynamicRefs, ...schema.list('oneOf'), ...schema.list('anyOf')];
    const needed = all.filter((alternative) => this.#needed.from(alternative));
    const isClear = needed.every((one) =>
      all.every((other) => other === one || !this.#conflicts.between(one, other)),
    );
    if (isClear) return needed.map((alternative) => this.#of(alternative)!);
    const tests = needed.map((one) => [this.#schemas.of(one), this.#of(one)]);
    return [this.either(tests)];
  }

  /** @param tests pairs of a schema and what applies if it does */
  either(tests: readonly unknown[]): Code {
    return this.#constants.call(isConverting(this.#types) ? 'selecting' : 'either', tests);
  }

  /** The schemas that a discriminator selects, besides its alternatives. */
  #selected(schema: Schema): Code[] {
    const own = discriminatorsOf(schema).filter(({ holder }) => holder === schema);
    const branches = [...schema.list('oneOf'), ...schema.list('anyOf')].map(({ ref }) => ref);
    return own.flatMap(({ propertyName, schemas }) => {
      const tests = [...new Set(schemas.values())].flatMap((target) => {
        if (schema.conjuncts.includes(target) || branches.includes(target)) return [];
        // The others are those of the schema itself.
        const added = target.conjuncts.filter((conjunct) => !schema.conjuncts.includes(conjunct));
        const parts = added
          .filter((conjunct) => this.#needed.from(conjunct))
          .flatMap((conjunct) => this.#own(conjunct));
        if (parts.every((part) => part === undefined)) return [];
        const values = [...schemas].flatMap(([value, schema]) =>
          schema === target ? [value] : [],
        );
        const test = { required: [propertyName], properties: { [propertyName]: { enum: values } } };
        return [[test, allOf(parts)]];
      });
      return tests.length === 0 ? [] : [this.either(tests)];
    });
  }

  #exactIn(schema: Schema, keyword: Parameters<Schema['map']>[0]): [name: string, exact: Code][] {
    return [...schema.map(keyword)].flatMap(([name, schema]): [string, Code][] => {
      const exact = this.#of(schema);
      return exact === undefined ? [] : [[name, exact]];
    });
  }

  #conditional(schema: Schema): Code | undefined {
    const condition = schema.child('if');
    const [met, unmet] = [this.#of(schema.child('then')), this.#of(schema.child('else'))];
    if (condition === undefined || (met ?? unmet) === undefined) return undefined;
    return this.#constants.call('conditional', [this.#schemas.of(condition), met ?? 0, unmet ?? 0]);
  }

  #dependent(schema: Schema): Code | undefined {
    const tests = this.#exactIn(schema, 'dependentSchemas').map(([name, exact]) => {
      return [{ required: [name] }, exact];
    });
    return tests.length === 0 ? undefined : this.either(tests);
  }
}

function allOf(parts: readonly (Code | undefined)[]): Code {
  const present = parts.filter((part) => part !== undefined);
  return present.length === 1 ? present[0]! : new Code(expressionOf(present));
}

/** Deeper schemas count as different. */
const MAX_DEPTH = 8;

/** How a schema is read: `integer` of 64 bits, or as another type of the client. */
type LeafKind = 'integer' | ConvertedFormat;

type LeafOf = (schema: Schema) => LeafKind | undefined;

class Conflicts {
  readonly #leafOf: LeafOf;

  constructor(leafOf: LeafOf) {
    this.#leafOf = leafOf;
  }

  /** @returns true if a value of `other` may be read otherwise where `schema` has a conversion */
  between(schema: Schema, other: Schema, depth = 0): boolean {
    const [own, others] = [inPlace([schema]), inPlace([other])];
    const leaves = own.flatMap((part) => this.#leafOf(part) ?? []);
    if (leaves.length > 0) return leaves.some((leaf) => this.#hasOther(leaf, others));
    if (depth === MAX_DEPTH) return true;
    const names = new Set(own.flatMap((part) => [...part.map('properties').keys()]));
    const isFreeForm = allows(others, 'object') && !isTyped(others);
    for (const name of names) {
      const properties = own.flatMap((part) => part.map('properties').get(name) ?? []);
      const rivals = propertySchemas(new Set(others), name, false);
      if (!properties.some((property) => this.#hasLeaf(property))) continue;
      if (isFreeForm && rivals.length === 0) return true;
      if (this.#any(properties, rivals, depth)) return true;
    }
    const maps = own
      .flatMap((part) => [
        ...part.map('patternProperties').values(),
        part.child('additionalProperties') ?? [],
        part.child('unevaluatedProperties') ?? [],
      ])
      .flat()
      .filter((member) => this.#hasLeaf(member));
    if (maps.length > 0 && allows(others, 'object')) return true;
    if (!allows(others, 'array')) return false;
    const positions = Array.from({ length: prefixLength([...own, ...others]) + 1 }, (_, at) => at);
    return positions.some((at) => {
      const items = itemSchemas(new Set(own), at, false).filter((itemSchema) =>
        this.#hasLeaf(itemSchema),
      );
      const rivals = itemSchemas(new Set(others), at, false);
      return items.length > 0 && (rivals.length === 0 || this.#any(items, rivals, depth));
    });
  }

  #any(own: readonly Schema[], others: readonly Schema[], depth: number): boolean {
    return own.some((schema) =>
      others.some((other) => schema !== other && this.between(schema, other, depth + 1)),
    );
  }

  /** True if a value is valid that is read otherwise: a number, or any but null for other conversions. */
  #hasOther(leaf: LeafKind, schemas: readonly Schema[]): boolean {
    const isSame = (schema: Schema) => this.#leafOf(schema) === leaf;
    if (leaf === 'integer') return !schemas.some(isSame) && allows(schemas, 'number');
    const valued = schemas.filter(
      ({ types, keywords }) => types !== undefined || 'enum' in keywords || 'const' in keywords,
    );
    const isNull = ({ types }: Schema) => types?.size === 1 && types.has('null');
    return valued.length === 0 || !valued.every((schema) => isSame(schema) || isNull(schema));
  }

  #hasLeaf(schema: Schema): boolean {
    const seen = new Set([schema]);
    for (const reached of seen) {
      if (this.#leafOf(reached) !== undefined) return true;
      for (const inner of reached.inner) seen.add(inner);
    }
    return false;
  }
}

function allows(schemas: readonly Schema[], type: string): boolean {
  const typed = schemas.filter(({ types }) => types !== undefined);
  const isOf = ({ types }: Schema) =>
    types!.has(type as never) || (type === 'number' && types!.has('integer'));
  return typed.length === 0 || typed.some(isOf);
}

function isTyped(schemas: readonly Schema[]): boolean {
  return schemas.some((schema) => schema.has('properties') || schema.has('additionalProperties'));
}

/** The keywords that are evaluated as they are written; clients do not evaluate `contains`. */
const KEPT = [...NUMERIC_BOUNDS, ...COUNTS.filter((keyword) => !keyword.endsWith('Contains'))];
const LISTS = ['anyOf', 'oneOf', 'prefixItems'] as const;

export class SchemaCode {
  readonly #constants: Constants;
  readonly #types: ValueTypes;

  /** @param types the formats that have a conversion are tested */
  constructor(constants: Constants, types: ValueTypes = DEFAULT_TYPES) {
    this.#constants = constants;
    this.#types = types;
  }

  of(schema: Schema): Code {
    return this.#constants.shared('schema', schema, () => this.#expression(schema));
  }

  #expression(schema: Schema): Code {
    if (schema.isNever) return new Code('false');
    if (schema.written === true) return new Code('true');
    const { types, keywords, ref, isNullable } = schema;
    const references = [ref ?? [], ...schema.dynamicRefs].flat();
    const hasKeywords = types !== undefined || Object.keys(keywords).length > 0;
    if (!hasKeywords && references.length === 1 && schema.inner.length === 1) {
      return this.of(references[0]!);
    }
    const [least, most] = INTEGER_FORMATS[keywords.format] ?? [];
    const isNumeric = types?.has('integer') || types?.has('number');
    const hidden = (name: string) => {
      const property = schema.map('properties').get(name);
      return property !== undefined && isHidden(property, 'response');
    };
    const required = (keywords.required as string[] | undefined)?.filter((name) => !hidden(name));
    const own = {
      type: types === undefined ? undefined : [...types],
      enum: 'const' in keywords ? [keywords.const] : keywords.enum,
      ...(isNumeric && { minimum: least, maximum: most }),
      ...Object.fromEntries(KEPT.flatMap((key) => (key in keywords ? [[key, keywords[key]]] : []))),
      pattern: typeof keywords.pattern === 'string' ? compilePattern(keywords.pattern) : undefined,
      required: required?.length ? required : undefined,
      allOf: this.#allOf(schema, references),
      ...Object.fromEntries(LISTS.map((key) => [key, this.#list(schema.list(key))])),
      properties: this.#map(schema.map('properties')),
      patternProperties: this.#patterns(schema.map('patternProperties')),
      items: this.#child(schema.child('items')),
      additionalProperties: this.#child(schema.child('additionalProperties')),
      not: this.#child(schema.child('not')),
    };
    return new Code(expressionOf(isNullable ? { anyOf: [{ type: 'null' }, own] } : own));
  }

  #allOf(schema: Schema, references: readonly Schema[]): Code[] | undefined {
    const format = convertedFormat(schema, this.#types);
    const parts = this.#list([...references, ...schema.list('allOf')]);
    if (format === undefined || format === 'int64') return parts;
    const test = this.#constants.imported(format === 'date' ? 'isFullDate' : 'isDateTime');
    return [test, ...(parts ?? [])];
  }

  #child(schema: Schema | undefined): Code | undefined {
    return schema === undefined ? undefined : this.of(schema);
  }

  #list(schemas: readonly Schema[]): Code[] | undefined {
    return schemas.length === 0 ? undefined : schemas.map((schema) => this.of(schema));
  }

  #patterns(schemas: ReadonlyMap<string, Schema>): object | undefined {
    if (schemas.size === 0) return undefined;
    return Array.from(schemas, ([pattern, member]) => [clientPattern(pattern), this.of(member)]);
  }

  #map(schemas: ReadonlyMap<string, Schema>): object | undefined {
    return objectOf(Array.from(schemas, ([name, member]) => [name, this.of(member)]));
  }
}

/** The client has no other engine: one that is no regular expression matches every string. */
function clientPattern(pattern: string): RegExp {
  return compilePattern(pattern) ?? /(?:)/;
}
