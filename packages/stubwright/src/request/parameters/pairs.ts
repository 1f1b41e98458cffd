// Names with values, as queries, forms and cookies hold them, and the values of one parameter.
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

/** An error message names no more. */
const MAX_MALFORMED = 50;

/** The pairs of a query or of a form; `+` stands for a space there. */
export function pairsOf(text: string): Pair[] {
  if (text === '') return [];
  return text.replaceAll('+', '%20').split('&').filter(Boolean).map(pairOf);
}

/** The pairs of a Cookie header (RFC 6265, section 4.2.1). */
export function cookiePairs(header: string | undefined): Pair[] {
  if (header === undefined) return [];
  return header.split(/; */).flatMap((text) => {
    const equals = text.indexOf('=');
    return equals < 0 ? [] : [[text.slice(0, equals).trim(), text.slice(equals + 1)] as const];
  });
}

/** Pairs by their decoded name, so that reading all parameters is linear in the number of pairs. */
export class Pairs {
  readonly #all: readonly Pair[];
  readonly #byName = new Map<string, Pair[]>();
  /** The pairs of a name with brackets, by the part before the first one. */
  readonly #byBase = new Map<string, Pair[]>();
  readonly #taken: Set<string>;
  /** Names that are not percent-encoded UTF-8; they count as they are. */
  readonly malformed = new Set<string>();

  /** @param pairs still percent-encoded @param taken names that belong to no parameter */
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

  /** Marks the names that belong to one parameter. */
  take(name: string, style: string, shape: Shape, explode: boolean): void {
    for (const [key] of this.#ownPairs(name, style, shape, explode)) this.#taken.add(key);
  }

  /**
   * Reads one parameter.
   *
   * @returns its value; undefined where no pair belongs to it
   * @throws {BadText} for text that its style does not allow
   */
  read(name: string, style: string, shape: Shape, explode: boolean): unknown {
    const own = this.#ownPairs(name, style, shape, explode);
    if (own.length === 0) return undefined;
    if (style === 'deepObject') return fromDeepObject(own, name, shape);
    if (isExplodedObject(style, shape, explode)) return fromExplodedObject(own, shape);
    const values = own.map(([, value]) => value);
    return fromForm(values, DELIMITERS[style] ?? DELIMITERS['form']!, shape, explode);
  }

  /** The well-formed names that belong to no parameter, each with its values. */
  *rest(): Generator<readonly [name: string, values: readonly string[]]> {
    for (const [name, pairs] of this.#byName) {
      const isRest = !this.#taken.has(name) && !this.malformed.has(name);
      if (isRest) yield [name, pairs.map(([, value]) => value)];
    }
  }

  #decodeName(key: string): string {
    // The request is refused already; an exception costs as much as a hundred names.
    if (this.malformed.size === MAX_MALFORMED || this.malformed.has(key)) return key;
    try {
      return decode(key);
    } catch {
      this.malformed.add(key);
      return key;
    }
  }

  #ownPairs(name: string, style: string, shape: Shape, explode: boolean): readonly Pair[] {
    const named = (key: string) => this.#byName.get(key) ?? [];
    if (style === 'deepObject') {
      return name.includes('[')
        ? this.#all.filter(([key]) => key.startsWith(`${name}[`))
        : (this.#byBase.get(name) ?? []);
    }
    if (isExplodedObject(style, shape, explode))
      return shape.isOpen ? this.#all : [...shape.names].flatMap(named);
    return shape.kind === 'array' ? [...named(name), ...named(`${name}[]`)] : named(name);
  }
}

/** Its properties are names of their own. */
function isExplodedObject(style: string, shape: Shape, explode: boolean): boolean {
  return style === 'form' && explode && shape.kind === 'object';
}

function addTo(pairs: Map<string, Pair[]>, name: string, pair: Pair): void {
  const known = pairs.get(name);
  if (known === undefined) pairs.set(name, [pair]);
  else known.push(pair);
}
