// Generates valid sample values of schemas: by default examples and defaults first, then generated ones. Unlike
// json-schema-faker and openapi-sampler, supports bigint, directions, patterns, `not` and `oneOf`.
import { type DescribedValue, isHidden, type JsonType, type Schema } from '@stubwright/contract';
import type { Validators } from '@stubwright/contract/values';
import { arrays } from './array.ts';
import { allowedValues, chainOf, mayBeNull, typesOf, VIOLATES, writtenValues } from './keywords.ts';
import { sampleNumbers } from './number.ts';
import { objects } from './object.ts';
import type { PartSampler } from './partSampler.ts';
import { FirstChoice, Random } from './random.ts';
import { sampleStrings } from './text.ts';
import { type Variant, Variants } from './variants.ts';

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

export interface SampleOptions {
  readonly isDynamic?: boolean;
}

/** The samples of one contract in one direction. */
export class Samples {
  readonly #validators: Validators;
  readonly #variants = new Variants();

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
    if (examples.some((each) => isValid(each.read()?.value))) return true;
    try {
      this.at(schema.pointer, 'example');
      return true;
    } catch (error) {
      if (error instanceof NoSample) return false;
      throw error;
    }
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
      if (this.#options.mode !== 'checked' || schemas.every((each) => this.#isValid(value, each)))
        yield value;
    }
  }

  *#candidates(schemas: readonly Schema[], random: Random, above: Above): Generator<unknown> {
    if (above.length > MAX_DEPTH || this.#isOver()) return;
    const chains = schemas.flatMap(chainOf);
    const { isDynamic, isLeast } = this.#options;
    if (!isDynamic && !isLeast) yield* writtenValues(chains);
    const pointers = chains.map(({ pointer }) => pointer);
    const isRecursion = above.some((each) => each.some((pointer) => pointers.includes(pointer)));
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
