// Sample values of a contract's schemas, each checked by the schema's own validator. Written values
// (example, examples, default) come first, then made ones. json-schema-faker and openapi-sampler
// do the same without a bigint, a direction or a check, and miss patterns, `not` and `oneOf`.
import { isHidden, type JsonType, type Schema } from '../schema/model.ts';
import type { Validators } from '../schema/validator.ts';
import { arrays } from './sampling/array.ts';
import {
  allowedValues,
  BREAKS,
  chainOf,
  mayBeNull,
  typesOf,
  writtenValues,
} from './sampling/keywords.ts';
import { numbers } from './sampling/number.ts';
import { objects } from './sampling/object.ts';
import type { PartSampler } from './sampling/partSampler.ts';
import { Random } from './sampling/random.ts';
import { texts } from './sampling/text.ts';
import { type Variant, Variants } from './sampling/variants.ts';

/** Values nest this deep with all their optional properties, deeper with the required ones only. */
const FULL_DEPTH = 5;
const MAX_DEPTH = 48;
/** So many parts a value has with optional properties; then only required ones are added. */
const FULL_SIZE = 1_500;
/** So many parts are made for one value before it is given up. */
const MAX_PARTS = 10_000;
/** So many of these are made for one optional property before it is left out. */
const MAX_OPTIONAL_PARTS = 100;
/** So many choices of branches are tried for one part. */
const MAX_VARIANTS = 32;
const SALTS = 4;

/** No value of a schema was found: it has none, or it asks for more than is tried. */
export class NoSample extends Error {
  override readonly name = 'NoSample';
  /** The best value that was made, which the validator rejects; undefined where none was made. */
  readonly invalid: unknown;

  constructor(message: string, invalid?: unknown) {
    super(message);
    this.invalid = invalid;
  }
}

/** A value was not found within the time allowed. */
export class SlowSample extends Error {
  override readonly name = 'SlowSample';
}

/** The samples of one contract in one direction. */
export class Samples {
  readonly #validators: Validators;
  readonly #variants = new Variants();

  constructor(validators: Validators) {
    this.#validators = validators;
  }

  /**
   * @param seed chooses among the values of the schema; the same gives the same
   * @returns a value that the schema's validator accepts; an integer that a double does not hold is
   *   a bigint
   * @param limitMs after which the search ends
   * @throws {NoSample} when none was found
   * @throws {SlowSample} when the search took too long
   */
  at(pointer: string, seed: string, limitMs = Number.POSITIVE_INFINITY): unknown {
    const deadline = performance.now() + limitMs;
    const sampling = (mode: Mode) =>
      new Sampling(this.#variants, this.#validators, { mode, deadline });
    const schema = this.#validators.model.at(pointer);
    if (schema === undefined) throw new NoSample(`${pointer}  is no place of the contract`);
    const validate = this.#validators.at(pointer);
    // Most values are right at once. Else each part is checked as it is made.
    for (let salt = 0; salt <= SALTS; salt++) {
      const random = new Random(salt < 2 ? seed : `${seed} ${salt}`);
      const mode = salt === 0 ? 'unchecked' : 'checked';
      const value = sampling(mode).first([schema], random);
      if (value !== undefined && validate(value)) return value;
    }
    const invalid = sampling('incomplete').first([schema], new Random(seed));
    throw new NoSample(`${pointer}  no valid value was found for the schema`, invalid);
  }
}

/** The pointers of the schemas that each part above is made of, from the outermost. */
type Above = readonly (readonly string[])[];

/**
 * `checked`: each part is validated, and another one is made where it fails. `incomplete`: required
 * parts without a value are left out.
 */
type Mode = 'unchecked' | 'checked' | 'incomplete';

/** One attempt at one value. */
class Sampling {
  readonly #variants: Variants;
  readonly #validators: Validators;
  readonly #mode: Mode;
  /** On the clock of `performance.now()`. */
  readonly #deadline: number;
  #made = 0;
  #limit = MAX_PARTS;
  /** The optional parts for which no value was found. */
  readonly #unmet = new Set<string>();

  constructor(
    variants: Variants,
    validators: Validators,
    { mode, deadline }: { readonly mode: Mode; readonly deadline: number },
  ) {
    this.#variants = variants;
    this.#validators = validators;
    this.#mode = mode;
    this.#deadline = deadline;
  }

  first(schemas: readonly Schema[], random: Random, above: Above = []): unknown {
    for (const value of this.#each(schemas, random, above)) return value;
    return undefined;
  }

  /** As `first`, within a budget of its own, so that a part without a value costs little. */
  #optional(schemas: readonly Schema[], random: Random, above: Above): unknown {
    const key = schemas.map(({ pointer }) => pointer).join();
    if (this.#unmet.has(key)) return undefined;
    const [made, limit] = [this.#made, this.#limit];
    this.#limit = Math.min(limit, made + MAX_OPTIONAL_PARTS);
    const value = this.first(schemas, random, above);
    this.#limit = limit;
    if (value !== undefined) return value;
    this.#made = made;
    this.#unmet.add(key);
    return undefined;
  }

  *#each(schemas: readonly Schema[], random: Random, above: Above): Generator<unknown> {
    for (const value of this.#candidates(schemas, random, above)) {
      if (++this.#made > this.#limit) return;
      if (performance.now() > this.#deadline) throw new SlowSample();
      if (this.#mode !== 'checked' || schemas.every((each) => this.#isValid(value, each)))
        yield value;
    }
  }

  *#candidates(schemas: readonly Schema[], random: Random, above: Above): Generator<unknown> {
    if (above.length > MAX_DEPTH || ++this.#made > this.#limit) return;
    const chains = schemas.flatMap(chainOf);
    yield* writtenValues(chains);
    const pointers = chains.map(({ pointer }) => pointer);
    const isRecursion = above.some((each) => each.some((pointer) => pointers.includes(pointer)));
    const isLean = isRecursion || above.length > FULL_DEPTH || this.#made > FULL_SIZE;
    const allowsNull = chains.some(mayBeNull);
    if (isRecursion && allowsNull) yield null;
    const inside = [...above, pointers];
    let tried = 0;
    for (const variant of this.#variants.of(schemas, random, isLean)) {
      if (++tried > MAX_VARIANTS) break;
      yield* this.#ofVariant(variant, random.fork(tried), isLean, inside);
    }
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
        return random.rotate([true, false]);
      case 'string':
        return texts(variant, random);
      case 'array':
        return arrays(variant, this.#sampler(random, isLean, above));
      case 'object':
        return objects(variant, this.#sampler(random, isLean, above));
      default:
        return numbers(variant, type === 'integer', random);
    }
  }

  #sampler(random: Random, isLean: boolean, above: Above): PartSampler {
    return {
      random,
      isLean,
      ignoresHidden: this.#validators.direction === 'request',
      isIncomplete: this.#mode === 'incomplete',
      optional: (schemas, name) => this.#optional(schemas, random.fork(name), above),
      first: (schemas, name) => this.first(schemas, random.fork(name), above),
      each: (schemas, name) => this.#each(schemas, random.fork(name), above),
      isValid: (value, schema) => this.#isValid(value, schema),
      isForTheOtherDirection: (property) => isHidden(property, this.#validators.direction),
    };
  }

  #isValid(value: unknown, schema: Schema): boolean {
    if (!schema.isSynthetic) return this.#validators.at(schema.pointer)(value);
    const violated: unknown = schema.keywords[BREAKS];
    return typeof violated !== 'string' || !this.#validators.at(violated)(value);
  }
}
