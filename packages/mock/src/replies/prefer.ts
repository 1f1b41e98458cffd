// Parses `Prefer: code=404, example="not found"` (RFC 7240).

/** A preference with its value and its parameters, up to the next unquoted comma. */
const PREFERENCE =
  /[ \t,]*([\w!#$%&'*+.^`|~-]+)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?(?:[^,"]|"(?:[^"\\]|\\.)*")*/gy;

/**
 * @param header the values of `Prefer`, joined by commas
 * @returns the preferences by lower-case name, without parameters; the first of a name applies
 *   (RFC 7240, section 2)
 */
export function parsePrefer(header: string): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>();
  for (const [, name, quoted, word = ''] of header.matchAll(PREFERENCE)) {
    const key = name!.toLowerCase();
    const value = quoted === undefined ? word : quoted.replace(/\\(.)/g, '$1');
    if (!preferences.has(key)) preferences.set(key, value);
  }
  return preferences;
}

/** True if the request selects its reply. */
export function isSelected(preferences: ReadonlyMap<string, string>): boolean {
  return preferences.has('code') || preferences.has('example');
}

/** True for `dynamic` and `dynamic=true`. */
export function isDynamic(preferences: ReadonlyMap<string, string>): boolean {
  return ['', 'true'].includes(preferences.get('dynamic') ?? 'false');
}
