// Searches for a refused value: samples first, then variants with one part replaced.
import { hiddenNames, isObject, stringifyJson } from '@stubwright/contract';
import { boundaryValues } from './boundaryValues.ts';
import type { Carrier, RefusedValue, Side } from './carrier.ts';
import { lacking, type MutationContext, mutations } from './mutations.ts';
import type { Sameness } from './sameness.ts';
import { applying, declares, inside, type Spot } from './spot.ts';

export interface Counterexample extends RefusedValue {
  /** Valid in the contract of the sender. */
  readonly value: unknown;
}

/** A value of the sender. */
export interface TriedValue {
  readonly value: unknown;
  /** Of the receiver; undefined for a value that it accepts. */
  readonly refusal: RefusedValue | undefined;
}

const SEEDS = ['1', '2'];
/** Maximum number of parts of a value that are replaced. */
const MAX_PARTS = 200;
/** Maximum number of values that are tried to simplify the value of a counterexample. */
const MAX_SIMPLIFICATIONS = 200;

/** Number of properties and items. */
const USUAL_SIZE = 50;
/** Costs as much as testing this many values. */
const FAILED_SAMPLE_COST = 30;

type Path = readonly (string | number)[];

interface Part {
  readonly path: Path;
  readonly value: unknown;
  readonly spot: Spot;
}

type PartsByNearness = readonly [changed: Part[], outer: Part[], others: Part[]];

export type Carriers = Readonly<Record<Side, Carrier>>;

/** The search for one pair of schemas. */
export class Search {
  /** In values of usual size. */
  cost = 0;
  /** True if a value cost more than one of usual size. */
  hasLargeValues = false;
  readonly #root: Spot;
  readonly #sender: Carrier;
  readonly #receiver: Carrier;
  readonly #sameness: Sameness;
  readonly #context: MutationContext;
  readonly #seen = new Set<string>();

  constructor(root: Spot, carriers: Carriers, sameness: Sameness, context: MutationContext) {
    this.#root = root;
    this.#sender = carriers[context.sampled];
    this.#receiver = carriers[context.sampled === 'before' ? 'after' : 'before'];
    this.#sameness = sameness;
    this.#context = {
      ...context,
      sample: (...of) => {
        const values = context.sample(...of);
        this.cost += values.length === 0 ? FAILED_SAMPLE_COST : Math.floor(sizeOf(values) / 10);
        return values;
      },
    };
  }

  /** @returns a value that the receiver refuses, without parts that do not matter; undefined if none was found */
  run(limit: number): Counterexample | undefined {
    for (const { value, refusal } of this.tried(limit)) {
      if (refusal !== undefined) return this.#simplified({ value, ...refusal });
    }
    return undefined;
  }

  /** @yields values that the sender may send, each once */
  *tried(limit: number): Generator<TriedValue> {
    const bases: unknown[] = [];
    const seeds = [...SEEDS];
    do {
      const base = bases.length > 0 ? bases.shift() : this.#sampleOf(seeds.shift()!);
      const limitOfBase = Math.min(limit, this.cost + Math.max(50, Math.ceil(limit / 3)));
      for (const value of this.#variants(base)) {
        if (this.cost >= limitOfBase) break;
        const key = keyOf(value);
        if (value === undefined || this.#seen.has(key)) continue;
        this.#seen.add(key);
        const size = sizeOf(value);
        this.hasLargeValues ||= size >= USUAL_SIZE;
        this.cost += 1 + Math.floor(size / USUAL_SIZE);
        const outcome = this.#test(value);
        if (outcome === 'invalid') continue;
        yield { value, refusal: outcome === 'accepted' ? undefined : outcome };
        if (outcome === 'accepted') bases.push(value);
      }
    } while (this.cost < limit && (bases.length > 0 || seeds.length > 0));
  }

  #sampleOf(seed: string): unknown {
    const { sample, sampled } = this.#context;
    const [schema] = this.#root[sampled];
    return schema === undefined ? undefined : sample(sampled, schema, seed)[0];
  }

  *#variants(base: unknown): Generator<unknown> {
    const { before, after } = this.#root;
    // A schema may have values although it has no sample.
    if (base !== undefined) yield base;
    else yield* boundaryValues([...applying(before), ...applying(after)], SEEDS[0]!);
    yield* this.#mutants(base);
  }

  #test(value: unknown): 'invalid' | 'accepted' | RefusedValue {
    const sent = this.#sender.send(value);
    if (sent === undefined || this.#sender.refusal(sent) !== undefined) return 'invalid';
    const refusal = this.#receiver.refusal(sent);
    if (refusal === undefined) return 'accepted';
    return this.#isSent(value, this.#root) ? refusal : 'invalid';
  }

  /** Clients do not send readOnly properties, nor properties that only the newer contract declares. */
  #isSent(value: unknown, spot: Spot): boolean {
    if (this.#context.direction === 'response' || typeof value !== 'object' || value === null) {
      return true;
    }
    const { sampled } = this.#context;
    const own = spot[sampled];
    const others = spot[sampled === 'before' ? 'after' : 'before'];
    const hidden = applying(own).map((each) => hiddenNames(each, 'request'));
    return Object.entries(value).every(([name, each]) => {
      const token = Array.isArray(value) ? Number(name) : name;
      const isNew = typeof token === 'string' && !declares(own, token) && declares(others, token);
      return (
        !isNew &&
        !hidden.some((names) => names.has(name)) &&
        this.#isSent(each, inside(spot, token))
      );
    });
  }

  /** @yields variants of a value with one part replaced; first the parts whose own schemas changed */
  *#mutants(base: unknown): Generator<unknown> {
    for (const parts of this.#partsOf(base)) {
      const pending = parts.map(({ path, value, spot }) => ({
        path,
        values: mutations(value, spot, this.#context),
      }));
      for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
        const next = part.values.next();
        if (next.done === true) continue;
        pending.push(part);
        yield replaced(base, part.path, next.value);
      }
    }
  }

  /** @returns the parts that changed, the parts that contain these, and others */
  #partsOf(base: unknown): PartsByNearness {
    const parts: PartsByNearness = [[], [], []];
    const pending: Part[] = [{ path: [], value: base, spot: this.#root }];
    for (const part of pending) {
      const { path, value, spot } = part;
      if (path.length > 0 && this.#sameness.areSame(spot.before, spot.after)) {
        if (parts[2].length < MAX_PARTS) parts[2].push(part);
        continue;
      }
      const isOuter = this.#sameness.haveSameKeywords(applying(spot.before), applying(spot.after));
      parts[isOuter ? 1 : 0].push(part);
      if (parts[0].length + parts[1].length >= MAX_PARTS) break;
      for (const [token, each] of entriesOf(value)) {
        pending.push({ path: [...path, token], value: each, spot: inside(spot, token) });
      }
    }
    return parts;
  }

  /** Removes properties and items while the value is still refused. */
  #simplified(found: Counterexample): Counterexample {
    let best = found;
    let left = MAX_SIMPLIFICATIONS;
    for (let isSmaller = true; isSmaller; ) {
      isSmaller = false;
      for (const smaller of smallerValues(best.value)) {
        if (left-- <= 0) return best;
        const outcome = this.#test(smaller);
        if (typeof outcome === 'string') continue;
        best = { value: smaller, ...outcome };
        isSmaller = true;
        break;
      }
    }
    return best;
  }
}

/** @returns a string that is equal for equal values only; some equal values have different ones */
function keyOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // A bigint.
    return stringifyJson(value);
  }
}

/** @returns the number of properties and items at any depth, at least 1 */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((size: number, each) => size + sizeOf(each), 1);
}

function entriesOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return value.slice(0, 3).map((each, at) => [at, each]);
  return isObject(value) ? Object.entries(value) : [];
}

function replaced(value: unknown, path: Path, part: unknown): unknown {
  const [token, ...rest] = path;
  if (token === undefined) return part;
  if (Array.isArray(value))
    return value.with(token as number, replaced(value[token as number], rest, part));
  const node = value as Record<string, unknown>;
  return { ...node, [token]: replaced(node[token], rest, part) };
}

/** @yields copies of a value without one property or item, at any depth; outer ones first */
function* smallerValues(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const at of value.keys()) yield value.toSpliced(at, 1);
    for (const [at, each] of value.entries()) {
      for (const smaller of smallerValues(each)) yield value.with(at, smaller);
    }
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) yield lacking(value, name);
    for (const [name, each] of Object.entries(value)) {
      for (const smaller of smallerValues(each)) yield { ...value, [name]: smaller };
    }
  }
}
