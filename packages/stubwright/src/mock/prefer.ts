// The preferences of a request (RFC 7240): `Prefer: code=404, example="not found"`.

/** A preference with its value, then its parameters, up to the next comma that is not quoted. */
const PREFERENCE =
  /[ \t,]*([\w!#$%&'*+.^`|~-]+)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?(?:[^,"]|"(?:[^"\\]|\\.)*")*/gy;

/**
 * @param header the values of `Prefer`, several of them joined by commas as Node does
 * @returns each preference by its name in lower case; of two of one name the first counts
 *   (section 2), and parameters of a preference are not looked at
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
