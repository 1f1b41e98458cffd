// Prints JavaScript literals.

/** An expression, printed as it is written. */
export class Code {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const MAX_WIDTH = 88;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** @param value JSON with bigints, {@link Code} and regular expressions; undefined properties are omitted */
export function expressionOf(value: unknown, indent = ''): string {
  // Printed without indentation; a string has no line break.
  if (value instanceof Code) return value.text.replaceAll('\n', `\n${indent}`);
  if (value instanceof RegExp) return String(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return stringLiteral(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((each) => expressionOf(each, inner))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([name, each]) => member(name, expressionOf(each, inner)));
  const [open, close] = isList ? '[]' : '{}';
  if (parts.length === 0) return `${open}${close}`;
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (line.length + indent.length <= MAX_WIDTH && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/** @returns undefined without entries, which {@link expressionOf} omits */
export function objectOf(entries: readonly (readonly [string, unknown])[]): object | undefined {
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function member(name: string, text: string): string {
  const key = propertyName(name);
  return key === text ? key : `${key}: ${text}`;
}

/** `__proto__` would set the prototype. */
export function propertyName(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return IDENTIFIER.test(name) ? name : stringLiteral(name);
}

/** In single quotes, on one line. */
export function stringLiteral(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `'${escaped}'`;
}
