// How the value of a parameter becomes text: OpenAPI's defaults for `style` and `explode`, and the
// expansion of RFC 6570.
import type { Node } from '../../document/definition.ts';

export interface Serialization {
  readonly style: string;
  readonly explode: boolean;
}

/** @returns the style of a Parameter, Header or Encoding Object (OpenAPI 3.0.4, `style` and `explode`) */
export function serializationOf({ in: where, style, explode }: Node): Serialization {
  const settled: string = style ?? (where === 'path' || where === 'header' ? 'simple' : 'form');
  return { style: settled, explode: explode ?? settled === 'form' };
}

/** True where parameters are written as pairs `name=value`. */
function isPaired(where: string): boolean {
  return where === 'query' || where === 'cookie';
}

/**
 * @returns one text, or for a query and cookies a list of pairs `name=value`
 */
export function writeParameter(
  where: string,
  name: string,
  { style, explode }: Serialization,
  value: unknown,
): string[] {
  const encode = where === 'header' ? String : (text: unknown) => encodeURIComponent(String(text));
  if (typeof value !== 'object' || value === null) {
    return inPlace(where, name, prefix(style, name) + encode(value));
  }
  const pairs = Object.entries(value).map(([key, each]) => [encode(key), encode(each)] as const);
  const isList = Array.isArray(value);
  if (style === 'deepObject') return pairs.map(([key, each]) => `${name}[${key}]=${each}`);
  const named = () => pairs.map(([key, each]) => `${isList ? name : key}=${each}`);
  const flat = isList ? pairs.map(([, each]) => each) : pairs.flat();
  if (isPaired(where)) {
    if (explode) return named();
    const delimiter = { spaceDelimited: '%20', pipeDelimited: '|' }[style] ?? ',';
    return [`${name}=${flat.join(delimiter)}`];
  }
  if (style === 'matrix' && explode) {
    return [
      named()
        .map((pair) => `;${pair}`)
        .join(''),
    ];
  }
  const parts = explode && !isList ? pairs.map((pair) => pair.join('=')) : flat;
  return [prefix(style, name) + parts.join(style === 'label' && explode ? '.' : ',')];
}

function prefix(style: string, name: string): string {
  return { label: '.', matrix: `;${name}=` }[style] ?? '';
}

/** @returns a text as a parameter of one value is written */
export function inPlace(where: string, name: string, text: string): string[] {
  return [isPaired(where) ? `${name}=${text}` : text];
}
