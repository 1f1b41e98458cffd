// The outline of a schema, as far as text needs it to become a value: scalar, array or object, and
// which JSON types it allows. Covers $ref and compositions; asserts nothing.
import type { Schema } from '../../schema/model.ts';
import type { Validators } from '../../schema/validator.ts';

export interface Shape {
  readonly kind: 'scalar' | 'array' | 'object';
  /** The JSON types that the schema allows; empty where it names none. */
  readonly types: ReadonlySet<string>;
  /** Names of the declared properties. */
  readonly names: ReadonlySet<string>;
  /** Names of the properties that every value has. */
  readonly required: ReadonlySet<string>;
  /** The XML Object. */
  readonly xml: XmlObject;
  /** True for an object that takes properties beside the declared ones. */
  readonly isOpen: boolean;
  /** The shapes of one kind each that text may be read as; the shape itself where that is one. */
  readonly readings: readonly Shape[];
  items(): Shape;
  property(name: string): Shape;
  accepts(value: unknown): boolean;
}

/** OpenAPI 3.0.4, section 4.7.26. */
export interface XmlObject {
  readonly name?: string;
  readonly namespace?: string;
  readonly prefix?: string;
  readonly attribute?: boolean;
  readonly wrapped?: boolean;
}

/** `text` is a scalar that stays text, though it may look like a number. */
type Reading = Shape['kind'] | 'text';

const NO_TYPES: ReadonlySet<string> = new Set();
const TEXT: ReadonlySet<string> = new Set(['string']);

/** A shape of which nothing is known: text stays text. */
export const UNKNOWN: Shape = {
  kind: 'scalar',
  types: NO_TYPES,
  names: NO_TYPES,
  required: NO_TYPES,
  xml: {},
  isOpen: false,
  get readings() {
    return UNKNOWN_READINGS;
  },
  items: () => UNKNOWN,
  property: () => UNKNOWN,
  accepts: () => true,
};

const UNKNOWN_READINGS = [UNKNOWN];

/** @returns the outline of a schema */
export function shapeOf(schema: Schema | undefined, validators: Validators): Shape {
  return schema === undefined ? UNKNOWN : new SchemaShape([schema], validators, new Map());
}

/**
 * Chooses how to read text whose schema allows several kinds (`oneOf: [string, array]`): the first
 * that gives a valid value, where an array of one value yields to that value.
 *
 * @param read the text as one kind; it may throw
 * @returns the shape of the kind
 */
export function bestReading(shape: Shape, read: (shape: Shape) => unknown): Shape {
  if (shape.readings.length === 1) return shape;
  const valid = shape.readings.flatMap((each) => {
    try {
      const value = read(each);
      const isOfKind = kindOf(value) === each.kind;
      return isOfKind && shape.accepts(value) ? [{ shape: each, value }] : [];
    } catch {
      return [];
    }
  });
  const clear = valid.find(({ value }) => !Array.isArray(value) || value.length > 1);
  return (clear ?? valid[0])?.shape ?? shape.readings.at(-1)!;
}

function kindOf(value: unknown): Shape['kind'] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' && value !== null ? 'object' : 'scalar';
}

class SchemaShape implements Shape {
  readonly kind: Shape['kind'];
  readonly types: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
  readonly xml: XmlObject;
  readonly isOpen: boolean;
  readonly readings: readonly Shape[];
  readonly #validators: Validators;
  readonly #schemas: readonly Schema[];
  readonly #parts: readonly Schema[];
  /** By the pointers of their schemas: a recursion leads to the same shape. */
  readonly #shapes: Map<string, Shape>;
  readonly #properties = new Map<string, Shape>();
  #items: Shape | undefined;
  #other: Shape | undefined;

  /** @param shapes those inside one outline @param reading the one way in which text is read; by default every way that the schemas allow */
  constructor(
    schemas: readonly Schema[],
    validators: Validators,
    shapes: Map<string, Shape>,
    reading?: Reading,
  ) {
    this.#shapes = shapes;
    this.#validators = validators;
    this.#schemas = schemas;
    this.#parts = partsOf(schemas);
    const types = new Set(this.#parts.flatMap(typesIn));
    this.types = reading === 'text' ? TEXT : types;
    this.names = new Set(this.#parts.flatMap((each) => [...each.map('properties').keys()]));
    const conjuncts = schemas.flatMap((each) => each.conjuncts);
    this.required = new Set(conjuncts.flatMap(({ keywords }) => keywords.required ?? []));
    this.xml = Object.assign({}, ...conjuncts.map(({ keywords }) => keywords.xml));
    this.isOpen = this.#parts.some(
      (each) =>
        each.child('additionalProperties')?.isNever === false ||
        each.map('patternProperties').size > 0,
    );
    const all = reading === undefined ? readingsOf(types) : [reading];
    const usual = all.includes('array') ? 'array' : all[0]!;
    this.kind = usual === 'text' ? 'scalar' : usual;
    this.readings =
      all.length === 1
        ? [this]
        : all.map((each) => new SchemaShape(schemas, validators, shapes, each));
  }

  items(): Shape {
    this.#items ??= this.#inner(this.#parts.flatMap((each) => each.child('items') ?? []));
    return this.#items;
  }

  property(name: string): Shape {
    const known = this.#properties.get(name);
    if (known !== undefined) return known;
    if (!this.names.has(name)) return this.#undeclared();
    const declared = this.#parts.flatMap((each) => each.map('properties').get(name) ?? []);
    const shape = this.#inner(declared);
    this.#properties.set(name, shape);
    return shape;
  }

  #undeclared(): Shape {
    this.#other ??= this.#inner(
      this.#parts.flatMap((each) => each.child('additionalProperties') ?? []),
    );
    return this.#other;
  }

  accepts(value: unknown): boolean {
    return this.#schemas.some(({ pointer }) => this.#validators.at(pointer)(value));
  }

  #inner(schemas: readonly Schema[]): Shape {
    if (schemas.length === 0) return UNKNOWN;
    const key = schemas.map(({ pointer }) => pointer).join(' ');
    const known = this.#shapes.get(key);
    const shape = known ?? new SchemaShape(schemas, this.#validators, this.#shapes);
    this.#shapes.set(key, shape);
    return shape;
  }
}

/** The schemas and all that may apply to the same value. */
function partsOf(schemas: readonly Schema[]): Schema[] {
  const parts = new Set(schemas);
  for (const each of parts) {
    const alternatives = [...each.list('oneOf'), ...each.list('anyOf'), ...each.dynamicRefs];
    for (const part of [...each.conjuncts, ...alternatives]) parts.add(part);
  }
  return [...parts];
}

function typesIn(schema: Schema): string[] {
  const { types, isNullable, keywords } = schema;
  const implied = [
    ...(isNullable ? ['null'] : []),
    ...(schema.has('properties') ? ['object'] : []),
    ...(schema.has('items') ? ['array'] : []),
  ];
  const values: unknown[] = types === undefined ? [...(keywords.enum ?? []), keywords.const] : [];
  const ofValues = values.filter((each) => each !== undefined).map((each) => typeof each);
  return [
    ...(types ?? []),
    ...implied,
    ...ofValues.map((each) => (each === 'bigint' ? 'integer' : each)),
  ];
}

/** How text may be read, in order of preference. */
function readingsOf(types: ReadonlySet<string>): Reading[] {
  const isNumeric = ['integer', 'number', 'boolean'].some((type) => types.has(type));
  const readings = [
    ...(types.has('object') ? ['object' as const] : []),
    ...(types.has('array') ? ['array' as const] : []),
    ...(isNumeric ? ['scalar' as const] : []),
    ...(types.has('string') ? ['text' as const] : []),
  ];
  return readings.length === 0 ? ['scalar'] : readings;
}
