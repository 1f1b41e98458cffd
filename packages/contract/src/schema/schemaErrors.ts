// The errors of one value, limited in number and length.
import { escapeToken } from '../document/pointer.ts';
import { Evaluation } from './evaluation.ts';

/** The response must not be larger than the request. */
export const MAX_ERRORS = 50;
export const MAX_ERROR_LENGTH = 400;

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
