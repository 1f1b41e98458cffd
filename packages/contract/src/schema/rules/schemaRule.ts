// The rule of one schema: for each kind of value the keywords that apply to it.
import type { Evaluation } from '../evaluation.ts';
import type { Location, SchemaErrors } from '../schemaErrors.ts';
import { CALLS_BEFORE_GENERATION, generateTest } from './codeGeneration.ts';
import {
  assertion,
  KINDS,
  type Kind,
  kindOf,
  type Marks,
  type Rule,
  type TestCode,
} from './rule.ts';

export class SchemaRule implements Rule {
  readonly #rulesOf: Readonly<Record<Kind, readonly Rule[]>>;
  #calls = 0;
  #generated: Rule['test'] | undefined;
  // Fields, which are faster than a lookup by kind.
  readonly #ofString: readonly Rule[];
  readonly #ofNumber: readonly Rule[];
  readonly #ofObject: readonly Rule[];

  /** @param types the allowed types; undefined for all, and if another rule asserts them */
  constructor(
    types: readonly string[] | undefined,
    rulesOf: Readonly<Record<Kind, readonly Rule[]>>,
  ) {
    const wrongType = assertion('type', () => false, `expected ${types?.join(' or ')}`);
    this.#rulesOf = forEach(KINDS, (kind) =>
      types === undefined || types.includes(kind) ? rulesOf[kind] : [wrongType],
    );
    this.#ofString = this.#rulesOf.string;
    this.#ofNumber = this.#rulesOf.number;
    this.#ofObject = this.#rulesOf.object;
  }

  test(value: unknown, evaluation: Evaluation): boolean {
    if (this.#generated !== undefined) return this.#generated(value, evaluation);
    if (++this.#calls === CALLS_BEFORE_GENERATION) this.#generated = generateTest(this);
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

  code(value: string, test: TestCode): string {
    const statements = (rules: readonly Rule[]) =>
      rules.map((rule) => test.of(rule, value)).join('');
    const { none } = this.#rulesOf;
    const isOwn = (kind: Kind) => !haveSameItems(this.#rulesOf[kind], none);
    const branches = KINDS.filter(isOwn).map((kind) => {
      const condition = CONDITIONS[kind].replaceAll('$', value);
      return `if (${condition}) {\n${statements(this.#rulesOf[kind])}} else `;
    });
    return `${branches.join('')}{\n${statements(none)}}\n`;
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

/** The conditions of the kinds; `$` stands for the value. */
const CONDITIONS: Readonly<Record<Kind, string>> = {
  null: '$ === null',
  boolean: "typeof $ === 'boolean'",
  number: "typeof $ === 'number' || typeof $ === 'bigint'",
  string: "typeof $ === 'string'",
  array: 'Array.isArray($)',
  object: "typeof $ === 'object' && $ !== null && !Array.isArray($)",
  none: "$ === undefined || typeof $ === 'function' || typeof $ === 'symbol'",
};

function haveSameItems(a: readonly Rule[], b: readonly Rule[]): boolean {
  return a.length === b.length && a.every((rule, at) => rule === b[at]);
}

export function forEach<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;
}
