// Serializes parameters by `style` and `explode` (RFC 6570).
import type { Node } from '../../document/definition.ts';

export interface Serialization {
  readonly style: string;
  readonly explode: boolean;
}

/** @returns `style` and `explode` of a Parameter, Header or Encoding Object, with the defaults of OpenAPI 3.0.4 */
export function serializationOf({ in: where, style, explode }: Node): Serialization {
  const effective: string = style ?? (where === 'path' || where === 'header' ? 'simple' : 'form');
  return { style: effective, explode: explode ?? effective === 'form' };
}

/** True for locations with `name=value` pairs. */
function isPaired(where: string): boolean {
  return where === 'query' || where === 'cookie';
}

/** @returns one string; for query and cookie `name=value` pairs */
export function writeParameter(
  where: string,
  name: string,
  { style, explode }: Serialization,
  value: unknown,
): string[] {
  const encode = where === 'header' ? String : (text: unknown) => encodeURIComponent(String(text));
  if (typeof value !== 'object' || value === null) {
    return withName(where, name, prefix(style, name) + encode(value));
  }
  const pairs = Object.entries(value).map(([key, each]) => [encode(key), encode(each)] as const);
  const isList = Array.isArray(value);
  if (style === 'deepObject') return pairs.map(([key, each]) => `${name}[${key}]=${each}`);
  const namedPairs = () => pairs.map(([key, each]) => `${isList ? name : key}=${each}`);
  const flat = isList ? pairs.map(([, each]) => each) : pairs.flat();
  if (isPaired(where)) {
    if (explode) return namedPairs();
    const delimiter = { spaceDelimited: '%20', pipeDelimited: '|' }[style] ?? ',';
    return [`${name}=${flat.join(delimiter)}`];
  }
  if (style === 'matrix' && explode) {
    return [
      namedPairs()
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

/** @returns a serialized value; for query and cookie as a `name=value` pair */
export function withName(where: string, name: string, text: string): string[] {
  return [isPaired(where) ? `${name}=${text}` : text];
}
