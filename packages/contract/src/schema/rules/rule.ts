// A compiled keyword or schema.
import type { Evaluation } from '../evaluation.ts';
import type { Location, SchemaErrors } from '../schemaErrors.ts';

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
export interface TestCode {
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
