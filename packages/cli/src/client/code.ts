// Expressions of JavaScript, and the constants that they share.

import type { Schema } from '@stubwright/contract';
import { freeName, identifierOf } from '../types/names.ts';

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
    ? value.map((item) => expressionOf(item, inner))
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

/** The entries of functions that few clients need. */
const ENTRIES: Readonly<Record<string, string>> = {
  withIdempotencyKey: '/idempotency',
  withReconnection: '/reconnect',
  paged: '/pages',
  ...Object.fromEntries(
    [
      ...['withConversions', 'selecting', 'isDateTime', 'isFullDate'],
      ...['dateAsDate', 'dateTimeAsDate', 'int64AsString', 'int64AsNumber'],
    ].map((name) => [name, '/conversions']),
  ),
};
const COMPONENTS = '/components/schemas/';
const PURE = '/* @__PURE__ */ ';
/** `1` and `true` need no constant. */
const MAX_INLINE = 5;
/** Within so many expressions, a component is declared later: a contract may connect thousands. */
const MAX_DEPTH = 200;

/** Collects constants in the order of their dependencies. */
export class Constants {
  /** The functions of @stubwright/client and its other entries that the module imports. */
  readonly imports = new Set<string>();
  readonly #lines: string[] = [];
  readonly #names: Set<string>;
  readonly #shared = new Map<string, { name: string; isDone: boolean }>();
  /** The components that are declared after those that refer to them. */
  readonly #deferred: (() => void)[] = [];
  #depth = 0;

  /** @param taken the names of the functions of the module */
  constructor(taken: Iterable<string>) {
    this.#names = new Set(taken);
  }

  get text(): string {
    return this.#lines.join('');
  }

  /** @returns the imports of the module, and those of the names */
  importsWith(names: readonly string[]): string {
    const byEntry = Map.groupBy([...this.imports, ...names].sort(), (name) => ENTRIES[name] ?? '');
    const sorted = [...byEntry].sort(([one], [other]) => (one < other ? -1 : 1));
    const lines = sorted.map(
      ([entry, own]) => `import { ${own.join(', ')} } from '@stubwright/client${entry}';\n`,
    );
    return lines.join('');
  }

  /** @returns a call that bundlers remove if its result is unused */
  call(name: string, args: readonly unknown[]): Code {
    this.imports.add(name);
    const list = expressionOf(args);
    const [only] = args;
    const text = args.length === 1 ? expressionOf(only) : list.slice(1, -1);
    return new Code(`${PURE}${name}(${text})`);
  }

  imported(name: string): Code {
    this.imports.add(name);
    return new Code(name);
  }

  /**
   * @param kind of the constant @param make the expression of the schema
   * @param pointers of all schemas of the constant
   * @returns the constant of a component or of a recursive schema; a function within its own expression
   */
  shared(kind: string, { pointer }: Schema, make: () => Code, pointers = pointer): Code {
    const key = `${kind} ${pointers}`;
    const known = this.#shared.get(key);
    if (known !== undefined) {
      if (known.name === '') known.name = this.#nameOf(kind, pointer);
      return new Code(known.isDone ? known.name : `() => ${known.name}`);
    }
    const isComponent = pointer.startsWith(COMPONENTS) && pointer.split('/').length === 4;
    const entry = { name: isComponent ? this.#nameOf(kind, pointer) : '', isDone: false };
    this.#shared.set(key, entry);
    const declare = ({ text }: Code) => {
      entry.isDone = true;
      this.#lines.push(`const ${entry.name} = ${text};\n`);
    };
    if (isComponent && this.#depth > MAX_DEPTH) {
      this.#deferred.push(() => declare(this.#made(make)));
      return new Code(`() => ${entry.name}`);
    }
    const code = this.#made(make);
    if (entry.name === '' || code.text.length <= MAX_INLINE) {
      this.#shared.delete(key);
      return code;
    }
    declare(code);
    return new Code(entry.name);
  }

  #made(make: () => Code): Code {
    this.#depth++;
    const code = make();
    while (this.#depth === 1 && this.#deferred.length > 0) this.#deferred.pop()!();
    this.#depth--;
    return code;
  }

  #nameOf(kind: string, pointer: string): string {
    const word = identifierOf(
      decodeURIComponent(pointer.split('/').at(-1)!.replaceAll('%', '%25')),
    );
    return freeName(`${kind}${word[0]!.toUpperCase()}${word.slice(1)}`, this.#names);
  }
}
