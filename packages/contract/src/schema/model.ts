// The schemas of a contract as JSON Schema 2020-12, for every OpenAPI version.
import type { ContractDocument } from '../document/contractDocument.ts';
import { mapped, memo } from '../document/memo.ts';
import { escapeToken, isObject, type Node } from '../document/node.ts';
import {
  COMPOSITIONS,
  COUNTS,
  LIST_KEYWORDS,
  type ListKeyword,
  MAP_KEYWORDS,
  type MapKeyword,
  SAME_VALUE,
  SCHEMA_KEYWORDS,
  type SchemaKeyword,
} from '../document/vocabulary.ts';

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** `readOnly` properties are excluded from requests, `writeOnly` ones from responses. */
export type Direction = 'request' | 'response';

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];
const NOT_IN_KEYWORDS = new Set<string>([
  ...SCHEMA_KEYWORDS,
  ...LIST_KEYWORDS,
  ...MAP_KEYWORDS,
  ...REFERENCES,
  'type',
  'nullable',
]);

/** The schemas of one contract: one Schema object per pointer, also for recursive references. */
export class SchemaModel {
  static readonly #models = new WeakMap<ContractDocument, SchemaModel>();
  readonly definition: ContractDocument;
  readonly #schemas = new Map<string, Schema>();

  private constructor(definition: ContractDocument) {
    this.definition = definition;
  }

  /** @returns the model of a contract, which is created once */
  static of(definition: ContractDocument): SchemaModel {
    return memo(SchemaModel.#models, definition, () => new SchemaModel(definition));
  }

  /** @returns the schema at a JSON pointer of the contract; undefined if there is none */
  at(pointer: string): Schema | undefined {
    const known = this.#schemas.get(pointer);
    if (known !== undefined) return known;
    const location = this.definition.at(pointer);
    return location && this.schema(location.pointer, location.node);
  }

  /** @param written the value at `pointer` */
  schema(pointer: string, written: unknown): Schema {
    return memo(this.#schemas, pointer, () => new Schema(this, pointer, written));
  }

  /** @returns a synthetic schema, which is not part of the contract */
  synthetic(written: Node): Schema {
    return new Schema(this, SYNTHETIC, written);
  }

  /** @returns the schemas with this `$dynamicAnchor` */
  anchored(name: string): readonly Schema[] {
    return this.definition.identifiers.withDynamicAnchor(name).map((pointer) => this.at(pointer)!);
  }
}

const SYNTHETIC = 'synthetic';
const NO_SCHEMAS: readonly Schema[] = [];
const NO_NAMES: ReadonlyMap<string, Schema> = new Map();

/** A schema as JSON Schema 2020-12. Subschemas are resolved lazily. */
export class Schema {
  readonly model: SchemaModel;
  /** JSON pointer in the contract. */
  readonly pointer: string;
  /** The value in the contract. */
  readonly written: unknown;
  /** The allowed types; undefined without `type`. */
  readonly types: ReadonlySet<JsonType> | undefined;
  /** True for `nullable` without `type` (OpenAPI 3.0): null is always valid. */
  readonly isNullable: boolean;
  /**
   * All keywords except `type`, references and applicators. Exclusive bounds are numbers, counts are not
   * bigints, and `enum` contains null if `nullable` is true.
   */
  readonly keywords: Readonly<Node>;
  readonly #node: Node;
  readonly #inner = new Map<string, unknown>();
  #conjuncts: readonly Schema[] | undefined;
  #inPlace: readonly Schema[] | undefined;
  #innerSchemas: readonly Schema[] | undefined;

  constructor(model: SchemaModel, pointer: string, written: unknown) {
    this.model = model;
    this.pointer = pointer;
    this.written = written;
    this.#node = normalized(written, model.definition.isVersion30);
    this.types = typesOf(this.#node);
    this.isNullable = this.#node.nullable === true && this.types === undefined;
    this.keywords = keywordsOf(this.#node);
  }

  /** True for the schema `false`. */
  get isNever(): boolean {
    return this.written === false;
  }

  /** True for a schema that is not part of the contract. */
  get isSynthetic(): boolean {
    return this.pointer.startsWith(SYNTHETIC);
  }

  /** The target of `$ref` or `$recursiveRef`. */
  get ref(): Schema | undefined {
    if (this.#node.$ref === undefined && this.#node.$recursiveRef === undefined) return undefined;
    return this.#once('$ref', () =>
      this.#node.$recursiveRef === undefined
        ? this.#target(this.#node.$ref)
        : this.#recursiveTarget(),
    );
  }

  /** The possible targets of `$dynamicRef`, the static one first. */
  get dynamicRefs(): readonly Schema[] {
    if (this.#node.$dynamicRef === undefined) return NO_SCHEMAS;
    return this.#once('$dynamicRef', () => {
      const target = this.#target(this.#node.$dynamicRef);
      if (target === undefined) return [];
      const anchor = this.dynamicAnchor;
      return anchor === undefined
        ? [target]
        : [...new Set([target, ...this.model.anchored(anchor)])];
    });
  }

  /** The anchor of a `$dynamicRef` to a `$dynamicAnchor`; else undefined, and it acts as `$ref`. */
  get dynamicAnchor(): string | undefined {
    const ref: unknown = this.#node.$dynamicRef;
    const target = this.#target(ref)?.keywords.$dynamicAnchor;
    const [, fragment] = String(ref).split('#');
    return target !== undefined && target === fragment ? fragment : undefined;
  }

  /** All schemas of `$ref` and `allOf`, transitively, and this one last. */
  get conjuncts(): readonly Schema[] {
    this.#conjuncts ??= collectConjuncts(this);
    return this.#conjuncts;
  }

  /**
   * The dynamic anchors of the schema resource that contains this schema, with their pointers. Without
   * `$id`, those of this schema and of its `$defs`.
   */
  get dynamicAnchors(): ReadonlyMap<string, string> {
    const { identifiers } = this.model.definition;
    const resource = identifiers.resourceOf(this.pointer);
    return resource === '' ? this.#ownAnchors : identifiers.dynamicAnchorsOf(resource);
  }

  get #ownAnchors(): ReadonlyMap<string, string> {
    const { $defs = {}, $dynamicAnchor: own } = this.#node;
    const inDefs = Object.entries<Node>($defs).map(([name, node]) => {
      return [node?.$dynamicAnchor, `${this.pointer}/$defs/${escapeToken(name)}`];
    });
    const all = [[own, this.pointer], ...inDefs];
    return new Map(all.filter(([name]) => typeof name === 'string') as [string, string][]);
  }

  /** All direct subschemas and referenced schemas. */
  get inner(): readonly Schema[] {
    this.#innerSchemas ??= [
      ...(this.ref === undefined ? [] : [this.ref]),
      ...this.dynamicRefs,
      ...SCHEMA_KEYWORDS.flatMap((keyword) => this.child(keyword) ?? []),
      ...LIST_KEYWORDS.flatMap((keyword) => this.list(keyword)),
      ...MAP_KEYWORDS.flatMap((keyword) => [...this.map(keyword).values()]),
    ];
    return this.#innerSchemas;
  }

  /** The subschemas and referenced schemas that apply to the same value. */
  get inPlace(): readonly Schema[] {
    this.#inPlace ??= [
      ...(this.ref === undefined ? [] : [this.ref]),
      ...this.dynamicRefs,
      ...SAME_VALUE.flatMap((keyword) => this.child(keyword) ?? []),
      ...COMPOSITIONS.flatMap((keyword) => this.list(keyword)),
      ...this.map('dependentSchemas').values(),
    ];
    return this.#inPlace;
  }

  /** True if the schema has the keyword. */
  has(keyword: string): boolean {
    return this.#node[keyword] !== undefined;
  }

  /** @returns the subschema of a keyword */
  child(keyword: SchemaKeyword): Schema | undefined {
    if (this.#node[keyword] === undefined) return undefined;
    return this.#once(keyword, () => {
      const key = keyword === 'items' && this.#hasItemsArray ? 'additionalItems' : keyword;
      return this.#step(key, this.#node[keyword]);
    });
  }

  /** @returns the subschemas of a keyword with an array */
  list(keyword: ListKeyword): readonly Schema[] {
    const list: unknown = this.#node[keyword];
    if (!Array.isArray(list)) return NO_SCHEMAS;
    return this.#once(keyword, () => {
      const key = keyword === 'prefixItems' && this.#hasItemsArray ? 'items' : keyword;
      return list.map((each, at) => this.#step(`${key}/${at}`, each));
    });
  }

  /** @returns the subschemas of a keyword with an object */
  map(keyword: MapKeyword): ReadonlyMap<string, Schema> {
    const map: unknown = this.#node[keyword];
    if (!isObject(map)) return NO_NAMES;
    return this.#once(keyword, () => {
      const inMap = (key: string) => (name: string) => `${key}/${escapeToken(name)}`;
      const pathOf = inMap(keyword === 'dependentSchemas' ? this.#dependenciesKey : keyword);
      return mapped(Object.entries(map), (written, name) => this.#step(pathOf(name), written));
    });
  }

  /** @returns the JSON pointer of a keyword */
  pointerTo(keyword: string): string {
    return `${this.pointer}/${escapeToken(keyword)}`;
  }

  /** Before 2020-12, an array under `items` has the meaning of `prefixItems`. */
  get #hasItemsArray(): boolean {
    return Array.isArray((this.written as Node).items);
  }

  get #dependenciesKey(): string {
    return isObject(this.written) && hasDependencies(this.written)
      ? 'dependencies'
      : 'dependentSchemas';
  }

  #step(path: string, written: unknown): Schema {
    const pointer = `${this.pointer}/${path}`;
    return this.isSynthetic
      ? new Schema(this.model, pointer, written)
      : this.model.schema(pointer, written);
  }

  #target(ref: unknown): Schema | undefined {
    if (typeof ref !== 'string') return undefined;
    return this.model.at(this.model.definition.schemaPointer(ref, this.pointer));
  }

  /** The innermost enclosing schema with `$recursiveAnchor` (draft 2019-09). */
  #recursiveTarget(): Schema | undefined {
    for (let at = this.pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const node: unknown = this.model.definition.at(at)?.node;
      if (isObject(node) && node.$recursiveAnchor === true) return this.model.at(at);
    }
    return undefined;
  }

  #once<T>(keyword: string, make: () => T): T {
    if (!this.#inner.has(keyword)) this.#inner.set(keyword, make());
    return this.#inner.get(keyword) as T;
  }
}

/** True for a property that is readOnly in a request or writeOnly in a response. */
export function isHidden(property: Schema, direction: Direction): boolean {
  const keyword = direction === 'request' ? 'readOnly' : 'writeOnly';
  return property.conjuncts.some(({ keywords }) => keywords[keyword] === true);
}

/** @returns the names of the properties that are hidden in a direction */
export function hiddenNames(schema: Schema, direction: Direction): Set<string> {
  const properties = schema.conjuncts.flatMap((conjunct) => [...conjunct.map('properties')]);
  return new Set(
    properties.filter(([, property]) => isHidden(property, direction)).map(([name]) => name),
  );
}

/** @returns the declared properties, also those of `$ref` and `allOf`; of two with one name the last */
export function propertiesOf(schema: Schema | undefined): ReadonlyMap<string, Schema> {
  return new Map(schema?.conjuncts.flatMap((conjunct) => [...conjunct.map('properties')]));
}

/** @returns the types that all schemas allow; undefined if none has `type` */
export function commonTypes(schemas: readonly Schema[]): JsonType[] | undefined {
  return schemas.reduce<JsonType[] | undefined>((known, { types }) => {
    if (types === undefined || known === undefined) return types === undefined ? known : [...types];
    return [...new Set(known.flatMap((type) => intersect(type, types)))];
  }, undefined);
}

function intersect(type: JsonType, others: ReadonlySet<JsonType>): JsonType[] {
  if (others.has(type)) return [type];
  const isInteger = type === 'integer' ? others.has('number') : others.has('integer');
  return isInteger && (type === 'integer' || type === 'number') ? ['integer'] : [];
}

/** True for an integer that is a bigint in the generated types. */
export function isBigint({ types, keywords: { format } }: Schema): boolean {
  const isNumeric = types?.has('integer') || types?.has('number');
  return isNumeric === true && (format === 'int64' || format === 'uint64');
}

/**
 * True for `format: binary` (3.0), and `contentMediaType` without `contentEncoding` (3.1) unless the string
 * is JSON.
 */
export function isBinary({ types, keywords }: Schema): boolean {
  const { contentMediaType, contentEncoding } = keywords;
  const isRaw =
    contentMediaType !== undefined && contentEncoding === undefined && !isJson(keywords);
  const others = [...(types ?? [])].filter((type) => type !== 'null');
  return others.join() === 'string' && (keywords.format === 'binary' || isRaw);
}

function isJson({ contentMediaType }: Node): boolean {
  return /^[^/]+\/(?:[^;]+\+)?json *(?:;|$)/i.test(String(contentMediaType));
}

/** @returns the keywords that apply, in the syntax of 2020-12 */
function normalized(written: unknown, isVersion30: boolean): Node {
  if (!isObject(written)) return {};
  // OpenAPI 3.0.3, Reference Object: siblings of `$ref` are ignored.
  if (isVersion30 && written.$ref !== undefined) return { $ref: written.$ref };
  return withDependencies(withPrefixItems(written));
}

/** Before 2020-12, `items` could be an array. */
function withPrefixItems(written: Node): Node {
  const { items, additionalItems, ...rest } = written;
  return Array.isArray(items) ? { ...rest, prefixItems: items, items: additionalItems } : written;
}

/** Before 2019-09, `dependencies` had the meaning of `dependentRequired` and `dependentSchemas`. */
function withDependencies(written: Node): Node {
  if (!hasDependencies(written)) return written;
  const { dependencies, ...rest } = written;
  const entries = Object.entries(dependencies);
  const names = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => !Array.isArray(value));
  return {
    ...rest,
    dependentRequired: Object.fromEntries(names),
    dependentSchemas: Object.fromEntries(schemas),
  };
}

/** The later keywords replace `dependencies`. */
function hasDependencies(written: Node): boolean {
  const { dependencies, dependentRequired, dependentSchemas } = written;
  return (
    isObject(dependencies) && dependentRequired === undefined && dependentSchemas === undefined
  );
}

function typesOf({ type, nullable }: Node): ReadonlySet<JsonType> | undefined {
  if (type === undefined) return undefined;
  return new Set([type, ...(nullable === true ? ['null'] : [])].flat());
}

function keywordsOf(node: Node): Node {
  const keywords: Node = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (!NOT_IN_KEYWORDS.has(keyword) && value !== undefined) keywords[keyword] = value;
  }
  for (const keyword of COUNTS) {
    if (typeof keywords[keyword] === 'bigint') keywords[keyword] = Number(keywords[keyword]);
  }
  normalizeExclusive(keywords, 'exclusiveMinimum', 'minimum');
  normalizeExclusive(keywords, 'exclusiveMaximum', 'maximum');
  if (node.nullable === true && Array.isArray(node.enum) && !node.enum.includes(null)) {
    keywords.enum = [...node.enum, null];
  }
  if (keywords.format === 'base64') keywords.format = 'byte';
  return keywords;
}

/** Converts the boolean exclusiveMinimum and exclusiveMaximum of OpenAPI 3.0 to numbers. */
function normalizeExclusive(keywords: Node, exclusive: string, bound: string): void {
  if (typeof keywords[exclusive] !== 'boolean') return;
  const isExclusive = keywords[exclusive] && keywords[bound] !== undefined;
  delete keywords[exclusive];
  if (!isExclusive) return;
  keywords[exclusive] = keywords[bound];
  delete keywords[bound];
}

/** @param found receives the schemas, each after those that it inherits from */
function collectConjuncts(
  schema: Schema,
  found: Schema[] = [],
  seen = new Set<Schema>(),
): Schema[] {
  if (seen.has(schema)) return found;
  seen.add(schema);
  if (schema.ref !== undefined) collectConjuncts(schema.ref, found, seen);
  for (const each of schema.list('allOf')) collectConjuncts(each, found, seen);
  found.push(schema);
  return found;
}
