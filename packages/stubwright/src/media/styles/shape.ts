// The kinds and types that a schema allows, for deserialization of text.
import { selectableBy } from '../../schema/discriminator.ts';
import { isBinary, type Schema } from '../../schema/model.ts';
import { lenientTest, type PatternTest } from '../../schema/pattern.ts';
import type { Validators } from '../../schema/validator.ts';
import { type XmlObject, xmlObject } from '../xml/xmlObject.ts';

export interface Shape {
  readonly kind: 'scalar' | 'array' | 'object';
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
  items(): Shape;
  property(name: string): Shape;
  accepts(value: unknown): boolean;
}

/** `text` is a string that is not converted to a number. */
type Reading = Shape['kind'] | 'text';

const NO_TYPES: ReadonlySet<string> = new Set();
const TEXT: ReadonlySet<string> = new Set(['string']);

/** The shape without a schema: a string. */
export const UNKNOWN: Shape = {
  kind: 'scalar',
  types: NO_TYPES,
  names: NO_TYPES,
  required: NO_TYPES,
  xml: {},
  isBinary: false,
  allowsBinary: false,
  isOpen: false,
  get readings() {
    return UNKNOWN_READINGS;
  },
  items: () => UNKNOWN,
  property: () => UNKNOWN,
  accepts: () => true,
};

const UNKNOWN_READINGS = [UNKNOWN];

/** @returns the shape of a schema */
export function shapeOf(schema: Schema | undefined, validators: Validators): Shape {
  return schema === undefined ? UNKNOWN : new SchemaShape([schema], validators, new Map());
}

/**
 * Selects the kind of a text if the schema allows several (`oneOf: [string, array]`): the first with a
 * valid value. A scalar takes precedence over an array of one item.
 *
 * @param read deserializes the text as one kind; may throw
 * @returns the shape of the selected kind
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
  readonly isBinary: boolean;
  readonly allowsBinary: boolean;
  readonly isOpen: boolean;
  readonly readings: readonly Shape[];
  readonly #validators: Validators;
  readonly #schemas: readonly Schema[];
  readonly #parts: readonly Schema[];
  /** By pointers of the schemas, for recursive schemas. */
  readonly #shapes: Map<string, Shape>;
  readonly #properties = new Map<string, Shape>();
  readonly #patterns: readonly (readonly [PatternTest, Schema])[];
  #items: Shape | undefined;
  #other: Shape | undefined;

  /** @param shapes shared by all inner shapes @param reading restricts the shape to one kind */
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
    const texts = this.#parts.filter((each) => each.types?.has('string'));
    this.allowsBinary = texts.some(isBinary);
    this.isBinary = this.allowsBinary && texts.every(isBinary);
    this.#patterns = this.#parts.flatMap((each) =>
      [...each.map('patternProperties')].map(
        ([pattern, inner]) => [lenientTest(pattern), inner] as const,
      ),
    );
    this.isOpen =
      this.#patterns.length > 0 ||
      this.#parts.some((each) => each.child('additionalProperties')?.isNever === false);
    const written = Object.assign({}, ...conjuncts.map(({ keywords }) => keywords.xml));
    this.xml = xmlObject(written, types.has('array'));
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
    const declared = this.#parts.flatMap((each) => each.map('properties').get(name) ?? []);
    const matching = this.#patterns.flatMap(([test, each]) => (test.test(name) ? [each] : []));
    const all = [...declared, ...matching];
    if (all.length === 0) return this.#undeclared();
    const shape = this.#inner(all);
    // A client may send any name.
    if (declared.length > 0) this.#properties.set(name, shape);
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

/** @returns the schemas with all in-place subschemas, and those that discriminators may select */
function partsOf(schemas: readonly Schema[]): Schema[] {
  const roots = new Set(schemas);
  const parts = new Set(schemas);
  for (const root of roots) {
    for (const each of root.conjuncts) {
      parts.add(each);
      const alternatives = [...each.list('oneOf'), ...each.list('anyOf'), ...each.dynamicRefs];
      for (const alternative of alternatives) roots.add(alternative);
    }
    for (const each of selectableBy(root)) roots.add(each);
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

/** @returns the possible kinds, in order of preference */
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
