// Generates sample strings by format, pattern and length.

import {
  decimalsOf,
  formats,
  INTEGER_FORMATS,
  lenientTest,
  type Numeric,
  type Schema,
  unitsOf,
} from '@stubwright/contract';
import { stringsMatching } from './pattern.ts';
import { FirstChoice, type Random } from './random.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const HEX = '0123456789abcdef';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const WORDS = ['amber', 'birch', 'cedar', 'dune', 'ember', 'fjord', 'grove', 'harbor'] as const;
/** The maximum length without `maxLength`. */
const NO_BOUND = 1_000_000;
/** No samples of a larger `minLength`: they would take more memory than the contract. */
const MAX_LENGTH = 10_000;

type Maker = (random: Random, length: number) => string;

/** @yields strings that match formats, patterns and lengths */
export function* sampleStrings(schemas: readonly Schema[], random: Random): Generator<string> {
  const nodes = schemas.map(({ keywords }) => keywords);
  const min = Math.max(0, ...nodes.map(({ minLength = 0 }) => Number(minLength)));
  if (min > MAX_LENGTH) return;
  const max = Math.min(...nodes.map(({ maxLength = NO_BOUND }) => Number(maxLength)));
  const patterns = nodes.flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]));
  const expressions = patterns.map(lenientTest);
  const fits = (text: string) => {
    const { length } = [...text];
    return (
      length >= min && length <= max && expressions.every((expression) => expression.test(text))
    );
  };
  if (random instanceof FirstChoice) {
    const tests = nodes.flatMap(({ format }) =>
      typeof format === 'string' && Object.hasOwn(formats, format) ? [formats[format]!] : [],
    );
    const isValid = (text: string) => fits(text) && tests.every((test) => test(text));
    yield* ['', '-'.repeat(min), ...NEUTRAL].filter(isValid);
  }
  const ofFormat = nodes.flatMap(({ format, contentEncoding }) =>
    makerOf(format ?? contentEncoding),
  );
  for (const maker of ofFormat) {
    for (let at = 0; at < 6; at++) {
      const text = maker(random.fork(at), Math.max(min, Math.min(at * 2, max)));
      if (fits(text)) yield text;
    }
  }
  for (const pattern of patterns) {
    for (const text of stringsMatching(pattern, random, { min, max })) if (fits(text)) yield text;
  }
  for (let at = 0; at < 6; at++) {
    const text = words(random.fork(at), min, max);
    if (fits(text)) yield text;
  }
}

/** Strings without meaning, for formats. */
const NEUTRAL = [
  ...['about:blank', '1970-01-01', '1970-01-01T00:00:00Z', '00:00:00Z', 'P0D'],
  ...['00000000-0000-0000-0000-000000000000', '0.0.0.0', '::', 'nobody@invalid'],
];

function words(random: Random, min: number, max: number): string {
  const word = random.pick(WORDS);
  const text = word.length < min ? word + random.text(LETTERS, min - word.length) : word;
  return text.slice(0, max);
}

function makerOf(format: unknown): Maker[] {
  const isEnforced = typeof format === 'string' && Object.hasOwn(formats, format);
  const name = isEnforced ? format : ALIASES[String(format)];
  return name !== undefined && Object.hasOwn(MAKERS, name) ? [MAKERS[name]!] : [];
}

/** Formats and encodings that are not enforced -> the format of their samples. */
const ALIASES: Readonly<Record<string, string>> = {
  base64: 'byte',
  iri: 'uri',
  url: 'uri',
  'iri-reference': 'uri-reference',
  'idn-email': 'email',
  'idn-hostname': 'hostname',
  guid: 'uuid',
};

const twoDigits = (value: number) => String(value).padStart(2, '0');
const fill = (random: Random, text: string, length: number) =>
  text + random.text(LETTERS, Math.max(0, length - text.length));

const date: Maker = (random) =>
  `20${twoDigits(10 + random.below(20))}-${twoDigits(1 + random.below(12))}-${twoDigits(1 + random.below(28))}`;
const time: Maker = (random) =>
  `${twoDigits(random.below(24))}:${twoDigits(random.below(60))}:${twoDigits(random.below(60))}Z`;
const hostname: Maker = (random, length) => {
  const labels = Math.max(0, length - 'example.com'.length);
  const parts = Array.from({ length: Math.ceil(labels / 21) }, () => random.text(LETTERS, 20));
  return [...parts, random.pick(WORDS), 'example.com'].join('.');
};
const base64 = (random: Random, length: number) =>
  random.text(BASE64, Math.max(4, Math.ceil(length / 4) * 4));

const MAKERS: Readonly<Record<string, Maker>> = {
  date,
  time,
  'date-time': (random, length) => `${date(random, length)}T${time(random, length)}`,
  duration: (random) => `P${1 + random.below(30)}D`,
  uri: (random, length) => fill(random, `https://example.com/${random.pick(WORDS)}`, length),
  'uri-reference': (random, length) => fill(random, `/${random.pick(WORDS)}`, length),
  'uri-template': (random, length) =>
    fill(random, `https://example.com/{id}/${random.pick(WORDS)}`, length),
  email: (random, length) => {
    const name = random.pick(WORDS);
    return `${fill(random, name, Math.min(64, length - 12))}@example.com`;
  },
  hostname,
  ipv4: (random) => `192.0.2.${random.below(256)}`,
  ipv6: (random) => `2001:db8::${random.text(HEX.slice(1), 4)}`,
  regex: (random) => `^${random.pick(WORDS)}$`,
  uuid: (random) =>
    `${random.text(HEX, 8)}-${random.text(HEX, 4)}-4${random.text(HEX, 3)}-a${random.text(HEX, 3)}-${random.text(HEX, 12)}`,
  'json-pointer': (random, length) => fill(random, `/${random.pick(WORDS)}`, length),
  'relative-json-pointer': (random, length) => fill(random, `0/${random.pick(WORDS)}`, length),
  byte: base64,
  base64url: base64,
};

/** The search range in steps, from the lower bound or zero. */
const WINDOW = 1000n;

/** @yields numbers within bounds, steps and formats; integers beyond the exact range of doubles as bigints */
export function* sampleNumbers(
  schemas: readonly Schema[],
  type: 'integer' | 'number',
  random: Random,
): Generator<Numeric> {
  const nodes = schemas.map(({ keywords }) => keywords);
  const steps = nodes.flatMap(({ multipleOf }) => (multipleOf ? [multipleOf as Numeric] : []));
  const bounds = nodes.flatMap(boundsOf);
  const written = [...steps, ...bounds.map(({ value }) => value)];
  const isWhole =
    type === 'integer' || nodes.some(({ format }) => Object.hasOwn(INTEGER_FORMATS, format));
  const spare = isWhole || steps.length > 0 ? 0 : 1;
  const digits = Math.max(0, ...written.map(decimalsOf)) + spare;
  const one = 10n ** BigInt(digits);
  const step = [...steps.map((step) => unitsOf(step, digits)), ...(isWhole ? [one] : [])].reduce(
    leastCommonMultiple,
    1n,
  );
  const { low, high } = rangeOf(bounds, digits);
  for (const units of multiples(low, high, step, random)) {
    yield decimalOf(units, digits);
  }
}

interface Bound {
  readonly isLower: boolean;
  readonly value: Numeric;
  readonly isExclusive: boolean;
}

function boundsOf({ format, ...keywords }: Schema['keywords']): Bound[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = keywords;
  const [low, high] = INTEGER_FORMATS[format] ?? [];
  return [
    { isLower: true, value: minimum, isExclusive: false },
    { isLower: false, value: maximum, isExclusive: false },
    { isLower: true, value: exclusiveMinimum, isExclusive: true },
    { isLower: false, value: exclusiveMaximum, isExclusive: true },
    { isLower: true, value: low, isExclusive: false },
    { isLower: false, value: high, isExclusive: false },
  ].filter(({ value }) => typeof value === 'number' || typeof value === 'bigint') as Bound[];
}

function rangeOf(bounds: readonly Bound[], digits: number) {
  let low: bigint | undefined;
  let high: bigint | undefined;
  for (const { isLower, value, isExclusive } of bounds) {
    const units = unitsOf(value, digits);
    const off = isExclusive ? 1n : 0n;
    if (isLower) low = low === undefined || units + off > low ? units + off : low;
    else high = high === undefined || units - off < high ? units - off : high;
  }
  return { low, high };
}

/** @yields positive multiples first, then by distance from the bound */
function* multiples(
  low: bigint | undefined,
  high: bigint | undefined,
  step: bigint,
  random: Random,
): Generator<bigint> {
  const first = low === undefined ? undefined : ceiling(low, step);
  const last = high === undefined ? undefined : -ceiling(-high, step);
  const fits = (value: bigint) =>
    (first === undefined || value >= first) && (last === undefined || value <= last);
  // The nearest to zero.
  if (random instanceof FirstChoice) {
    yield* [0n, ...(first === undefined ? [] : [first])].filter(fits);
    if (last !== undefined) yield last;
    return;
  }
  let start = first !== undefined && first > 0n ? first : step;
  if (last !== undefined && last < start) start = last - step * WINDOW;
  if (first !== undefined && start < first) start = first;
  const end = last !== undefined && last < start + step * WINDOW ? last : start + step * WINDOW;
  const count = end < start ? 0 : Number((end - start) / step) + 1;
  for (let at = 0; at < 8 && count > 0; at++) {
    yield start + step * BigInt(random.below(count));
  }
  for (let at = 0n; at <= WINDOW && at < count; at++) yield start + step * at;
  for (const value of [first, last, 0n, -step]) {
    if (value !== undefined && fits(value)) yield value;
  }
}

function ceiling(value: bigint, step: bigint): bigint {
  const rest = value % step;
  return rest > 0n ? value - rest + step : value - rest;
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}

function decimalOf(units: bigint, digits: number): Numeric {
  if (digits === 0) {
    const value = Number(units);
    return Number.isFinite(value) && BigInt(value) === units ? value : units;
  }
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0');
  const value = `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return Number(units < 0n ? `-${value}` : value);
}
