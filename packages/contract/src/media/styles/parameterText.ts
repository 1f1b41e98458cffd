// Deserializes parameters in all styles of OpenAPI; input is percent-encoded to preserve escaped delimiters.

import { memo } from '../../document/memo.ts';
import { malformedBody } from '../../errors/problem.ts';
import { MAX_DEPTH, parseJsonText } from '../../json/json.ts';
import { EXACT_DIGITS } from '../../json/jsonScanner.ts';
import type { Serialization } from '../../operations/describedValues.ts';
import { bestReading, type Shape } from './shape.ts';

const DELIMITERS: Readonly<Record<string, RegExp>> = {
  spaceDelimited: /%20| /,
  pipeDelimited: /\||%7C/i,
};

const NO_OWN: readonly Pair[] = [];
/** Maximum number of malformed names in an error message. */
const MAX_MALFORMED = 50;

/** Splits a query or a form; `+` is a space. */
export function pairsOf(text: string): Pair[] {
  if (text === '') return [];
  return text.replaceAll('+', '%20').split('&').filter(Boolean).map(pairOf);
}

/** Splits a Cookie header (RFC 6265, section 4.2.1). */
export function cookiePairs(header: string | undefined): Pair[] {
  if (header === undefined) return [];
  return header.split(/; */).flatMap((text) => {
    const equals = text.indexOf('=');
    return equals < 0 ? [] : [[text.slice(0, equals).trim(), text.slice(equals + 1)] as const];
  });
}

/** Splits a Cookie header; the values of `style: cookie` are not percent-encoded (OpenAPI 3.2). */
export function plainCookiePairs(header: string | undefined): Pair[] {
  return cookiePairs(header).map(([name, value]) => [escapePercent(name), escapePercent(value)]);
}

function escapePercent(text: string): string {
  return text.replaceAll('%', '%25');
}

/** The pairs with one name. */
interface Named {
  readonly pairs: Pair[];
  /** True if a parameter is declared with the name. */
  isTaken: boolean;
}

/** Indexes pairs by decoded name: reading all parameters takes linear time. */
export class Pairs {
  readonly #all: readonly Pair[];
  readonly #byName = new Map<string, Named>();
  /** Pairs with brackets in the name, by the part before the first bracket. */
  readonly #byBase = new Map<string, Named>();
  /** Names that are not percent-encoded UTF-8; they are not decoded. */
  readonly malformed = new Set<string>();

  /** @param pairs percent-encoded @param taken names that are not parameters, such as API keys */
  constructor(pairs: readonly Pair[], taken: Iterable<string> = []) {
    this.#all = pairs.map((pair) =>
      pair[0].includes('%') ? [this.#decodeName(pair[0]), pair[1]] : pair,
    );
    for (const pair of this.#all) {
      const name = pair[0];
      addTo(this.#byName, name, pair);
      const bracket = name.indexOf('[');
      if (bracket >= 0) addTo(this.#byBase, name.slice(0, bracket), pair);
    }
    for (const name of taken) this.#take(name);
  }

  /** Marks the names of a parameter as declared. @returns as {@link read} */
  take(name: string, styled: Serialization, shape: Shape): unknown {
    const own = this.#ownPairs(name, styled, shape);
    for (const pair of own) this.#take(pair[0]);
    return deserialize(own, name, styled, shape);
  }

  /**
   * Deserializes one parameter.
   *
   * @returns undefined if the parameter is missing
   * @throws {BadText} for text that is invalid in its style
   */
  read(name: string, styled: Serialization, shape: Shape): unknown {
    return deserialize(this.#ownPairs(name, styled, shape), name, styled, shape);
  }

  /** @returns the undeclared, well-formed names with their values */
  rest(): (readonly [name: string, values: readonly string[]])[] {
    const rest: (readonly [string, string[]])[] = [];
    for (const [name, { pairs, isTaken }] of this.#byName) {
      if (isTaken || this.malformed.has(name)) continue;
      rest.push([name, pairs.map(([, value]) => value)]);
    }
    return rest;
  }

  #take(name: string): void {
    const named = this.#byName.get(name);
    if (named !== undefined) named.isTaken = true;
  }

  #decodeName(key: string): string {
    // The request is invalid already, and an exception costs as much as 100 names.
    if (this.malformed.size === MAX_MALFORMED || this.malformed.has(key)) return key;
    try {
      return decode(key);
    } catch {
      this.malformed.add(key);
      return key;
    }
  }

  #ownPairs(name: string, styled: Serialization, shape: Shape): readonly Pair[] {
    const named = (key: string) => this.#byName.get(key)?.pairs ?? NO_OWN;
    if (styled.style === 'deepObject') {
      return name.includes('[')
        ? this.#all.filter(([key]) => key.startsWith(`${name}[`))
        : (this.#byBase.get(name)?.pairs ?? NO_OWN);
    }
    if (isExplodedObject(styled, shape))
      return shape.isOpen ? this.#all : [...shape.names].flatMap(named);
    return shape.kind === 'array' ? [...named(name), ...named(`${name}[]`)] : named(name);
  }
}

function deserialize(
  own: readonly Pair[],
  name: string,
  styled: Serialization,
  shape: Shape,
): unknown {
  if (own.length === 0) return undefined;
  if (styled.style === 'deepObject') return fromDeepObject(own, name, shape);
  if (isExplodedObject(styled, shape)) return fromExplodedObject(own, shape);
  const [value, ...others] = own.map((pair) => pair[1]);
  if (shape.kind === 'array' && styled.explode) return itemsOf([value!, ...others], shape);
  if (others.length > 0) throw new BadText('expected one value');
  return fromDelimited(value!, DELIMITERS[styled.style] ?? ',', shape, false);
}

/** True if each property of the object is a pair. */
export function isExplodedObject({ style, explode }: Serialization, shape: Shape): boolean {
  return (style === 'form' || style === 'cookie') && explode && shape.kind === 'object';
}

function addTo(index: Map<string, Named>, name: string, pair: Pair): void {
  memo(index, name, (): Named => ({ pairs: [], isTaken: false })).pairs.push(pair);
}

/** A name-value pair of a query, form or cookie; the value is percent-encoded. */
export type Pair = readonly [name: string, value: string];

/** RFC 8259, section 6. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Text that cannot be deserialized. `message` states the expectation. */
export class BadText extends Error {}

/**
 * Reads text of a body.
 *
 * @param where the start of the message
 * @throws {Problem} 40004 for text that cannot be deserialized
 */
export function ofBody<T>(read: () => T, where = ''): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof BadText ? malformedBody(where + error.message) : error;
  }
}

/** Deserializes a path parameter by its style. */
export function fromPath(
  text: string,
  name: string,
  { style, explode }: Serialization,
  shape: Shape,
): unknown {
  if (style === 'label') return fromLabel(text, shape, explode);
  if (style === 'matrix') return fromMatrix(text, name, shape, explode);
  return fromSimple(text, shape, explode);
}

/** `style: simple`: `3,4,5`, `R,100,G,200`, exploded `R=100,G=200`. For paths and headers. */
export function fromSimple(text: string, shape: Shape, explode: boolean): unknown {
  return fromDelimited(text, ',', shape, explode);
}

/** `style: label`: `.5`, `.3,4,5` (before 3.0.4: `.3.4.5`), exploded `.3.4.5`, `.R=100.G=200`. */
function fromLabel(text: string, shape: Shape, explode: boolean): unknown {
  if (!text.startsWith('.')) throw new BadText('expected a value that starts with .');
  const rest = text.slice(1);
  const delimiter = explode || !rest.includes(',') ? '.' : ',';
  return shape.kind === 'scalar'
    ? scalar(decode(rest), shape)
    : fromDelimited(rest, delimiter, shape, explode);
}

/** `style: matrix`: `;id=5`, `;id=3,4,5`, exploded `;id=3;id=4`, `;R=100;G=200`. */
function fromMatrix(text: string, name: string, shape: Shape, explode: boolean): unknown {
  const pairs = text.split(';').slice(1).map(pairOf);
  if (!text.startsWith(';')) throw new BadText('expected a value that starts with ;');
  if (explode && shape.kind === 'object') return objectOf(pairs, shape);
  const values = pairs.filter(([key]) => decode(key) === name).map(([, value]) => value);
  if (values.length === 0) throw new BadText(`expected ;${name}=`);
  if (explode && shape.kind === 'array' && values.some((value) => value !== '')) {
    return itemsOf(values, shape);
  }
  return fromDelimited(values[0]!, ',', shape, false);
}

/** `style: form`, exploded object: one pair per property, or per item of it. @param pairs with decoded names */
function fromExplodedObject(pairs: readonly Pair[], shape: Shape): unknown {
  const properties = Map.groupBy(pairs, ([name]) => name);
  return newObject(
    Array.from(properties, ([name, own]) => {
      const texts = own.map(([, value]) => value);
      const read = (shape: Shape) => {
        if (shape.kind === 'array') return itemsOf(texts, shape);
        if (texts.length > 1) throw new BadText(`expected one value of ${name}`);
        return scalar(decode(texts[0]!), shape);
      };
      return [name, read(bestReading(shape.property(name), read))];
    }),
  );
}

/**
 * `style: deepObject`: `color[R]=100&color[G]=200`. Nested objects and arrays, which OpenAPI leaves
 * undefined, as in qs and PHP: `p[a][b]=1`, `p[a][]=1`.
 *
 * @param pairs with decoded names
 */
function fromDeepObject(pairs: readonly Pair[], name: string, shape: Shape): unknown {
  const root: Tree = new Map();
  for (const [key, value] of pairs) insert(root, bracketPath(key, name.length), value);
  return fromTree(root, shape);
}

/**
 * Converts a text to a type that the schema allows: `5` is a number or a string.
 *
 * @throws {BadText} for a number that cannot be represented exactly enough
 */
export function scalar(text: string, { types }: Shape): unknown {
  const isNumeric = types.has('integer') || types.has('number');
  if (isNumeric && NUMBER.test(text)) {
    if (text.length <= EXACT_DIGITS && !text.includes('e') && !text.includes('E')) {
      return Number(text);
    }
    try {
      return parseJsonText(text);
    } catch (error) {
      if (!types.has('string')) throw new BadText((error as Error).message);
    }
  }
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.has('null') && !types.has('string') && (text === '' || text === 'null')) return null;
  return text;
}

function bestScalar(text: string, shape: Shape): unknown {
  const read = (shape: Shape) => scalar(text, shape);
  return read(bestReading(shape, read));
}

/** @throws {BadText} if the text is not percent-encoded UTF-8 */
export function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadText('expected percent-encoded UTF-8');
  }
}

type Tree = Map<string, Tree | string[]>;

/** Splits `name=value`. */
function pairOf(text: string): Pair {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)];
}

function fromDelimited(
  text: string,
  delimiter: string | RegExp,
  shape: Shape,
  explode: boolean,
): unknown {
  if (shape.kind === 'scalar') return scalar(decode(text), shape);
  const parts = text === '' ? [] : text.split(delimiter);
  if (shape.kind === 'array') return itemsOf(parts, shape);
  if (explode) return objectOf(parts.map(pairOf), shape);
  const pairs = parts.flatMap((part, at): Pair[] =>
    at % 2 === 0 ? [[part, parts[at + 1] ?? '']] : [],
  );
  return objectOf(pairs, shape);
}

function objectOf(pairs: readonly Pair[], shape: Shape): Record<string, unknown> {
  return newObject(
    pairs.map(([key, value]) => {
      const name = decode(key);
      return [name, bestScalar(decode(value), shape.property(name))];
    }),
  );
}

/** Without a prototype: a client may send a name `__proto__`. */
function newObject(entries: readonly (readonly [name: string, value: unknown])[]) {
  const object: Record<string, unknown> = Object.create(null);
  for (const [name, value] of entries) object[name] = value;
  return object;
}

function itemsOf(texts: readonly string[], shape: Shape): unknown[] {
  return texts.map((text, at) => scalar(decode(text), shape.items(at)));
}

/** `p[a][b]` -> `a`, `b`. @param from the index of the first bracket */
function bracketPath(key: string, from: number): string[] {
  const path: string[] = [];
  for (let open = from; open < key.length; ) {
    const close = key[open] === '[' ? key.indexOf(']', open) : -1;
    if (close < 0) throw new BadText('expected names like name[key]');
    if (path.length === MAX_DEPTH)
      throw new BadText(`expected at most ${MAX_DEPTH} keys in a name`);
    path.push(key.slice(open + 1, close));
    open = close + 1;
  }
  return path;
}

/** An empty last key (`a[]`) appends to the values of the previous key. */
function insert(root: Tree, path: readonly string[], value: string): void {
  const last = path.length > 1 && path.at(-1) === '' ? path.length - 2 : path.length - 1;
  let tree = root;
  for (const key of path.slice(0, last)) {
    const held = tree.get(key) ?? new Map();
    if (Array.isArray(held)) throw new BadText(`expected one value at [${key}]`);
    tree.set(key, held);
    tree = held;
  }
  const key = path[last] ?? '';
  const held = tree.get(key);
  if (held instanceof Map) throw new BadText(`expected one value at [${key}]`);
  if (held === undefined) tree.set(key, [value]);
  else held.push(value);
}

function fromTree(tree: Tree | string[], shape: Shape): unknown {
  if (Array.isArray(tree)) {
    if (shape.kind === 'array') return itemsOf(tree, shape);
    if (tree.length > 1) throw new BadText('expected one value');
    return bestScalar(decode(tree[0]!), shape);
  }
  if (shape.kind === 'array')
    return [...tree.values()].map((each, at) => fromTree(each, shape.items(at)));
  return newObject([...tree].map(([name, each]) => [name, fromTree(each, shape.property(name))]));
}
