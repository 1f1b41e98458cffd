// The rule of one schema: for each kind of value the keywords that apply to it.
import type { Evaluation } from '../evaluation.ts';
import type { Location, SchemaErrors } from '../schemaErrors.ts';
import { assertion, KINDS, type Kind, kindOf, type Marks, type Rule } from './rule.ts';

export class SchemaRule implements Rule {
  readonly #rulesOf: Readonly<Record<Kind, readonly Rule[]>>;
  // Fields, which are faster than a lookup by kind.
  readonly #ofString: readonly Rule[];
  readonly #ofNumber: readonly Rule[];
  readonly #ofObject: readonly Rule[];

  /** @param types the allowed types; undefined for all, and if another rule asserts them */
  constructor(
    types: readonly string[] | undefined,
    rulesOf: Readonly<Record<Kind, readonly Rule[]>>,
  ) {
    const wrongType = assertion(() => false, `expected ${types?.join(' or ')}`);
    this.#rulesOf = forEach(KINDS, (kind) =>
      types === undefined || types.includes(kind) ? rulesOf[kind] : [wrongType],
    );
    this.#ofString = this.#rulesOf.string;
    this.#ofNumber = this.#rulesOf.number;
    this.#ofObject = this.#rulesOf.object;
  }

  test(value: unknown, evaluation: Evaluation): boolean {
    const rules = this.#rulesFor(value);
    for (let at = 0; at < rules.length; at++) {
      if (!rules[at]!.test(value, evaluation)) return false;
    }
    return true;
  }

  report(value: unknown, at: Location, errors: SchemaErrors): void {
    for (const rule of this.#rulesFor(value)) {
      if (errors.isFull) return;
      rule.report(value, at, errors);
    }
  }

  mark(value: unknown, marks: Marks): void {
    for (const rule of this.#rulesFor(value)) rule.mark?.(value, marks);
  }

  #rulesFor(value: unknown): readonly Rule[] {
    if (typeof value === 'string') return this.#ofString;
    if (typeof value === 'number') return this.#ofNumber;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return this.#ofObject;
    return this.#rulesOf[kindOf(value)];
  }
}

export function forEach<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;
}
