// Scans JSON text for depth, member count, lone surrogates and inexact numbers, before JSON.parse.

import { isNumber } from '../document/node.ts';
import { malformedJson, type Problem } from '../errors/problem.ts';

/** Limits the recursion over parsed values, to prevent a stack overflow. */
export const MAX_DEPTH = 256;

const DOUBLE_DIGITS = 309;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LOWER_E = 0x65;
const LOWER_U = 0x75;
/** The bit that turns an ASCII letter into lower case. */
const LOWER = 0x20;

export class JsonScanner {
  /** The text for JSON.parse: each bigint is replaced by a string of the marker and an index. */
  readonly text: string;
  readonly bigints: bigint[] = [];
  /** The number of members of all objects, duplicates included. */
  members = 0;
  readonly #source: string;
  readonly #marker: string;
  readonly #pieces: string[] = [];
  /** The end of the source text in `#pieces`. */
  #copied = 0;
  #nextBackslash: number;

  /**
   * @param marker a string that the text does not contain
   * @throws {Problem} 40001 for nesting deeper than MAX_DEPTH, a lone surrogate, a non-integer that a
   *   double rounds to an integer, and a number beyond the range of doubles
   */
  constructor(source: string, marker: string) {
    this.#source = source;
    this.#marker = marker;
    this.#nextBackslash = this.#indexOf('\\', 0);
    this.#scan();
    this.text = this.#copied === 0 ? source : this.#pieces.join('') + source.slice(this.#copied);
  }

  #scan(): void {
    const source = this.#source;
    let depth = 0;
    for (let at = 0; at < source.length; at++) {
      const char = source.charCodeAt(at);
      if (char === QUOTE) at = this.#endOfString(at);
      else if (isDigit(char) || char === MINUS) at = this.#endOfNumber(at);
      else if (char <= COMMA) continue;
      else if (char === COLON) this.members++;
      else if (char === 0x7b || char === 0x5b) {
        if (++depth > MAX_DEPTH) {
          throw malformedJson(`expected JSON nested at most ${MAX_DEPTH} deep`);
        }
      } else if (char === 0x7d || char === 0x5d) depth--;
      // Skips the rest of `true` and `null`.
      else if (char === 0x74 || char === 0x6e) at += 3;
    }
  }

  /** @returns the index of the closing quote, or the length of the text */
  #endOfString(open: number): number {
    const close = this.#indexOf('"', open + 1);
    if (this.#nextBackslash > close) return close;
    const end = this.#endOfEscapedString(this.#nextBackslash);
    this.#nextBackslash = this.#indexOf('\\', end);
    return end;
  }

  /** @param from the index of the first escape of a string */
  #endOfEscapedString(from: number): number {
    const source = this.#source;
    let at = from;
    while (at < source.length) {
      const char = source.charCodeAt(at);
      if (char === QUOTE) return at;
      if (char !== BACKSLASH) at++;
      else if (source.charCodeAt(at + 1) === LOWER_U) at = this.#endOfUnicodeEscape(at);
      else at += 2;
    }
    return at;
  }

  /** @returns the index after `\uXXXX`, or after the surrogate pair that starts there */
  #endOfUnicodeEscape(at: number): number {
    const third = this.#surrogateDigit(at);
    if (third === 0) return at + 6;
    const isHigh = third <= 0x39 || third === 0x61 || third === 0x62;
    const next = this.#surrogateDigit(at + 6);
    if (!isHigh || next < 0x63) throw malformedJson('expected no lone surrogate in a string');
    return at + 12;
  }

  /** @returns the second digit of an escape `\uDXXX` from `8` on, in lower case; else 0 */
  #surrogateDigit(at: number): number {
    const source = this.#source;
    if ((source.charCodeAt(at + 2) | LOWER) !== 0x64) return 0;
    if (source.charCodeAt(at) !== BACKSLASH || source.charCodeAt(at + 1) !== LOWER_U) return 0;
    const digit = source.charCodeAt(at + 3) | LOWER;
    return digit >= 0x38 && digit <= 0x66 ? digit : 0;
  }

  /** @returns the index of the last character of the number that starts at `start` */
  #endOfNumber(start: number): number {
    const source = this.#source;
    let at = source.charCodeAt(start) === MINUS ? start + 1 : start;
    let char = source.charCodeAt(at);
    let mantissa = 0;
    const first = at;
    for (; isDigit(char); char = source.charCodeAt(++at)) mantissa = mantissa * 10 + (char - 0x30);
    let digits = at - first;
    // Fast path for integers: the sum is exact below 2^53.
    if (char !== POINT && (char | LOWER) !== LOWER_E) {
      if (mantissa >= Number.MAX_SAFE_INTEGER) this.#markInteger(start, at);
      return at - 1;
    }
    let scale = 0;
    if (char === POINT) {
      const point = at;
      char = source.charCodeAt(++at);
      for (; isDigit(char); char = source.charCodeAt(++at))
        mantissa = mantissa * 10 + (char - 0x30);
      scale = point + 1 - at;
      if (scale === 0) throw notJson();
      digits -= scale;
    }
    if ((char | LOWER) === LOWER_E) {
      char = source.charCodeAt(++at);
      const isNegative = char === MINUS;
      if (isNegative || char === 0x2b) char = source.charCodeAt(++at);
      if (!isDigit(char)) throw notJson();
      let exponent = 0;
      for (; isDigit(char); char = source.charCodeAt(++at))
        exponent = exponent * 10 + (char - 0x30);
      scale += isNegative ? -exponent : exponent;
    }
    if (isExactFloat(mantissa, digits, scale)) return at - 1;
    const exact = shortInteger(mantissa, digits, scale);
    if (exact === undefined) this.#markFloat(start, at, scale);
    else this.#mark(start, at, first === start ? exact : -exact);
    return at - 1;
  }

  #markInteger(start: number, end: number): void {
    const source = this.#source.slice(start, end);
    // BigInt takes a second for a million digits.
    if (source.length > DOUBLE_DIGITS) assertFinite(Number(source));
    this.#mark(start, end, BigInt(source));
  }

  #markFloat(start: number, end: number, scale: number): void {
    const source = this.#source.slice(start, end);
    const double = Number(source);
    assertFinite(double);
    if (!Number.isInteger(double)) return;
    const { digits, zeros } = decimal(source, scale);
    if (digits === '') return;
    if (zeros < 0) {
      throw malformedJson(`${source.slice(0, 40)} cannot be kept without rounding to an integer`);
    }
    if (Math.abs(double) >= MAX_INTEGER) return;
    const exact = BigInt(digits) * 10n ** BigInt(zeros);
    this.#mark(start, end, double < 0 ? -exact : exact);
  }

  #mark(start: number, end: number, exact: bigint): void {
    // biome-ignore lint/suspicious/noDoubleEquals: compares by value, without rounding
    if (Number(exact) == (exact as unknown)) return;
    // JSON.parse rejects a leading zero and a number as a key, but not the string that replaces it.
    if (this.#hasLeadingZero(start) || this.#isFollowedByColon(end)) throw notJson();
    this.#pieces.push(
      `${this.#source.slice(this.#copied, start)}"${this.#marker}${this.bigints.length}"`,
    );
    this.bigints.push(exact);
    this.#copied = end;
  }

  #hasLeadingZero(start: number): boolean {
    const first = this.#source.charCodeAt(start) === MINUS ? start + 1 : start;
    return this.#source.charCodeAt(first) === 0x30 && isDigit(this.#source.charCodeAt(first + 1));
  }

  #isFollowedByColon(end: number): boolean {
    let at = end;
    while (this.#source.charCodeAt(at) <= 0x20) at++;
    return this.#source.charCodeAt(at) === COLON;
  }

  #indexOf(char: string, from: number): number {
    const at = this.#source.indexOf(char, from);
    return at < 0 ? this.#source.length : at;
  }
}

export function notJson(): Problem {
  return malformedJson('expected JSON in UTF-8');
}

function isDigit(char: number): boolean {
  return char >= 0x30 && char <= 0x39;
}

function assertFinite(double: number): void {
  if (!Number.isFinite(double)) {
    throw malformedJson(`expected a number of at most ${DOUBLE_DIGITS} digits`);
  }
}

const FLOAT = /^-?(\d+)(?:\.(\d+))?/;
/** Every integer of up to 15 digits is exact as a double. */
export const EXACT_DIGITS = 15;
/** Below this exponent a number may underflow to 0. */
const MIN_EXPONENT = -323;
/** The powers of 5 below 2^53. */
const POWERS_OF_5 = Array.from({ length: 23 }, (_, exponent) => 5 ** exponent);
const POWERS_OF_10 = Array.from({ length: 309 }, (_, exponent) => Number(`1e${exponent}`));
/** Slightly less than Number.MAX_VALUE. */
const MAX_MAGNITUDE = 1.7e308;
/** Above every integer format; larger numbers are doubles. */
const MAX_INTEGER = 2 ** 64;

/**
 * Fast check of a number with a fraction or an exponent.
 *
 * @param mantissa the digits as a double, rounded beyond 15 digits
 * @param scale the power of 10 of the last digit
 * @returns true if the double is exact, or if neither the number nor its double is an integer; false if
 *   that is unknown
 */
function isExactFloat(mantissa: number, digits: number, scale: number): boolean {
  if (mantissa === 0) return true;
  if (digits > EXACT_DIGITS) return isClearlyFractional(mantissa / powerOf10(-scale));
  if (scale <= 0) return scale >= MIN_EXPONENT;
  const power = POWERS_OF_5[scale];
  if (power !== undefined && mantissa * power < 2 ** 53) return true;
  const magnitude = mantissa * powerOf10(scale);
  return magnitude > 2 * MAX_INTEGER && magnitude < MAX_MAGNITUDE;
}

/** @returns the value of an integer below 2^64 with at most 15 digits and a positive scale, else undefined */
function shortInteger(mantissa: number, digits: number, scale: number): bigint | undefined {
  const isShort = digits <= EXACT_DIGITS && scale > 0;
  return isShort && mantissa * powerOf10(scale) < MAX_INTEGER
    ? BigInt(mantissa) * 10n ** BigInt(scale)
    : undefined;
}

/** True if rounding of the mantissa cannot result in an integer. */
function isClearlyFractional(value: number): boolean {
  const fraction = value % 1;
  return value < 1e9 && fraction > 0.01 && fraction < 0.99;
}

function powerOf10(exponent: number): number {
  return POWERS_OF_10[exponent] ?? Number.NaN;
}

/**
 * @param scale the power of 10 of the last digit
 * @returns the digits without sign and trailing zeros, and the number of zeros to append: negative for a
 *   non-integer
 */
function decimal(source: string, scale: number): { digits: string; zeros: number } {
  const [, whole = '', fraction = ''] = FLOAT.exec(source) ?? [];
  const all = whole + fraction;
  const digits = withoutTrailingZeros(all);
  return { digits, zeros: scale + all.length - digits.length };
}

// Not a regular expression: /0+$/ takes quadratic time on a long run of zeros before a last 1.
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.slice(0, end);
}

/** A contract may declare an id as a string in the path and as an integer in the body. */
export function likeType(value: unknown, before: unknown): unknown {
  if (typeof before === 'string' && ['number', 'bigint'].includes(typeof value)) {
    return String(value);
  }
  const isInteger = typeof value === 'string' && /^-?(?:0|[1-9]\d{0,18})$/.test(value);
  if (!isNumber(before) || !isInteger) return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value);
}
