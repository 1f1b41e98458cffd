// Parses and serializes JSON with exact integers, and rejects duplicate keys.
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { malformedJson } from '../errors/problem.ts';
import { JsonScanner, notJson } from './jsonScanner.ts';

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
  if (!isUtf8(bytes)) throw malformedJson('expected UTF-8');
  return bytes.toString();
}

/**
 * Parses JSON (RFC 8259). An integer (`100`, `1e2`, `100.0`) is a number if a double represents it
 * exactly, else a bigint.
 *
 * @throws {Problem} 40001 for invalid JSON, a lone surrogate, duplicate keys, nesting deeper than
 *   MAX_DEPTH, and a non-integer that a double rounds to an integer
 */
export function parseJsonText(text: string): unknown {
  const scanner = new JsonScanner(text, MARKER);
  const value = parseMarked(scanner.text);
  const { members, bigints } = scanner;
  if (members < 2 && bigints.length === 0) return value;
  const walk = new Walk(bigints);
  const exact = walk.visit(value);
  // JSON.parse uses the last of duplicate keys; other parsers may use the first.
  if (walk.members !== members) throw malformedJson('expected no duplicate keys in an object');
  return exact;
}

function parseMarked(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

/** Counts the members of a parsed value, and replaces the markers by bigints. */
class Walk {
  members = 0;
  readonly #bigints: readonly bigint[];

  constructor(bigints: readonly bigint[]) {
    this.#bigints = bigints;
  }

  visit(value: unknown): unknown {
    if (typeof value === 'string') return this.#unmarked(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) this.#visitItems(value);
    else this.#visitMembers(value as Record<string, unknown>);
    return value;
  }

  #visitItems(items: unknown[]): void {
    for (let at = 0; at < items.length; at++) {
      const item = items[at];
      if (typeof item === 'object') this.visit(item);
      else if (typeof item === 'string' && this.#isMarked(item)) items[at] = this.#unmarked(item);
    }
  }

  #visitMembers(object: Record<string, unknown>): void {
    const names = Object.keys(object);
    this.members += names.length;
    for (const name of names) {
      const value = object[name];
      if (typeof value === 'object') this.visit(value);
      else if (typeof value === 'string' && this.#isMarked(value))
        object[name] = this.#unmarked(value);
    }
  }

  #isMarked(text: string): boolean {
    return this.#bigints.length > 0 && text.startsWith(MARKER);
  }

  #unmarked(text: string): unknown {
    return this.#isMarked(text) ? this.#bigints[Number(text.slice(MARKER.length))] : text;
  }
}

/** Serializes JSON with bigints as integers. @param indent number of spaces per level */
export function stringifyJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, bigintAsDigits, indent);
}

function bigintAsDigits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value;
}
