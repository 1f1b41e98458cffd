// JSON between bytes and values, with exact integers and without duplicate keys.
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

/** In place of a number that needs a bigint; no text that comes from outside contains it. */
const MARKER = randomBytes(9).toString('base64url');

/** @throws {Problem} 40001 when the bytes are not UTF-8 */
export function toText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformedJson('expected UTF-8');
  return bytes.toString();
}

/**
 * Parses JSON (RFC 8259). An integer comes back as a number where a double holds it exactly, else
 * as a bigint; its spelling (`100`, `1e2`, `100.0`) does not matter.
 *
 * @throws {Problem} 40001 for text that is not JSON, a lone surrogate, duplicate keys,
 *   nesting deeper than MAX_DEPTH, and a number that a double rounds to another integer
 */
export function parseJsonText(text: string): unknown {
  const scanner = new JsonScanner(text, MARKER);
  const value = parseMarked(scanner.text);
  const { members, bigints } = scanner;
  if (members < 2 && bigints.length === 0) return value;
  const walk = new Walk(bigints);
  const exact = walk.visit(value);
  // Of duplicate keys JSON.parse keeps the last; another parser may keep the first.
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

/** Counts the members of a parsed value, and puts the bigints in place of their markers. */
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

/** Writes JSON; a bigint becomes its digits. @param indent spaces a level, for people to read */
export function stringifyJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, bigintAsDigits, indent);
}

function bigintAsDigits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value;
}
