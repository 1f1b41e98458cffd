// Regular expressions whose test takes linear time: V8's where its backtracking is bounded, else RE2.
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { isObject } from 'stubwright/internal/document/definition';
import { compilePattern, type PatternTest, re2Test } from 'stubwright/internal/schema/pattern';
import { isBounded } from './backtracking.ts';
import { toRe2 } from './re2Syntax.ts';

/** No quantifier, or one for a single character after `^`: the usual pattern, known without parsing. */
const SIMPLE = /^(?:(?:[^\\*+?{]|\\.)*|\^(?:\[(?:[^\]\\]|\\.)*\]|\\.|[^\\[({*+?])[*+]\$?)$/su;

/**
 * @returns a test with the same result, in time linear in the length of the text; undefined where V8
 *   may backtrack and RE2 has no equivalent (lookaround, back references, 1,001 repetitions)
 */
export function linearTest(expression: RegExp): PatternTest | undefined {
  const source = re2Of(expression);
  if (source === undefined) return undefined;
  return source === V8 ? expression : re2Test(source);
}

/** False for a pattern that only backtracking can test, in time that may grow exponentially. */
export function isLinear(pattern: string): boolean {
  const expression = compilePattern(pattern);
  return expression === undefined || re2Of(expression) !== undefined;
}

/** @returns the patterns of a document that RE2 tests, with the same in RE2's syntax */
export function re2Patterns(document: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  for (const pattern of new Set(patternsOf(document))) {
    const expression = compilePattern(pattern);
    const source = expression && re2Of(expression);
    if (source !== undefined && source !== V8) found[pattern] = source;
  }
  return found;
}

/** Also of what is no schema, where it does no harm. */
function* patternsOf(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const each of node) yield* patternsOf(each);
  if (!isObject(node)) return;
  if (typeof node.pattern === 'string') yield node.pattern;
  if (isObject(node.patternProperties)) yield* Object.keys(node.patternProperties);
  for (const each of Object.values(node)) yield* patternsOf(each);
}

const V8 = Symbol('V8');

/** @returns the expression in RE2's syntax, or V8 where its own test takes linear time */
function re2Of({ source, flags, unicode }: RegExp): string | typeof V8 | undefined {
  if (SIMPLE.test(source) && !flags.includes('m')) return V8;
  const pattern = new RegExpParser().parsePattern(source, undefined, undefined, { unicode });
  return isBounded(pattern, flags) ? V8 : translated(pattern, flags);
}

function translated(pattern: AST.Pattern, flags: string): string | undefined {
  const source = toRe2(pattern, flags);
  if (source === undefined) return undefined;
  const whole = flags.includes('i') ? `(?i)${source}` : source;
  try {
    re2Test(whole);
    return whole;
  } catch {
    return undefined;
  }
}
