// Parses and serializes JSON with exact integers, and rejects duplicate keys.
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { malformedJson } from '../errors/problem.ts';
import { EXACT_DIGITS, JsonScanner, MAX_DEPTH, notJson } from './jsonScanner.ts';

declare global {
  // In V8 since Node 22; TypeScript 5.9 does not declare it yet.
  interface JSON {
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): value is { readonly rawJSON: string };
  }
}

export { MAX_DEPTH } from './jsonScanner.ts';

/** Replaces a number that becomes a bigint. Random, so that input cannot contain it. */
let marker: string | undefined;

function markerOf(): string {
  marker ??= randomBytes(9).toString('base64url');
  return marker;
}

/** @throws {Problem} 40001 if the bytes are not UTF-8 */
export function toText(bytes: Buffer): string {
  const text = bytes.toString();
  // Invalid bytes become U+FFFD, which a string of one byte per character cannot contain.
  if (text.includes('\ufffd') && !isUtf8(bytes)) throw malformedJson('expected UTF-8');
  return text;
}

/**
 * Parses JSON (RFC 8259). An integer (`100`, `1e2`, `100.0`) is a number if a double represents it
 * exactly, else a bigint.
 *
 * @throws {Problem} 40001 for invalid JSON, a lone surrogate, duplicate keys, nesting deeper than
 *   MAX_DEPTH, and a non-integer that a double rounds to an integer
 */
export function parseJsonText(text: string): unknown {
  const { text: marked, members, bigints } = new JsonScanner(text, markerOf());
  const value = parseDistinct(marked, members);
  return bigints.length === 0 ? value : withBigints(value, bigints);
}

/**
 * The same for the bytes of a body, which are faster to scan.
 *
 * @param text of the bytes
 */
export function parseJsonBody(bytes: Buffer, text: string): unknown {
  const members = plainMembers(bytes);
  return members === undefined ? parseJsonText(text) : parseDistinct(text, members);
}

/**
 * @param members the number of members in the text, duplicates included: JSON.parse uses the last of
 *   duplicate keys; other parsers may use the first
 */
function parseDistinct(text: string, members: number): unknown {
  const value = parseMarked(text);
  if (members > 1 && countMembers(value as object, members) !== members) {
    throw malformedJson('expected no duplicate keys in an object');
  }
  return value;
}

/**
 * @param most the counting may stop at this number
 * @returns the number of members of all objects in a parsed value
 */
function countMembers(value: object, most: number): number {
  const keys = Object.keys(value);
  let members = Array.isArray(value) ? 0 : keys.length;
  const holder = value as Record<string, unknown>;
  for (const key of members < most ? keys : NO_KEYS) {
    const inner = holder[key];
    if (typeof inner === 'object' && inner !== null) members += countMembers(inner, most - members);
  }
  return members;
}

const NO_KEYS: string[] = [];

function parseMarked(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

/** Replaces the markers in a parsed value by bigints. */
function withBigints(value: unknown, bigints: readonly bigint[]): unknown {
  if (typeof value === 'string') {
    const start = markerOf();
    return value.startsWith(start) ? bigints[Number(value.slice(start.length))] : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const holder = value as Record<string | number, unknown>;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const inner = holder[key];
    if (typeof inner === 'object' || typeof inner === 'string') {
      const replaced = withBigints(inner, bigints);
      if (replaced !== inner) holder[key] = replaced;
    }
  }
  return value;
}

/**
 * Serializes JSON with bigints as integers.
 *
 * @param indent number of spaces per level
 * @returns undefined for a value without JSON, as JSON.stringify does
 * @throws {NotSerializable} for a circular reference
 */
export function stringifyJson(value: unknown, indent?: number): string {
  const plain = plainData(value);
  if (plain === undefined) return undefined as never;
  return indent === undefined ? writeJson(plain) : JSON.stringify(plain, bigintAsDigits, indent);
}

function bigintAsDigits(this: Record<string, unknown>, key: string): unknown {
  // Not the second argument, which is the result of a `BigInt.prototype.toJSON` of the application.
  const value = this[key];
  return typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value;
}

/** A value that has no serialization, or that is invalid without its undeclared properties. */
export class NotSerializable extends Error {
  override readonly name = 'NotSerializable';
}

/** Limits the recursion of a circular reference. */
const MAX_PLAIN_DEPTH = 1_000;

/**
 * Copies a value as JSON.stringify reads it: own enumerable properties, each read once, and the results of
 * `toJSON`. The validated copy is serialized. A bigint remains one; a property that JSON omits is
 * absent or undefined.
 *
 * @returns undefined for a function, a symbol and undefined
 * @throws {NotSerializable} for a circular reference
 */
export function plainData(value: unknown): unknown {
  return isCopied(value) ? plainOf(value, '', 0, keepsNothing) : value;
}

/** As {@link plainData}, but keeps Blobs and bytes, which a multipart body may contain. */
export function plainParts(value: unknown): unknown {
  return isCopied(value) ? plainOf(value, '', 0, isBytes) : value;
}

/** @returns true for a value that is not copied */
type Keeps = (value: unknown) => boolean;

const keepsNothing: Keeps = () => false;
const isBytes: Keeps = (value) => value instanceof Blob || ArrayBuffer.isView(value);

/** @returns the depth of the parts of a value @throws {NotSerializable} */
function below(depth: number): number {
  if (depth < MAX_PLAIN_DEPTH) return depth + 1;
  throw new NotSerializable(
    `expected no circular reference, and at most ${MAX_PLAIN_DEPTH} levels of nesting`,
  );
}

/** True for a value that is not the same in JSON, or that may change. */
function isCopied(value: unknown): boolean {
  switch (typeof value) {
    case 'object':
      return value !== null;
    case 'number':
      // Of NaN and Infinity the difference is NaN.
      return value - value !== 0;
    case 'function':
    case 'symbol':
      return true;
    default:
      return false;
  }
}

function plainOf(value: unknown, name: string, depth: number, keeps: Keeps): unknown {
  if (typeof value === 'number') return null;
  if (typeof value === 'symbol') return undefined;
  const holder = value as Holder;
  const prototype: unknown = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined;
  if (prototype === Object.prototype && typeof holder.toJSON !== 'function') {
    return plainObject(holder, depth, keeps);
  }
  if (keeps(value)) return value;
  const shown = typeof holder.toJSON === 'function' ? holder.toJSON(name) : value;
  if (typeof shown === 'function') return undefined;
  if (typeof shown !== 'object' || shown === null) {
    return isCopied(shown) ? plainOf(shown, name, depth, keeps) : shown;
  }
  if (Array.isArray(shown)) return plainArray(shown, depth, keeps);
  const primitive = unboxed(shown);
  if (primitive !== undefined) return isCopied(primitive) ? null : primitive;
  return JSON.isRawJSON(shown)
    ? parseJsonText(shown.rawJSON)
    : plainObject(shown as Holder, depth, keeps);
}

type Holder = Record<string, unknown> & { toJSON?: unknown };

/** @returns the primitive of a `new Number(1)` and the like; undefined for another object */
function unboxed(value: object): string | number | boolean | bigint | undefined {
  if (value instanceof String) return String(value);
  if (value instanceof Number) return Number(value);
  if (value instanceof Boolean) return Boolean.prototype.valueOf.call(value);
  return value instanceof BigInt ? BigInt.prototype.valueOf.call(value) : undefined;
}

function plainObject(value: Holder, depth: number, keeps: Keeps): Holder {
  // Calls getters, and also copies a property `__proto__`.
  const copy = { ...value };
  for (const name in copy) {
    const inner = copy[name];
    if (isCopied(inner)) copy[name] = plainOf(inner, name, below(depth), keeps);
  }
  return copy;
}

function plainArray(value: readonly unknown[], depth: number, keeps: Keeps): unknown[] {
  const copy: unknown[] = [];
  const { length } = value;
  for (let at = 0; at < length; at++) {
    const item = value[at];
    const plain = isCopied(item) ? plainOf(item, String(at), below(depth), keeps) : item;
    copy.push(plain === undefined ? null : plain);
  }
  return copy;
}

/** Serializes plain data, whose other values it has as null. */
export function writeJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'bigint':
      return digitsOf(value);
    case 'boolean':
      return String(value);
    case 'number':
      return value - value === 0 ? String(value) : 'null';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? arrayText(value, writeJson) : objectText(value);
    default:
      return 'null';
  }
}

/** @param textOf of an item */
export function arrayText(items: readonly unknown[], textOf: (item: unknown) => string): string {
  let text = '[';
  for (let at = 0; at < items.length; at++) {
    if (at > 0) text += ',';
    text += textOf(items[at]);
  }
  return `${text}]`;
}

function objectText(value: object): string {
  let text = '';
  for (const name of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[name];
    if (inner === undefined) continue;
    text += `${text === '' ? '{' : ','}${quoted(name)}:${writeJson(inner)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** V8 caches the texts of numbers, and converts a number faster than a bigint. */
export function digitsOf(value: bigint): string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? `${number}` : `${value}`;
}

/** A short text is tested faster without the regular expression. */
const SHORT = 42;
const ESCAPED = /[\u0000-\u001f"\\\ud800-\udfff]/;

function quoted(text: string): string {
  return isUnescaped(text) ? `"${text}"` : JSON.stringify(text);
}

/** True for a string that JSON has between quotes as it is. */
export function isUnescaped(text: string): boolean {
  const { length } = text;
  if (length >= SHORT) return !ESCAPED.test(text);
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return false;
  }
  return true;
}

/**
 * @param bytes of JSON, or of invalid JSON that JSON.parse rejects
 * @returns the number of members of all objects, duplicates included; undefined if JSON.parse may round a
 *   number or accept a lone surrogate, or if the nesting is deeper than MAX_DEPTH: without escapes, exponents
 *   and numbers of more than 15 digits, it does not
 */
function plainMembers(bytes: Uint8Array): number | undefined {
  const { length } = bytes;
  let members = 0;
  let depth = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!;
    if (byte === 0x22) {
      do at++;
      while (at < length && bytes[at] !== 0x22 && bytes[at] !== 0x5c);
      if (bytes[at] === 0x5c) return undefined;
    } else if (byte <= 0x2c) continue;
    else if (byte <= 0x39) {
      const start = at;
      while (isNumeric(bytes[at + 1])) at++;
      if (at - start >= EXACT_DIGITS) return undefined;
    } else if (byte === 0x3a) members++;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > MAX_DEPTH) return undefined;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
    // An exponent, which `true` and `false` resemble: they end in `e`.
    else if ((byte | 0x20) === 0x65 && isNumeric(bytes[at - 1])) return undefined;
  }
  return members;
}

/** A digit, a decimal point or a minus. */
function isNumeric(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x2d && byte <= 0x39 && byte !== 0x2f;
}
