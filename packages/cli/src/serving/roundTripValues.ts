// Sample values of a schema, with each property left out and each value at a limit or in an enum.
import {
  type Content,
  type Contract,
  type Direction,
  escapeToken,
  hiddenNames,
  isObject,
  propertiesOf,
  type Schema,
} from '@stubwright/contract';
import { Coercions, contentMedia, declaredPart, Validators } from '@stubwright/contract/values';
import { NoSample, Samples } from '@stubwright/mock/samples';

const SEEDS = ['a', 'b', 'c'];
/** Of one schema. */
const MAX_VALUES = 100;
const MAX_DEPTH = 4;
/** Longer strings are not made. */
const MAX_LENGTH = 5_000;

/** The values that the sender of one contract sends: clients of the older one, handlers of the newer one. */
export class RoundTripValues {
  readonly validators: Validators;
  readonly samples: Samples;
  readonly #coercions: Coercions;

  constructor(contract: Contract, direction: Direction) {
    this.validators = new Validators(contract, direction);
    this.samples = new Samples(this.validators);
    this.#coercions = new Coercions(this.validators);
  }

  /** @returns valid values, as JSON, each once */
  of(schema: Schema | undefined): unknown[] {
    if (schema === undefined) return [];
    const isValid = this.validators.at(schema.pointer);
    const found = new Map<string, unknown>();
    for (const sample of this.#samplesOf(schema)) {
      for (const value of variantsOf(schema, sample)) {
        if (found.size >= MAX_VALUES) return [...found.values()];
        if (isValid(value)) found.set(textOf(value), value);
      }
    }
    return [...found.values()];
  }

  /** @returns bodies, as a handler returns them: sequences have one item, patches all properties of a resource */
  bodies(content: Content, mediaType: string): unknown[] {
    const { kind, media, codec } = contentMedia(content, mediaType, this.validators);
    const { item, schema, patchOf } = content;
    if (codec !== undefined && item !== undefined) {
      return this.of(item)
        .filter((value) => codec.errorsOf(value).length === 0)
        .map((value) => [codec.coerced(structuredClone(value))]);
    }
    if (patchOf !== undefined) {
      const resources = this.of(patchOf).filter(isObject);
      if (mediaType === 'application/merge-patch+json') return resources;
      return resources.map((resource) =>
        Object.entries(resource).map(([name, value]) => ({
          ...{ op: 'replace', path: `/${escapeToken(name)}`, value },
        })),
      );
    }
    return this.of(schema).filter((value) => kind.canSend(value, media));
  }

  /** @returns the value without properties that its contract does not declare, as handlers have it */
  declared(schema: Schema, value: unknown): unknown {
    const keepsHidden = this.validators.direction === 'request';
    return this.coerced(schema, declaredPart(this.validators, schema, { keepsHidden })(value));
  }

  /** @returns the value as a handler has it: an int64 is a bigint */
  coerced({ pointer }: Schema, value: unknown): unknown {
    const coerce = this.#coercions.at(pointer);
    return coerce === undefined ? value : coerce(structuredClone(value));
  }

  #samplesOf({ pointer }: Schema): unknown[] {
    return SEEDS.flatMap((seed) =>
      [true, false].flatMap((isDynamic) => {
        try {
          return [this.samples.at(pointer, seed, { isDynamic })];
        } catch (error) {
          if (error instanceof NoSample) return [];
          throw error;
        }
      }),
    );
  }
}

/** True for a part of a value that is readOnly or writeOnly, and not of the other direction. */
export function isHiddenAt(
  schema: Schema,
  [name, ...rest]: readonly string[],
  direction: Direction,
): boolean {
  if (name === undefined) return false;
  if (hiddenNames(schema, direction).has(name)) return true;
  const property = propertiesOf(schema).get(name);
  const inner = property === undefined ? itemsOf(schema) : [property];
  return inner.some((innerSchema) => isHiddenAt(innerSchema, rest, direction));
}

function itemsOf(schema: Schema): Schema[] {
  return [schema, ...schema.conjuncts].flatMap((conjunct) => conjunct.child('items') ?? []);
}

/** @yields the value, and copies with one part changed; not all are valid */
function* variantsOf(schema: Schema, value: unknown, depth = 0): Generator<unknown> {
  yield value;
  if (depth > MAX_DEPTH) return;
  const applying = [schema, ...schema.conjuncts];
  for (const conjunct of applying) yield* atLimits(conjunct);
  if (Array.isArray(value)) {
    yield [];
    for (const item of itemsOf(schema)) {
      for (const variant of variantsOf(item, value[0], depth + 1))
        yield [variant, ...value.slice(1)];
    }
  } else if (isObject(value)) {
    for (const [name, property] of propertiesOf(schema)) {
      const { [name]: own, ...others } = value;
      if (own === undefined) continue;
      yield others;
      for (const variant of variantsOf(property, own, depth + 1))
        yield { ...value, [name]: variant };
    }
  }
}

function* atLimits({ keywords, types }: Schema): Generator<unknown> {
  if (types?.has('string')) yield '';
  if (Array.isArray(keywords['enum'])) yield* keywords['enum'];
  for (const limit of [keywords['minimum'], keywords['maximum']]) {
    if (limit !== undefined) yield limit;
  }
  for (const length of [keywords['minLength'], keywords['maxLength']]) {
    if (Number(length) <= MAX_LENGTH) yield 'x'.repeat(Number(length));
  }
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each));
}
