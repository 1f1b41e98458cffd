// JSON between bytes and values, with exact integers. Knows no schema: what a number may be is
// judged later, on a value that has not been rounded.
import { isUtf8 } from 'node:buffer';
import { malformedJson } from './problem.ts';

declare global {
  // JSON.parse source text access, in V8 since Node 22; TypeScript 5.9 does not know it yet.
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): unknown;
  }
}

/** Nothing that people write nests deeper; recursion over a parsed value stays far from the stack's end. */
export const MAX_DEPTH = 256;

/** A number of so many digits, or one with an exponent, may not be what its double says. */
const DIGITS_THAT_MAY_ROUND = 16;
const MAY_BE_LONE_SURROGATE = /\\u[dD][89a-fA-F]/;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const DOUBLE_DIGITS = 309;

/**
 * Parses JSON (RFC 8259). An integer comes back as a number where a double holds it exactly, else
 * as a bigint; its spelling (`100`, `1e2`, `100.0`) does not matter.
 *
 * @param bytes the JSON text in UTF-8
 * @throws {Problem} 40001 when the bytes are not JSON in UTF-8, hold a lone surrogate, nest deeper
 *   than MAX_DEPTH, or hold a number that could only be kept rounded to an integer
 */
export function parseJson(bytes: Buffer): unknown {
  return parseJsonText(toText(bytes));
}

/** @throws {Problem} 40001 when the bytes are not UTF-8 */
export function toText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformedJson('expected UTF-8');
  return bytes.toString();
}

/** As parseJson, for text that is already decoded. */
export function parseJsonText(text: string): unknown {
  if (text.length > MAX_DEPTH && nestsTooDeep(text)) {
    throw malformedJson(`expected JSON nested at most ${MAX_DEPTH} deep`);
  }
  try {
    return mayRound(text) || MAY_BE_LONE_SURROGATE.test(text)
      ? JSON.parse(text, exactValue)
      : JSON.parse(text);
  } catch (error) {
    throw error instanceof InexactJson
      ? malformedJson(error.message)
      : malformedJson('expected JSON in UTF-8');
  }
}

/** Writes JSON; a bigint becomes its digits. @param indent spaces a level, for people to read */
export function stringifyJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, bigintAsDigits, indent);
}

class InexactJson extends Error {}

function bigintAsDigits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value;
}

function exactValue(key: string, value: unknown, context: { source?: string }): unknown {
  if (!key.isWellFormed()) throw new InexactJson('expected no lone surrogate in a string');
  if (typeof value === 'number') return exactNumber(value, context.source ?? '');
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new InexactJson('expected no lone surrogate in a string');
  }
  return value;
}

/** The value that `source` denotes: `double` where that is exact or a fraction, else a bigint. */
function exactNumber(double: number, source: string): number | bigint {
  const [, sign, whole, fraction = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  if (whole === undefined) throw new InexactJson(`expected a JSON number, got ${source}`);
  if (!Number.isFinite(double)) {
    throw new InexactJson(`expected a number of at most ${DOUBLE_DIGITS} digits`);
  }
  const digits = withoutTrailingZeros(whole + fraction);
  if (digits === '') return double;
  const scale = Number(exponent) + whole.length - digits.length;
  if (scale < 0) return fractionalNumber(double, source);
  const writtenAsFloat = source.length !== (sign?.length ?? 0) + whole.length;
  // A float this large exceeds every integer format: its double says all that is needed.
  if (writtenAsFloat && Math.abs(double) >= 2 ** 64) return double;
  const exact = BigInt(`${sign}${digits}${'0'.repeat(scale)}`);
  return BigInt(double) === exact ? double : exact;
}

// Not a regular expression: /0+$/ takes quadratic time on a long run of zeros before a last 1.
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.slice(0, end);
}

function fractionalNumber(double: number, source: string): number {
  if (Number.isInteger(double)) {
    throw new InexactJson(`${source.slice(0, 40)} cannot be kept without rounding to an integer`);
  }
  return double;
}

// As /\d(?:\.?\d){15}|\d[eE]/ in a third of the time. Digits inside a string count too: that costs time only.
function mayRound(text: string): boolean {
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char >= 0x30 && char <= 0x39) {
      if (++digits === DIGITS_THAT_MAY_ROUND) return true;
    } else if (char !== 0x2e) {
      if (digits > 0 && (char | 0x20) === 0x65) return true;
      digits = 0;
    }
  }
  return false;
}

function nestsTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x22) at = endOfString(text, at);
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (char === 0x7d || char === 0x5d) depth--;
  }
  return false;
}

/** The index of the quote that closes the string opened at `open`, or the end of the text. */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close > 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close < 0 ? text.length : close;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
  return backslashes % 2 === 1;
}
