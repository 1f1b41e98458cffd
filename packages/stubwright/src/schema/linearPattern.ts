// Regular expressions whose test takes linear time: V8's where its backtracking is bounded, else RE2.
import { createRequire } from 'node:module';
import type { AST } from '@eslint-community/regexpp';
import { isBounded } from './backtracking.ts';
import { toRe2 } from './re2Syntax.ts';

/** What validation needs of a regular expression. */
export interface PatternTest {
  test(text: string): boolean;
  toString(): string;
}

/** No quantifier, or one for a single character after `^`: the usual pattern, known without parsing. */
const SIMPLE = /^(?:(?:[^\\*+?{]|\\.)*|\^(?:\[(?:[^\]\\]|\\.)*\]|\\.|[^\\[({*+?])[*+]\$?)$/su;

// Both are loaded for a contract that needs them only.
const load = createRequire(import.meta.url);

/**
 * @returns a test with the same result, in time linear in the length of the text; undefined where V8
 *   may backtrack and RE2 has no equivalent (lookaround, back references, 1,001 repetitions)
 */
export function linearTest(expression: RegExp): PatternTest | undefined {
  const { source, flags, unicode } = expression;
  if (SIMPLE.test(source) && !flags.includes('m')) return expression;
  const { RegExpParser } = load(
    '@eslint-community/regexpp',
  ) as typeof import('@eslint-community/regexpp');
  const pattern = new RegExpParser().parsePattern(source, undefined, undefined, { unicode });
  return isBounded(pattern, flags) ? expression : re2Test(pattern, flags);
}

function re2Test(pattern: AST.Pattern, flags: string): PatternTest | undefined {
  const source = toRe2(pattern, flags);
  if (source === undefined) return undefined;
  const { RE2JS } = load('re2js') as typeof import('re2js');
  try {
    const expression = RE2JS.compile(source, flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0);
    // Ajv identifies an expression by its string.
    return { test: (text) => expression.test(text), toString: () => `re2 ${source} ${flags}` };
  } catch {
    return undefined;
  }
}
