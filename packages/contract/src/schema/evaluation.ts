// One validation of a value: the results of schemas that apply to the same part more than once.
import { memo } from '../document/memo.ts';

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
