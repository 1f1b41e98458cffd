// Serializes parameters by `style`, `explode` and `allowReserved` (RFC 6570).
import type { Node } from '../../document/definition.ts';

export interface Serialization {
  readonly style: string;
  readonly explode: boolean;
}

interface WrittenSerialization extends Serialization {
  readonly allowReserved?: boolean;
}

type Encode = (value: unknown) => string;

/** Reserved characters (RFC 3986, section 2.2) that delimit nothing in a query. */
const PASSED = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|3B)/g;

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
  { style, explode, allowReserved = false }: WrittenSerialization,
  value: unknown,
): string[] {
  const encode = encodingOf(where, allowReserved);
  if (typeof value !== 'object' || value === null) {
    return withName(where, name, prefix(style, name) + encode(value));
  }
  if (style === 'deepObject') return deepPairs(name, value, encode);
  const pairs = entriesOf(value).map(([key, each]) => [encode(key), encode(each)] as const);
  const isList = Array.isArray(value);
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

/** @returns the properties of an object, or the items of an array, that are not undefined */
export function entriesOf(value: object): [name: string, value: unknown][] {
  return Object.entries(value).filter(([, each]) => each !== undefined);
}

function encodingOf(where: string, allowReserved: boolean): Encode {
  if (where === 'header') return String;
  const encode = (value: unknown) => encodeURIComponent(String(value));
  return allowReserved ? (value) => encode(value).replace(PASSED, decodeURIComponent) : encode;
}

/** Nested objects and arrays, which OpenAPI leaves undefined, as in qs and PHP: `p[a][b]=1`, `p[a][0]=1`. */
function deepPairs(name: string, value: object, encode: Encode): string[] {
  return entriesOf(value).flatMap(([key, each]) => {
    const inner = `${name}[${encode(key)}]`;
    const isNested = typeof each === 'object' && each !== null;
    return isNested ? deepPairs(inner, each, encode) : [`${inner}=${encode(each)}`];
  });
}

function prefix(style: string, name: string): string {
  return { label: '.', matrix: `;${name}=` }[style] ?? '';
}

/** @returns a serialized value; for query and cookie as a `name=value` pair */
export function withName(where: string, name: string, text: string): string[] {
  return [isPaired(where) ? `${name}=${text}` : text];
}
