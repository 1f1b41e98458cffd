// Copies and compares the JSON values of patches. What one operation may repeat is bounded.
import { isObject, setOwn } from '../document/node.ts';
import { MAX_DEPTH } from '../json/json.ts';
import { isNumber } from '../json/jsonNumber.ts';

/** The nodes, characters and moved items of all copies and moves of one patch; takes 0.2 s. */
const MAX_REPEATED = 2_000_000;
/** An engine moves items of an array by blocks of memory. */
const ITEMS_PER_UNIT = 16;

export type PatchedObject = Record<string, unknown>;

/** Counts the work of a patch. */
export class PatchWork {
  /** In nodes. */
  done = 0;
  #repeated = 0;

  add(units: number): void {
    this.done += units;
  }

  /** @throws {TooMuchWork} for work that grows faster than the patch, and exceeds the limit */
  repeat(units: number): void {
    this.done += units;
    this.#repeated += units;
    if (this.#repeated > MAX_REPEATED) throw new TooMuchWork('fewer copies and moves');
  }

  /** @param items that an insertion or a removal moves */
  move(items: number): void {
    this.repeat(Math.floor(items / ITEMS_PER_UNIT) + 1);
  }
}

export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
  readonly expected: string;

  constructor(expected: string) {
    super(`expected ${expected}`);
    this.expected = expected;
  }
}

/**
 * @param spend called for each value, with 1 or the length of a text
 * @returns a deep copy without undefined properties
 * @throws {TooMuchWork} for a value that is nested too deeply
 */
export function copyOfJson(value: unknown, spend: (units: number) => void, depth = 0): unknown {
  spend(typeof value === 'string' ? value.length + 1 : 1);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) throw tooDeep();
  if (Array.isArray(value)) return value.map((each) => copyOfJson(each, spend, depth + 1));
  const copy: PatchedObject = {};
  for (const name of Object.keys(value)) {
    spend(name.length);
    const inner = (value as PatchedObject)[name];
    if (inner !== undefined) setOwn(copy, name, copyOfJson(inner, spend, depth + 1));
  }
  return copy;
}

/** @throws {TooMuchWork} for a value that is nested too deeply, at any depth */
export function checkDepth(value: unknown): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const inner = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
    if (depth > MAX_DEPTH) throw tooDeep();
    level = inner;
  }
}

function tooDeep(): TooMuchWork {
  return new TooMuchWork('less nesting');
}

/** Numbers are equal by value (RFC 6902, section 4.6). */
export function isSameJson(a: unknown, b: unknown): boolean {
  // A comparison by order is exact between a number and a bigint.
  if (isNumber(a) && isNumber(b)) return a <= b && a >= b;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(b);
  const hasSame = (name: string) =>
    Object.hasOwn(a, name) && isSameJson((a as PatchedObject)[name], (b as PatchedObject)[name]);
  return names.every(hasSame) && Object.keys(a).length === names.length;
}

/**
 * @param nulls `remove` as in RFC 7396; `keep` for a body of another media type, where null is a value
 * @returns a copy of the target with the changes of the patch
 */
export function mergePatch(
  target: unknown,
  patch: unknown,
  nulls: 'remove' | 'keep' = 'remove',
  work = new PatchWork(),
): unknown {
  const spend = (units: number) => work.add(units);
  return merged(copyOfJson(target, spend), patch, nulls === 'remove', spend);
}

/** @param target is modified */
function merged(
  target: unknown,
  patch: unknown,
  removesNull: boolean,
  spend: (units: number) => void,
): unknown {
  if (!isObject(patch)) return copyOfJson(patch, spend);
  const result: PatchedObject = isObject(target) ? target : {};
  for (const name of Object.keys(patch)) {
    spend(name.length + 1);
    const value = patch[name];
    if (value === null && removesNull) delete result[name];
    else {
      const own = Object.hasOwn(result, name) ? result[name] : undefined;
      setOwn(result, name, merged(own, value, removesNull, spend));
    }
  }
  return result;
}
