// Searches for a value that is valid in one contract and refused by the other.
import type { Contract, Direction, Schema } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { NoSample, Samples } from '@stubwright/mock/samples';
import type { ValuePair } from '../schema/comparison.ts';
import { COMPARED } from '../schema/membership.ts';
import { Unchanged } from '../schema/unchanged.ts';
import { carrierOf, type Holders, type Side, schemaCarrier } from './carrier.ts';
import { Sameness } from './sameness.ts';
import { type Carriers, type Counterexample, Search, type TriedValue } from './search.ts';
import type { Spot } from './spot.ts';

export interface CounterexampleLimits {
  /** Maximum number of values for two schemas; large values and samples count more than once. */
  readonly perSchema: number;
  /** Maximum number of values for two contracts. */
  readonly inAll: number;
  /** Selects the samples. */
  readonly seed?: string;
}

export const DEFAULT_LIMITS: CounterexampleLimits = { perSchema: 600, inAll: 20_000 };

/** Schemas with the same changed subschemas are searched this many times. */
const SEARCHES_PER_CHANGE = 2;

/** The values that two contracts treat differently. Deterministic: limits are numbers of values, not times. */
export class Counterexamples {
  readonly #definitions: Readonly<Record<Side, Contract>>;
  readonly #validators = new Map<string, Validators>();
  readonly #samples = new Map<Validators, Samples>();
  readonly #sampled = new Map<string, unknown[]>();
  readonly #sameness: Sameness;
  readonly #searches = new Map<string, number>();
  readonly #limits: CounterexampleLimits;
  readonly #proofs = new Map<string, boolean | undefined>();
  #left: number;
  #leftToProve: number;

  constructor(
    before: Contract,
    after: Contract,
    limits: CounterexampleLimits = DEFAULT_LIMITS,
    unchanged = new Unchanged(before, after),
  ) {
    this.#definitions = { before, after };
    this.#limits = limits;
    this.#sameness = new Sameness(unchanged);
    this.#left = limits.inAll;
    this.#leftToProve = limits.inAll;
  }

  /**
   * @param holders of the schemas
   * @param direction whether clients send or receive the values
   * @returns a value of the sender that the receiver refuses; undefined if none was found
   */
  find(holders: Holders, direction: Direction): Counterexample | undefined {
    const [was, is] = [holders.before.value.schema, holders.after.value.schema];
    if (was === undefined || is === undefined || this.#left <= 0) return undefined;
    if (isSameHolder(holders) && this.#sameness.areSame([was], [is])) return undefined;
    const key = `${direction} ${this.#sameness.changesIn(was, is)}`;
    const searches = this.#searches.get(key) ?? 0;
    this.#searches.set(key, searches + 1);
    if (searches >= SEARCHES_PER_CHANGE) return undefined;
    const carriers = this.#carriers(holders, direction);
    if (carriers === undefined) return undefined;
    const limit = Math.min(this.#limits.perSchema, this.#left);
    const search = this.#search({ before: [was], after: [is] }, carriers, direction);
    const found = unlessInvalid(() => search.run(limit))?.found;
    this.#left -= search.cost;
    return found;
  }

  /**
   * Searches for a value that proves a difference of schemas.
   *
   * @param holders of the compared schemas: their serialization applies to values other than JSON
   * @returns false if no such value was found, undefined if too few could be tried
   */
  isProven(values: ValuePair, holders: Holders, direction: Direction): boolean | undefined {
    const keys = [values.before, values.after].map((each) => each.map(({ pointer }) => pointer));
    const key = `${direction} ${values.wire} ${keys.join(' > ')}`;
    if (this.#proofs.has(key)) return this.#proofs.get(key);
    const isProven = this.#prove(values, holders, direction);
    this.#proofs.set(key, isProven);
    return isProven;
  }

  /**
   * Values at and around each difference of two schemas, and of all other parts fewer.
   *
   * @param spot empty on one side for a value that only the other contract has
   * @param direction whether clients send or receive the values
   * @returns values of the sender, with the refusal of the other contract
   */
  valuesAt(spot: Spot, direction: Direction, limit: number): TriedValue[] {
    const search = this.#search(spot, this.#schemaCarriers(spot, direction), direction);
    return unlessInvalid(() => [...search.tried(limit)])?.found ?? [];
  }

  /** @returns true if both schemas certainly accept the same values */
  areSame(before: Schema, after: Schema): boolean {
    return this.#sameness.areSame([before], [after]);
  }

  #prove(values: ValuePair, holders: Holders, direction: Direction): boolean | undefined {
    if (this.#leftToProve <= 0) return undefined;
    const carriers =
      values.wire === 'json'
        ? this.#schemaCarriers(values, direction)
        : values.path === ''
          ? this.#carriers(holders, direction)
          : undefined;
    if (carriers === undefined) return undefined;
    const search = this.#search(values, carriers, direction);
    const limit = Math.min(this.#limits.perSchema, this.#leftToProve);
    const outcome = unlessInvalid(() => search.run(limit));
    this.#leftToProve -= search.cost;
    if (outcome?.found !== undefined) return true;
    // Few large values show nothing about a change inside of them.
    const isCutOff = search.cost >= limit && search.hasLargeValues;
    return outcome === undefined || isCutOff ? undefined : false;
  }

  #schemaCarriers({ before, after }: Spot, direction: Direction): Carriers {
    return {
      before: schemaCarrier(before, this.#validatorsOf('before', direction)),
      after: schemaCarrier(after, this.#validatorsOf('after', direction)),
    };
  }

  #search({ before, after }: Spot, carriers: Carriers, direction: Direction): Search {
    return new Search({ before, after }, carriers, this.#sameness, {
      sampled: direction === 'request' ? 'before' : 'after',
      direction,
      sample: (side, schema, seed) =>
        this.#sample(side, schema, (this.#limits.seed ?? '') + seed, direction),
    });
  }

  #carriers(holders: Holders, direction: Direction): Carriers | undefined {
    const [before, after] = (['before', 'after'] as const).map((side) => {
      const validators = this.#validatorsOf(side, direction);
      return unlessInvalid(() => carrierOf(this.#definitions[side], holders[side], validators))
        ?.found;
    });
    return before && after && { before, after };
  }

  #validatorsOf(side: Side, direction: Direction): Validators {
    const key = `${side} ${direction}`;
    const known =
      this.#validators.get(key) ?? new Validators(this.#definitions[side], direction, COMPARED);
    this.#validators.set(key, known);
    return known;
  }

  #sample(side: Side, { pointer }: Schema, seed: string, direction: Direction): unknown[] {
    const key = `${side} ${direction} ${seed} ${pointer}`;
    const known = this.#sampled.get(key);
    if (known !== undefined) return known;
    const validators = this.#validatorsOf(side, direction);
    const samples = this.#samples.get(validators) ?? new Samples(validators);
    this.#samples.set(validators, samples);
    const sampled = sampleOrNone(samples, pointer, seed);
    this.#sampled.set(key, sampled);
    return sampled;
  }
}

/** Parameters with another serialization differ although their schemas are the same. */
function isSameHolder({ before, after }: Holders): boolean {
  return ['in', 'style', 'explode'].every(
    (keyword) => before.value.field(keyword) === after.value.field(keyword),
  );
}

function sampleOrNone(samples: Samples, pointer: string, seed: string): unknown[] {
  try {
    return [samples.at(pointer, seed)];
  } catch (error) {
    if (error instanceof NoSample) return [];
    throw error;
  }
}

/** @returns undefined for a schema that does not compile, or that refers to itself without end */
function unlessInvalid<Found>(search: () => Found): { readonly found: Found } | undefined {
  try {
    return { found: search() };
  } catch {
    return undefined;
  }
}
