// JSON Patch (RFC 6902).
import { isObject, setOwn } from '../document/node.ts';
import { tokensOf } from '../document/pointer.ts';
import {
  contractViolation,
  type Problem,
  patchNotApplicable,
  testFailed,
} from '../errors/problem.ts';
import {
  checkDepth,
  copyOfJson,
  isSameJson,
  type PatchedObject,
  PatchWork,
  TooMuchWork,
} from './patchWork.ts';

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

const OPERATIONS: ReadonlyMap<unknown, Operation> = new Map<unknown, Operation>([
  [
    'add',
    {
      needs: 'value',
      apply: (document, { path, value }) => document.add(path, document.received(value)),
    },
  ],
  ['remove', { apply: (document, { path }) => document.remove(path) }],
  [
    'replace',
    {
      needs: 'value',
      apply: (document, { path, value }) => document.replace(path, document.received(value)),
    },
  ],
  ['move', { needs: 'from', apply: move }],
  [
    'copy',
    {
      needs: 'from',
      apply: (document, { from, path }) => document.add(path, document.copyOf(from)),
    },
  ],
  ['test', { needs: 'value', apply: test }],
]);

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
