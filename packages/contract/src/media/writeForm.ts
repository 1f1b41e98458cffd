// Serializes parameters, and objects as application/x-www-form-urlencoded and multipart/form-data.

import { randomUUID } from 'node:crypto';
import { NotSerializable, stringifyJson } from '../json/json.ts';
import type { Header, ParameterLocation, Serialization } from '../operations/describedValues.ts';
import { FORM_TYPE, isJsonMediaType, isXmlMediaType } from '../operations/mediaType.ts';
import type { Validators } from '../schema/validator.ts';
import { type FormFields, type MediaContent, mediaContentOf, multipartStyleOf } from './form.ts';
import { writeXml } from './xml/writeXml.ts';

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

const OCTETS = 'application/octet-stream';

/** Serializes an object as a URL-encoded form; by default nested objects are JSON, and arrays repeat the name. */
export function formTextOf(value: unknown, { encodings }: FormFields): string {
  const pairs = entriesOf(value as object).flatMap(([name, value]) => {
    const encoding = encodings.get(name);
    const styled = encoding?.serialization;
    if (styled !== undefined) return styledPairs(name, styled, value);
    const shown = isJsonMediaType(encoding?.contentTypes.join())
      ? stringifyJson(value)
      : Array.isArray(value)
        ? value.map(encodeText)
        : encodeText(value);
    return writeParameter('query', name, { style: 'form', explode: true }, shown);
  });
  return pairs.join('&');
}

/**
 * @returns a form with one part per property, or per item of an array; a Blob or bytes become a file.
 *   The media type of the Encoding Object selects JSON or XML; by default objects are JSON. A property with
 *   a style has the parts of its query parameter.
 */
export function formDataOf(value: unknown, content: MediaContent): FormData {
  const form = new FormData();
  for (const [name, each] of entriesOf(value as object)) {
    const styled = multipartStyleOf(content, name);
    if (styled !== undefined) {
      for (const text of styledPairs(name, styled, each)) {
        const equals = text.indexOf('=');
        form.append(decodeURIComponent(text.slice(0, equals)), text.slice(equals + 1));
      }
      continue;
    }
    const types = content.encodings.get(name)?.contentTypes ?? [];
    for (const item of Array.isArray(each) ? each : [each]) {
      form.append(name, partOf(item, name, types, content));
    }
  }
  return form;
}

function partOf(
  value: unknown,
  name: string,
  types: readonly string[],
  { schema, shape }: MediaContent,
): Blob | string {
  if (value instanceof Blob) return value;
  if (value instanceof Uint8Array) return fileOf(value, types);
  const isStructured = typeof value === 'object' && value !== null;
  const type = types.find((candidate) => isJsonMediaType(candidate) || isXmlMediaType(candidate));
  if (Array.isArray(value) && type === undefined) {
    throw new NotSerializable(`/${name} expected no array in an array without a JSON contentType`);
  }
  if (type === undefined || !isXmlMediaType(type) || !isStructured) {
    return isJsonMediaType(type) ? stringifyJson(value) : encodeText(value);
  }
  const property = schema?.conjuncts.flatMap(
    (conjunct) => conjunct.map('properties').get(name) ?? [],
  );
  const own = shape.property(name);
  const item = own.kind === 'array' ? own.items() : own;
  return new Blob([writeXml(value, { schema: property?.[0] ?? schema, shape: item })], { type });
}

/**
 * Serializes a form as multipart/form-data (RFC 7578). fetch changes the line breaks of strings.
 *
 * @returns the bytes; their type has the boundary
 */
export function multipartOf(form: FormData, boundary = `form-${randomUUID()}`): Blob {
  const pieces: (string | Blob)[] = [];
  for (const [name, value] of form) {
    const lines = [`--${boundary}`, `Content-Disposition: form-data; name="${escaped(name)}"`];
    if (value instanceof Blob) {
      lines[1] += `; filename="${escaped(value.name)}"`;
      lines.push(`Content-Type: ${value.type || OCTETS}`);
    }
    pieces.push(`${lines.join('\r\n')}\r\n\r\n`, value, '\r\n');
  }
  return new Blob([...pieces, `--${boundary}--\r\n`], {
    type: `multipart/form-data; boundary=${boundary}`,
  });
}

/** As browsers do (WHATWG HTML, section 4.10.21.8). */
function escaped(name: string): string {
  return name.replace(/["\r\n]/g, encodeURIComponent);
}

/** A media type range does not name a type; its subtype is then `octet-stream`. */
function fileOf(bytes: Uint8Array, types: readonly string[]): Blob {
  const type = types.find((candidate) => !candidate.includes('*')) ?? types[0] ?? '';
  const concrete = type.replace('*/*', OCTETS).replace('/*', '/octet-stream');
  return new Blob([new Uint8Array(bytes)], { type: concrete });
}

/** OpenAPI leaves arrays of objects undefined. */
function styledPairs(name: string, styled: Serialization, value: unknown): string[] {
  const shown = styled.style === 'form' && Array.isArray(value) ? value.map(encodeText) : value;
  return writeParameter('query', name, styled, shown);
}

/** @returns JSON of an object, else a text */
export function encodeText(value: unknown): string {
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

/**
 * @param declared a parameter, or a header
 * @param where of a header: `header`
 * @returns the same as {@link writeParameter}
 */
export function writtenParameter(
  { content, serialization }: Header,
  { name, where }: { readonly name: string; readonly where: ParameterLocation },
  value: unknown,
  validators: Validators,
): string[] {
  if (content === undefined) return writeParameter(where, name, serialization, value);
  if (where === 'querystring' && content.key === FORM_TYPE) {
    return [formTextOf(value, mediaContentOf(content.content, validators))];
  }
  const text = isJsonMediaType(content.key) ? stringifyJson(value) : String(value);
  return withName(where, name, where === 'header' ? text : encodeURIComponent(text));
}
