// Generates sample strings by format, pattern and length.
import { formats, lenientTest, type Schema } from '@stubwright/contract';
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
    return length >= min && length <= max && expressions.every((each) => each.test(text));
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
