// Finds the value that proves a change: one that a client may send, and that the other contract refuses.
import {
  type Contract,
  type Direction,
  isObject,
  type Schema,
  stringifyJson,
} from '@stubwright/contract';
import { Validators } from '@stubwright/contract/validation';
import { NoSample, Random, Samples, stringsMatching } from '@stubwright/mock/samples';
import type { Difference } from '../schema/differences.ts';
import { COMPARED } from '../schema/membership.ts';
import { referenced } from '../schema/term.ts';
import { Reiterable, take } from './boundaryValues.ts';
import { type Candidates, candidates, LEAST } from './candidates.ts';
import {
  type Carrier,
  carrierOf,
  type Holder,
  type Holders,
  type Refusal,
  type Side,
  schemaCarrier,
} from './carrier.ts';
import { applying, areRelated, declares, inside, isSent, type Spot, segmentsOf } from './spot.ts';

/** A value that is valid in the contract of the sender. */
export interface Counterexample {
  readonly value: unknown;
  /** JSON pointer of the refused part; `''` for the whole value and for text. */
  readonly path: string;
  readonly message: string;
}

/** Maximum number of values of a part that are tried; those of the changed keyword come first. */
const MAX_CANDIDATES = 400;
/** The same for a difference that no rule calls breaking, unless a condition depends on several properties. */
const MAX_CANDIDATES_UNLESS_BREAKING = 50;
const CONDITIONS = ['if', 'dependentSchemas', 'dependentRequired'];
/** Maximum number of values of one size that contain a part. */
const MAX_FRAMES = 2;
/** Maximum number of accepted values that are changed once more. */
const MAX_BASES = 8;
const SEED = '1';
/** Values of usual size for two contracts: a limit, not a time, so that results are reproducible. */
const MAX_VALUES = 60_000;
/** A part that is nested deeper has no example. */
const MAX_DEPTH = 40;
/** Number of properties and items. */
const USUAL_SIZE = 50;

/** Puts a part into a value. */
type Frame = (part: unknown) => unknown;

interface FoundValues {
  /** Undefined if no value of the whole was found that the receiver refuses. */
  readonly counterexample?: Counterexample;
  /** True if a value of the part is refused. */
  readonly isPartRefused: boolean;
  /** True if the sender allows some of the values that were tried. */
  readonly isConclusive: boolean;
}

const UNDECIDED: FoundValues = { isPartRefused: false, isConclusive: false };

/** The search for a value of a part that the receiver refuses. */
interface RefusedPart {
  /** The refused value, or none. */
  readonly found: readonly unknown[];
  /** True if the sender allows some of the values that were tried. */
  readonly isConclusive: boolean;
}

interface Framing {
  readonly direction: Direction;
  /** The schemas of the part. */
  readonly of: readonly Schema[];
  /** Of the samples. */
  readonly seed: string;
}

/** A counterexample of a change. */
interface Shown {
  readonly counterexample: Counterexample;
  readonly frame: Frame;
  /** False if another change refuses the value, too. */
  readonly isAlone: boolean;
}

type Carriers = Readonly<Record<Side, Carrier>>;

/** The result of sending a value from one contract to the other. */
type Sending = 'invalid' | 'accepted' | Refusal;

/** Compares two contracts by values. */
export class Counterexamples {
  readonly #definitions: Readonly<Record<Side, Contract>>;
  readonly #validators = new Map<string, Validators>();
  readonly #samples = new Map<Validators, Samples>();
  readonly #sampled = new Map<string, unknown>();
  readonly #carriersOf = new Map<string, Carrier | undefined>();
  readonly #framesOf = new Map<string, Reiterable<Frame>>();
  /** By place: the frame of its last counterexample. */
  readonly #lastFrames = new Map<string, Frame>();
  /** By direction and the pointers of both schemas: a pair is decided once, whatever uses it. */
  readonly #refused = new Map<string, RefusedPart>();
  #left: number;

  /** @param maxValues for all differences of the contracts */
  constructor(before: Contract, after: Contract, maxValues = MAX_VALUES) {
    this.#definitions = { before, after };
    this.#left = maxValues;
  }

  /** Searches for a value of the whole body or parameter that shows a difference. */
  find(difference: Difference, holders: Holders, direction: Direction): FoundValues {
    const root = rootOf(holders);
    const carriers = root && this.#carriers(holders, direction);
    const { path, segments, values } = difference;
    const isTooDeep = segments.length > MAX_DEPTH;
    if (root === undefined || carriers === undefined || isTooDeep) return UNDECIDED;
    const isJson = values.wire === 'json';
    const refused = isJson ? this.#refusedPart(difference, direction) : undefined;
    const isPartRefused = refused !== undefined && refused.found.length > 0;
    let isConclusive = isJson && (isPartRefused || refused!.isConclusive);
    if (isJson && !isPartRefused) return { isPartRefused, isConclusive };
    const of = values[sideOf(direction)];
    let mixed: Shown | undefined;
    // The part of a conditional subschema has no path of its own in the value.
    const parts = path.includes('(') ? undefined : refused?.found;
    const others = () => this.#candidatesFor(segments.reduce(inside, root), difference, direction);
    const place = stringifyJson([
      direction,
      segments,
      ...[root.before, root.after, of].map(pointersOf),
    ]);
    const shownBy = (frame: Frame, part: unknown): Shown | undefined => {
      const value = frame(part);
      const result = this.#resultOf(value, root, carriers, direction);
      if (result !== 'invalid') isConclusive = true;
      if (typeof result === 'string') return undefined;
      const { paths, message } = result();
      const related = paths.filter((path) => areRelated(segments, segmentsOf(path)));
      if (related.length === 0) return undefined;
      const counterexample = { value, path: related[0]!, message };
      return { counterexample, frame, isAlone: related.length === paths.length };
    };
    const found = ({ counterexample, frame }: Shown): FoundValues => {
      this.#lastFrames.set(place, frame);
      return { isPartRefused: true, isConclusive, counterexample };
    };
    const last = this.#lastFrames.get(place);
    const again = last && parts && shownBy(last, parts[0]);
    if (again !== undefined) return found(again);
    for (const seed of [LEAST, SEED]) {
      const frames = this.#sharedFrames(`${seed} ${place}`, () => {
        return this.#frames(root, segments, { direction, of, seed });
      });
      for (const part of parts ?? others()) {
        for (const frame of frames) {
          const shown = shownBy(frame, part);
          if (shown?.isAlone) return found(shown);
          mixed ??= shown;
        }
      }
      // Where another change refuses the smallest value too, one of usual size may be valid otherwise.
      if (mixed === undefined) return { isPartRefused, isConclusive };
    }
    return found(mixed!);
  }

  /** False if no value of the part is refused: then no body that contains it shows the difference. */
  mayShow(difference: Difference, direction: Direction): boolean {
    const isJson = difference.values.wire === 'json';
    return !isJson || this.#refusedPart(difference, direction).found.length > 0;
  }

  /** @returns the refused value of the innermost schemas around a difference, as JSON */
  #refusedPart(difference: Difference, direction: Direction): RefusedPart {
    const { rule, facts = {}, values } = difference;
    const pointers = [values.before, values.after].map(pointersOf).join(' > ');
    const key = `${direction} ${rule} ${stringifyJson(facts)} ${pointers}`;
    const known = this.#refused.get(key) ?? this.#searchRefused(difference, direction);
    this.#refused.set(key, known);
    return known;
  }

  #searchRefused(difference: Difference, direction: Direction): RefusedPart {
    const { values: spot } = difference;
    const accepted: unknown[] = [];
    let isConclusive = false;
    let tried = 0;
    try {
      const carriers = {
        before: schemaCarrier(spot.before, this.#validatorsOf('before', direction)),
        after: schemaCarrier(spot.after, this.#validatorsOf('after', direction)),
      };
      const limit = limitOf(difference);
      for (const bases of [undefined, accepted]) {
        for (const value of this.#candidatesFor(spot, difference, direction, bases)) {
          tried++;
          const result = this.#resultOf(value, spot, carriers, direction);
          if (typeof result === 'function') return { found: [value], isConclusive: true };
          if (result === 'accepted') isConclusive = true;
          const isBase = result === 'accepted' && typeof value === 'object' && value !== null;
          if (isBase && bases === undefined && accepted.length < MAX_BASES) accepted.push(value);
        }
        // Two changes of a value: of accepted ones once more. Without any, the values are the same again.
        if (limit < MAX_CANDIDATES || (accepted.length === 0 && tried < limit)) break;
      }
    } catch {
      // A schema that does not compile, or that refers to itself without end.
    }
    return { found: [], isConclusive };
  }

  *#candidatesFor(
    spot: Spot,
    difference: Difference,
    direction: Direction,
    bases?: readonly unknown[],
  ): Generator<unknown> {
    const sampled = sideOf(direction);
    const alternatives = applying(spot[sampled]).slice(spot[sampled].length);
    const branch = alternatives.find(({ pointer }) => pointer === difference[sampled]);
    const { facts = {}, concernsValues, severity } = difference;
    // It names a property, which alone came or went.
    const concernsOthers = severity !== 'breaking' || concernsValues || facts['name'] === undefined;
    const context: Candidates = {
      ...{ spot, sampled, direction, branch, facts, concernsOthers },
      sample: (side, schema, seed) => this.#sample(side, schema, seed, direction),
    };
    const limit = limitOf(difference);
    const seen = new Set<string>();
    for (const value of candidates(context, bases)) {
      if (value === undefined) continue;
      const key = textOf(value);
      if (seen.has(key)) continue;
      seen.add(key);
      this.#left -= 1 + Math.floor(sizeOf(value) / USUAL_SIZE);
      if (seen.size > limit || this.#left < 0) return;
      yield value;
    }
  }

  #resultOf(value: unknown, root: Spot, carriers: Carriers, direction: Direction): Sending {
    const [sender, receiver] = inOrder(carriers, direction);
    const sent = sender.send(value);
    if (sent === undefined || sender.refusal(sent) !== undefined) return 'invalid';
    const refusal = receiver.refusal(sent);
    if (refusal === undefined) return 'accepted';
    return direction === 'response' || isSent(value, root) ? refusal : 'invalid';
  }

  /** The differences of a part share the values around it. */
  #sharedFrames(key: string, frames: () => Generator<Frame>): Iterable<Frame> {
    const known = this.#framesOf.get(key) ?? new Reiterable(take(MAX_FRAMES, frames()));
    this.#framesOf.set(key, known);
    return known;
  }

  /** @yields values that have the part */
  *#frames(spot: Spot, segments: Difference['segments'], framing: Framing): Generator<Frame> {
    const [segment, ...rest] = segments;
    if (segment === undefined) {
      yield (part) => part;
      return;
    }
    for (const base of this.#bases(spot, segments, framing)) {
      const inner = this.#frames(inside(spot, segment), rest, framing);
      for (const frame of take(MAX_FRAMES, inner)) {
        if (segment !== null) {
          yield (part) => ({ ...(isObject(base) ? base : {}), [segment]: frame(part) });
        } else if (isObject(base)) {
          for (const name of [
            'undeclared',
            ...matchingNames(applying([...spot.before, ...spot.after])),
          ]) {
            yield (part) => ({ ...base, [name]: frame(part) });
          }
        } else {
          yield (part) => [frame(part)];
          if (Array.isArray(base) && base.length > 0) yield (part) => base.with(0, frame(part));
        }
      }
    }
  }

  /** @yields objects or arrays that may have the property or item: of the schema, then of its branches */
  *#bases(
    spot: Spot,
    segments: Difference['segments'],
    { direction, of, seed }: Framing,
  ): Generator<unknown> {
    const [segment] = segments;
    const side = sideOf(direction);
    const own = applying(spot[side]);
    const required = own.flatMap((schema): string[] => schema.keywords['required'] ?? []);
    const isAlone = segment !== null && required.every((name) => name === segment);
    if (isAlone && seed === LEAST) yield {};
    const branches = own
      .flatMap((schema) => [...schema.list('oneOf'), ...schema.list('anyOf')])
      .filter((schema) => segment === null || declares([schema], segment!));
    const hasPart = (branch: Schema) => {
      const parts = segments.reduce<Spot>(inside, { before: [branch], after: [] }).before;
      return of.some((part) => parts.includes(part));
    };
    for (const schema of [...spot[side].slice(0, 1), ...branches.filter(hasPart), ...branches]) {
      const base = this.#sample(side, schema, seed, direction)[0];
      yield base ?? (own.some((schema) => schema.types?.has('object')) ? {} : undefined);
    }
  }

  #carriers(holders: Holders, direction: Direction): Carriers | undefined {
    const before = this.#carrier('before', holders.before, direction);
    const after = this.#carrier('after', holders.after, direction);
    return before && after && { before, after };
  }

  /** A carrier compiles the schemas of its values: many differences may share it. */
  #carrier(side: Side, holder: Holder, direction: Direction): Carrier | undefined {
    const key = `${side} ${direction} ${holder.name} ${holder.value.pointer}`;
    if (!this.#carriersOf.has(key)) {
      const validators = this.#validatorsOf(side, direction);
      const carrier = orUndefined(() => carrierOf(this.#definitions[side], holder, validators));
      this.#carriersOf.set(key, carrier);
    }
    return this.#carriersOf.get(key);
  }

  #validatorsOf(side: Side, direction: Direction): Validators {
    const key = `${side} ${direction}`;
    const known =
      this.#validators.get(key) ?? new Validators(this.#definitions[side], direction, COMPARED);
    this.#validators.set(key, known);
    return known;
  }

  /** @returns a sample of a schema, or nothing if it has none */
  #sample(side: Side, schema: Schema, seed: string, direction: Direction): unknown[] {
    const key = `${side} ${direction} ${seed} ${schema.pointer}`;
    if (!this.#sampled.has(key)) {
      const validators = this.#validatorsOf(side, direction);
      const samples = this.#samples.get(validators) ?? new Samples(validators);
      this.#samples.set(validators, samples);
      const value =
        seed === LEAST ? samples.least(schema, {}) : sampleOrNone(samples, schema, seed);
      this.#sampled.set(key, value);
    }
    const value = this.#sampled.get(key);
    return value === undefined ? [] : [value];
  }
}

/** @returns the number of values of the part that are tried */
function limitOf({ severity, values: { before, after } }: Difference): number {
  const isConditional = applying([...before, ...after]).some((schema) =>
    CONDITIONS.some((keyword) => schema.has(keyword)),
  );
  return severity === 'breaking' || isConditional ? MAX_CANDIDATES : MAX_CANDIDATES_UNLESS_BREAKING;
}

function pointersOf(schemas: readonly Schema[]): string[] {
  return schemas.map(({ pointer }) => pointer);
}

/** @returns the side of the sender */
function sideOf(direction: Direction): Side {
  return direction === 'request' ? 'before' : 'after';
}

/** @returns the sender and the receiver */
function inOrder({ before, after }: Carriers, direction: Direction): readonly [Carrier, Carrier] {
  return direction === 'request' ? [before, after] : [after, before];
}

/** @returns a name for each pattern of `patternProperties` */
function matchingNames(schemas: readonly Schema[]): string[] {
  const patterns = schemas.flatMap((schema) => [...schema.map('patternProperties').keys()]);
  const random = new Random(SEED);
  return patterns.flatMap((pattern) =>
    [...stringsMatching(pattern, random, { min: 1, max: 64 })].slice(0, 1),
  );
}

function rootOf({ before, after }: Holders): Spot | undefined {
  const [was, is] = [before.value.schema, after.value.schema];
  return was && is && { before: [referenced(was)], after: [referenced(is)] };
}

/** @returns the number of properties and items at any depth, at least 1 */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let size = 1;
  for (const member of Object.values(value)) size += sizeOf(member);
  return size;
}

/** The same as `stringifyJson`: without a bigint, which JSON.stringify refuses, it is several times as fast. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return stringifyJson(value);
  }
}

function sampleOrNone(samples: Samples, { pointer }: Schema, seed: string): unknown {
  try {
    return samples.at(pointer, seed);
  } catch (error) {
    if (error instanceof NoSample) return undefined;
    throw error;
  }
}

/** @returns undefined for a schema that does not compile */
function orUndefined<Found>(search: () => Found): Found | undefined {
  try {
    return search();
  } catch {
    return undefined;
  }
}
