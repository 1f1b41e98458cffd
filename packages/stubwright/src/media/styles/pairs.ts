// The name-value pairs of queries, forms and cookies, and the parameters in them.
import {
  decode,
  fromDeepObject,
  fromExplodedObject,
  fromForm,
  type Pair,
  pairOf,
} from './parameterText.ts';
import type { Shape } from './shape.ts';

export type { Pair } from './parameterText.ts';

const DELIMITERS: Readonly<Record<string, RegExp>> = {
  form: /,/,
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

/** Indexes pairs by decoded name: reading all parameters takes linear time. */
export class Pairs {
  readonly #all: readonly Pair[];
  readonly #byName = new Map<string, Pair[]>();
  /** Pairs with brackets in the name, by the part before the first bracket. */
  readonly #byBase = new Map<string, Pair[]>();
  readonly #taken: Set<string>;
  /** Names that are not percent-encoded UTF-8; they are not decoded. */
  readonly malformed = new Set<string>();

  /** @param pairs percent-encoded @param taken names that are not parameters, such as API keys */
  constructor(pairs: readonly Pair[], taken: Iterable<string> = []) {
    this.#all = pairs.map(([key, value]) => [this.#decodeName(key), value]);
    this.#taken = new Set(taken);
    for (const pair of this.#all) {
      const [name] = pair;
      addTo(this.#byName, name, pair);
      const bracket = name.indexOf('[');
      if (bracket >= 0) addTo(this.#byBase, name.slice(0, bracket), pair);
    }
  }

  /** Marks the names of a parameter as declared. */
  take(name: string, style: string, shape: Shape, explode: boolean): void {
    for (const [key] of this.#ownPairs(name, style, shape, explode)) this.#taken.add(key);
  }

  /**
   * Deserializes one parameter.
   *
   * @returns undefined if the parameter is missing
   * @throws {BadText} for text that is invalid in its style
   */
  read(name: string, style: string, shape: Shape, explode: boolean): unknown {
    const own = this.#ownPairs(name, style, shape, explode);
    if (own.length === 0) return undefined;
    if (style === 'deepObject') return fromDeepObject(own, name, shape);
    if (isExplodedObject(style, shape, explode)) return fromExplodedObject(own, shape);
    const values = own.map(([, value]) => value);
    return fromForm(values, DELIMITERS[style] ?? DELIMITERS['form']!, shape, explode);
  }

  /** @yields the undeclared, well-formed names with their values */
  *rest(): Generator<readonly [name: string, values: readonly string[]]> {
    for (const [name, pairs] of this.#byName) {
      const isRest = !this.#taken.has(name) && !this.malformed.has(name);
      if (isRest) yield [name, pairs.map(([, value]) => value)];
    }
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

  #ownPairs(name: string, style: string, shape: Shape, explode: boolean): readonly Pair[] {
    const named = (key: string) => this.#byName.get(key) ?? NO_OWN;
    if (style === 'deepObject') {
      return name.includes('[')
        ? this.#all.filter(([key]) => key.startsWith(`${name}[`))
        : (this.#byBase.get(name) ?? NO_OWN);
    }
    if (isExplodedObject(style, shape, explode))
      return shape.isOpen ? this.#all : [...shape.names].flatMap(named);
    return shape.kind === 'array' ? [...named(name), ...named(`${name}[]`)] : named(name);
  }
}

/** True if each property of the object is a pair. */
function isExplodedObject(style: string, shape: Shape, explode: boolean): boolean {
  return (style === 'form' || style === 'cookie') && explode && shape.kind === 'object';
}

function addTo(pairs: Map<string, Pair[]>, name: string, pair: Pair): void {
  const known = pairs.get(name);
  if (known === undefined) pairs.set(name, [pair]);
  else known.push(pair);
}
