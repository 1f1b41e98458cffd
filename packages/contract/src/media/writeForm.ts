// Serializes objects as application/x-www-form-urlencoded and multipart/form-data.
import { randomUUID } from 'node:crypto';
import { NotSerializable, stringifyJson } from '../json/json.ts';
import type { Header, ParameterLocation, Serialization } from '../operations/describedValues.ts';
import { FORM_TYPE, isJsonMediaType, isXmlMediaType } from '../operations/mediaType.ts';
import type { Validators } from '../schema/validator.ts';
import type { FormFields, MediaContent } from './form.ts';
import { mediaContentOf } from './form.ts';
import { multipartStyleOf } from './multipart/styledParts.ts';
import { entriesOf, withName, writeParameter } from './styles/writeParameter.ts';
import { writeXml } from './xml/writeXml.ts';

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
  return new Blob([writeXml(value, property?.[0] ?? schema!, item)], { type });
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
