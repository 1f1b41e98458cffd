// Parses `Prefer: code=404, example="not found"` (RFC 7240), and the same preferences in a query.
import { Exchange } from '../request/exchange.ts';

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

/** The query parameters of Prism: `__code=404`, `__example=name`, `__dynamic=true`; and `__wait=2`. */
const IN_QUERY = /^__(code|example|dynamic|wait)=(.*)$/s;

/**
 * Moves the preferences of the query to the `Prefer` header, whose own preferences take precedence.
 *
 * @param declared names of the query parameters of the operation, which are no preferences
 */
export function withQueryPreferences<Native>(
  exchange: Exchange<Native>,
  declared: ReadonlySet<string>,
): Exchange<Native> {
  const preferences: string[] = [];
  const kept = exchange.queryText.split('&').filter((pair) => {
    const [, name, value] = IN_QUERY.exec(pair) ?? [];
    if (name === undefined || declared.has(`__${name}`)) return true;
    preferences.push(`${name}=${quoted(value!)}`);
    return false;
  });
  if (preferences.length === 0) return exchange;
  const query = kept.length === 0 ? '' : `?${kept.join('&')}`;
  const prefer = [exchange.headers['prefer'] ?? [], preferences].flat().join(', ');
  const { method, path, headers, address, body, native } = exchange;
  const head = { method, url: path + query, headers: { ...headers, prefer }, address };
  return new Exchange(head, body, native);
}

function quoted(encoded: string): string {
  const [[, value] = ['', '']] = new URLSearchParams(`value=${encoded}`);
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
