// A compiled keyword or schema.

import { once } from '../../document/memo.ts';
import type { Evaluation, Location, SchemaErrors } from '../evaluation.ts';

export interface Rule<Value = unknown> {
  test(value: Value, evaluation: Evaluation): boolean;
  /** Adds the errors of a value; none if it is valid. */
  report(value: Value, at: Location, errors: SchemaErrors): void;
  /** Marks the parts of a valid value that the rule evaluates, for unevaluatedProperties and -Items. */
  mark?(value: Value, marks: Marks): void;
  /** @returns the statements of `test` that return false; undefined to call it @param value a variable */
  code?(value: string, test: TestCode): string | undefined;
}

/** The source text of a generated test. */
interface TestCode {
  /** @returns statements that return false for an invalid value @param value a variable */
  of(rule: Rule, value: string): string;
  /** @returns a variable with this value */
  constant(value: unknown): string;
  /** @returns a new variable */
  variable(): string;
}

/** The evaluated parts of one object or array (JSON Schema 2020-12, section 11). */
export class Marks {
  readonly evaluation: Evaluation;
  readonly names = new Set<string>();
  hasAllNames = false;
  readonly indexes = new Set<number>();
  /** The number of items from the first on. */
  items = 0;
  readonly #entered = new Set<Rule>();

  constructor(evaluation: Evaluation) {
    this.evaluation = evaluation;
  }

  /** @param rule of a referenced schema @returns false if it has marked the value */
  enter(rule: Rule): boolean {
    if (this.#entered.has(rule)) return false;
    this.#entered.add(rule);
    return true;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** @param keyword of JSON Schema @returns a rule with one message */
export function assertion<Value>(
  keyword: string,
  test: (value: Value, evaluation: Evaluation) => boolean,
  message: string,
): Rule<Value> {
  return {
    test,
    report(value, at, errors) {
      if (!test(value, errors.evaluation)) errors.add(at, { keyword, message, value });
    },
  };
}

/** The JSON types, where `integer` is a kind of number, and `none` for what JSON has no type for. */
export type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | 'none';

export const KINDS: readonly Kind[] = [
  ...(['null', 'boolean', 'number', 'string', 'array', 'object', 'none'] as const),
];

export function kindOf(value: unknown): Kind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
    case 'bigint':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'array' : 'object';
    default:
      return 'none';
  }
}

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

/** Fewer calls take less time than the generation. */
export const CALLS_BEFORE_GENERATION = 1_000;
/** V8 does not optimize long functions. Rules beyond this number of characters are called. */
const MAX_LENGTH = 20_000;

/** @returns a function that returns the same as `rule.test`; undefined if V8 may not compile strings */
export function generateTest(rule: Rule): Rule['test'] | undefined {
  if (!canGenerateCode()) return undefined;
  const code = new GeneratedCode();
  return code.compile(code.of(rule, 'value'));
}

/** False under `node --disallow-code-generation-from-strings`. */
export const canGenerateCode = once(() => {
  try {
    return new Function('return true')() === true;
  } catch {
    return false;
  }
});

/** Strings of a contract occur in the source text as JSON only. */
class GeneratedCode implements TestCode {
  readonly #constants: unknown[] = [];
  #variables = 0;
  #length = 0;

  of(rule: Rule, value: string): string {
    const isShort = this.#length < MAX_LENGTH;
    const own = isShort ? rule.code?.(value, this) : undefined;
    const code = own ?? `if (!${this.constant(rule)}.test(${value}, evaluation)) return false;\n`;
    this.#length += own === undefined ? code.length : 0;
    return code;
  }

  constant(value: unknown): string {
    return `c${this.#constants.push(value) - 1}`;
  }

  variable(): string {
    return `v${this.#variables++}`;
  }

  compile(statements: string): Rule['test'] {
    const names = this.#constants.map((_, at) => `c${at}`);
    const source = `return (value, evaluation) => {\n${statements}return true;\n};`;
    return new Function(...names, source)(...this.#constants);
  }
}
