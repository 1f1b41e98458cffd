// Patches of JSON values (RFC 6902, RFC 7396). Loaded by those who apply patches.

import { isNumber, isObject, setOwn, tokensOf } from './document/node.ts';
import {
  contractViolation,
  type Problem,
  patchNotApplicable,
  testFailed,
} from './errors/problem.ts';
import { MAX_DEPTH } from './json/json.ts';

/** An operation as it arrives. */
interface ReceivedOperation {
  /** Of the operation in the patch. */
  readonly pointer: string;
  readonly path: Path;
  readonly from: Path;
  readonly value: unknown;
}

/** A JSON pointer (RFC 6901). */
interface Path {
  /** Of the pointer in the patch. */
  readonly pointer: string;
  readonly text: string;
  readonly tokens: readonly string[];
}

/**
 * Applies the operations to a copy of the document. Its time is linear in the document and the patch, but
 * for copies and for items that move in an array, which have a limit.
 *
 * @returns the patched copy
 * @throws {Problem} 40000 for a malformed patch, 40902 for a test that is false, 42201 for an operation
 *   that cannot be applied, and for a patch that copies, moves or nests too much
 */
export function jsonPatch(document: unknown, patch: unknown, work = new PatchWork()): unknown {
  if (!Array.isArray(patch)) throw malformedPatch('', 'an array of operations');
  const patched = new PatchedDocument(
    copyOfJson(document, (units) => work.add(units)),
    work,
  );
  for (const [at, each] of patch.entries()) {
    work.add(1);
    patched.apply(each, `/${at}`);
  }
  return withReason(`/${patch.length - 1}`, () => {
    checkDepth(patched.root);
    return patched.root;
  });
}

/** A document that operations change in place. */
class PatchedDocument {
  root: unknown;
  readonly #work: PatchWork;

  constructor(root: unknown, work: PatchWork) {
    this.root = root;
    this.#work = work;
  }

  /** @param pointer of the operation in the patch */
  apply(operation: unknown, pointer: string): void {
    const run = isObject(operation) ? OPERATIONS.get(operation['op']) : undefined;
    if (!isObject(operation)) throw malformedPatch(pointer, 'an operation');
    if (run === undefined) throw malformedPatch(`${pointer}/op`, NAMES);
    const path = this.#path(operation['path'], `${pointer}/path`);
    const { needs, apply } = run;
    const from = needs === 'from' ? this.#path(operation['from'], `${pointer}/from`) : path;
    if (needs === 'value' && !Object.hasOwn(operation, 'value')) {
      throw malformedPatch(`${pointer}/value`, 'a value', 'required');
    }
    const received = { pointer, path, from, value: operation['value'] };
    withReason(pointer, () => apply(this, received));
  }

  #path(text: unknown, pointer: string): Path {
    const isPointer = typeof text === 'string' && /^(?:\/|$)/.test(text) && !/~(?![01])/.test(text);
    if (!isPointer) throw malformedPatch(pointer, 'a JSON pointer');
    const tokens = tokensOf(text);
    this.#work.add(tokens.length);
    return { pointer, text, tokens };
  }

  /** @throws {Problem} 42201 if nothing has the path */
  read(path: Path): unknown {
    const found = this.find(path.tokens);
    if (found === undefined) throw absent(path);
    return found;
  }

  /** @returns undefined if nothing has the path: no value of JSON is undefined */
  find(tokens: readonly string[]): unknown {
    let value = this.root;
    for (const token of tokens) {
      if (Array.isArray(value)) value = value[indexOf(token, value.length - 1)];
      else value = isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
      if (value === undefined) return undefined;
    }
    return value;
  }

  add(path: Path, value: unknown): void {
    const holder = this.#holder(path);
    const name = path.tokens.at(-1)!;
    if (holder === undefined) this.root = value;
    else if (Array.isArray(holder)) {
      const at = name === '-' ? holder.length : indexOf(name, holder.length);
      if (at < 0) throw absent(path);
      this.#work.move(holder.length - at);
      holder.splice(at, 0, value);
    } else setOwn(holder, name, value);
  }

  replace(path: Path, value: unknown): void {
    this.read(path);
    const holder = this.#holder(path);
    if (holder === undefined) this.root = value;
    else setOwn(holder as PatchedObject, path.tokens.at(-1)!, value);
  }

  remove(path: Path): void {
    this.read(path);
    const holder = this.#holder(path);
    if (holder === undefined) {
      const reason = 'the document cannot be removed';
      throw inapplicable(path.pointer, reason, 'a location in the document');
    }
    const name = path.tokens.at(-1)!;
    if (Array.isArray(holder)) {
      this.#work.move(holder.length - Number(name));
      holder.splice(Number(name), 1);
    } else delete holder[name];
  }

  /** @returns a copy of a value of the patch */
  received(value: unknown): unknown {
    return copyOfJson(value, (units) => this.#work.add(units));
  }

  /** @returns a copy of a value of the document */
  copyOf(path: Path): unknown {
    return copyOfJson(this.read(path), (units) => this.#work.repeat(units));
  }

  /** @returns the object or array that contains the last token; undefined for the document */
  #holder(path: Path): PatchedObject | unknown[] | undefined {
    if (path.tokens.length === 0) return undefined;
    const holder = this.find(path.tokens.slice(0, -1));
    if (Array.isArray(holder) || isObject(holder)) return holder;
    throw absent(path);
  }
}

/** @returns -1 for a token that is no index up to `last` (RFC 6901, section 4) */
function indexOf(token: string, last: number): number {
  if (!/^(?:0|[1-9]\d*)$/.test(token)) return -1;
  const index = Number(token);
  return index <= last ? index : -1;
}

function absent({ pointer, text }: Path): Error {
  return inapplicable(pointer, `${shownPath(text)} does not exist`, 'an existing location');
}

interface Operation {
  /** Its member besides `op` and `path`. */
  readonly needs?: 'from' | 'value';
  readonly apply: (document: PatchedDocument, operation: ReceivedOperation) => void;
}

const OPERATIONS: ReadonlyMap<unknown, Operation> = new Map(
  Object.entries<Operation>({
    add: {
      needs: 'value',
      apply: (document, { path, value }) => document.add(path, document.received(value)),
    },
    remove: { apply: (document, { path }) => document.remove(path) },
    replace: {
      needs: 'value',
      apply: (document, { path, value }) => document.replace(path, document.received(value)),
    },
    move: { needs: 'from', apply: move },
    copy: {
      needs: 'from',
      apply: (document, { from, path }) => document.add(path, document.copyOf(from)),
    },
    test: { needs: 'value', apply: test },
  }),
);

const NAMES = 'add, remove, replace, move, copy or test';

function move(document: PatchedDocument, { from, path }: ReceivedOperation): void {
  const value = document.read(from);
  if (from.text === path.text) return;
  if (path.text.startsWith(`${from.text}/`)) {
    throw inapplicable(
      path.pointer,
      `${shownPath(path.text)} is inside of ${shownPath(from.text)}`,
      `a location outside of ${shownPath(from.text)}`,
    );
  }
  document.remove(from);
  document.add(path, value);
}

/** A false test ends the patch: only then does the value differ in size from the document. */
function test(document: PatchedDocument, { pointer, path, value }: ReceivedOperation): void {
  const current = document.find(path.tokens);
  document.received(value);
  if (current === undefined || !isSameJson(current, value)) throw falseTest(pointer, path.text);
}

/** @throws {Problem} 42201 for too much work */
function withReason<T>(pointer: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof TooMuchWork) {
      throw inapplicable(pointer, error.message, error.expected);
    }
    throw error;
  }
}

const MAX_SHOWN = 200;

/** 400: not a patch. @param pointer into the patch */
function malformedPatch(pointer: string, expected: string, rule = 'type'): Problem {
  const text = rule === 'required' ? 'is required' : `expected ${expected}`;
  const message = [pointer, text].filter(Boolean).join(' ');
  return contractViolation(message, [{ in: 'body', pointer, rule, expected }]);
}

/** 422: the operation cannot be applied to the document. @param pointer into the patch */
function inapplicable(pointer: string, reason: string, expected: string): Problem {
  const violation = { in: 'body', pointer, rule: 'patch', expected } as const;
  return patchNotApplicable(`${pointer}: ${reason}`, [violation]);
}

/** 409. @param pointer into the patch */
function falseTest(pointer: string, path: string): Problem {
  const reason = `the test of ${shownPath(path)} is false`;
  const violation = { in: 'body', pointer, rule: 'test', expected: 'the current value' } as const;
  return testFailed(`${pointer}: ${reason}`, [violation]);
}

function shownPath(path: string): string {
  if (path === '') return 'the document';
  return path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}…` : path;
}

/** The nodes, characters and moved items of all copies and moves of one patch; takes 0.2 s. */
const MAX_REPEATED = 2_000_000;
/** An engine moves items of an array by blocks of memory. */
const ITEMS_PER_UNIT = 16;

type PatchedObject = Record<string, unknown>;

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

class TooMuchWork extends Error {
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
function checkDepth(value: unknown): void {
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

/** Numbers are equal by value (RFC 6902, section 4.6). A function stands for its result: `applyPatch`. */
function isSameJson(a: unknown, b: unknown): boolean {
  if (typeof a === 'function') return isSameJson(a(), b);
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
