// The regular expressions of a contract: ECMAScript, and common constructs of other dialects.
import { createRequire } from 'node:module';

/** The part of RegExp that validation uses. */
export interface PatternTest {
  test(text: string): boolean;
  toString(): string;
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
/** ECMAScript pattern -> RE2 pattern. Shared by all contracts: it depends only on the pattern. */
const re2 = new Map<string, string>();

/** @param patterns patterns with exponential time in V8 -> the same in RE2 syntax */
export function testWithRe2(patterns: Readonly<Record<string, string>>): void {
  for (const [pattern, source] of Object.entries(patterns)) {
    if (re2.has(pattern)) continue;
    re2.set(pattern, source);
    tests.delete(pattern);
  }
}

/** @returns the test of a pattern, with RE2 if registered; undefined for an unsupported dialect */
export function patternTest(pattern: string): PatternTest | undefined {
  if (tests.has(pattern)) return tests.get(pattern);
  const source = re2.get(pattern);
  const test = source === undefined ? compilePattern(pattern) : re2Test(source);
  tests.set(pattern, test);
  return test;
}

/** Loads RE2JS synchronously, only if a contract needs it. */
const load = createRequire(import.meta.url);

/** @throws the error of RE2JS for invalid syntax */
export function re2Test(source: string): PatternTest {
  const { RE2JS } = load('re2js') as typeof import('re2js');
  const expression = RE2JS.compile(source);
  return { test: (text) => expression.test(text), toString: () => `re2 ${source}` };
}

/** An unsupported pattern matches every string; the manifest reports it. */
export function lenientTest(pattern: string): PatternTest {
  return patternTest(pattern) ?? /(?:)/;
}
