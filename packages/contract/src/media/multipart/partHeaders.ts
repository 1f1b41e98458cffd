// Parses the headers of parts (RFC 2046), and those of multipart/form-data (RFC 7578, section 4).
import { malformedBody } from '../../errors/problem.ts';

export interface PartHeaders {
  readonly name: string;
  /** Safe as the name of a file; undefined without one. */
  readonly fileName: string | undefined;
  /** By lower-case name. */
  readonly all: Readonly<Record<string, string>>;
}

const FORM_DATA = /^[ \t]*form-data[ \t]*(?=;|$)/i;
const PARAMETER = /;[ \t]*(?:([\w!#$&^.+*-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;]*)))?/gy;
const LINE_BREAK = /[\r\n]/;
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * @returns by lower-case name, as Latin-1; several of one name are joined
 * @throws {Problem} 40004 for a line without a name
 */
export function headersIn(head: Buffer): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  let last: string | undefined;
  for (const line of head.toString('latin1').split('\r\n')) {
    if (line === '') continue;
    // A folded line (RFC 5322, section 2.2.3).
    if (last !== undefined && /^[ \t]/.test(line)) {
      headers[last] += ` ${line.trim()}`;
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    if (colon < 0 || !NAME.test(name))
      throw malformedBody('expected a name and a colon in each header of a part');
    last = name.toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[last] = headers[last] === undefined ? value : `${headers[last]}, ${value}`;
  }
  return headers;
}

/**
 * @param headers by lower-case name, as Latin-1
 * @throws {Problem} 40004 without `Content-Disposition: form-data` or without a name
 */
export function partHeadersOf(headers: Readonly<Record<string, string>>): PartHeaders {
  const all: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) all[name] = utf8(value);
  const parameters = parametersOf(all['content-disposition'] ?? '');
  const name = parameters.get('name');
  const fileName = extendedValue(parameters.get('filename*')) ?? parameters.get('filename');
  if (name === undefined || LINE_BREAK.test(name) || LINE_BREAK.test(fileName ?? '')) {
    throw malformedBody('expected Content-Disposition: form-data with a name in each part');
  }
  return { name, fileName: fileName === undefined ? undefined : safeFileName(fileName), all };
}

function parametersOf(disposition: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  const [head] = FORM_DATA.exec(disposition) ?? [];
  if (head === undefined) return parameters;
  PARAMETER.lastIndex = head.length;
  while (PARAMETER.lastIndex < disposition.length) {
    const found = PARAMETER.exec(disposition);
    if (found === null) break;
    const [, name, quoted, token = ''] = found;
    // Browsers do not escape a backslash.
    const value = quoted?.replace(/\\(["\\])/g, '$1') ?? token.trim();
    if (name !== undefined) parameters.set(name.toLowerCase(), value);
  }
  return parameters;
}

/** `UTF-8''%e2%82%ac` (RFC 8187). */
function extendedValue(value: string | undefined): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(value ?? '') ?? [];
  try {
    return encoded && decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** Controls, which no file name has, and marks that reverse text: `exe.gpj` would be read as `jpg.exe`. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** @returns a name without folders, controls and marks of direction; `file` if none is left, also for `..` */
export function safeFileName(path: string): string {
  const printed = path.replace(UNSAFE, '');
  const name = printed.slice(Math.max(printed.lastIndexOf('/'), printed.lastIndexOf('\\')) + 1);
  return ['', '.', '..'].includes(name) ? 'file' : name;
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString();
}
