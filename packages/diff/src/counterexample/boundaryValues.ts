// Values at the boundaries of schemas: bounds and steps, lengths, enum values, formats, other types.

import {
  INTEGER_FORMATS,
  isNumber,
  NUMERIC_BOUNDS,
  type Numeric,
  type Schema,
} from '@stubwright/contract';
import { Random, sampleNumbers, sampleStrings, stringsMatching } from '@stubwright/mock/samples';
import { FORMAT_PATTERNS, languageChange, regionWords } from '../schema/language.ts';

const PLAIN: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 2, 0.5, 1.5, 2 ** 31, 2 ** 53, 1e39],
  ...['', 'a', 'A', '1', 'true', 'é', '(', '2026-01-01', '2026-01-01T00:00:00Z', 'YQ==', '-_8'],
];
/** Maximum length of a generated string in code points. */
const MAX_LENGTH = 5_000;
const VALUES_PER_SCHEMA = 12;
/** Maximum number of patterns that are compared. */
const MAX_PATTERNS = 4;
/** Maximum number of listed strings that are excluded from patterns. */
const MAX_LISTED = 50;

/** @yields scalar values near the limits of the schemas, some of them more than once */
export function* boundaryValues(schemas: readonly Schema[], seed: string): Generator<unknown> {
  for (const { keywords } of schemas) {
    if (keywords.const !== undefined) yield keywords.const;
    for (const list of [keywords.enum, keywords.examples]) if (Array.isArray(list)) yield* list;
    for (const value of [keywords.example, keywords.default]) if (value !== undefined) yield value;
  }
  yield* boundaryNumbers(schemas);
  const random = new Random(seed);
  yield* boundaryTexts(schemas, random);
  for (const schema of schemas) {
    const type = schema.types?.has('integer') ? 'integer' : 'number';
    yield* take(VALUES_PER_SCHEMA, sampleNumbers([schema], type, random));
    yield* take(VALUES_PER_SCHEMA, sampleStrings([schema], random));
  }
  yield* PLAIN;
}

function* boundaryNumbers(schemas: readonly Schema[]): Generator<Numeric> {
  const nodes = schemas.map(({ keywords }) => keywords);
  const bounds = nodes.flatMap(({ format, ...node }) => [
    ...NUMERIC_BOUNDS.map((keyword) => node[keyword] as unknown).filter(isNumber),
    ...(INTEGER_FORMATS[format] ?? []),
  ]);
  const steps = nodes.map(({ multipleOf }) => multipleOf as unknown).filter(isNumber);
  yield* between(bounds);
  for (const bound of bounds) {
    yield bound;
    for (const offset of [1, -1, 0.5, -0.5]) yield plus(bound, offset);
    for (const step of steps) {
      const count = Math.ceil(Number(bound) / Number(step));
      yield* [-1, 0, 1].map((number) => times(step, count + number));
    }
  }
  for (const step of steps) {
    yield* [1, 2, 3, 5, 7, -1, 0.5].map((number) => times(step, number));
    for (const other of steps) yield times(step, Number(other));
  }
}

/** @yields a number between each two neighbours: 0.005 for 0 and 0.01 */
function* between(bounds: readonly Numeric[]): Generator<Numeric> {
  const sorted = [...new Set(bounds.map(Number))].sort((a, b) => a - b);
  for (const [at, next] of sorted.slice(1).entries()) yield (sorted[at]! + next) / 2;
}

/** Exact for integers beyond the range of doubles. */
function plus(bound: Numeric, offset: number): Numeric {
  const isExact = typeof bound === 'number' && !(Math.abs(bound) >= 2 ** 52);
  if (isExact || !Number.isInteger(offset)) return Number(bound) + offset;
  return BigInt(bound) + BigInt(offset);
}

/** Rounds to 12 digits: 3 * 0.1 is 0.3. */
function times(step: Numeric, count: number): Numeric {
  if (typeof step === 'bigint' && Number.isInteger(count)) return step * BigInt(count);
  return Number((Number(step) * count).toPrecision(12));
}

/** Texts of a format that samples do not resemble. */
const UNUSUAL_TEXTS: Readonly<Record<string, readonly string[]>> = {
  uri: ['http://a.example/b?c=d#e', 'urn:a:b', 'mailto:a@b.example'],
  'uri-reference': ['a', '/a', '?a', '#a'],
  email: ['a.b+c@d.example'],
  hostname: ['a', '1.a'],
  ipv6: ['::', '::ffff:1.2.3.4'],
  duration: ['P1Y', 'PT1S', 'P1W'],
  date: ['1900-12-31', '2000-02-29'],
  'date-time': ['1900-12-31T00:00:00Z', '2000-02-29T23:59:59.999+14:00'],
};

/** Valid times of any length: the pattern of the format matches others too. */
const TIMES = '^23:59:59[.][0-9]+Z$';

function* boundaryTexts(schemas: readonly Schema[], random: Random): Generator<string> {
  const nodes = schemas.map(({ keywords }) => keywords);
  const limits = nodes.flatMap(({ minLength, maxLength }) => [minLength, maxLength]);
  const lengths = new Set(
    limits.filter(isNumber).flatMap((limit) => [-1, 0, 1].map((offset) => Number(limit) + offset)),
  );
  const patterns = nodes.flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : []));
  const formats = nodes.flatMap(({ format }) => FORMAT_PATTERNS[format]?.pattern ?? []);
  const listed = nodes.flatMap(({ const: value, enum: values }) => [value, values].flat());
  yield* stringsBetween(
    [...patterns, ...formats],
    listed.filter((each) => typeof each === 'string'),
  );
  for (const { format } of nodes) yield* UNUSUAL_TEXTS[format] ?? [];
  for (const length of lengths) {
    if (length < 0 || length > MAX_LENGTH) continue;
    yield 'a'.repeat(length);
    yield '\u{1f331}'.repeat(length);
    const times = nodes.some(({ format }) => format === 'time') ? [TIMES] : [];
    for (const pattern of [...patterns, ...formats, ...times]) {
      yield* take(1, stringsMatching(pattern, random, { min: length, max: length }));
    }
  }
  for (const pattern of patterns) {
    yield* take(VALUES_PER_SCHEMA, stringsMatching(pattern, random, { min: 0, max: MAX_LENGTH }));
  }
}

/**
 * @param listed by `enum` and `const`
 * @yields strings that one pattern matches and another does not, and that no pattern matches
 */
function* stringsBetween(
  patterns: readonly string[],
  listed: readonly string[],
): Generator<string> {
  const distinct = [...new Set(patterns)].slice(0, MAX_PATTERNS);
  const own = distinct.map((pattern) => [pattern]);
  const sets = [...own, ...(own.length === 0 ? [] : [[]])].map((patterns) => {
    return { patterns, min: 0, max: Infinity };
  });
  for (const [at, one] of sets.entries()) {
    for (const other of sets.slice(at + 1)) {
      const { lost, gained } = languageChange(one, other) ?? {};
      yield* [lost, gained].filter((each) => each !== undefined);
    }
  }
  // Two patterns divide strings no further.
  const excluded = listed.length > MAX_LISTED ? [] : listed;
  if (distinct.length > 2 || (distinct.length > 0 && excluded.length > 0)) {
    yield* regionWords(distinct, excluded);
  }
}

/** `Iterator.prototype.take`, which the library of TypeScript does not declare yet. */
export function* take<T>(count: number, values: Iterable<T>): Generator<T> {
  let left = count;
  if (left <= 0) return;
  for (const value of values) {
    yield value;
    if (--left <= 0) return;
  }
}

/** The values of a generator, each made once, when it is first read. */
export class Reiterable<Value> implements Iterable<Value> {
  readonly #known: Value[] = [];
  readonly #rest: Iterator<Value>;

  constructor(values: Iterator<Value>) {
    this.#rest = values;
  }

  *[Symbol.iterator](): Generator<Value> {
    for (let at = 0; ; at++) {
      if (at === this.#known.length) {
        const next = this.#rest.next();
        if (next.done === true) return;
        this.#known.push(next.value);
      }
      yield this.#known[at]!;
    }
  }
}
