// Entity tags of representations: hashes of their bytes.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Contract, type Operation, typeInRange } from '@stubwright/contract';
import type { CompiledResponse } from '../response/compiledResponse.ts';
import { nameIn } from '../response/headers.ts';
import type { HandlerReply, HttpResponse, OperationReplies, Replies } from '../response/reply.ts';
import { declaresHeader, readOf, successKeys } from './conditionalOperation.ts';

/** @returns a strong entity tag; undefined without a body, and for a stream */
export function computedTag(body: HttpResponse['body']): string | undefined {
  if (body === undefined || body instanceof Readable) return undefined;
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

/** @returns the tag that the response to a reply would have; undefined as `computedTag` */
function tagOfReply(
  { contents, defaultContent }: CompiledResponse,
  { type, body }: Pick<HandlerReply, 'type' | 'body'>,
): string | undefined {
  if (body instanceof Uint8Array) return computedTag(body);
  const content = type === undefined ? defaultContent : contents.select(type)?.content;
  const sent = content && typeInRange(type ?? content.key, body);
  if (content === undefined || sent === undefined || isStream(body)) return undefined;
  if (content.serializer(sent).items !== undefined) return undefined;
  return computedTag(content.tryWrite(sent, body));
}

/** @returns the reply with the declared entity tag, which is computed unless the reply has one */
export function withTagOfReply(
  operation: Operation,
  replies: OperationReplies,
  reply: HandlerReply,
): HandlerReply {
  const { status, headers = {} } = reply;
  if (status >= 300 || !declaresHeader(operation, 'etag')) return reply;
  const response = replies.responseOf(status);
  if (!response?.headers.has('etag') || nameIn(headers, 'etag') !== undefined) return reply;
  const ETag = tagOfReply(response, reply);
  return ETag === undefined ? reply : { ...reply, headers: { ...headers, ETag } };
}

function isStream(body: unknown): boolean {
  return body instanceof Readable || body instanceof ReadableStream || body instanceof Blob;
}

/**
 * Returns a function of the body of a GET of the same path: its tag in each declared media type that can
 * represent it.
 *
 * @throws {TypeError} without a GET that declares an ETag
 * @throws {InvalidReply} if the body violates the contract, in strict validation
 */
export function representationTags(
  definition: Contract,
  operation: Operation,
  all: Replies,
): (body: unknown) => string[] {
  const read = readOf(definition, operation);
  if (read === undefined) {
    throw new TypeError(`${operation.operationId}: no GET of ${operation.path} declares an ETag`);
  }
  const [key] = successKeys(read);
  const status = Number(key!.replace(/XX/i, '00'));
  const replies = all.of(read);
  const response = replies.responseOf(status)!;
  const types = response.contents.keys.map((each) => (each.includes('*') ? JSON_TYPE : each));
  return (body) => {
    const tags = types.flatMap((type) => tagOfReply(response, { type, body }) ?? []);
    return tags.length > 0
      ? tags
      : [computedTag(replies.serialize({ status, body }).body) ?? []].flat();
  };
}

const JSON_TYPE = 'application/json';
