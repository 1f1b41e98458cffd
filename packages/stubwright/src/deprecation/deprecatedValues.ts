// The deprecated parts of a parameter or a body, and those that a value uses.

import {
  Applicators,
  type Applied,
  type Deprecation,
  deprecationIn,
  escapeToken,
  inPlaceSchemas,
  isDeprecated,
  isObject,
  itemsSchemas,
  type Node,
  otherProperties,
  Reaching,
  type Schema,
  type SchemaValues,
} from '@stubwright/contract';
import { Evaluation, type Validators } from '@stubwright/contract/values';

/** A deprecated operation, parameter or property. */
export interface DeprecatedPart extends Deprecation {
  /** `operation`, `query parameter limit`, `body /tag`. */
  readonly name: string;
}

/** Of the schemas that apply to a value. */
interface Deprecated {
  /** Of several deprecated ones the outermost. */
  readonly holder: Schema | undefined;
  /** By name of a declared property. */
  readonly declared: ReadonlyMap<string, Schema>;
}

type Located = SchemaValues<Deprecated>;
type Found = Map<string, DeprecatedPart>;

/** The values of a parameter or a body. */
export class DeprecatedValues {
  readonly #name: string;
  readonly #values: Located;
  /** The names of the locations of schemas; those within a recursive schema have the first one. */
  readonly #names = new Map<Schema, string>();

  /** @param name of the whole value */
  constructor(schemas: readonly Schema[], name: string, validators: Validators) {
    const reaching = new Reaching(({ written }) => isDeprecated(written));
    const isRelevant = (schema: Schema) => reaching.from(schema);
    const applicators = new Applicators<Deprecated>(validators, {
      isRelevant,
      readsContains: true,
      compile: deprecatedIn,
    });
    this.#name = name;
    this.#values = applicators.values(schemas);
    if (!this.#values.isEmpty) this.#nameLocations(schemas);
  }

  /** All that values may use. */
  get parts(): DeprecatedPart[] {
    return [...this.#names]
      .filter(([{ written }]) => isDeprecated(written))
      .map(([schema, name]) => partOf(schema, name));
  }

  /** @param value valid and without defaults @returns the parts that it uses */
  of(value: unknown): DeprecatedPart[] {
    const found: Found = new Map();
    if (!this.#values.isEmpty)
      this.#collect(value, this.#values, this.#name, new Evaluation(value), found);
    return [...found.values()];
  }

  /** As {@link of}, without the value itself. */
  within(value: unknown): DeprecatedPart[] {
    return this.of(value).filter(({ name }) => name !== this.#name);
  }

  #collect(
    value: unknown,
    values: Located,
    name: string,
    evaluation: Evaluation,
    found: Found,
  ): void {
    const applied = values.applying(value, evaluation);
    const { holder, declared } = applied.data;
    if (holder !== undefined && !found.has(name)) found.set(name, partOf(holder, name));
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) {
        const item = applied.item(at);
        if (!item.isEmpty) this.#collect(value[at], item, name, evaluation, found);
      }
    } else if (isObject(value)) {
      for (const [property, each] of Object.entries(value)) {
        const inner = applied.property(property);
        if (inner.isEmpty) continue;
        const schema = declared.get(property) ?? inner.schemas[0]!;
        this.#collect(each, inner, this.#names.get(schema)!, evaluation, found);
      }
    }
  }

  /** Breadth first: each location has its shortest name. */
  #nameLocations(roots: readonly Schema[]): void {
    const add = (schemas: Iterable<Schema>, name: string) => {
      for (const each of schemas) if (!this.#names.has(each)) this.#names.set(each, name);
    };
    add(roots, this.#name);
    for (const [schema, name] of this.#names) {
      add([...inPlaceSchemas(schema), ...itemsSchemas(schema)], name);
      for (const [property, each] of schema.map('properties')) {
        add([each], this.#propertyName(name, property));
      }
      add(otherProperties(schema), this.#propertyName(name, '*'));
    }
  }

  /** @param property `*` for one without a declaration, which has the name of its object within a value */
  #propertyName(name: string, property: string): string {
    if (name === this.#name) return `${name} /${escapeToken(property)}`;
    return property === '*' ? name : `${name}/${escapeToken(property)}`;
  }
}

function partOf({ written }: Schema, name: string): DeprecatedPart {
  return { name, ...deprecationIn(written as Node) };
}

function deprecatedIn({ schemas }: Applied<Deprecated>): Deprecated {
  const all = [...schemas];
  return {
    holder: all.findLast(({ written }) => isDeprecated(written)),
    declared: new Map(all.flatMap((schema) => [...schema.map('properties')])),
  };
}
