// Serializes parameters by `style`, `explode` and `allowReserved` (RFC 6570).
import { NotSerializable } from '../../json/json.ts';
import type { Serialization } from '../../operations/describedValues.ts';

type Encode = (value: unknown) => string;

/** Reserved characters (RFC 3986, section 2.2) that delimit nothing in a location. */
const PASSED: Readonly<Record<string, RegExp>> = {
  path: /%(?:3A|40|24)/g,
  query: /%(?:3A|2F|3F|40|24|3B)/g,
  cookie: /%(?:3A|2F|3F|40|24)/g,
};
/** Percent-encoded: RFC 3986 excludes `|` and a space from URIs. */
const DELIMITERS: Readonly<Record<string, string>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
};

/** True for locations with `name=value` pairs. */
function isPaired(where: string): boolean {
  return where === 'query' || where === 'cookie';
}

/**
 * @returns one string; for query and cookie `name=value` pairs
 * @throws {NotSerializable} for an array in an array, which no style has
 */
export function writeParameter(
  where: string,
  name: string,
  { style, explode, allowReserved = false }: Serialization,
  value: unknown,
): string[] {
  const encode = encodingOf(where, style, allowReserved);
  const written = isPaired(where) || where === 'path' ? encodeName(where, style, name) : name;
  if (typeof value !== 'object' || value === null) {
    return withName(where, written, scalarText(style, written, encode(value)));
  }
  if (style === 'deepObject') return deepPairs(written, value, encode);
  const pairs = entriesOf(value).map(([key, value]) => [encode(key), value] as const);
  const isList = Array.isArray(value);
  if (isPaired(where) && explode) {
    // An array in an object, which OpenAPI leaves undefined, repeats its name.
    return pairs.flatMap(([key, value]) =>
      (isList || !Array.isArray(value) ? [value] : value).map(
        (one) => `${isList ? written : key}=${encode(one)}`,
      ),
    );
  }
  const texts = pairs.map(
    ([key, value]) => [delimited(style, key), delimited(style, encode(value))] as const,
  );
  const flat = isList ? texts.map(([, name]) => name) : texts.flat();
  if (isPaired(where)) return [`${written}=${flat.join(DELIMITERS[style] ?? ',')}`];
  if (style === 'matrix' && explode) {
    return [texts.map(([key, name]) => matrixText(isList ? written : key, name)).join('')];
  }
  const parts = explode && !isList ? texts.map((pair) => pair.join('=')) : flat;
  const delimiter = style === 'label' && explode ? '.' : ',';
  return [scalarText(style, written, parts.join(delimiter))];
}

/** @returns a text with the prefix of its style */
function scalarText(style: string, name: string, text: string): string {
  if (style === 'matrix') return matrixText(name, text);
  return style === 'label' ? `.${text}` : text;
}

/** `;color` for an empty text (RFC 6570, section 3.2.7). */
function matrixText(name: string, text: string): string {
  return text === '' ? `;${name}` : `;${name}=${text}`;
}

/** A point delimits the values of `label`. */
function delimited(style: string, text: string): string {
  return style === 'label' ? text.replaceAll('.', '%2E') : text;
}

function encodeName(where: string, style: string, name: string): string {
  if (where === 'cookie' && style === 'cookie') return name;
  // Names such as `$filter` are usual, and `$` delimits nothing.
  return encodeURIComponent(name).replaceAll('%24', '$');
}

/** @returns the properties of an object, or the items of an array, that are not undefined */
export function entriesOf(value: object): [name: string, value: unknown][] {
  return Object.entries(value).filter(([, each]) => each !== undefined);
}

function itemText(value: unknown): string {
  if (Array.isArray(value)) throw new NotSerializable('expected no array in an array');
  return String(value);
}

/** Values of headers and of `style: cookie` are not escaped (OpenAPI 3.2.0, section 4.12.3). */
function encodingOf(where: string, style: string, allowReserved: boolean): Encode {
  if (where === 'header' || style === 'cookie') return itemText;
  const encode = (value: unknown) => encodeURIComponent(itemText(value));
  const passed = allowReserved ? PASSED[where] : undefined;
  return passed ? (value) => encode(value).replace(passed, decodeURIComponent) : encode;
}

/** Nested objects and arrays, which OpenAPI leaves undefined, as in qs and PHP: `p[a][b]=1`, `p[a][0]=1`. */
function deepPairs(name: string, value: object, encode: Encode): string[] {
  return entriesOf(value).flatMap(([key, value]) => {
    const inner = `${name}%5B${encode(key)}%5D`;
    const isNested = typeof value === 'object' && value !== null;
    return isNested ? deepPairs(inner, value, encode) : [`${inner}=${encode(value)}`];
  });
}

/** @returns a serialized value; for query and cookie as a `name=value` pair */
export function withName(where: string, name: string, text: string): string[] {
  return [isPaired(where) ? `${name}=${text}` : text];
}
