// The kinds and types that a schema allows, for deserialization of text.

import { memo } from '../../document/memo.ts';
import { isObject } from '../../document/node.ts';
import { selectedBy } from '../../schema/discriminator.ts';
import { Evaluation } from '../../schema/evaluation.ts';
import { isBinary, type Schema } from '../../schema/model.ts';
import {
  declaredProperty,
  itemSchemas,
  otherProperties,
  possibleSchemas,
  prefixLength,
  propertySchemas,
} from '../../schema/possible.ts';
import type { Validators } from '../../schema/validator.ts';
import { type XmlObject, xmlObject } from '../xml/xmlObject.ts';

/** The members of {@link SchemaShape}. */
export type Shape = { readonly [Member in keyof SchemaShape]: SchemaShape[Member] };

/** `text` is a string that is not converted to a number. */
type ReadAs = Kind | 'text';
type Kind = 'scalar' | 'array' | 'object';

const TEXT: ReadonlySet<string> = new Set(['string']);

/** @returns the shape of a schema */
export function shapeOf(schema: Schema | undefined, validators: Validators): Shape {
  return schema === undefined ? UNKNOWN : new SchemaShape([schema], validators, new Map());
}

/**
 * Selects the types of a text. First every type counts that a schema may give to a part. If the value is
 * invalid, those count that apply under the conditions of this value, for one alternative after another.
 * If the schema allows several kinds (`oneOf: [string, array]`), the first with a valid value is selected: a
 * scalar takes precedence over an array of one item.
 *
 * @param read deserializes the text as one kind; may throw
 * @returns the selected shape
 */
export function bestReading(shape: Shape, read: (shape: Shape) => unknown): Shape {
  if (shape.readings.length === 1 && !shape.isAmbiguous) return shape;
  const valid = shape.readings.flatMap((reading) => validReading(reading, shape, read));
  if (shape.readings.length === 1) return valid[0]?.shape ?? shape;
  const clear = valid.find(({ value }) => !Array.isArray(value) || value.length > 1);
  return (clear ?? valid[0])?.shape ?? shape.readings.at(-1)!;
}

interface Reading {
  readonly shape: Shape;
  readonly value: unknown;
}

function validReading(
  reading: Shape,
  shape: Shape,
  read: (shape: Shape) => unknown,
): readonly Reading[] {
  const readAs = (shape: Shape) => {
    try {
      return read(shape);
    } catch {
      return undefined;
    }
  };
  const isValid = (value: unknown) => kindOf(value) === reading.kind && shape.accepts(value);
  const value = readAs(reading);
  if (value === undefined) return [];
  if (isValid(value)) return [{ shape: reading, value }];
  for (const each of reading.isAmbiguous ? reading.narrowed(value) : []) {
    const own = readAs(each);
    if (isValid(own)) return [{ shape: each, value: own }];
  }
  return [];
}

function kindOf(value: unknown): Kind | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' && value !== null ? 'object' : 'scalar';
}

interface ShapeOptions {
  /** Restricts the shape to one kind. */
  readonly reading?: ReadAs;
  /** The schemas that may apply to the value. */
  readonly parts?: ReadonlySet<Schema>;
  /** True if all schemas of each property apply. */
  readonly isCertain?: boolean | undefined;
}

class SchemaShape {
  readonly kind: Kind;
  /** The allowed JSON types; empty without `type`. */
  readonly types: ReadonlySet<string>;
  /** Names of the declared properties. */
  readonly names: ReadonlySet<string>;
  /** Names of the required properties. */
  readonly required: ReadonlySet<string>;
  /** The XML Object. */
  readonly xml: XmlObject;
  /** True if every string is binary. */
  readonly isBinary: boolean;
  /** True if some strings are binary. */
  readonly allowsBinary: boolean;
  /** True if the schema describes additional properties. */
  readonly isOpen: boolean;
  /** One shape per kind that the schema allows, in order of preference. */
  readonly readings: readonly Shape[];
  /** Undefined without schemas. */
  readonly #validators: Validators | undefined;
  readonly #schemas: readonly Schema[];
  readonly #parts: ReadonlySet<Schema>;
  readonly #options: ShapeOptions;
  /** By pointers of the schemas, for recursive schemas. */
  readonly #shapes: Map<string, Shape>;
  readonly #properties = new Map<string, Shape>();
  readonly #items: Shape[] = [];
  readonly #prefix: number;
  #other: Shape | undefined;
  #narrowing: Narrowing | undefined;

  /** @param shapes shared by all inner shapes */
  constructor(
    schemas: readonly Schema[],
    validators: Validators | undefined,
    shapes: Map<string, Shape>,
    options: ShapeOptions = {},
  ) {
    const { reading, parts = possibleSchemas(schemas) } = options;
    this.#options = options;
    this.#shapes = shapes;
    this.#validators = validators;
    this.#schemas = schemas;
    this.#parts = parts;
    const all = [...parts];
    const types = new Set(all.flatMap(typesIn));
    this.types = reading === 'text' ? TEXT : types;
    this.names = namesIn(possibleSchemas(schemas));
    const conjuncts = schemas.flatMap((schema) => schema.conjuncts);
    this.required = new Set(conjuncts.flatMap(({ keywords }) => keywords.required ?? []));
    const texts = all.filter((schema) => schema.types?.has('string'));
    this.allowsBinary = texts.some(isBinary);
    this.isBinary = this.allowsBinary && texts.every(isBinary);
    this.#prefix = prefixLength(parts);
    this.isOpen = all.some((schema) => otherProperties(schema).length > 0);
    const written = Object.assign({}, ...conjuncts.map(({ keywords }) => keywords.xml));
    this.xml = xmlObject(written, types.has('array'));
    const kinds = reading === undefined ? readingsOf(types) : [reading];
    const usual = kinds.includes('array') ? 'array' : kinds[0]!;
    this.kind = usual === 'text' ? 'scalar' : usual;
    this.readings =
      kinds.length === 1
        ? [this]
        : kinds.map(
            (kind) => new SchemaShape(schemas, validators, shapes, { ...options, reading: kind }),
          );
  }

  /** @param at the index of the item; by default of one after those with schemas of their own */
  items(at = Number.POSITIVE_INFINITY): Shape {
    const index = Math.min(at, this.#prefix);
    this.#items[index] ??= this.#inner(itemSchemas(this.#parts, index, false));
    return this.#items[index];
  }

  property(name: string): Shape {
    const known = this.#properties.get(name);
    if (known !== undefined) return known;
    const isDeclared = [...this.#parts].some((schema) => declaredProperty(schema, name).length > 0);
    if (!isDeclared) return this.#undeclared();
    const shape = this.#inner(propertySchemas(this.#parts, name, false));
    // A client may send any name.
    if (this.names.has(name)) this.#properties.set(name, shape);
    return shape;
  }

  #undeclared(): Shape {
    this.#other ??= this.#inner(
      [...this.#parts].flatMap(
        (schema) =>
          schema.child('additionalProperties') ?? schema.child('unevaluatedProperties') ?? [],
      ),
    );
    return this.#other;
  }

  accepts(value: unknown): boolean {
    const isValid = ({ pointer }: Schema) => this.#validators!.at(pointer)(value);
    return this.#options.isCertain ? this.#schemas.every(isValid) : this.#schemas.some(isValid);
  }

  /** True for an object to whose properties alternatives or conditions give several types. */
  get isAmbiguous(): boolean {
    if (this.kind !== 'object') return false;
    this.#narrowing ??= new Narrowing(this.#schemas, this.#validators!);
    return this.#narrowing.isAmbiguous;
  }

  /** @returns the shapes of an ambiguous object by its alternatives and conditions */
  narrowed(value: unknown): readonly Shape[] {
    return this.#narrowing!.of(value).map((narrowed) => this.#narrowedTo(narrowed));
  }

  #narrowedTo({ parts, isCertain }: Narrowed): Shape {
    const pointers = [...parts].map(({ pointer }) => pointer).join(' ');
    return memo(this.#shapes, `${this.#key(this.#schemas)} within ${pointers}`, () => {
      const options = { reading: 'object' as const, parts, isCertain };
      return new SchemaShape(this.#schemas, this.#validators, this.#shapes, options);
    });
  }

  #inner(schemas: readonly Schema[]): Shape {
    if (schemas.length === 0) return UNKNOWN;
    const { isCertain } = this.#options;
    return memo(this.#shapes, this.#key(schemas), () => {
      return new SchemaShape(schemas, this.#validators, this.#shapes, { isCertain });
    });
  }

  #key(schemas: readonly Schema[]): string {
    const pointers = schemas.map(({ pointer }) => pointer).join(' ');
    return this.#options.isCertain ? `all ${pointers}` : pointers;
  }
}

/** The shape without a schema: a string. */
export const UNKNOWN: Shape = new SchemaShape([], undefined, new Map());

/** @returns the possible kinds, in order of preference */
function readingsOf(types: ReadonlySet<string>): ReadAs[] {
  const isNumeric = ['integer', 'number', 'boolean'].some((type) => types.has(type));
  const readings = [
    ...(types.has('object') ? ['object' as const] : []),
    ...(types.has('array') ? ['array' as const] : []),
    ...(isNumeric ? ['scalar' as const] : []),
    ...(types.has('string') ? ['text' as const] : []),
  ];
  return readings.length === 0 ? ['scalar'] : readings;
}

/** Each is read and validated: the work for a value is bounded. */
const MAX_ALTERNATIVES = 50;

/** The schemas of a value. */
interface Narrowed {
  readonly parts: ReadonlySet<Schema>;
  /** True if all apply: no alternatives are left. */
  readonly isCertain: boolean;
}

class Narrowing {
  readonly #schemas: readonly Schema[];
  readonly #validators: Validators;
  /** True if a property has several types. */
  readonly isAmbiguous: boolean;

  constructor(schemas: readonly Schema[], validators: Validators) {
    this.#schemas = schemas;
    this.#validators = validators;
    const parts = possibleSchemas(schemas);
    this.isAmbiguous = [...namesIn(parts)].some((name) => typesOf(parts, name).size > 1);
  }

  /**
   * @param value read with the types of all alternatives and conditions
   * @returns the schemas under the conditions of the value, and of them those with one alternative
   */
  of(value: unknown): readonly Narrowed[] {
    if (!isObject(value)) return [];
    const all = this.#partsFor(value);
    const lists = choicesIn(all);
    const narrowed = lists.flatMap((list) =>
      list.map((schema) => {
        const parts = this.#partsFor(value, list, schema);
        return { parts, isCertain: choicesIn(parts).every((other) => other === list) };
      }),
    );
    const first = { parts: all, isCertain: lists.length === 0 };
    return [first, ...narrowed].slice(0, MAX_ALTERNATIVES);
  }

  /** @param chosen the alternative of `list` */
  #partsFor(value: object, list?: readonly Schema[], chosen?: Schema): ReadonlySet<Schema> {
    const evaluation = new Evaluation(value);
    const roots = new Set(this.#schemas);
    const parts = new Set<Schema>();
    for (const root of roots) {
      for (const conjunct of root.conjuncts) {
        if (parts.has(conjunct)) continue;
        parts.add(conjunct);
        const alternatives = alternativesOf(conjunct).flatMap((own) =>
          own === list ? chosen! : own,
        );
        const dependent = [...conjunct.map('dependentSchemas')].flatMap(([name, inner]) =>
          Object.hasOwn(value, name) ? inner : [],
        );
        for (const inner of [
          ...alternatives,
          ...dependent,
          ...this.#branches(conjunct, value, evaluation),
        ]) {
          roots.add(inner);
        }
      }
      for (const schema of selectedBy(root, value)) roots.add(schema);
    }
    return parts;
  }

  #branches(schema: Schema, value: object, evaluation: Evaluation): Schema[] {
    const condition = schema.child('if');
    if (condition === undefined) return [];
    const isMet = this.#validators.branch(condition, schema)(value, evaluation);
    return isMet
      ? [condition, schema.child('then') ?? []].flat()
      : [schema.child('else') ?? []].flat();
  }
}

function alternativesOf(schema: Schema): (readonly Schema[])[] {
  return [schema.list('oneOf'), schema.list('anyOf'), schema.dynamicRefs];
}

function choicesIn(parts: Iterable<Schema>): (readonly Schema[])[] {
  return Array.from(parts).flatMap((schema) =>
    alternativesOf(schema).filter(({ length }) => length > 1),
  );
}

function namesIn(schemas: Iterable<Schema>): ReadonlySet<string> {
  return new Set(Array.from(schemas).flatMap((schema) => [...schema.map('properties').keys()]));
}

/** @returns the different sets of types that schemas give to a property */
function typesOf(schemas: ReadonlySet<Schema>, name: string): ReadonlySet<string> {
  const types = propertySchemas(schemas, name, false).map((propertySchema) =>
    [...new Set([...possibleSchemas([propertySchema])].flatMap(typesIn))].sort().join(),
  );
  return new Set(types.filter((type) => type !== ''));
}

/** @returns the types that a schema alone allows: those of its properties, items and listed values without `type` */
export function typesIn(schema: Schema): string[] {
  const { types, isNullable, keywords } = schema;
  const implied = [
    ...(isNullable ? ['null'] : []),
    ...(schema.has('properties') ? ['object'] : []),
    ...(schema.has('items') ? ['array'] : []),
  ];
  const values: unknown[] = types === undefined ? [...(keywords.enum ?? []), keywords.const] : [];
  const ofValues = values.filter((value) => value !== undefined).map((value) => typeof value);
  return [
    ...(types ?? []),
    ...implied,
    ...ofValues.map((each) => (each === 'bigint' ? 'integer' : each)),
  ];
}
