// The regular expressions of a contract. They are ECMAScript's by specification; what real contracts
// hold beside is read as it was meant where that is clear.
import { createRequire } from 'node:module';

/** What validation needs of a regular expression. */
export interface PatternTest {
  test(text: string): boolean;
  toString(): string;
}

/** @returns the expression; undefined for one of another dialect, which cannot be enforced */
export function compilePattern(pattern: string): RegExp | undefined {
  // Without the flag u, escapes that Unicode mode refuses (`\-`, `\_`) mean the character itself.
  return expression(pattern, 'u') ?? foreignExpression(pattern) ?? expression(pattern, '');
}

/** `(?i)` in front, `\A` and `\z` as anchors: Perl, Java, Python and RE2 write them so. */
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
/** ECMAScript's -> RE2's; of every contract of the process, since it follows from the pattern alone. */
const re2 = new Map<string, string>();

/** @param patterns whose test may take V8 exponential time, with the same in RE2's syntax */
export function testWithRe2(patterns: Readonly<Record<string, string>>): void {
  for (const [pattern, source] of Object.entries(patterns)) {
    if (re2.has(pattern)) continue;
    re2.set(pattern, source);
    tests.delete(pattern);
  }
}

/** @returns a test in linear time where there is one; undefined for another dialect */
export function patternTest(pattern: string): PatternTest | undefined {
  if (tests.has(pattern)) return tests.get(pattern);
  const source = re2.get(pattern);
  const test = source === undefined ? compilePattern(pattern) : re2Test(source);
  tests.set(pattern, test);
  return test;
}

/** Loaded for a contract that needs it only. */
const load = createRequire(import.meta.url);

/** @throws the error of RE2JS for invalid syntax */
export function re2Test(source: string): PatternTest {
  const { RE2JS } = load('re2js') as typeof import('re2js');
  const expression = RE2JS.compile(source);
  // Ajv identifies an expression by its string.
  return { test: (text) => expression.test(text), toString: () => `re2 ${source}` };
}

/** For Ajv: an expression of another dialect matches everything, and the manifest says so. */
export function patternForAjv(pattern: string): PatternTest {
  return patternTest(pattern) ?? /(?:)/;
}
patternForAjv.code = 'new RegExp';
