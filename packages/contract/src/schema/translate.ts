// Translates schemas to JSON Schema for the rules, per direction: hidden properties are optional with any value.
import type { Node } from '../document/node.ts';
import { COMPOSITIONS, COUNTS, PART_KEYWORDS, SAME_VALUE } from '../document/vocabulary.ts';
import { valueKey } from './allowedValues.ts';
import { alternativeKeysOf } from './discriminator.ts';
import { type Direction, hiddenNames, isBinary, type Schema } from './model.ts';
import { numericSchema } from './numeric.ts';

export type JsonSchema = Node | boolean;

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

/** @returns a keyword that refers to the schema `to`, in a context */
type RefTo = (to: Schema, context: Context) => Node;

/** The keywords that are copied. */
const COPIED = ['pattern', 'format', ...COUNTS, 'dependentRequired'];

/** Encodings -> formats. */
const FORMATS: Readonly<Record<string, string>> = { base64: 'byte', base64url: 'base64url' };

export interface TranslationOptions {
  /** True to enforce `contentEncoding` as the format of the same name; by default it is an annotation. */
  readonly assertsEncoding?: boolean;
}

/** Translates the schemas of one contract; `refTo` translates references. */
export class SchemaTranslator {
  readonly #direction: Direction;
  readonly #refTo: RefTo;
  readonly #options: TranslationOptions;

  constructor(direction: Direction, refTo: RefTo, options: TranslationOptions) {
    this.#direction = direction;
    this.#refTo = refTo;
    this.#options = options;
  }

  /** @returns the schema as JSON Schema 2020-12 with the keywords numeric, allowed, distinctItems and binary */
  translate(schema: Schema, context: Context): JsonSchema {
    const anchors = new Map([...schema.dynamicAnchors, ...context.anchors]);
    return this.#translate(schema, { ...context, anchors });
  }

  #translate(schema: Schema, outer: Context): JsonSchema {
    if (schema.isNever) return false;
    const hidden = new Set([...outer.hidden, ...hiddenNames(schema, this.#direction)]);
    const context = { ...outer, hidden, anchors: anchorsIn(schema, outer) };
    const translated = {
      ...(this.#options.assertsEncoding ? encodingFormat(schema) : {}),
      ...ownKeywords(schema, hidden),
      ...this.#inPlace(schema, context),
      ...this.#parts(schema, context),
    };
    return schema.isNullable ? { anyOf: [{ type: ['null'] }, translated] } : translated;
  }

  #reference(target: Schema, context: Context): Node {
    return this.#refTo(target, contextAt(target, context, this.#direction));
  }

  /** Resolves `$dynamicRef` in the dynamic scope. */
  #dynamicReference(schema: Schema, context: Context): Node[] {
    const { dynamicAnchor, dynamicRefs, model } = schema;
    const [target] = dynamicRefs;
    if (target === undefined) return [];
    const outermost = dynamicAnchor === undefined ? undefined : context.anchors.get(dynamicAnchor);
    const dynamicTarget = outermost === undefined ? target : model.at(outermost)!;
    return [this.#reference(dynamicTarget, context)];
  }

  /** Applicators for the same instance, which inherit the hidden properties. */
  #inPlace(schema: Schema, context: Context): Node {
    const translated = schema.ref === undefined ? {} : this.#reference(schema.ref, context);
    const branch = { ...context, isBranch: true };
    for (const keyword of SAME_VALUE) {
      const inner = schema.child(keyword);
      if (inner !== undefined) translated[keyword] = this.#translate(inner, branch);
    }
    for (const keyword of COMPOSITIONS) {
      const inside = keyword === 'allOf' ? context : branch;
      const list = schema.list(keyword).map((inner) => this.#translate(inner, inside));
      if (keyword === 'allOf') list.push(...this.#dynamicReference(schema, context));
      if (list.length > 0) translated[keyword] = list;
    }
    const discriminator = alternativeKeysOf(schema);
    if (discriminator !== undefined) translated.discriminator = discriminator;
    const dependent = [...schema.map('dependentSchemas')].map(([name, schema]) => {
      return [name, this.#translate(schema, branch)];
    });
    if (dependent.length > 0) translated.dependentSchemas = Object.fromEntries(dependent);
    return translated;
  }

  /** Applicators for properties and items. */
  #parts(schema: Schema, context: Context): Node {
    const { anchors, hidden, isBranch } = context;
    const part = (schema: Schema) => this.#translate(schema, { ...NO_CONTEXT, anchors });
    const translated: Node = {};
    for (const keyword of PART_KEYWORDS) {
      const inner = schema.child(keyword);
      if (inner !== undefined) translated[keyword] = part(inner);
    }
    const prefix = schema.list('prefixItems');
    if (prefix.length > 0) translated.prefixItems = prefix.map(part);
    for (const keyword of ['properties', 'patternProperties'] as const) {
      const entries = [...schema.map(keyword)].map(([name, schema]): [string, JsonSchema] => {
        const isIgnored = keyword === 'properties' && hidden.has(name) && !isBranch;
        return [name, isIgnored ? true : part(schema)];
      });
      if (entries.length > 0) translated[keyword] = Object.fromEntries(entries);
    }
    return translated;
  }
}

/** A subschema with `$id` is another schema resource: it adds its anchors to the dynamic scope. */
function anchorsIn(schema: Schema, { anchors }: Context): ReadonlyMap<string, string> {
  if (schema.keywords.$id === undefined || schema.dynamicAnchors.size === 0) return anchors;
  return new Map([...schema.dynamicAnchors, ...anchors]);
}

function encodingFormat({ keywords: { contentEncoding } }: Schema): Node {
  const format = FORMATS[contentEncoding];
  return format === undefined ? {} : { format };
}

function ownKeywords(schema: Schema, hidden: ReadonlySet<string>): Node {
  const { types, keywords } = schema;
  const translated: Node = {};
  for (const keyword of COPIED) {
    if (keywords[keyword] !== undefined) translated[keyword] = keywords[keyword];
  }
  if (keywords.required !== undefined) {
    translated.required = keywords.required.filter((name: string) => !hidden.has(name));
  }
  if (keywords.uniqueItems === true) translated.distinctItems = true;
  const allowed = allowedValues(keywords);
  if (allowed !== undefined) translated.allowed = allowed;
  const numeric = numericSchema(schema);
  if (numeric?.format !== undefined) delete translated.format;
  if (numeric !== undefined) translated.numeric = numeric;
  if (numeric === undefined && types !== undefined) translated.type = [...types];
  return isBinary(schema) ? binarySchema(translated, types!.has('null')) : translated;
}

/** @returns the values that `enum` and `const` allow; undefined without these keywords */
function allowedValues({ enum: values, const: value }: Node): readonly unknown[] | undefined {
  if (value === undefined) return Array.isArray(values) ? values : undefined;
  const key = valueKey(value);
  return Array.isArray(values) ? values.filter((other) => valueKey(other) === key) : [value];
}

function binarySchema({ type: _, format: __, ...schema }: Node, isNullable: boolean): Node {
  return { ...schema, binary: isNullable };
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
