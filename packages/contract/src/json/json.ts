// Parses and serializes JSON with exact integers, and rejects duplicate keys.
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { malformedJson } from '../errors/problem.ts';
import { JsonScanner, notJson } from './jsonScanner.ts';
import { plainMembers } from './plainJson.ts';

declare global {
  // In V8 since Node 22; TypeScript 5.9 does not declare it yet.
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

export { MAX_DEPTH } from './jsonScanner.ts';

/** Replaces a number that becomes a bigint. Random, so that input cannot contain it. */
const MARKER = randomBytes(9).toString('base64url');

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
  const { text: marked, members, bigints } = new JsonScanner(text, MARKER);
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
    return value.startsWith(MARKER) ? bigints[Number(value.slice(MARKER.length))] : value;
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

/** Serializes JSON with bigints as integers. @param indent number of spaces per level */
export function stringifyJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, bigintAsDigits, indent);
}

function bigintAsDigits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value;
}
