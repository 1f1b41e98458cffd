// Header fields that HTTP can carry, and the statuses of responses without body.
import { NotSerializable } from '@stubwright/contract/values';

// An import would load undici, which takes 25 ms of each start.
const { validateHeaderName, validateHeaderValue } = process.getBuiltinModule('node:http');

export const SET_COOKIE = 'set-cookie';

/** The server sets these; other values would corrupt the framing of the connection. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'trailer']);

/** RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
export const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** @returns one cookie per line @throws {NotSerializable} for a line break in a cookie */
export function cookieLines(cookies: readonly unknown[]): string {
  const lines = cookies.map(String);
  if (lines.some((line) => line.includes('\n'))) {
    throw new NotSerializable('expected no line break in a cookie');
  }
  return lines.join('\n');
}

/** @returns the headers of a response as Node sends them: several cookies as an array */
export function headerLines(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string | string[]>> {
  const name = nameIn(headers, SET_COOKIE);
  const text = name && headers[name];
  return text?.includes('\n') ? { ...headers, [name!]: text.split('\n') } : headers;
}

/** @returns received headers by lower-case name, with one cookie per line */
export function headerTexts(headers: Headers): Record<string, string> {
  const texts: Record<string, string> = Object.fromEntries(headers);
  if (texts[SET_COOKIE] !== undefined) texts[SET_COOKIE] = headers.getSetCookie().join('\n');
  return texts;
}

/** @param name in lower case @returns the name as the headers have it; undefined without it */
export function nameIn(
  headers: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  for (const each in headers) {
    if (each.length === name.length && each.toLowerCase() === name) return each;
  }
  return undefined;
}

/** Services send the same few names in every response. */
const validNames = new Set<string>();
const MAX_NAMES = 1000;

/** @returns how the first invalid header violates RFC 9110, section 5.5; undefined for valid headers */
export function headerViolation(headers: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    const violation = nameViolation(name) ?? valueViolation(name, value);
    if (violation !== undefined) return violation;
  }
  return undefined;
}

/** @returns undefined for a token (RFC 9110, section 5.1) that is not a framing header */
export function nameViolation(name: string): string | undefined {
  if (validNames.has(name)) return undefined;
  if (FRAMING.has(name.toLowerCase())) return `header ${name} is set by the server`;
  try {
    validateHeaderName(name);
    if (validNames.size < MAX_NAMES) validNames.add(name);
    return undefined;
  } catch {
    return `header ${JSON.stringify(name)} expected a name of letters, digits and !#$%&'*+-.^_\`|~`;
  }
}

/** @returns undefined for a string that a header can carry (RFC 9110, section 5.5) */
export function valueViolation(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return `header ${name} expected a string, got ${typeof value}`;
  try {
    validateHeaderValue(name, value);
    return undefined;
  } catch {
    return `header ${name} expected characters up to U+00FF, without control characters`;
  }
}
