// One validation of a value: the results of schemas that apply to the same part more than once, and the errors, limited in number and length.

import { memo } from '../document/memo.ts';
import { escapeToken } from '../document/node.ts';

interface Testable {
  test(value: unknown, evaluation: Evaluation): boolean;
}

/** References that are evaluated without a memo: enough for most values. */
const FIRST_STEPS = 1_000;
/** A value whose schemas are evaluated less often than this needs no memo. */
const STEPS_PER_PART = 16;
const MAX_COUNTED_PARTS = 2 ** 20;

/**
 * Bounds the work for one value: after a number of steps that is linear in the size of the value, each
 * referenced schema is evaluated once for each part of the value. The value must not change meanwhile.
 */
export class Evaluation {
  readonly #root: unknown;
  #steps = 0;
  #limit = FIRST_STEPS;
  #results: Map<Testable, Map<unknown, boolean>> | undefined;
  #identities: Identities | undefined;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** The number of evaluated references. */
  get steps(): number {
    return this.#steps;
  }

  /** @param rule of a referenced schema */
  isValid(rule: Testable, value: unknown): boolean {
    return this.countStep() ? rule.test(value, this) : this.isKnownValid(rule, value);
  }

  /** Counts a reference. @returns false if its result may be known */
  countStep(): boolean {
    if (++this.#steps > this.#limit) this.#extend();
    return this.#results === undefined;
  }

  /** For generated tests: {@link isValid} after {@link countStep}. */
  isKnownValid(rule: Testable, value: unknown): boolean {
    this.#results ??= new Map();
    const results = memo(this.#results, rule, () => new Map<unknown, boolean>());
    const known = results.get(value);
    if (known !== undefined) return known;
    const isValid = rule.test(value, this);
    results.set(value, isValid);
    return isValid;
  }

  /** @returns a string that is equal for equal JSON values only, in constant time for a known object */
  identityOf(value: unknown): string {
    this.#identities ??= new Identities();
    return this.#identities.of(value);
  }

  #extend(): void {
    if (this.#limit === FIRST_STEPS) {
      this.#limit = Math.max(FIRST_STEPS + 1, STEPS_PER_PART * countParts(this.#root));
    } else {
      this.#limit = Number.POSITIVE_INFINITY;
      this.#results = new Map();
    }
  }
}

/** @returns the number of objects, arrays and scalars in a value */
function countParts(root: unknown): number {
  const pending = [root];
  let count = 0;
  for (let part = pending.pop(); count < MAX_COUNTED_PARTS; part = pending.pop()) {
    count++;
    if (typeof part === 'object' && part !== null) {
      for (const inner of Array.isArray(part) ? part : Object.values(part)) pending.push(inner);
    }
    if (pending.length === 0) break;
  }
  return count;
}

/** Hash consing: equal objects have the same number, which stands for them in larger ones. */
class Identities {
  readonly #known = new Map<object, string>();
  readonly #numbers = new Map<string, string>();

  of(value: unknown): string {
    if (typeof value !== 'object' || value === null) return scalarKey(value);
    return memo(this.#known, value, () => {
      const key = Array.isArray(value) ? this.#arrayKey(value) : this.#objectKey(value);
      return memo(this.#numbers, key, () => `#${this.#numbers.size}`);
    });
  }

  #arrayKey(items: readonly unknown[]): string {
    return `[${items.map((item) => this.of(item)).join()}`;
  }

  #objectKey(value: object): string {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${this.of(value)}`).join()}`;
  }
}

/** @returns a string that is equal for equal scalars only: a number and its bigint have the same */
export function scalarKey(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'number') return `${value}`;
  if (!Number.isInteger(value)) return `${value}`;
  return Number.isSafeInteger(value) ? `${value}` : `${BigInt(value)}`;
}

/** The response must not be larger than the request. */
export const MAX_ERRORS = 50;
const MAX_ERROR_LENGTH = 400;

/** A violation of a schema, at some part of a value. */
interface SchemaViolation {
  /** The violated keyword of JSON Schema. */
  readonly keyword: string;
  /** The expectation. */
  readonly message: string;
  /** The violating part; undefined if it is missing. */
  readonly value: unknown;
}

export interface SchemaError extends SchemaViolation {
  /** The JSON pointer of the violating part, at most MAX_ERROR_LENGTH long; `''` for the whole value. */
  readonly pointer: string;
}

/** The last of MAX_ERRORS errors or more. */
export const MORE: SchemaError = {
  ...{ pointer: '', keyword: '', message: 'and more', value: undefined },
};

/** A part of a value: the property names and indexes that lead to it. */
export class Location {
  readonly #outer: Location | undefined;
  readonly #key: string | number;

  constructor(outer?: Location, key: string | number = '') {
    this.#outer = outer;
    this.#key = key;
  }

  child(key: string | number): Location {
    return new Location(this, key);
  }

  get pointer(): string {
    const keys: (string | number)[] = [];
    let at: Location = this;
    for (; at.#outer !== undefined; at = at.#outer) keys.push(at.#key);
    let pointer = '';
    while (keys.length > 0 && pointer.length < MAX_ERROR_LENGTH) {
      pointer += `/${escapeToken(String(keys.pop()).slice(0, MAX_ERROR_LENGTH))}`;
    }
    return shortened(pointer);
  }
}

/** Collects the distinct errors of one value. Each rule reports an object once. */
export class SchemaErrors {
  readonly evaluation: Evaluation;
  readonly #errors = new Map<string, SchemaError>();
  readonly #reported = new Map<object, Set<object>>();
  #hasMore = false;

  constructor(root: unknown) {
    this.evaluation = new Evaluation(root);
  }

  /** True if no more errors are collected. */
  get isFull(): boolean {
    return this.#hasMore;
  }

  get all(): readonly SchemaError[] {
    return this.#hasMore ? [...this.#errors.values(), MORE] : [...this.#errors.values()];
  }

  add(at: Location, { keyword, message, value }: SchemaViolation): void {
    const { pointer } = at;
    const key = `${pointer} ${message}`;
    if (this.#errors.has(key)) return;
    if (this.#errors.size === MAX_ERRORS) this.#hasMore = true;
    else this.#errors.set(key, { pointer, keyword, message: shortened(message), value });
  }

  /** @param rule of a referenced schema @returns false if it has reported this part */
  enter(rule: object, value: unknown, at: Location): boolean {
    const part = typeof value === 'object' && value !== null ? value : at;
    const reported = this.#reported.get(rule) ?? new Set();
    if (reported.has(part)) return false;
    this.#reported.set(rule, reported.add(part));
    return true;
  }
}

/** Does not divide a surrogate pair: strict parsers reject a lone surrogate. */
export function shortened(text: string): string {
  return text.slice(0, MAX_ERROR_LENGTH).replace(/[\ud800-\udbff]$/, '');
}
