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
  take(name: string, style: string, shape: Shape, explode: boolean): unknown {
    const own = this.#ownPairs(name, style, shape, explode);
    for (const pair of own) this.#take(pair[0]);
    return deserialize(own, name, style, shape, explode);
  }

  /**
   * Deserializes one parameter.
   *
   * @returns undefined if the parameter is missing
   * @throws {BadText} for text that is invalid in its style
   */
  read(name: string, style: string, shape: Shape, explode: boolean): unknown {
    return deserialize(this.#ownPairs(name, style, shape, explode), name, style, shape, explode);
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

  #ownPairs(name: string, style: string, shape: Shape, explode: boolean): readonly Pair[] {
    const named = (key: string) => this.#byName.get(key)?.pairs ?? NO_OWN;
    if (style === 'deepObject') {
      return name.includes('[')
        ? this.#all.filter(([key]) => key.startsWith(`${name}[`))
        : (this.#byBase.get(name)?.pairs ?? NO_OWN);
    }
    if (isExplodedObject(style, shape, explode))
      return shape.isOpen ? this.#all : [...shape.names].flatMap(named);
    return shape.kind === 'array' ? [...named(name), ...named(`${name}[]`)] : named(name);
  }
}

function deserialize(
  own: readonly Pair[],
  name: string,
  style: string,
  shape: Shape,
  explode: boolean,
): unknown {
  if (own.length === 0) return undefined;
  if (style === 'deepObject') return fromDeepObject(own, name, shape);
  if (isExplodedObject(style, shape, explode)) return fromExplodedObject(own, shape);
  const values = own.map((pair) => pair[1]);
  return fromForm(values, DELIMITERS[style] ?? DELIMITERS['form']!, shape, explode);
}

/** True if each property of the object is a pair. */
function isExplodedObject(style: string, shape: Shape, explode: boolean): boolean {
  return (style === 'form' || style === 'cookie') && explode && shape.kind === 'object';
}

function addTo(index: Map<string, Named>, name: string, pair: Pair): void {
  const known = index.get(name);
  if (known === undefined) index.set(name, { pairs: [pair], isTaken: false });
  else known.pairs.push(pair);
}
