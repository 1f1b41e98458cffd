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
export type Exact = 1 | ExactHolder | readonly Exact[] | ((value: unknown) => Exact | undefined);

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

/** Above all integers of 64 bits. */
const LIMIT = 2 ** 65;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;
/** In valid JSON: a string or a number. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Serializes JSON; a bigint is an integer. */
export function stringify(value: unknown): string {
  const { rawJSON } = JSON;
  if (rawJSON !== undefined) return withIntegers(value, rawJSON);
  // For older runtimes: integers in strings that no other string starts with.
  const mark = unusedMark(withIntegers(value, String));
  const text: string | undefined = withIntegers(value, (digits) => mark + digits);
  return text?.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}

function withIntegers(value: unknown, write: (digits: string) => unknown): string {
  return JSON.stringify(value, (_, each) =>
    typeof each === 'bigint' ? write(String(each)) : each,
  );
}

function unusedMark(text = ''): string {
  let mark = '#';
  while (text.includes(mark)) mark += '#';
  return mark;
}

/** @throws {SyntaxError} for invalid JSON */
export function parse(text: string, exact: Exact | undefined): unknown {
  const value: unknown = JSON.parse(text);
  if (exact === undefined) return value;
  const state = { isRounded: false };
  const revived = revive(exact, value, value, state);
  // A second time with exact integers, which few values need.
  return state.isRounded ? revive(exact, JSON.parse(text), parseExactly(text), state) : revived;
}

/** Modifies objects and arrays in place. @param source the value with exact integers */
function revive(
  exact: Exact,
  value: unknown,
  source: unknown,
  state: { isRounded: boolean },
): unknown {
  if (exact === 1) {
    if (typeof source === 'bigint') return source;
    if (!Number.isInteger(value)) return value;
    if (!Number.isSafeInteger(value)) state.isRounded = true;
    return BigInt(value as number);
  }
  const isHolder = typeof value === 'object' && value !== null;
  if (!isHolder && typeof value !== 'number') return value;
  if (typeof exact === 'function') {
    const selected = exact(source);
    return selected === undefined ? value : revive(selected, value, source, state);
  }
  if (isList(exact)) {
    return exact.reduce<unknown>((before, each) => revive(each, before, source, state), value);
  }
  if (!isHolder) return value;
  const holder = value as Record<string, unknown>;
  const sources = source as Record<string, unknown>;
  const isArray = Array.isArray(value);
  const names =
    isArray || exact.others || exact.patterns
      ? Object.keys(value)
      : Object.keys(exact.properties ?? {});
  for (const name of names) {
    const inner = isArray ? exactItem(exact, Number(name)) : exactProperties(exact, name);
    if (inner === undefined || !Object.hasOwn(holder, name)) continue;
    const revived = revive(inner, holder[name], sources[name], state);
    if (name !== '__proto__') holder[name] = revived;
    else Object.defineProperty(holder, name, { value: revived, ...OWN });
  }
  return value;
}

const OWN = { configurable: true, enumerable: true, writable: true };

function isList(exact: Exact): exact is readonly Exact[] {
  return Array.isArray(exact);
}

function exactItem({ first = [], items }: ExactHolder, at: number): Exact | undefined {
  return at < first.length ? first[at] || undefined : items;
}

function exactProperties(holder: ExactHolder, name: string): Exact | undefined {
  const { properties = {}, patterns = [], known = [], others } = holder;
  const matching = patterns.filter(([pattern]) => pattern.test(name)).map(([, exact]) => exact);
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (own !== undefined) return matching.length === 0 ? own : [own, ...matching];
  if (matching.length > 0) return matching;
  return known.includes(name) ? undefined : others;
}

/** Integers that a double rounds are bigints. */
function parseExactly(text: string): unknown {
  // The same runtimes give the source text to the reviver.
  return JSON.rawJSON === undefined ? parseMarked(text) : JSON.parse(text, fromSource as Reviver);
}

type Reviver = (key: string, value: unknown) => unknown;

function fromSource(_: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' ? exactNumber(source!, value) : value;
}

/** For runtimes without source text in JSON.parse. */
function parseMarked(text: string): unknown {
  const mark = unusedMark(text);
  const marked = text.replace(TOKEN, (token) => {
    const isExact = token.startsWith('"') || Number.isSafeInteger(Number(token));
    return isExact ? token : `"${mark}${token}"`;
  });
  return JSON.parse(marked, (_, value) => {
    if (typeof value !== 'string' || !value.startsWith(mark)) return value;
    const source = value.slice(mark.length);
    return exactNumber(source, Number(source));
  });
}

/** @returns a bigint for an integer that a double may round, else the double */
export function exactNumber(source: string, double: number): number | bigint {
  if (Number.isSafeInteger(double) || !(Math.abs(double) < LIMIT)) return double;
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source)!;
  const zeros = Number(exponent) - fraction.length;
  const digits = whole + fraction;
  const end = digits.length + zeros;
  if (zeros < 0 && /[1-9]/.test(digits.slice(Math.max(end, 0)))) return double;
  return BigInt(`${digits.slice(0, end)}${'0'.repeat(Math.max(zeros, 0))}`) * (sign ? -1n : 1n);
}
