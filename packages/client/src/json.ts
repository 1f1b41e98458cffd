// Parses and serializes JSON with exact integers.

declare global {
  // TypeScript 5.9 does not declare it yet. Older runtimes lack it.
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/**
 * Where a JSON value has integers of 64 bits: 1 for such an integer; a function selects by the value, or
 * breaks a recursion; of several, all apply.
 */
export type Exact = 1 | ExactHolder | readonly Exact[] | ExactSelection;
type ExactSelection = (value: unknown, known?: Known) => Exact | undefined;

/** The schemas that a value was tested against, with the outcome: each test is made once. */
export type Known = Map<object, Map<object, boolean>>;

/** The parts of an object or array that have integers of 64 bits. */
export interface ExactHolder {
  /** By name. */
  readonly properties?: Readonly<Record<string, Exact>>;
  /** By regular expression of the name. */
  readonly patterns?: readonly (readonly [pattern: RegExp, exact: Exact])[];
  /** All other properties, except those in `known`. */
  readonly others?: Exact;
  readonly known?: readonly string[];
  /** The first items. */
  readonly first?: readonly (Exact | 0)[];
  /** The items after `first`. */
  readonly items?: Exact;
}

/** Above all integers of 64 bits; larger numbers with an exponent or a fraction are doubles. */
const LIMIT = 2 ** 64;
/** A number of 16 digits, or with an exponent that adds zeros. */
const MAY_ROUND = /(?:^|[\s:,[])-?(?:\d[\d.]{15}|\d[\d.]*e\+?\d)/i;
const NUMBER = /^(-?\d+)\.?(\d*)(?:e(.+))?$/i;
/** In valid JSON: a string, with the colon after a name, or a number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*/g;

/** Serializes JSON; a bigint is an integer. */
export function toJson(value: unknown): string {
  return serialized(value, (value) => (typeof value === 'bigint' ? String(value) : undefined));
}

/** @param numberOf the number in JSON that replaces a value, if any */
function serialized(value: unknown, numberOf: (value: unknown) => string | undefined): string {
  const { rawJSON }: Partial<JSON> = JSON;
  function replace(this: Readonly<Record<string, unknown>>, name: string, value: unknown) {
    // Some pages give bigints a `toJSON`.
    const number = numberOf(typeof this[name] === 'bigint' ? this[name] : value);
    if (number) return rawJSON ? rawJSON(number) : number;
    return rawJSON || typeof value !== 'string' ? value : `s${value}`;
  }
  const text: string | undefined = JSON.stringify(value, replace);
  if (rawJSON !== undefined || text === undefined) return text as string;
  // For older runtimes: numbers are strings, and other strings start with `s`.
  return text.replace(TOKEN, (token, colon) => {
    if (colon || !token.startsWith('"')) return token;
    return token.startsWith('"s') ? `"${token.slice(2)}` : token.slice(1, -1);
  });
}

/**
 * Parses JSON as services do: an integer that a double would round is a bigint, typed or not.
 *
 * @throws {SyntaxError} for invalid JSON
 */
export function fromJson(text: string, exact: Exact | undefined): unknown {
  const rounded: unknown = JSON.parse(text);
  const value = MAY_ROUND.test(text)
    ? parsedWith((number) => exactNumber(number, Number(number)), text)
    : rounded;
  return exact === undefined ? value : revive(exact, value, new Map());
}

/** @param read receives the text of each number @param text valid JSON */
function parsedWith(read: (number: string) => number | bigint, text: string): unknown {
  const marked = text.replace(TOKEN, (token, colon) => {
    if (colon) return token;
    return token.startsWith('"') ? `"s${token.slice(1)}` : `"${token}"`;
  });
  return JSON.parse(marked, (_, each) => {
    if (typeof each !== 'string') return each;
    return each.startsWith('s') ? each.slice(1) : read(each);
  });
}

/** Modifies objects and arrays in place. */
function revive(exact: Exact, value: unknown, known: Known): unknown {
  const parts = partsOf(exact, value, known);
  if (typeof value !== 'object' || value === null) {
    return parts.includes(1) && Number.isInteger(value) ? BigInt(value as number) : value;
  }
  const holder = value as Record<string, unknown>;
  for (const name of Object.keys(value)) {
    // 1 has no parts.
    const inner = parts.flatMap((part) => exactPart(part as ExactHolder, value, name) ?? []);
    if (inner.length === 0) continue;
    const revived = revive(inner, holder[name], known);
    if (name === '__proto__') Object.defineProperty(holder, name, { value: revived });
    else holder[name] = revived;
  }
  return value;
}

/** Each part once: in a recursion, those of alternatives would double at each level. */
function partsOf(exact: Exact, value: unknown, known: Known): (1 | ExactHolder)[] {
  const all = ([exact] as unknown[]).flat(99) as (1 | ExactHolder | ExactSelection)[];
  const parts = all.flatMap((each) =>
    typeof each === 'function' ? partsOf(each(value, known) ?? [], value, known) : each,
  );
  return [...new Set(parts)];
}

/** @returns that of an item or a property */
export function exactPart(holder: ExactHolder, value: object, name: string): Exact | undefined {
  const { first = [], items, properties = {}, patterns = [], known = [], others } = holder;
  if (Array.isArray(value)) {
    return Number(name) < first.length ? first[Number(name)] || undefined : items;
  }
  const all = patterns.flatMap(([pattern, exact]) => (pattern.test(name) ? [exact] : []));
  if (Object.hasOwn(properties, name)) all.push(properties[name]!);
  return all.length > 0 ? all : known.includes(name) ? undefined : others;
}

/** @returns a bigint for an integer that a double rounds, else the double */
export function exactNumber(source: string, double: number): number | bigint {
  const isLarge = Math.abs(double) >= LIMIT && /[.e]/i.test(source);
  if (!Number.isInteger(double) || Number.isSafeInteger(double) || isLarge) return double;
  const [, whole = '', fraction = '', exponent] = NUMBER.exec(source)!;
  const digits = whole + fraction;
  const end = whole.length + Number(exponent ?? 0);
  if (/[1-9]/.test(digits.slice(end))) return double;
  const exact = BigInt(digits.slice(0, end).padEnd(end, '0'));
  return BigInt(double) === exact ? double : exact;
}

/**
 * Serializes JSON from which {@link parse} returns the same value: a bigint is an integer with the exponent
 * 0 (`1e0`) unless a double would round it.
 *
 * @throws {TypeError} for a number that is not finite
 * @example
 * stringify(['getToy', { id: 9007199254740993n }]); // ["getToy",{"id":9007199254740993}]
 */
export function stringify(value: unknown): string {
  return serialized(value, (value) => {
    if (typeof value === 'bigint') return isRounded(String(value)) ? String(value) : `${value}e0`;
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new TypeError(`expected a finite number, got ${value}`);
    }
    return Object.is(value, -0) ? '-0' : undefined;
  });
}

/**
 * Parses JSON: an integer that a double would round is a bigint, as is one with the exponent 0.
 *
 * @throws {SyntaxError} for invalid JSON
 */
export function parse(text: string): unknown {
  JSON.parse(text);
  return parsedWith((number) => {
    const [, digits] = /^(-?\d+)e0$/.exec(number) ?? [];
    if (digits !== undefined) return BigInt(digits);
    return isRounded(number) ? BigInt(number) : Number(number);
  }, text);
}

/** True for the digits of an integer that a double does not have. */
function isRounded(digits: string): boolean {
  return /^-?\d+$/.test(digits) && digits !== '-0' && String(Number(digits)) !== digits;
}
