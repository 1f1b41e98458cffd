// Entity tags of representations: hashes of their bytes.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Contract, Operation } from '@stubwright/contract';
import type { CompiledResponse } from '../response/compiledResponse.ts';
import type { HandlerReply, HttpResponse, OperationReplies, Replies } from '../response/reply.ts';
import { declaresHeader, readOf, successKeys } from './conditionalOperation.ts';

/** @returns a strong entity tag; undefined without a body, and for a stream */
export function computedTag(body: HttpResponse['body']): string | undefined {
  if (body === undefined || body instanceof Readable) return undefined;
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

/** @returns the tag that the response to a reply would have; undefined as `computedTag` */
export function tagOfReply(
  { contents, defaultContent }: CompiledResponse,
  { type, body }: Pick<HandlerReply, 'type' | 'body'>,
): string | undefined {
  if (body instanceof Uint8Array) return computedTag(body);
  const content = type === undefined ? defaultContent : contents.select(type)?.content;
  const sent = type ?? content?.defaultType;
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
  const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === 'etag');
  if (response?.headers.has('etag') !== true || isGiven) return reply;
  const ETag = tagOfReply(response, reply);
  return ETag === undefined ? reply : { ...reply, headers: { ...headers, ETag } };
}

function isStream(body: unknown): boolean {
  return body instanceof Readable || body instanceof ReadableStream || body instanceof Blob;
}

/** The representations that a GET of the same path returns. */
export class RepresentationTags {
  readonly #operation: Operation;
  readonly #status: number;
  readonly #replies: OperationReplies | undefined;

  constructor(definition: Contract, operation: Operation, replies: Replies) {
    const read = readOf(definition, operation);
    const [key = '200'] = read === undefined ? [] : successKeys(read);
    this.#operation = operation;
    this.#status = Number(key.replace(/XX/i, '00'));
    this.#replies = read && replies.of(read);
  }

  /**
   * @param body of a GET
   * @returns the tag in each declared media type that can represent it
   * @throws {TypeError} without a GET that declares an ETag
   * @throws {InvalidReply} if the body violates the contract, in strict validation
   */
  of(body: unknown): string[] {
    const [status, replies] = [this.#status, this.#replies];
    if (replies === undefined) {
      const { operationId, path } = this.#operation;
      throw new TypeError(`${operationId}: no GET of ${path} declares an ETag`);
    }
    const response = replies.responseOf(status)!;
    const tags = response.contents.keys.flatMap(
      (key) => tagOfReply(response, { type: key.includes('*') ? JSON_TYPE : key, body }) ?? [],
    );
    return tags.length > 0
      ? tags
      : [computedTag(replies.serialize({ status, body }).body) ?? []].flat();
  }
}

const JSON_TYPE = 'application/json';
