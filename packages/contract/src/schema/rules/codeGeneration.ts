// Generates the test of a schema that is used often. V8 inlines its property reads and calls: it has seen one
// kind of value there, where the functions that all schemas share have seen them all.
import { once } from '../../document/once.ts';
import type { Rule, TestCode } from './rule.ts';

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
