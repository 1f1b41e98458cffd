// Names with values, as queries, forms and cookies hold them: which belong to one parameter, and
// what they make of it in its style.
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

/** The pairs of a query or of a form; `+` stands for a space there. */
export function pairsOf(text: string): Pair[] {
  if (text === '') return [];
  return text.replaceAll('+', '%20').split('&').filter(Boolean).map(pairOf);
}

/**
 * One parameter of a query, a form or a cookie.
 *
 * @param taken collects the names that belong to it
 * @returns its value; undefined where no pair belongs to it
 * @throws {BadText} for text that its style does not allow
 */
export function fromPairs(
  pairs: readonly Pair[],
  taken: Set<string>,
  name: string,
  style: string,
  shape: Shape,
  explode: boolean,
): unknown {
  const takes = pairTest(name, style, shape, explode);
  const own = pairs.filter(([key]) => takes(safeDecode(key)));
  for (const [key] of own) taken.add(safeDecode(key));
  if (own.length === 0) return undefined;
  if (style === 'deepObject') return fromDeepObject(own, name, shape);
  if (style === 'form' && explode && shape.kind === 'object') return fromExplodedObject(own, shape);
  const values = own.map(([, value]) => value);
  return fromForm(values, DELIMITERS[style] ?? DELIMITERS['form']!, shape, explode);
}

/** Which names in a query belong to one parameter. */
function pairTest(name: string, style: string, shape: Shape, explode: boolean) {
  if (style === 'deepObject') return (key: string) => key.startsWith(`${name}[`);
  if (style === 'form' && explode && shape.kind === 'object') {
    return (key: string) => shape.isOpen || shape.names.has(key);
  }
  return (key: string) => key === name || (shape.kind === 'array' && key === `${name}[]`);
}

/** As decode, but bad text is left as it is. */
export function safeDecode(text: string): string {
  try {
    return decode(text);
  } catch {
    return text;
  }
}

/** The pairs of a Cookie header (RFC 6265, section 4.2.1). */
export function cookiePairs(header: string | undefined): Pair[] {
  if (header === undefined) return [];
  return header.split(/; */).flatMap((text) => {
    const equals = text.indexOf('=');
    return equals < 0 ? [] : [[text.slice(0, equals).trim(), text.slice(equals + 1)] as const];
  });
}
