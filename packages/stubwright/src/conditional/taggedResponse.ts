// Responses with entity tags, and 304 instead of a representation that the client has.
import { describeErrors } from '@stubwright/contract/values';
import type { CompiledResponse } from '../response/compiledResponse.ts';
import { nameIn } from '../response/headers.ts';
import type { HttpResponse } from '../response/reply.ts';
import { isEntityTag } from './entityTag.ts';
import { computedTag } from './representationTags.ts';

/** RFC 9110, section 15.4.5. */
const OF_NOT_MODIFIED = new Set([
  ...['cache-control', 'content-location', 'date', 'etag', 'expires', 'vary'],
]);

/**
 * @param declared undefined for a reply that is sent although its status is not declared
 * @param report called with a violation of the contract; it may throw
 * @returns the response with the declared entity tag, which is computed unless the handler gives one
 */
export function withEntityTag(
  response: HttpResponse,
  declared: CompiledResponse | undefined,
  report: (violation: string) => void,
): HttpResponse {
  const header = declared?.headers.get('etag');
  if (header === undefined) return response;
  const given = headerOf(response.headers, 'etag');
  if (given !== undefined) {
    if (!isEntityTag(given)) {
      report(`header ETag expected an entity tag in quotes, such as "1", got ${given}`);
    }
    return response;
  }
  const ETag = computedTag(response.body);
  if (ETag === undefined) {
    if (header.isRequired) {
      const reason = response.body === undefined ? 'a response without body' : 'a stream';
      report(`header ETag is missing: none is computed of ${reason}`);
    }
    return response;
  }
  const { validate } = header;
  if (validate && !validate(ETag)) report(describeErrors(validate.errorsOf(ETag), 'header ETag '));
  return { ...response, headers: { ...response.headers, ETag } };
}

/** @param declared the response 304, whose headers are kept as well */
export function notModified(
  { headers }: HttpResponse,
  declared: CompiledResponse | undefined,
): HttpResponse {
  // Without an entity tag, the date is the validator of the cached response.
  const hasTag = headerOf(headers, 'etag') !== undefined;
  const isKept = (name: string) =>
    OF_NOT_MODIFIED.has(name) ||
    (name === 'last-modified' && !hasTag) ||
    declared?.headers.has(name) === true;
  const kept = Object.entries(headers).filter(([name]) => isKept(name.toLowerCase()));
  return { status: 304, headers: Object.fromEntries(kept), body: undefined };
}

export function headerOf(headers: HttpResponse['headers'], name: string): string | undefined {
  const own = nameIn(headers, name);
  return own && headers[own];
}
