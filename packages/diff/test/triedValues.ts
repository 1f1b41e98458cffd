// Values of every part of random samples, independent of the rules: for tests of the rules.
import { type Contract, type Direction, isObject, type Schema } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/validation';
import { NoSample, Samples } from '@stubwright/mock/samples';
import { candidates } from '../src/counterexample/candidates.ts';
import { type RefusedValue, schemaCarrier } from '../src/counterexample/carrier.ts';
import { inside, isSent, type Spot } from '../src/counterexample/spot.ts';
import { COMPARED } from '../src/schema/membership.ts';

/** A value that the sender allows. */
interface TriedValue {
  readonly value: unknown;
  /** Of the receiver; undefined for a value that it accepts. */
  readonly refusal: RefusedValue | undefined;
}

type Path = readonly (string | number)[];
const MAX_PARTS = 20;
/** The least number of values of each part. */
const MIN_OF_PART = 20;
const SEEDS = ['a', 'b'];

/** Makes values of the schemas of two contracts in one direction. */
export class TriedValues {
  readonly #validators: Readonly<Record<'before' | 'after', Validators>>;
  readonly #samples: Readonly<Record<'before' | 'after', Samples>>;
  readonly #direction: Direction;

  constructor(before: Contract, after: Contract, direction: Direction) {
    const validatorsOf = (contract: Contract) => new Validators(contract, direction, COMPARED);
    this.#validators = { before: validatorsOf(before), after: validatorsOf(after) };
    const { before: older, after: newer } = this.#validators;
    this.#samples = { before: new Samples(older), after: new Samples(newer) };
    this.#direction = direction;
  }

  /**
   * @param root empty on one side for a value that only the other contract has
   * @param limit the number of values that are tried
   * @yields values that the sender may send, each once
   */
  *at(root: Spot, limit: number): Generator<TriedValue> {
    const isRequest = this.#direction === 'request';
    const [sampled, other] = isRequest
      ? (['before', 'after'] as const)
      : (['after', 'before'] as const);
    const sender = schemaCarrier(root[sampled], this.#validators[sampled]);
    const receiver = schemaCarrier(root[other], this.#validators[other]);
    const sample = (side: 'before' | 'after', schema: Schema, seed: string) =>
      this.#sample(side, schema, `other${seed}`);
    const [schema] = root[sampled];
    const bases =
      schema === undefined ? [] : SEEDS.flatMap((seed) => sample(sampled, schema, seed));
    const seen = new Set<string>();
    let left = limit;
    for (const base of bases) {
      const parts = partsOf(base, root);
      for (const { path, value, spot } of parts) {
        const context = {
          ...{ spot, sampled, direction: this.#direction, sample },
          ...{ facts: {}, concernsOthers: true },
        };
        let ofPart = Math.max(MIN_OF_PART, limit / parts.length);
        for (const part of candidates(context, [value])) {
          if (left-- <= 0) return;
          if (ofPart-- <= 0) break;
          const tried = replaced(base, path, part);
          const key = JSON.stringify(tried, (_, each) =>
            typeof each === 'bigint' ? `${each}n` : each,
          );
          if (seen.has(key) || sender.refusal(tried) !== undefined) continue;
          seen.add(key);
          if (isRequest && !isSent(tried, root)) continue;
          yield { value: tried, refusal: receiver.refusal(tried)?.() };
        }
      }
    }
  }

  #sample(side: 'before' | 'after', { pointer }: Schema, seed: string): unknown[] {
    try {
      return [this.#samples[side].at(pointer, seed)];
    } catch (error) {
      if (error instanceof NoSample) return [];
      throw error;
    }
  }
}

function partsOf(base: unknown, root: Spot) {
  const parts: { path: Path; value: unknown; spot: Spot }[] = [
    { path: [], value: base, spot: root },
  ];
  for (const { path, value, spot } of parts) {
    const entries = Array.isArray(value)
      ? value.slice(0, 2).map((each, at) => [at, each] as const)
      : isObject(value)
        ? Object.entries(value)
        : [];
    for (const [token, each] of entries) {
      if (parts.length >= MAX_PARTS) return parts;
      parts.push({ path: [...path, token], value: each, spot: inside(spot, token) });
    }
  }
  return parts;
}

function replaced(value: unknown, [token, ...rest]: Path, part: unknown): unknown {
  if (token === undefined) return part;
  if (Array.isArray(value)) {
    return value.with(Number(token), replaced(value[Number(token)], rest, part));
  }
  const node = value as Record<string, unknown>;
  return { ...node, [token]: replaced(node[token], rest, part) };
}
