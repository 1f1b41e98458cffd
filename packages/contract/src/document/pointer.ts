// Escaping of JSON pointer tokens (RFC 6901) and of URI fragments (RFC 3986).

/** @returns the token as in a JSON pointer: `~1` for `/`, `~0` for `~` */
export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** @returns the token of a JSON pointer without escapes */
export function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** @returns the tokens of a JSON pointer without escapes */
export function tokensOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeToken);
}

/** @returns the percent-decoded text; a malformed text unchanged */
export function unescapeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @returns the JSON pointer as a URI fragment, as in `$ref` (RFC 6901, section 6) */
export function fragmentOf(pointer: string): string {
  return `#${encodeURI(pointer.toWellFormed()).replaceAll('#', '%23')}`;
}

/** @returns the value at a JSON pointer; undefined if there is none */
export function valueAt(document: unknown, pointer: string): unknown {
  return tokensOf(pointer).reduce(
    // Undefined for what every object inherits, such as `constructor`.
    (value, token) => (Object.hasOwn(Object(value), token) ? Object(value)[token] : undefined),
    document,
  );
}

/** @param pointer of a value that exists @returns a copy with another value there */
export function withValueAt(document: unknown, pointer: string, value: unknown): unknown {
  const replaced = (node: unknown, [token, ...rest]: readonly string[]): unknown => {
    if (token === undefined) return value;
    const inner = replaced(Object(node)[token], rest);
    return Array.isArray(node)
      ? node.with(Number(token), inner)
      : { ...Object(node), [token]: inner };
  };
  return replaced(document, tokensOf(pointer));
}
