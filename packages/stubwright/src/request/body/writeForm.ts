// Serializes objects as application/x-www-form-urlencoded and multipart/form-data.
import { stringifyJson } from '../../json/json.ts';
import { entriesOf, serializationOf, writeParameter } from '../parameters/serialization.ts';
import type { FormFields } from './form.ts';
import { isJsonMediaType } from './mediaType.ts';

/** Serializes an object as a URL-encoded form; by default nested objects are JSON, and arrays repeat the name. */
export function formTextOf(value: unknown, { encoding }: FormFields): string {
  const pairs = entriesOf(value as object).flatMap(([name, each]) => {
    const { contentType, ...written } = encoding.get(name) ?? {};
    const isWhole = isJsonMediaType(contentType);
    const { style, explode } = serializationOf(written);
    if (!isWhole && style !== 'form') {
      return writeParameter('query', name, { style, explode }, each);
    }
    const shown = isWhole ? stringifyJson(each) : textsOf(each);
    return writeParameter('query', name, { style, explode }, shown);
  });
  return pairs.join('&');
}

/**
 * @returns a form with one part per property, or per item of an array; a Blob or bytes become a file.
 *   The values of a property whose encoding is JSON are JSON.
 */
export function formDataOf(value: unknown, { encoding }: FormFields): FormData {
  const form = new FormData();
  for (const [name, each] of entriesOf(value as object)) {
    const type = encoding.get(name)?.contentType;
    for (const item of [each].flat()) {
      if (item instanceof Blob) form.append(name, item);
      else if (item instanceof Uint8Array) form.append(name, fileOf(item, type));
      else form.append(name, isJsonMediaType(type) ? stringifyJson(item) : textOf(item));
    }
  }
  return form;
}

/** @param type may be a list or contain a range; then the file has no type */
function fileOf(bytes: Uint8Array, type = ''): Blob {
  return new Blob([new Uint8Array(bytes)], { type: /[*,]/.test(type) ? '' : type });
}

function textsOf(value: unknown): string | string[] {
  return Array.isArray(value) ? value.map(textOf) : textOf(value);
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}
