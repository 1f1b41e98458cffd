// The regular expressions of a contract: ECMAScript, and common constructs of other dialects.
import { createRequire } from 'node:module';
import { type Automaton, automatonTest } from './automaton.ts';

/** The part of RegExp that validation uses. */
export interface PatternTest {
  test(text: string): boolean;
}

/** @returns undefined for a pattern that is not ECMAScript and cannot be converted */
export function compilePattern(pattern: string): RegExp | undefined {
  // Unicode mode rejects identity escapes (`\-`, `\_`): the last attempt is without the flag u.
  return expression(pattern, 'u') ?? foreignExpression(pattern) ?? expression(pattern, '');
}

/** Converts leading flags (`(?i)`) and the anchors `\A` and `\z` of Perl, Java, Python and RE2. */
function foreignExpression(pattern: string): RegExp | undefined {
  const [, flags = '', rest = ''] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(pattern) ?? [];
  const anchored = rest.replace(/^\\A/, '^').replace(/\\[zZ]$/, '$');
  return anchored === pattern
    ? undefined
    : (expression(anchored, `${flags}u`) ?? expression(anchored, flags));
}

function expression(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

const tests = new Map<string, PatternTest | undefined>();
/** The patterns that V8 does not test. Shared by all contracts: it depends only on the pattern. */
const others = new Map<string, string | Automaton>();

/** @param patterns patterns that V8 may not test in linear time -> the same in RE2 syntax, or as automata */
export function testInLinearTime(patterns: Readonly<Record<string, string | Automaton>>): void {
  for (const [pattern, other] of Object.entries(patterns)) {
    if (others.has(pattern)) continue;
    others.set(pattern, other);
    tests.delete(pattern);
  }
}

/** @returns the test of a pattern, in linear time if registered; undefined for an unsupported dialect */
export function patternTest(pattern: string): PatternTest | undefined {
  if (tests.has(pattern)) return tests.get(pattern);
  const test = newTest(pattern, others.get(pattern));
  tests.set(pattern, test);
  return test;
}

function newTest(pattern: string, other: string | Automaton | undefined): PatternTest | undefined {
  if (other === undefined) return compilePattern(pattern);
  return typeof other === 'string' ? re2Test(other) : automatonTest(other);
}

/** Loads RE2JS synchronously, only if a contract needs it. */
const load = createRequire(import.meta.url);

/** @throws the error of RE2JS for invalid syntax */
export function re2Test(source: string): PatternTest {
  const { RE2JS } = load('re2js') as typeof import('re2js');
  const expression = RE2JS.compile(source);
  return { test: (text) => expression.test(text) };
}

/** An unsupported pattern matches every string; the manifest reports it. */
export function lenientTest(pattern: string): PatternTest {
  return patternTest(pattern) ?? /(?:)/;
}
