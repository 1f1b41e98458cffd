// The schemas of a contract in one dialect, JSON Schema 2020-12, whichever OpenAPI version wrote them.
import { type Definition, isObject, type LocatedNode, type Node } from '../document/definition.ts';
import { escapeToken } from '../document/pointer.ts';
import { Recursion } from './recursion.ts';

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** Which way a value travels: `readOnly` is not for requests, `writeOnly` not for responses. */
export type Direction = 'request' | 'response';

const SINGLE = [
  ...(['not', 'if', 'then', 'else', 'items', 'contains', 'propertyNames'] as const),
  ...(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'] as const),
] as const;
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'] as const;
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];
const COUNTS = ['Length', 'Items', 'Properties', 'Contains'].flatMap((of) => [
  `min${of}`,
  `max${of}`,
]);
const NOT_KEPT = new Set<string>([...SINGLE, ...LISTS, ...MAPS, ...REFERENCES, 'type', 'nullable']);

type Single = (typeof SINGLE)[number];
type List = (typeof LISTS)[number];
type NamedMap = (typeof MAPS)[number];

/** The schemas of one contract; each pointer has one Schema, so a recursion leads to the same object. */
export class SchemaModel {
  static readonly #models = new WeakMap<Definition, SchemaModel>();
  readonly definition: Definition;
  readonly #schemas = new Map<string, Schema>();
  readonly #recursion = new Recursion<Schema>();
  #anchors: ReadonlyMap<string, readonly Schema[]> | undefined;
  #hasUnevaluated: boolean | undefined;

  private constructor(definition: Definition) {
    this.definition = definition;
  }

  /** @returns the one model of a contract */
  static of(definition: Definition): SchemaModel {
    const model = SchemaModel.#models.get(definition) ?? new SchemaModel(definition);
    SchemaModel.#models.set(definition, model);
    return model;
  }

  /** @returns the schema at a JSON pointer of the contract; undefined where nothing stands */
  at(pointer: string): Schema | undefined {
    const known = this.#schemas.get(pointer);
    if (known !== undefined) return known;
    const location = this.definition.at(pointer);
    return location && this.schema(location.pointer, location.node);
  }

  /** @param written the value at `pointer` in the contract */
  schema(pointer: string, written: unknown): Schema {
    const known = this.#schemas.get(pointer);
    if (known !== undefined) return known;
    const schema = new Schema(this, pointer, written);
    this.#schemas.set(pointer, schema);
    return schema;
  }

  /** @returns a schema that is not part of the contract */
  made(written: Node): Schema {
    return new Schema(this, MADE, written);
  }

  /** @returns true where `to`, which `from` refers to, leads back to `from` */
  isRecursive(from: Schema, to: Schema): boolean {
    return this.#recursion.isRecursive(from, to);
  }

  /** True where a keyword of the contract depends on what other schemas have evaluated. */
  get hasUnevaluated(): boolean {
    this.#hasUnevaluated ??= [...this.#nodes()].some(
      ({ node }) => 'unevaluatedProperties' in node || 'unevaluatedItems' in node,
    );
    return this.#hasUnevaluated;
  }

  /** @returns the schemas with a `$dynamicAnchor` of that name */
  anchored(name: string): readonly Schema[] {
    this.#anchors ??= this.#collectAnchors();
    return this.#anchors.get(name) ?? [];
  }

  #collectAnchors(): Map<string, Schema[]> {
    const found = new Map<string, Schema[]>();
    for (const { node, pointer } of this.#nodes()) {
      const name: unknown = node.$dynamicAnchor;
      if (typeof name === 'string') {
        found.set(name, [...(found.get(name) ?? []), this.schema(pointer, node)]);
      }
    }
    return found;
  }

  /** @yields the objects and arrays of the contract */
  *#nodes(): Generator<LocatedNode> {
    const pending: LocatedNode[] = [{ pointer: '', node: this.definition.document }];
    for (let location = pending.pop(); location !== undefined; location = pending.pop()) {
      const { node } = location;
      if (typeof node !== 'object' || node === null) continue;
      yield location;
      for (const key of Object.keys(node)) pending.push(this.definition.step(location, key));
    }
  }
}

const MADE = 'made';

/** A schema as JSON Schema 2020-12. Subschemas are resolved when they are first asked for. */
export class Schema {
  readonly model: SchemaModel;
  /** JSON pointer in the contract. */
  readonly pointer: string;
  /** The schema as the contract writes it. */
  readonly written: unknown;
  /** The types that are allowed; undefined where the schema names none. */
  readonly types: ReadonlySet<JsonType> | undefined;
  /** True where null is valid even if the schema says otherwise: 3.0's `nullable` without `type`. */
  readonly isNullable: boolean;
  /**
   * Every keyword but `type`, references and those that hold schemas. Bounds are numbers, counts
   * are no bigints, an `enum` holds null where `nullable` adds it.
   */
  readonly keywords: Readonly<Node>;
  readonly #node: Node;
  readonly #inner = new Map<string, unknown>();
  #conjuncts: readonly Schema[] | undefined;

  constructor(model: SchemaModel, pointer: string, written: unknown) {
    this.model = model;
    this.pointer = pointer;
    this.written = written;
    this.#node = keptOf(written, model.definition.isVersion30);
    this.types = typesOf(this.#node);
    this.isNullable = this.#node.nullable === true && this.types === undefined;
    this.keywords = keywordsOf(this.#node);
  }

  /** True for the schema `false`, which no value meets. */
  get isNever(): boolean {
    return this.written === false;
  }

  /** True for a schema that the contract does not contain. */
  get isMade(): boolean {
    return this.pointer.startsWith(MADE);
  }

  /** The schema that `$ref` or `$recursiveRef` leads to. */
  get ref(): Schema | undefined {
    return this.#once('$ref', () =>
      this.#node.$recursiveRef === undefined
        ? this.#target(this.#node.$ref)
        : this.#recursiveTarget(),
    );
  }

  /** The schemas that `$dynamicRef` may lead to, the one without a dynamic scope first. */
  get dynamicRefs(): readonly Schema[] {
    return this.#once('$dynamicRef', () => {
      const ref: unknown = this.#node.$dynamicRef;
      const target = this.#target(ref);
      if (target === undefined) return [];
      const anchor = String(ref).slice(String(ref).indexOf('#') + 1);
      if (target.keywords.$dynamicAnchor !== anchor) return [target];
      return [...new Set([target, ...this.model.anchored(anchor)])];
    });
  }

  /** The schemas that `$ref` and `allOf` add, and this one last: a value must meet them all. */
  get conjuncts(): readonly Schema[] {
    this.#conjuncts ??= collectConjuncts(this);
    return this.#conjuncts;
  }

  /** The dynamic anchors of this schema and of its `$defs`: name -> pointer. */
  get dynamicAnchors(): [name: string, pointer: string][] {
    const { $defs = {}, $dynamicAnchor: own } = this.#node;
    const inDefs = Object.entries<Node>($defs).map(([name, each]) => {
      return [each?.$dynamicAnchor, `${this.pointer}/$defs/${escapeToken(name)}`];
    });
    const all = [[own, this.pointer], ...inDefs];
    return all.filter(([name]) => typeof name === 'string') as [string, string][];
  }

  /** Every schema that this one holds or refers to. */
  get inner(): readonly Schema[] {
    const words = Object.keys(this.#node);
    return [
      ...(this.ref === undefined ? [] : [this.ref]),
      ...this.dynamicRefs,
      ...SINGLE.flatMap((word) => this.child(word) ?? []),
      ...LISTS.filter((word) => words.includes(word)).flatMap((word) => this.list(word)),
      ...MAPS.flatMap((word) => [...this.map(word).values()]),
    ];
  }

  /** True where the schema has a keyword, also an empty one. */
  has(word: string): boolean {
    return this.#node[word] !== undefined;
  }

  /** @returns the schema under a keyword */
  child(word: Single): Schema | undefined {
    return this.#once(word, () => {
      if (this.#node[word] === undefined) return undefined;
      const key = word === 'items' && this.#hasItemsArray ? 'additionalItems' : word;
      return this.#step(key, this.#node[word]);
    });
  }

  /** @returns the schemas under a keyword that lists them */
  list(word: List): readonly Schema[] {
    return this.#once(word, () => {
      const list: unknown = this.#node[word];
      if (!Array.isArray(list)) return [];
      const key = word === 'prefixItems' && this.#hasItemsArray ? 'items' : word;
      return list.map((each, at) => this.#step(`${key}/${at}`, each));
    });
  }

  /** @returns the schemas under a keyword that names them */
  map(word: NamedMap): ReadonlyMap<string, Schema> {
    return this.#once(word, () => {
      const map: unknown = this.#node[word];
      if (!isObject(map)) return new Map();
      return new Map(
        Object.entries(map).map(([name, each]) => [
          name,
          this.#step(`${word}/${escapeToken(name)}`, each),
        ]),
      );
    });
  }

  /** @returns the pointer of a keyword as the contract writes it */
  pointerTo(word: string): string {
    return `${this.pointer}/${escapeToken(word)}`;
  }

  /** Drafts before 2020-12 write `prefixItems` as an array under `items`. */
  get #hasItemsArray(): boolean {
    return Array.isArray((this.written as Node).items);
  }

  #step(path: string, written: unknown): Schema {
    const pointer = `${this.pointer}/${path}`;
    return this.isMade
      ? new Schema(this.model, pointer, written)
      : this.model.schema(pointer, written);
  }

  #target(ref: unknown): Schema | undefined {
    if (typeof ref !== 'string') return undefined;
    return this.model.at(this.model.definition.schemaPointer(ref, this.pointer));
  }

  /** 2019-09's `$recursiveRef`: the nearest schema around this one with a `$recursiveAnchor`. */
  #recursiveTarget(): Schema | undefined {
    for (let at = this.pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const node: unknown = this.model.definition.at(at)?.node;
      if (isObject(node) && node.$recursiveAnchor === true) return this.model.at(at);
    }
    return undefined;
  }

  #once<T>(word: string, make: () => T): T {
    if (!this.#inner.has(word)) this.#inner.set(word, make());
    return this.#inner.get(word) as T;
  }
}

/** True for a property that does not travel this way, by its own annotation or one that applies too. */
export function isHidden(property: Schema, direction: Direction): boolean {
  const word = direction === 'request' ? 'readOnly' : 'writeOnly';
  return property.conjuncts.some(({ keywords }) => keywords[word] === true);
}

/** @returns the names of a schema's properties that do not travel this way */
export function hiddenNames(schema: Schema, direction: Direction): Set<string> {
  const properties = schema.conjuncts.flatMap((each) => [...each.map('properties')]);
  return new Set(properties.filter(([, each]) => isHidden(each, direction)).map(([name]) => name));
}

/** @returns the types that all of the schemas allow; undefined where none of them names any */
export function commonTypes(schemas: readonly Schema[]): JsonType[] | undefined {
  return schemas.reduce<JsonType[] | undefined>((known, { types }) => {
    if (types === undefined || known === undefined) return types === undefined ? known : [...types];
    return [...new Set(known.flatMap((type) => meet(type, types)))];
  }, undefined);
}

function meet(type: JsonType, others: ReadonlySet<JsonType>): JsonType[] {
  if (others.has(type)) return [type];
  const isInteger = type === 'integer' ? others.has('number') : others.has('integer');
  return isInteger && (type === 'integer' || type === 'number') ? ['integer'] : [];
}

/** True for an integer that is a bigint in the generated types and at run time. */
export function isBigint({ types, keywords: { format } }: Schema): boolean {
  const isNumeric = types?.has('integer') || types?.has('number');
  return isNumeric === true && (format === 'int64' || format === 'uint64');
}

/** True for bytes: 3.0's `format: binary`, 3.1's `contentMediaType` without `contentEncoding`. */
export function isBinary({ types, keywords }: Schema): boolean {
  const isRaw = keywords.contentMediaType !== undefined && keywords.contentEncoding === undefined;
  const others = [...(types ?? [])].filter((type) => type !== 'null');
  return others.join() === 'string' && (keywords.format === 'binary' || isRaw);
}

/** The part of a schema that counts, in the layout of 2020-12. */
function keptOf(written: unknown, isVersion30: boolean): Node {
  if (!isObject(written)) return {};
  // OpenAPI 3.0.3, Reference Object: siblings of `$ref` are ignored.
  if (isVersion30 && written.$ref !== undefined) return { $ref: written.$ref };
  const { items, additionalItems, ...rest } = written;
  if (Array.isArray(items)) return { ...rest, prefixItems: items, items: additionalItems };
  return written;
}

function typesOf({ type, nullable }: Node): ReadonlySet<JsonType> | undefined {
  if (type === undefined) return undefined;
  return new Set([type, ...(nullable === true ? ['null'] : [])].flat());
}

function keywordsOf(node: Node): Node {
  const keywords: Node = {};
  for (const [word, value] of Object.entries(node)) {
    if (!NOT_KEPT.has(word) && value !== undefined) keywords[word] = value;
  }
  for (const word of COUNTS) {
    if (typeof keywords[word] === 'bigint') keywords[word] = Number(keywords[word]);
  }
  settleExclusive(keywords, 'exclusiveMinimum', 'minimum');
  settleExclusive(keywords, 'exclusiveMaximum', 'maximum');
  if (node.nullable === true && Array.isArray(node.enum) && !node.enum.includes(null)) {
    keywords.enum = [...node.enum, null];
  }
  return keywords;
}

/** 3.0's boolean exclusiveMinimum and exclusiveMaximum become bounds of their own. */
function settleExclusive(keywords: Node, exclusive: string, bound: string): void {
  if (typeof keywords[exclusive] !== 'boolean') return;
  const isExclusive = keywords[exclusive] && keywords[bound] !== undefined;
  delete keywords[exclusive];
  if (!isExclusive) return;
  keywords[exclusive] = keywords[bound];
  delete keywords[bound];
}

function collectConjuncts(schema: Schema, seen = new Set<Schema>()): Schema[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const inherited = [...(schema.ref === undefined ? [] : [schema.ref]), ...schema.list('allOf')];
  return [...inherited.flatMap((each) => collectConjuncts(each, seen)), schema];
}
