// Tokens of JSON pointers (RFC 6901) and of the fragments that carry them (RFC 3986).

export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** @returns the text without percent-escapes; a text with a bad one as it stands */
export function unescapeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
