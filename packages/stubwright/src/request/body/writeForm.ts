// Serializes objects as application/x-www-form-urlencoded and multipart/form-data.
import { stringifyJson } from '../../json/json.ts';
import { serializationOf, writeParameter } from '../parameters/serialization.ts';
import type { FormFields } from './form.ts';
import { isJsonMediaType } from './mediaType.ts';

/** Serializes an object as a URL-encoded form; by default nested objects are JSON, and arrays repeat the name. */
export function formTextOf(value: unknown, { encoding }: FormFields): string {
  const pairs = Object.entries(value as object).flatMap(([name, each]) => {
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

/** @returns a form with one part per property, or per item of an array */
export function formDataOf(value: unknown): FormData {
  const form = new FormData();
  for (const [name, each] of Object.entries(value as object)) {
    for (const text of [textsOf(each)].flat()) form.append(name, text);
  }
  return form;
}

function textsOf(value: unknown): string | string[] {
  return Array.isArray(value) ? value.map(textOf) : textOf(value);
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}
