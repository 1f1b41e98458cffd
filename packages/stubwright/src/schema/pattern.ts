// The regular expressions of a contract. They are ECMAScript's by specification; what real contracts
// hold beside is read as it was meant where that is clear.
import { linearTest, type PatternTest } from './linearPattern.ts';

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

/** @returns a test in linear time where there is one; undefined for another dialect */
export function patternTest(pattern: string): PatternTest | undefined {
  if (tests.has(pattern)) return tests.get(pattern);
  const expression = compilePattern(pattern);
  const test = expression && (linearTest(expression) ?? expression);
  tests.set(pattern, test);
  return test;
}

/** False for a pattern that only backtracking can test, in time that may grow exponentially. */
export function isLinear(pattern: string): boolean {
  const expression = compilePattern(pattern);
  return expression === undefined || linearTest(expression) !== undefined;
}

/** For Ajv: an expression of another dialect matches everything, and the manifest says so. */
export function patternForAjv(pattern: string): PatternTest {
  return patternTest(pattern) ?? /(?:)/;
}
patternForAjv.code = 'new RegExp';
