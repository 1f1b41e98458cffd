// The scopes of a token, in the forms that issuers send.

/** @returns the names of `scope`: separated by spaces (RFC 8693, section 4.2), or an array */
export function scopesOf(scope: unknown): readonly string[] {
  if (Array.isArray(scope)) return scope.filter((name) => typeof name === 'string');
  return typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : [];
}
