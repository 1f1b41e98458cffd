// Parses JSON objects of many declared properties. JSON.parse puts 128 or more properties into a hash table:
// that takes twice as long, and so does each read of a property.
import { parseJsonBody } from '../json/json.ts';
import type { Schema } from '../schema/model.ts';
import { canGenerateCode } from '../schema/rules/codeGeneration.ts';

/** V8 uses no hash table for fewer properties. */
const MIN_PROPERTIES = 128;
/** Of a member: `"":0,`. */
const MIN_BYTES = 5;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** @returns undefined for JSON that it does not parse @throws as parseJsonBody */
export type WideParser = (bytes: Buffer) => object | undefined;

/**
 * @returns a parser of objects without undeclared properties, in the order of the contract; undefined for a
 *   schema with few properties
 */
export function wideParser({ conjuncts }: Schema): WideParser | undefined {
  const names = [...new Set(conjuncts.flatMap((each) => [...each.map('properties').keys()]))];
  const texts = names.map((name) => JSON.stringify(name));
  if (!canGenerateCode || names.length < MIN_PROPERTIES) return undefined;
  // An assignment to an inherited name may call a setter, and an escape may be a lone surrogate.
  if (names.some((name, at) => name in Object.prototype || texts[at]!.includes('\\')))
    return undefined;
  const Wide = classOf(texts);
  const encoded = texts.map((text) => Buffer.from(text));
  return (bytes) => {
    if (bytes.length < MIN_PROPERTIES * MIN_BYTES) return undefined;
    const members = membersOf(bytes, encoded);
    if (members === undefined) return undefined;
    const { values, indexes } = members;
    const parsed = parseJsonBody(values, values.toString()) as unknown[];
    return new Wide(indexes.length === names.length ? parsed : placed(parsed, indexes, names));
  };
}

/** @param names in quotes @returns a class of plain objects, which omits undefined values */
function classOf(names: readonly string[]): new (values: readonly unknown[]) => object {
  const statements = names.map(
    (name, at) => `if (values[${at}] !== undefined) this[${name}] = values[${at}];`,
  );
  const create = new Function('values', statements.join('\n'));
  create.prototype = Object.prototype;
  return create as never;
}

/** @returns each value at the index of its name */
function placed(
  values: readonly unknown[],
  indexes: readonly number[],
  { length }: readonly string[],
) {
  const all: unknown[] = Array(length).fill(undefined);
  for (let at = 0; at < indexes.length; at++) all[indexes[at]!] = values[at];
  return all;
}

interface Members {
  /** A JSON array, which is valid if the object is. */
  readonly values: Buffer;
  /** The indexes of the names. */
  readonly indexes: readonly number[];
}

/** @param names with quotes, in UTF-8 */
function membersOf(bytes: Buffer, names: readonly Buffer[]): Members | undefined {
  const values = Buffer.allocUnsafe(bytes.length);
  const indexes: number[] = [];
  let length = 0;
  let at = afterSpace(bytes, 0);
  if (bytes[at] !== 0x7b) return undefined;
  values[length++] = 0x5b;
  for (let next = 0; ; next++) {
    at = afterSpace(bytes, at + 1);
    while (next < names.length && !startsWith(bytes, names[next]!, at)) next++;
    if (next === names.length) return undefined;
    indexes.push(next);
    at = afterSpace(bytes, at + names[next]!.length);
    if (bytes[at] !== COLON) return undefined;
    const end = copyValue(bytes, at + 1, values, length);
    length += end - at - 1;
    at = end;
    if (bytes[at] !== COMMA) break;
    values[length++] = COMMA;
  }
  if (bytes[at] !== 0x7d || afterSpace(bytes, at + 1) !== bytes.length) return undefined;
  values[length++] = 0x5d;
  return { values: values.subarray(0, length), indexes };
}

function startsWith(bytes: Buffer, name: Buffer, from: number): boolean {
  const { length } = name;
  if (from + length > bytes.length) return false;
  for (let at = length - 1; at >= 0; at--) if (bytes[from + at]! !== name[at]!) return false;
  return true;
}

function afterSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at]!)) at++;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** @returns the index of the comma or bracket after the value of a member, or the length of the bytes */
function copyValue(bytes: Buffer, from: number, to: Buffer, start: number): number {
  const shift = start - from;
  const { length } = bytes;
  let depth = 0;
  let isString = false;
  for (let at = from; at < length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) isString = !isString;
    else if (isString) {
      if (byte === BACKSLASH) {
        to[at + shift] = byte;
        at++;
      }
    } else if (byte === COMMA) {
      if (depth === 0) return at;
    } else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) {
      if (depth-- === 0) return at;
    }
    to[at + shift] = bytes[at]!;
  }
  return length;
}
