// The fingerprint of a request: equal for the retries of one request.
import { createHash } from 'node:crypto';
import { isObject, type MaybePromise, sha256, valueKey } from '@stubwright/contract';
import type { Exchange } from '../request/exchange.ts';

/**
 * A body is compared by its value: the boundary of a form differs in each retry, and the order of
 * properties may.
 *
 * @returns a SHA-256 of method, path, query, media type and body
 */
export function requestFingerprint({
  method,
  path,
  queryText,
  parsedBody,
}: Exchange): MaybePromise<string> {
  const { mediaType, value } = parsedBody;
  const digest = (body: unknown) =>
    sha256(valueKey([method, path, queryText, mediaType ?? null, body]));
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
