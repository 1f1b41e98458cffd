// Generates valid sample values of schemas: by default examples and defaults first, then generated ones. Unlike
// json-schema-faker and openapi-sampler, supports bigint, directions, patterns, `not` and `oneOf`.

import {
  type DescribedValue,
  isHidden,
  type JsonType,
  lenientTest,
  onceFor,
  type Schema,
} from '@stubwright/contract';
import type { Validators } from '@stubwright/contract/values';
import { stringsMatching } from './pattern.ts';
import { FirstChoice, Random } from './random.ts';
import { sampleNumbers, sampleStrings } from './text.ts';
import {
  allowedValues,
  chainOf,
  mayBeNull,
  same,
  typesOf,
  type Variant,
  Variants,
  VIOLATES,
  writtenValues,
} from './variants.ts';

/** Below this depth values have only required properties. */
const FULL_DEPTH = 5;
const MAX_DEPTH = 48;
/** From this number of parts on, only required properties are added. */
const FULL_SIZE = 1_500;
/** Maximum number of parts for one value. */
const MAX_PARTS = 10_000;
/** Maximum number of parts for one optional property, which is then omitted. */
const MAX_OPTIONAL_PARTS = 100;
/** Maximum number of branch combinations for one part. */
const MAX_VARIANTS = 32;
const SALTS = 4;
/** Maximum number of steps of one search; the largest of 24,000 public responses with a value takes 20,000. */
const MAX_STEPS = 50_000;

/** No valid value was found: the schema has none, or the search is too limited. */
export class NoSample extends Error {
  override readonly name = 'NoSample';
  /** The best invalid value; undefined if none was generated. */
  readonly invalid: unknown;

  constructor(message: string, invalid?: unknown) {
    super(message);
    this.invalid = invalid;
  }
}

interface SampleOptions {
  readonly isDynamic?: boolean;
}

function isEmpty(keywords: object): boolean {
  return Object.keys(keywords).length === 0;
}

/** The samples of one contract in one direction. */
export class Samples {
  readonly #validators: Validators;
  readonly #variants = new Variants();
  /** By pointer. */
  readonly #isFound = onceFor((pointer: string) => {
    try {
      this.at(pointer, 'example');
      return true;
    } catch (error) {
      if (error instanceof NoSample) return false;
      throw error;
    }
  });

  constructor(validators: Validators) {
    this.#validators = validators;
  }

  /**
   * @param seed selects among the values of the schema; equal seeds return equal values
   * @param options `isDynamic` prefers generated values to examples and defaults
   * @returns a valid value; an integer beyond the exact range of doubles is a bigint
   * @throws {NoSample} if no value is found
   */
  at(pointer: string, seed: string, { isDynamic = false }: SampleOptions = {}): unknown {
    const schema = this.#validators.model.at(pointer);
    if (schema === undefined) throw new NoSample(`${pointer}  does not exist in the contract`);
    const validate = this.#validators.at(pointer);
    const steps = { left: MAX_STEPS };
    const sampling = (mode: Mode) =>
      new Sampling(this.#variants, this.#validators, { mode, steps, isDynamic });
    // The first attempt is usually valid. Further attempts validate each part.
    for (let salt = 0; salt <= SALTS && steps.left > 0; salt++) {
      const random = new Random(salt < 2 ? seed : `${seed} ${salt}`);
      const mode = salt === 0 ? 'unchecked' : 'checked';
      const value = sampling(mode).first([schema], random);
      if (value !== undefined && validate(value)) return value;
    }
    const limit = steps.left <= 0 ? ` in ${MAX_STEPS} steps` : '';
    steps.left = MAX_STEPS;
    const invalid = sampling('incomplete').first([schema], new Random(seed));
    throw new NoSample(`${pointer}  no valid value was found for the schema${limit}`, invalid);
  }

  /** @returns false if no value is found: neither a client nor a service can send one */
  hasValue({ schema, examples }: Pick<DescribedValue, 'schema' | 'examples'>): boolean {
    if (schema === undefined) return true;
    const isValid = this.#validators.at(schema.pointer);
    if (examples.some((example) => isValid(example.read()?.value))) return true;
    const { ref, types, keywords, inner } = schema;
    const isReference = types === undefined && inner.length === 1 && isEmpty(keywords);
    // Many bodies are references to the same component.
    return this.#isFound((isReference ? (ref ?? schema) : schema).pointer);
  }

  /**
   * @param also a JSON Schema for the parts that have a meaning
   * @returns a valid value whose other parts have none: only required properties, the first value of an
   *   enumeration, empty strings, zero, no example; undefined if none is found
   */
  least(schema: Schema, also: object): unknown {
    const validate = this.#validators.at(schema.pointer);
    const schemas = [schema, schema.model.synthetic(also)];
    const steps = { left: MAX_STEPS };
    for (const mode of ['unchecked', 'checked'] as const) {
      const options = { mode, steps, isLeast: true };
      const sampling = new Sampling(this.#variants, this.#validators, options);
      const value = sampling.first(schemas, new FirstChoice());
      if (value !== undefined && validate(value)) return value;
    }
    return undefined;
  }
}

/** The schema pointers of each enclosing part, from the outermost. */
type Above = readonly (readonly string[])[];

/** `checked`: each part is validated. `incomplete`: required parts without a value are omitted. */
type Mode = 'unchecked' | 'checked' | 'incomplete';

interface SamplingOptions {
  readonly mode: Mode;
  /** The remaining steps of all attempts of one search. */
  readonly steps: { left: number };
  readonly isDynamic?: boolean;
  readonly isLeast?: boolean;
}

/** One attempt to generate a value. */
class Sampling {
  readonly #variants: Variants;
  readonly #validators: Validators;
  readonly #options: SamplingOptions;
  #partCount = 0;
  #limit = MAX_PARTS;
  /** Optional parts without a value. */
  readonly #unmet = new Set<string>();

  constructor(variants: Variants, validators: Validators, options: SamplingOptions) {
    this.#variants = variants;
    this.#validators = validators;
    this.#options = options;
  }

  first(schemas: readonly Schema[], random: Random, above: Above = []): unknown {
    for (const value of this.#each(schemas, random, above)) return value;
    return undefined;
  }

  /** Same as `first`, with a smaller limit. */
  #optional(schemas: readonly Schema[], random: Random, above: Above): unknown {
    const key = schemas.map(({ pointer }) => pointer).join();
    if (this.#unmet.has(key)) return undefined;
    const [partCount, limit] = [this.#partCount, this.#limit];
    this.#limit = Math.min(limit, partCount + MAX_OPTIONAL_PARTS);
    const value = this.first(schemas, random, above);
    this.#limit = limit;
    if (value !== undefined) return value;
    this.#partCount = partCount;
    this.#unmet.add(key);
    return undefined;
  }

  #isOver(): boolean {
    return --this.#options.steps.left < 0 || ++this.#partCount > this.#limit;
  }

  *#each(schemas: readonly Schema[], random: Random, above: Above): Generator<unknown> {
    for (const value of this.#candidates(schemas, random, above)) {
      if (this.#isOver()) return;
      if (
        this.#options.mode !== 'checked' ||
        schemas.every((schema) => this.#isValid(value, schema))
      )
        yield value;
    }
  }

  *#candidates(schemas: readonly Schema[], random: Random, above: Above): Generator<unknown> {
    if (above.length > MAX_DEPTH || this.#isOver()) return;
    const chains = schemas.flatMap(chainOf);
    const { isDynamic, isLeast } = this.#options;
    if (!isDynamic && !isLeast) yield* writtenValues(chains);
    const pointers = chains.map(({ pointer }) => pointer);
    const isRecursion = above.some((list) => list.some((pointer) => pointers.includes(pointer)));
    const isDeep = above.length > FULL_DEPTH || this.#partCount > FULL_SIZE;
    const isLean = isLeast || isRecursion || isDeep;
    const allowsNull = chains.some(mayBeNull);
    if (isRecursion && allowsNull) yield null;
    const inside = [...above, pointers];
    let tried = 0;
    for (const variant of this.#variants.of(schemas, random, isLean)) {
      if (++tried > MAX_VARIANTS) break;
      yield* this.#ofVariant(variant, random.fork(tried), isLean, inside);
    }
    if (isDynamic) yield* writtenValues(chains);
    if (allowsNull) yield null;
  }

  *#ofVariant(variant: Variant, random: Random, isLean: boolean, above: Above): Generator<unknown> {
    const allowed = allowedValues(variant);
    if (allowed !== undefined) {
      yield* random.rotate(allowed.filter((value) => value !== null));
      yield* allowed.filter((value) => value === null);
      return;
    }
    for (const type of typesOf(variant)) yield* this.#ofType(type, variant, random, isLean, above);
  }

  #ofType(
    type: JsonType,
    variant: Variant,
    random: Random,
    isLean: boolean,
    above: Above,
  ): Iterable<unknown> {
    switch (type) {
      case 'null':
        return [null];
      case 'boolean':
        return this.#options.isLeast ? [false, true] : random.rotate([true, false]);
      case 'string':
        return sampleStrings(variant, random);
      case 'array':
        return arrays(variant, this.#sampler(random, isLean, above));
      case 'object':
        return objects(variant, this.#sampler(random, isLean, above));
      default:
        return sampleNumbers(variant, type, random);
    }
  }

  #sampler(random: Random, isLean: boolean, above: Above): PartSampler {
    return {
      random,
      isLean,
      ignoresHidden: this.#validators.direction === 'request',
      isIncomplete: this.#options.mode === 'incomplete',
      optional: (schemas, name) => this.#optional(schemas, random.fork(name), above),
      first: (schemas, name) => this.first(schemas, random.fork(name), above),
      each: (schemas, name) => this.#each(schemas, random.fork(name), above),
      isValid: (value, schema) => this.#isValid(value, schema),
      isHiddenProperty: (property) => isHidden(property, this.#validators.direction),
    };
  }

  #isValid(value: unknown, schema: Schema): boolean {
    if (!schema.isSynthetic) return this.#validators.at(schema.pointer)(value);
    const violated: unknown = schema.keywords[VIOLATES];
    return typeof violated !== 'string' || !this.#validators.at(violated)(value);
  }
}

/** Maximum number of attempts for a unique item. */
const TRIES = 200;
/** No samples of a larger `minItems` or `minContains`. */
const MAX_ITEMS = 5_000;

/** @yields arrays with few items */
function* arrays(variant: Variant, sampler: PartSampler): Generator<unknown[]> {
  const nodes = variant.map(({ keywords }) => keywords);
  if (variant.some(({ keywords }) => countsOf(keywords).some((count) => count > MAX_ITEMS))) return;
  const containing = variant.flatMap((schema) => contained(schema));
  const min = Math.max(0, containing.length, ...nodes.map(({ minItems = 0 }) => Number(minItems)));
  const max = Math.min(...nodes.map(({ maxItems = Infinity }) => Number(maxItems)));
  const wanted = Math.max(min, ...variant.map((schema) => schema.list('prefixItems').length), 1);
  const first = Math.min(wanted, max);
  const counts = sampler.isLean ? [min, min + 1, first] : [first, min, min + 1, min + 2];
  for (const count of new Set(counts)) {
    // Items of `contains` are first, or last if `prefixItems` excludes them.
    for (const offset of new Set([0, count - containing.length])) {
      if (count > max || offset < 0) continue;
      const value = filled(variant, sampler, count, (at) => containing[at - offset]);
      if (value !== undefined) yield value;
    }
  }
}

function filled(
  variant: Variant,
  sampler: PartSampler,
  count: number,
  containedAt: (at: number) => Schema | undefined,
): unknown[] | undefined {
  const isUnique = variant.some(({ keywords }) => keywords.uniqueItems === true);
  const items: unknown[] = [];
  while (items.length < count) {
    const at = items.length;
    const required = variant.map((schema) => schemasOf(schema, at));
    if (required.includes(undefined)) return undefined;
    const contained = containedAt(at);
    const schemas = [
      ...required.flatMap((property) => property ?? []),
      ...(contained ? [contained] : []),
    ];
    const item = isUnique ? uniqueItem(items, schemas, sampler) : sampler.first(schemas, at);
    if (item === undefined) return sampler.isIncomplete ? items : undefined;
    items.push(item);
  }
  return items;
}

function uniqueItem(
  items: readonly unknown[],
  schemas: readonly Schema[],
  sampler: PartSampler,
): unknown {
  let tries = 0;
  for (let salt = 0; tries < TRIES; salt++) {
    const before = tries;
    for (const item of sampler.each(
      schemas,
      salt === 0 ? items.length : `${items.length} ${salt}`,
    )) {
      if (!items.some((value) => same(value, item))) return item;
      if (++tries >= TRIES) break;
    }
    if (tries === before) break;
  }
  return undefined;
}

function countsOf({ minItems = 0, minContains = 0 }: Schema['keywords']): number[] {
  return [Number(minItems), Number(minContains)];
}

/** @returns the schema of `contains`, `minContains` times */
function contained(schema: Schema): Schema[] {
  const contains = schema.child('contains');
  if (contains === undefined) return [];
  const length = Number(schema.keywords.minContains ?? 1);
  return Array.from({ length }, () => contains);
}

/** @returns the subschemas of an item; undefined if the item is not allowed */
function schemasOf(schema: Schema, at: number): Schema[] | undefined {
  const prefix = schema.list('prefixItems')[at];
  const item = prefix ?? schema.child('items') ?? schema.child('unevaluatedItems');
  if (item === undefined) return [];
  return item.isNever ? undefined : [item];
}

/** Maximum number of generated property names. */
const MAX_NAMES = 200;
const ANY_LENGTH = { min: 0, max: Number.POSITIVE_INFINITY };

type Properties = Map<string, unknown>;

/** @yields objects with all, only the required, and some of the optional properties */
function* objects(variant: Variant, sampler: PartSampler): Generator<object> {
  const shape = new ObjectShape(variant, sampler);
  const { optional } = shape;
  const some = () => optional.filter(() => sampler.random.below(2) === 0);
  const wishes = sampler.isLean ? [[], some(), optional] : [optional, [], some(), some(), some()];
  if (shape.ignored.length > 0) wishes.push(shape.ignored, [...shape.ignored, ...optional]);
  for (const wished of wishes) {
    const value = shape.filled(wished);
    if (value !== undefined) yield Object.fromEntries(value);
  }
}

/** The constraints of a variant on an object. */
class ObjectShape {
  /** The declared optional properties. */
  readonly optional: readonly string[];
  /** The readOnly properties, which a request may contain. */
  readonly ignored: readonly string[];
  readonly #variant: Variant;
  readonly #sampler: PartSampler;
  readonly #required: readonly string[];
  readonly #nameRules: readonly Schema[];
  readonly #min: number;
  readonly #max: number;

  constructor(variant: Variant, sampler: PartSampler) {
    this.#variant = variant;
    this.#sampler = sampler;
    const nodes = variant.map(({ keywords }) => keywords);
    this.#min = Math.max(0, ...nodes.map((node) => Number(node.minProperties ?? 0)));
    this.#max = Math.min(...nodes.map((node) => Number(node.maxProperties ?? Infinity)));
    this.#nameRules = variant.flatMap((schema) => schema.child('propertyNames') ?? []);
    const declared = new Set(variant.flatMap((schema) => [...schema.map('properties').keys()]));
    const required = new Set<string>(nodes.flatMap(({ required }) => required ?? []));
    this.#required = [...required].filter((name) => this.#isVisible(name));
    const allowed = [...declared].filter((name) => this.#isAllowed(name));
    this.optional = allowed.filter((name) => !required.has(name) && this.#isVisible(name));
    this.ignored = sampler.ignoresHidden ? allowed.filter((name) => !this.#isVisible(name)) : [];
  }

  /** @returns an object with the required and the wished properties and their dependents; or undefined */
  filled(wished: readonly string[]): Properties | undefined {
    const value: Properties = new Map();
    for (const name of this.#withDependents(this.#required)) {
      const property = this.#valueOf(name, 'first');
      if (property !== undefined) value.set(name, property);
      else if (!this.#sampler.isIncomplete) return undefined;
    }
    for (const name of wished) this.#add(value, name);
    if (value.size >= this.#min) return value;
    for (const name of this.#moreNames()) {
      this.#add(value, name);
      if (value.size >= this.#min) return value;
    }
    return undefined;
  }

  /** Adds a property and its dependents, if maxProperties permits and all have a value. */
  #add(value: Properties, wished: string): void {
    const names = this.#withDependents([wished]).filter((name) => !value.has(name));
    if (value.size + names.length > this.#max) return;
    const values = names.map((name) => [name, this.#valueOf(name, 'optional')] as const);
    if (values.some(([, value]) => value === undefined)) return;
    for (const [name, member] of values) value.set(name, member);
  }

  #valueOf(name: string, how: 'first' | 'optional'): unknown {
    const schemas = this.#schemasOf(name);
    return schemas && this.#sampler[how](schemas, name);
  }

  #withDependents(names: readonly string[]): string[] {
    const all = new Set(names);
    for (const name of all) {
      for (const { keywords } of this.#variant) {
        for (const other of keywords.dependentRequired?.[name] ?? []) all.add(other);
      }
    }
    return [...all];
  }

  /** @returns the schemas of a property; undefined if the property is not allowed */
  #schemasOf(name: string): Schema[] | undefined {
    const asked = this.#variant.map((schema) => schemasIn(schema, name));
    if (asked.includes(undefined)) return undefined;
    const schemas = asked.flatMap((schema) => schema ?? []);
    if (schemas.length > 0) return schemas;
    const unevaluated = this.#variant.flatMap(
      (schema) => schema.child('unevaluatedProperties') ?? [],
    );
    return unevaluated.some(({ isNever }) => isNever) ? undefined : unevaluated;
  }

  #isAllowed(name: string): boolean {
    const isNamedWell = this.#nameRules.every((rule) => this.#sampler.isValid(name, rule));
    return isNamedWell && this.#schemasOf(name) !== undefined;
  }

  #isVisible(name: string): boolean {
    const schemas = this.#variant.flatMap((schema) => schemasIn(schema, name) ?? []);
    return !schemas.some((schema) => this.#sampler.isHiddenProperty(schema));
  }

  /** @yields optional names, then names by patternProperties, by propertyNames, and arbitrary ones */
  *#moreNames(): Generator<string> {
    yield* this.optional;
    const patterns = this.#variant.flatMap((schema) => [...schema.map('patternProperties').keys()]);
    for (let at = 1; at <= MAX_NAMES; at++) {
      const names = [
        ...patterns.flatMap((pattern) => this.#nameMatching(pattern, at)),
        this.#nameRules.length > 0 && this.#sampler.first(this.#nameRules, `name ${at}`),
        `property${at}`,
      ];
      for (const name of names) {
        if (typeof name === 'string' && this.#isAllowed(name)) yield name;
      }
    }
  }

  #nameMatching(pattern: string, at: number): string[] {
    const [name] = stringsMatching(pattern, this.#sampler.random.fork(`name ${at}`), ANY_LENGTH);
    return name === undefined ? [] : [name];
  }
}

/** @returns the subschemas of a property; undefined if the property is not allowed */
function schemasIn(schema: Schema, name: string): Schema[] | undefined {
  const named = schema.map('properties').get(name);
  const matching = [...schema.map('patternProperties')].filter(([pattern]) =>
    lenientTest(pattern).test(name),
  );
  const found = [...(named === undefined ? [] : [named]), ...matching.map(([, schema]) => schema)];
  if (found.some(({ isNever }) => isNever)) return undefined;
  const others = schema.child('additionalProperties');
  if (found.length > 0 || others === undefined) return found;
  return others.isNever ? undefined : [others];
}

interface PartSampler {
  readonly random: Random;
  /** True if only required parts are generated: deep inside a value, or in a recursion. */
  readonly isLean: boolean;
  /** True if required parts without a value are omitted. */
  readonly isIncomplete: boolean;
  /** Same as `first`, for an optional property, with a smaller limit. */
  optional(schemas: readonly Schema[], name: string): unknown;
  /** @returns a value that is valid against all schemas; undefined if none is found */
  first(schemas: readonly Schema[], name: string | number): unknown;
  /** @yields values that are valid against all schemas */
  each(schemas: readonly Schema[], name: string | number): Iterable<unknown>;
  /** True for requests, which may contain readOnly properties. */
  readonly ignoresHidden: boolean;
  isValid(value: unknown, schema: Schema): boolean;
  /** True for a readOnly property of a request and a writeOnly property of a response. */
  isHiddenProperty(property: Schema): boolean;
}
