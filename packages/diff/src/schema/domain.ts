// The values that distinguish schemas, the combinations of them, and logic with three values: undefined while a part is not known.
import { escapeToken, isNumber, type Numeric, type Schema } from '@stubwright/contract';
import { canonical, type Type, typeOf } from '../values/formatting.ts';
import { isTrivial } from './trivial.ts';

/** The values at a location: absent, one constant, or those of a type between two limits, exclusive. */
export type Choice =
  | { readonly kind: 'absent' }
  | { readonly kind: 'constant'; readonly value: unknown }
  | {
      readonly kind: 'range';
      readonly type: Type;
      readonly above: Numeric;
      readonly below: Numeric;
    };

const ABSENT: Choice = { kind: 'absent' };
/** Stands for every value where no schema restricts it. */
const ANY: Choice = { kind: 'constant', value: null };

/** What the values at a location are compared with. */
export class Domain {
  readonly #isOptional: boolean;
  /** True until a schema restricts the values. */
  #isFree = true;
  readonly #constants = new Map<string, unknown>();
  readonly #limits = {
    number: new Set<Numeric>(),
    string: new Set<Numeric>(),
    array: new Set<Numeric>(),
  };

  constructor(isOptional: boolean) {
    this.#isOptional = isOptional;
  }

  /** The listed scalars and arrays, and the limits of numbers, each a choice of its own. */
  get constants(): readonly unknown[] {
    return [...this.#constants.values()];
  }

  add(schema: Schema): void {
    const { keywords } = schema;
    if (!isTrivial(schema)) this.#isFree = false;
    for (const limit of countsIn(schema)) this.#limits.array.add(limit);
    const listed = [
      ...(Array.isArray(keywords['enum']) ? keywords['enum'] : []),
      ...('const' in keywords ? [keywords['const']] : []),
    ];
    for (const value of listed) this.addConstant(value);
    for (const [name, value] of Object.entries(keywords)) {
      const bound = BOUNDS[name];
      if (bound === undefined || !isNumber(value)) continue;
      this.#limits[bound.of].add(value);
      if (bound.of === 'number') this.#constants.set(canonical(value), value);
    }
  }

  /** An object is no choice of its own: it is compared by its properties. */
  addConstant(value: unknown): void {
    this.#isFree = false;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
    this.#constants.set(canonical(value), value);
    if (isNumber(value)) this.#limits.number.add(value);
    if (Array.isArray(value)) this.#limits.array.add(value.length);
  }

  values(): Choice[] {
    if (this.#isFree) return [...(this.#isOptional ? [ABSENT] : []), ANY];
    const constants = [...this.#constants.values()].filter((value) => typeof value !== 'boolean');
    const whole = (type: Type) => this.#ranges(type, []);
    const { number, string, array } = this.#limits;
    return [
      ...(this.#isOptional ? [ABSENT] : []),
      ...[null, true, false, ...constants.filter((constant) => constant !== null)].map(
        (value) => ({ kind: 'constant', value }) as const,
      ),
      ...(['integer', 'nonInteger'] as const).flatMap((type) => this.#ranges(type, [...number])),
      ...this.#counts('string', [...string]),
      ...this.#counts('array', [...array]),
      ...whole('object'),
    ];
  }

  /** @returns the ranges between the limits, which are constants */
  #ranges(type: Type, limits: Numeric[]): Choice[] {
    const all = [-Infinity, ...limits.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)), Infinity];
    const ranges = all.slice(1).map((below, at) => ({ above: all[at]!, below }));
    const own = type === 'integer' ? ranges.filter(hasInteger) : ranges;
    return own.map((each) => ({ kind: 'range', type, ...each }));
  }

  /** @returns the ranges of lengths or counts, each of a limit alone or of those between two limits */
  #counts(type: Type, limits: Numeric[]): Choice[] {
    const sorted = limits.map(Number).filter((number) => number >= 0);
    const points = sorted.map((number): Choice => {
      return { kind: 'range', type, above: number - 0.5, below: number + 0.5 };
    });
    const between = this.#ranges(type, sorted).filter(
      (choice) =>
        choice.kind === 'range' && Number(choice.below) - Math.max(Number(choice.above), -1) > 1,
    );
    return [...points, ...between];
  }
}

/** @returns true if an integer is between the limits, or may be: beyond 2^53 doubles are integers */
function hasInteger({
  above,
  below,
}: {
  readonly above: Numeric;
  readonly below: Numeric;
}): boolean {
  const next = typeof above === 'bigint' ? above + 1n : Math.floor(above) + 1;
  return next < below || !Number.isSafeInteger(Number(next));
}

interface Bounded {
  readonly of: 'number' | 'string' | 'array';
  readonly side: 'minimum' | 'maximum';
  readonly isExclusive?: boolean;
}

const BOUNDS: Readonly<Record<string, Bounded>> = {
  minimum: { of: 'number', side: 'minimum' },
  maximum: { of: 'number', side: 'maximum' },
  exclusiveMinimum: { of: 'number', side: 'minimum', isExclusive: true },
  exclusiveMaximum: { of: 'number', side: 'maximum', isExclusive: true },
  minLength: { of: 'string', side: 'minimum' },
  maxLength: { of: 'string', side: 'maximum' },
  minItems: { of: 'array', side: 'minimum' },
  maxItems: { of: 'array', side: 'maximum' },
};

/** @returns undefined for a keyword that is no bound */
export function withinBound(name: string, limit: unknown, values: Choice): Truth {
  const bound = BOUNDS[name];
  if (bound === undefined || !isNumber(limit) || values.kind === 'absent') return undefined;
  if (values.kind === 'constant') {
    const { value } = values;
    const size = typeof value === 'string' ? [...value].length : (value as Numeric);
    if (bound.side === 'minimum') return bound.isExclusive ? size > limit : size >= limit;
    return bound.isExclusive ? size < limit : size <= limit;
  }
  // A limit is never inside of a range; the range of one length extends half below and above it.
  const isNumeric = bound.of === 'number';
  return bound.side === 'minimum'
    ? values.above >= (isNumeric ? limit : Number(limit) - 0.5)
    : values.below <= (isNumeric ? limit : Number(limit) + 0.5);
}

/** @returns the only value of a range of no characters or items, as JSON */
export function emptyIn(values: Choice): string | undefined {
  if (values.kind !== 'range' || values.below !== 0.5) return undefined;
  return values.type === 'string' ? '""' : values.type === 'array' ? '[]' : undefined;
}

export function typeIn(values: Choice): Type {
  if (values.kind === 'absent') throw new Error('an absent property has no type');
  return values.kind === 'range' ? values.type : typeOf(values.value);
}

export function isType(values: Choice | undefined, type: Type): Truth {
  return values && typeIn(values) === type;
}

export function isEqual(a: unknown, b: unknown): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: 1 and 1n are the same number
  if (isNumber(a) && isNumber(b)) return a == b;
  return Array.isArray(a) && Array.isArray(b) ? canonical(a) === canonical(b) : a === b;
}

/** How many items of an array match `contains`. */
interface ContainsCount {
  readonly min: number;
  /** May be infinite. */
  readonly max: number;
  /** True if every item matches. */
  readonly isOfAll: boolean;
}

/** @returns undefined without `contains` */
export function containsCount(schema: Schema): ContainsCount | undefined {
  const contained = schema.child('contains');
  if (contained === undefined) return undefined;
  const { minContains: min = 1, maxContains: max = Number.POSITIVE_INFINITY } = schema.keywords;
  const items = schema.child('items');
  const isLikeItems =
    items !== undefined &&
    schema.list('prefixItems').length === 0 &&
    canonical(items.written) === canonical(contained.written);
  return { min: Number(min), max: Number(max), isOfAll: isTrivial(contained) || isLikeItems };
}

/** @returns the numbers of items that `contains` compares */
function countsIn(schema: Schema): number[] {
  const { min, max } = containsCount(schema) ?? { min: 0, max: 0 };
  return [min, max].filter((number) => number > 0 && Number.isFinite(number));
}

/** Undefined while it depends on variables without a value. */
export type Truth = boolean | undefined;

export function not(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}

export function and(parts: readonly (() => Truth)[]): Truth {
  let truth: Truth = true;
  for (const part of parts) {
    const each = part();
    if (each === false) return false;
    if (each === undefined) truth = undefined;
  }
  return truth;
}

export function or(parts: readonly (() => Truth)[]): Truth {
  return not(and(parts.map((part) => () => not(part()))));
}

export function exactlyOne(parts: readonly (() => Truth)[]): Truth {
  const truths = parts.map((part) => part());
  if (truths.filter((truth) => truth === true).length > 1) return false;
  return truths.includes(undefined) ? undefined : truths.includes(true);
}

/** The assignment of a search. */
export interface Assignment {
  /** @returns the names of properties that the schemas mention at a location */
  namesAt(at: string): Iterable<string>;
  /** @returns undefined while the values are not chosen */
  valuesAt(location: string): Choice | undefined;
  has(at: string, name: string): Truth;
  fact(at: string, keywords: object): Truth;
  schema(schema: Schema, at: string): Truth;
}

/** @returns the location of a property */
export function within(location: string, name: string): string {
  return `${location}/${escapeToken(name)}`;
}
