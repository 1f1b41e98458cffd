// From the schema model to the JSON Schema that Ajv compiles, for one direction at a time: a
// property that does not travel this way may have any value, and nothing requires it.
import type { Node } from '../document/definition.ts';
import { type Direction, hiddenNames, isBinary, type Schema } from './model.ts';
import { numericSchema } from './numeric.ts';
import { valueKey } from './values.ts';

export type JsonSchema = Node | boolean;

/** What around a schema changes its meaning; a schema met in another context is another schema. */
export interface Context {
  /** Dynamic anchors (JSON Schema 2020-12, section 8.2.3.2): name -> pointer of the outermost. */
  readonly anchors: ReadonlyMap<string, string>;
  /** Names that a composition around hides from this direction, whichever member requires them. */
  readonly hidden: ReadonlySet<string>;
  /**
   * True inside oneOf, anyOf, not and if: there a hidden property keeps its schema, since it may be
   * what distinguishes the branches.
   */
  readonly isBranch: boolean;
}

export const NO_CONTEXT: Context = { anchors: new Map(), hidden: new Set(), isBranch: false };

/** @returns the keyword that applies the schema `to` in a context; `from` refers to it */
type RefTo = (from: Schema, to: Schema, context: Context) => Node;

const SAME_VALUE = ['not', 'if', 'then', 'else'] as const;
const COMPOSITIONS = ['allOf', 'anyOf', 'oneOf'] as const;
const PARTS = [
  ...(['items', 'contains', 'propertyNames', 'additionalProperties'] as const),
  ...(['unevaluatedProperties', 'unevaluatedItems'] as const),
] as const;
/** The keywords that Ajv takes as they are. */
const KEPT = [
  ...['pattern', 'format', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['minContains', 'maxContains', 'minProperties', 'maxProperties', 'dependentRequired'],
];

/** Translates schemas of one contract; every reference becomes what `refTo` returns. */
export class SchemaTranslator {
  readonly #direction: Direction;
  readonly #refTo: RefTo;

  constructor(direction: Direction, refTo: RefTo) {
    this.#direction = direction;
    this.#refTo = refTo;
  }

  /** @returns the JSON Schema 2020-12 that accepts what `schema` means */
  translate(schema: Schema, context: Context): JsonSchema {
    const anchors = new Map([...schema.dynamicAnchors, ...context.anchors]);
    return this.#translate(schema, { ...context, anchors });
  }

  #translate(schema: Schema, outer: Context): JsonSchema {
    if (schema.isNever) return false;
    const hidden = new Set([...outer.hidden, ...hiddenNames(schema, this.#direction)]);
    const context = { ...outer, hidden };
    const translated = {
      ...ownKeywords(schema, hidden),
      ...this.#inPlace(schema, context),
      ...this.#parts(schema, context),
    };
    return schema.isNullable ? { anyOf: [{ type: 'null' }, translated] } : translated;
  }

  #reference(from: Schema, target: Schema, context: Context): Node {
    return this.#refTo(from, target, contextAt(target, context, this.#direction));
  }

  /** Resolved here, in the context that leads here. */
  #dynamicReference(schema: Schema, context: Context): Node[] {
    const {
      dynamicRefs: [target],
      model,
    } = schema;
    if (target === undefined) return [];
    const outermost = context.anchors.get(String(target.keywords.$dynamicAnchor));
    return [
      this.#reference(schema, outermost === undefined ? target : model.at(outermost)!, context),
    ];
  }

  /** Keywords that apply to the same value: what is hidden around it is hidden in it. */
  #inPlace(schema: Schema, context: Context): Node {
    const translated = schema.ref === undefined ? {} : this.#reference(schema, schema.ref, context);
    const branch = { ...context, isBranch: true };
    for (const word of SAME_VALUE) {
      const inner = schema.child(word);
      if (inner !== undefined) translated[word] = this.#translate(inner, branch);
    }
    for (const word of COMPOSITIONS) {
      const inside = word === 'allOf' ? context : branch;
      const list = schema.list(word).map((each) => this.#translate(each, inside));
      if (word === 'allOf') list.push(...this.#dynamicReference(schema, context));
      if (list.length > 0) translated[word] = list;
    }
    const dependent = [...schema.map('dependentSchemas')].map(([name, each]) => {
      return [name, this.#translate(each, branch)];
    });
    if (dependent.length > 0) translated.dependentSchemas = Object.fromEntries(dependent);
    return translated;
  }

  /** Keywords that apply to properties and items. */
  #parts(schema: Schema, context: Context): Node {
    const { anchors, hidden, isBranch } = context;
    const part = (each: Schema) => this.#translate(each, { ...NO_CONTEXT, anchors });
    const translated: Node = {};
    for (const word of PARTS) {
      const inner = schema.child(word);
      if (inner !== undefined) translated[word] = part(inner);
    }
    const prefix = schema.list('prefixItems');
    if (prefix.length > 0) translated.prefixItems = prefix.map(part);
    for (const word of ['properties', 'patternProperties'] as const) {
      const entries = [...schema.map(word)].map(([name, each]) => {
        const isIgnored = word === 'properties' && hidden.has(name) && !isBranch;
        return [name, isIgnored ? true : part(each)];
      });
      if (entries.length > 0) translated[word] = Object.fromEntries(entries);
    }
    return translated;
  }
}

function ownKeywords(schema: Schema, hidden: ReadonlySet<string>): Node {
  const { types, keywords } = schema;
  const translated: Node = {};
  for (const word of KEPT) {
    if (keywords[word] !== undefined) translated[word] = keywords[word];
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

/** @returns the only values that `enum` and `const` allow; undefined without these */
function allowedValues({ enum: values, const: value }: Node): readonly unknown[] | undefined {
  if (value === undefined) return Array.isArray(values) ? values : undefined;
  const key = valueKey(value);
  return Array.isArray(values) ? values.filter((each) => valueKey(each) === key) : [value];
}

function binarySchema({ type: _, format: __, ...schema }: Node, isNullable: boolean): Node {
  return { ...schema, binary: isNullable };
}

/** @returns the part of a context that matters to a schema, so that few contexts differ */
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

/** @returns the property names that a schema and those of the same value declare or require */
function namesIn(schema: Schema, seen: Set<Schema>): Set<string> {
  if (seen.has(schema)) return new Set();
  seen.add(schema);
  return new Set([
    ...schema.map('properties').keys(),
    ...(schema.keywords.required ?? []),
    ...inPlaceOf(schema).flatMap((each) => [...namesIn(each, seen)]),
  ]);
}

/** @returns the schemas that a schema applies to the same value */
function inPlaceOf(schema: Schema): Schema[] {
  return [
    ...(schema.ref === undefined ? [] : [schema.ref]),
    ...schema.dynamicRefs,
    ...SAME_VALUE.flatMap((word) => schema.child(word) ?? []),
    ...COMPOSITIONS.flatMap((word) => schema.list(word)),
    ...schema.map('dependentSchemas').values(),
  ];
}
