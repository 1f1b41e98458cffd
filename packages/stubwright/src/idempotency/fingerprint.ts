// The fingerprint of a request: equal for the retries of one request.
import { createHash } from 'node:crypto';
import {
  isObject,
  type MaybePromise,
  type Operation,
  type Parameter,
  sha256,
  valueKey,
} from '@stubwright/contract';
import type { Exchange } from '../request/exchange.ts';

/**
 * @param ignored names of headers and cookies that may differ in a retry, in any case
 * @returns the other headers and cookies that an operation declares
 */
export function countedParameters(
  { parameters }: Operation,
  ignored: readonly string[],
): readonly Parameter[] {
  const names = new Set(ignored.map((name) => name.toLowerCase()));
  return parameters.filter(
    ({ in: where, name }) =>
      (where === 'header' || where === 'cookie') && !names.has(name.toLowerCase()),
  );
}

/**
 * A body is compared by its value: the boundary of a form differs in each retry, and the order of
 * properties may.
 *
 * @param counted the headers and cookies that belong to the request
 * @returns a SHA-256 of method, path, query, counted parameters, media type and body
 */
export function requestFingerprint(
  { method, path, queryText, parameters, parsedBody }: Exchange,
  counted: readonly Parameter[],
): MaybePromise<string> {
  const { mediaType, value } = parsedBody;
  const others = counted.map(({ in: where, name }) => {
    const value = parameters[where as 'header' | 'cookie'][name];
    return value === undefined ? [] : [value];
  });
  const digest = (body: unknown) =>
    sha256(valueKey([method, path, queryText, others, mediaType ?? null, body]));
  if (value === undefined) return digest([]);
  if (mediaType !== 'multipart/form-data' || !isObject(value)) return digest([value]);
  return Promise.all(Object.entries(value).map(describedField)).then(digest);
}

async function describedField([name, value]: [string, unknown]): Promise<unknown> {
  return [name, await Promise.all([value].flat().map(describedFile))];
}

async function describedFile(value: unknown): Promise<unknown> {
  if (!(value instanceof Blob)) return value ?? null;
  const hash = createHash('sha256');
  for await (const chunk of value.stream()) hash.update(chunk);
  return ['file', value instanceof File ? value.name : '', value.type, hash.digest('hex')];
}
