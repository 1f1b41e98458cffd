// From a contract's schemas (OpenAPI 3.0's dialect or 3.1's) to JSON Schema 2020-12 for Ajv, for
// one direction at a time: what a request may hold is not what a response may hold.
import type { Definition, Node, Place } from '../definition/definition.ts';
import {
  binarySchema,
  exclusiveBounds,
  IN_PLACE,
  int64Schema,
  isBinary,
  isInt64,
  LEFT_OUT,
  NAMED_SUBSCHEMAS,
  SUBSCHEMA,
  SUBSCHEMAS,
} from './keywords.ts';

/** Which way a body travels: `readOnly` is not for requests, `writeOnly` not for responses. */
export type Direction = 'request' | 'response';

export type Schema = Node | boolean;

/** Dynamic anchors (JSON Schema 2020-12, section 8.2.3.2): name -> pointer of the outermost. */
export type Scope = ReadonlyMap<string, string>;

export const NO_SCOPE: Scope = new Map();

/** Translates schemas of one contract in one direction; every `$ref` becomes `refTo(pointer)`. */
export class SchemaTranslator {
  readonly #definition: Definition;
  readonly #direction: Direction;
  readonly #refTo: (pointer: string, scope: Scope) => string;
  #scope: Scope = NO_SCOPE;
  /** Names that a composition around hides from this direction, whichever member requires them. */
  #hidden: ReadonlySet<string> = new Set();

  constructor(
    definition: Definition,
    direction: Direction,
    refTo: (pointer: string, scope: Scope) => string,
  ) {
    this.#definition = definition;
    this.#direction = direction;
    this.#refTo = refTo;
  }

  /** @returns the JSON Schema 2020-12 that accepts what the schema at `place` means. */
  translate(place: Place, scope: Scope): Schema {
    this.#scope = new Map([...this.#definition.dynamicAnchorsIn(place), ...scope]);
    return this.#translate(place);
  }

  #translate(place: Place): Schema {
    const schema: Schema = place.node;
    if (typeof schema === 'boolean') return schema;
    if (schema.$ref !== undefined && this.#definition.isVersion30) return this.#reference(place);
    const outer = this.#hidden;
    this.#hidden = new Set([...outer, ...this.#hiddenNames(place, new Set())]);
    const translated = this.#keywords(place);
    this.#hidden = outer;
    return this.#nullable(schema, translated);
  }

  /** The properties of a schema and of its allOf that are for the other direction. */
  #hiddenNames(place: Place, seen: Set<string>): string[] {
    const { node, pointer } = this.#definition.followSchema(place);
    if (seen.has(pointer) || typeof node !== 'object') return [];
    seen.add(pointer);
    const target = { pointer, node };
    const names = Object.keys(node.properties ?? {}).filter((name) =>
      this.#isForTheOtherDirection(
        this.#definition.step(this.#definition.step(target, 'properties'), name),
      ),
    );
    const list = this.#definition.step(target, 'allOf');
    const members = Object.keys(list.node ?? {}).map((at) => this.#definition.step(list, at));
    return [...names, ...members.flatMap((each) => this.#hiddenNames(each, seen))];
  }

  #reference({ pointer, node }: Place): Schema {
    return { $ref: this.#refTo(this.#definition.schemaPointer(node.$ref, pointer), this.#scope) };
  }

  /** Resolved here, in the scope that leads here, since a schema is translated once per scope. */
  #dynamicReference({ pointer, node }: Place): Node {
    const outermost = this.#scope.get(String(node.$dynamicRef).replace(/^.*#/, ''));
    const target = outermost ?? this.#definition.schemaPointer(node.$dynamicRef, pointer);
    return { $ref: this.#refTo(target, this.#scope) };
  }

  #keywords(place: Place): Schema {
    const translated: Node = {};
    for (const [word, value] of Object.entries(place.node)) {
      if (LEFT_OUT.has(word) || word.startsWith('x-')) continue;
      Object.assign(translated, this.#keyword(word, value, place));
    }
    exclusiveBounds(translated);
    if (isInt64(place.node)) return int64Schema(translated);
    if (isBinary(place.node)) return binarySchema(translated);
    return this.#discriminated(place, translated);
  }

  #keyword(word: string, value: unknown, place: Place): Node {
    if (word === '$ref') return this.#reference(place) as Node;
    if (word === '$dynamicRef') return this.#dynamicReference(place);
    if (word === 'required') {
      return { required: (value as string[]).filter((name) => !this.#hidden.has(name)) };
    }
    if (word === 'items' && Array.isArray(value)) {
      return { prefixItems: this.#many('items', place) };
    }
    if (IN_PLACE.has(word)) return { [word]: this.#inPlace(word, place) };
    const outer = this.#hidden;
    this.#hidden = new Set();
    const translated = this.#ofParts(word, value, place);
    this.#hidden = outer;
    return { [word]: translated };
  }

  /** A schema of the same value: what is hidden around it is hidden in it. */
  #inPlace(word: string, place: Place): Schema | Schema[] {
    return SUBSCHEMAS.has(word) ? this.#many(word, place) : this.#one(word, place);
  }

  #ofParts(word: string, value: unknown, place: Place): unknown {
    if (SUBSCHEMA.has(word)) return this.#one(word, place);
    if (SUBSCHEMAS.has(word)) return this.#many(word, place);
    return NAMED_SUBSCHEMAS.has(word) ? this.#named(word, place) : value;
  }

  #one(word: string, place: Place): Schema {
    return this.#translate(this.#definition.step(place, word));
  }

  #many(word: string, place: Place): Schema[] {
    const list = this.#definition.step(place, word);
    return Object.keys(list.node).map((at) => this.#one(at, list));
  }

  #named(word: string, place: Place): Node {
    const map = this.#definition.step(place, word);
    const entries = Object.keys(map.node).map((name) => {
      const property = this.#definition.step(map, name);
      if (word !== 'properties' || !this.#isForTheOtherDirection(property)) {
        return [name, this.#translate(property)];
      }
      return [name, this.#direction === 'response'];
    });
    return Object.fromEntries(entries);
  }

  #isForTheOtherDirection(property: Place): boolean {
    const word = this.#direction === 'request' ? 'readOnly' : 'writeOnly';
    return property.node?.[word] === true || this.#definition.follow(property).node[word] === true;
  }

  /** 3.0's `nullable`, in the sense people write it: beside a type, an enum, a $ref or a composition. */
  #nullable(schema: Node, translated: Schema): Schema {
    if (schema.nullable !== true || typeof translated === 'boolean') return translated;
    if (schema.type === undefined || translated.int64 !== undefined) {
      return { anyOf: [{ type: 'null' }, translated] };
    }
    const types = [schema.type, 'null'].flat();
    return translated.enum === undefined || translated.enum.includes(null)
      ? { ...translated, type: types }
      : { ...translated, type: types, enum: [...translated.enum, null] };
  }

  /** Where the discriminator is present it alone selects the branch; else the composition decides. */
  #discriminated(place: Place, translated: Node): Schema {
    const property: unknown = place.node.discriminator?.propertyName;
    const word = place.node.oneOf !== undefined ? 'oneOf' : 'anyOf';
    if (typeof property !== 'string' || place.node[word] === undefined) return translated;
    const branches = this.#branchesByValue(place, word);
    if (branches === undefined) return translated;
    const { [word]: composition, ...rest } = translated;
    const select = [...branches].map(([value, branch]) => ({
      if: { properties: { [property]: { const: value } } },
      then: { $ref: this.#refTo(branch, this.#scope) },
    }));
    const chosen = {
      if: { type: 'object', required: [property] },
      then: { properties: { [property]: { enum: [...branches.keys()] } }, allOf: select },
      else: { [word]: composition },
    };
    return { ...rest, allOf: [...(rest.allOf ?? []), chosen] };
  }

  /** Discriminator value -> pointer of its branch; undefined where a branch has no name. */
  #branchesByValue(place: Place, word: string): Map<string, string> | undefined {
    const branches = new Map<string, string>();
    for (const { $ref } of place.node[word] as Node[]) {
      if (typeof $ref !== 'string') return undefined;
      const pointer = this.#definition.schemaPointer($ref, place.pointer);
      branches.set(pointer.slice(pointer.lastIndexOf('/') + 1), pointer);
    }
    const mapping: Record<string, string> = place.node.discriminator.mapping ?? {};
    for (const [value, target] of Object.entries(mapping)) {
      const ref = /[#/]/.test(target) ? target : `#/components/schemas/${target}`;
      branches.set(value, this.#definition.schemaPointer(ref, place.pointer));
    }
    return branches;
  }
}
