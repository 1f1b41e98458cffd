// The regular expressions of a contract. They are ECMAScript's by specification; what real contracts
// hold beside is read as it was meant where that is clear.

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

/** For Ajv: an expression of another dialect matches everything, and the manifest says so. */
export function patternForAjv(pattern: string): RegExp {
  return compilePattern(pattern) ?? /(?:)/;
}
patternForAjv.code = 'new RegExp';
