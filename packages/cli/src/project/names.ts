// Names of files and variables for operations: ASCII identifiers that differ in more than case.

const MAX_LENGTH = 80;

/** Keywords of ECMAScript modules, and the names that the generated files import. */
const KEYWORDS = `
arguments async await break case catch class const continue debugger default delete do else enum eval
export extends false finally for function if implements import in instanceof interface let new null of
package private protected public return static super switch this throw true try typeof undefined var
void while with yield mocked handlers request reply services
`;
/** Modules of src/handlers/. */
const MODULES = 'index operation services';
/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const DEVICES =
  'con prn aux nul com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9';

const RESERVED = new Set(`${KEYWORDS} ${MODULES} ${DEVICES}`.split(/\s+/));

/** @returns the name of an operation before {@link uniqueName}: `repos/list-tags` is `reposListTags` */
export function nameOf(operationId: string): string {
  const [first = 'operation', ...rest] = operationId.split(/[^A-Za-z0-9_]+/).filter(Boolean);
  const joined = first + rest.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  const name = (/^\d/.test(joined) ? `_${joined}` : joined).slice(0, MAX_LENGTH);
  return RESERVED.has(name.toLowerCase()) ? `${name}_` : name;
}

/** @param taken in lower case: some file systems ignore case */
export function uniqueName(operationId: string, taken: ReadonlySet<string>): string {
  const base = nameOf(operationId);
  let name = base;
  for (let at = 2; taken.has(name.toLowerCase()); at++) name = `${base}_${at}`;
  return name;
}

/** @returns a string literal of TypeScript, with the quotes that need fewer escapes */
export function literal(text: string): string {
  const isSingle = text.split('"').length > text.split("'").length;
  const escaped = JSON.stringify(text).slice(1, -1);
  const quoted = isSingle
    ? `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : `"${escaped}"`;
  return quoted.replace(/[\u2028\u2029]/g, escapeUnit);
}

/** @returns the name of a property; `__proto__` would set the prototype */
export function propertyKey(name: string): string {
  if (name === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

/** @returns the text on one line, for a `//` comment */
export function commentOf(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
