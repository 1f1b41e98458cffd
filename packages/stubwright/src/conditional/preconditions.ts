// The conditions of a request as its handler checks them, within its transaction.

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type Contract,
  conditionFailed,
  InvalidReply,
  type Operation,
  once,
  preconditionRequired,
  typeInRange,
} from '@stubwright/contract';
import { describeErrors } from '@stubwright/contract/values';
import type { Exchange } from '../request/exchange.ts';
import { type CompiledResponse, nameIn } from '../response/compiledResponse.ts';
import {
  discardBody,
  type HandlerReply,
  type HttpResponse,
  type OperationReplies,
  type Replies,
} from '../response/reply.ts';
import {
  CONDITIONS,
  type ConditionName,
  type Conditions,
  type Current,
  conditionsOf,
  conditionText,
  declaredConditions,
  declaresHeader,
  etag,
  falseCondition,
  httpDate,
  isConditionalRead,
  isConditionalWrite,
  isEntityTag,
  isRead,
  type ResourceVersion,
  readOf,
  successKeys,
} from './conditions.ts';

/** The conditions of a request for a handler of an operation that declares one. */
export interface Preconditions {
  /**
   * Compares the conditions of the request with the current version, after the handler has read it in its
   * transaction, and before it writes. Without conditions nothing is compared.
   *
   * @param current the version, or its entity tag; undefined if the resource does not exist
   * @param lastModified for `If-Unmodified-Since`
   * @throws {Problem} 412 (41201) if a condition is false
   * @example
   * const toy = await tx.find(id);
   * request.preconditions.check(toy?.version);
   */
  check(current: ResourceVersion | undefined, lastModified?: Date): void;
  /**
   * Compares as `check`, with the `ETag` that a GET of the same path computes of this body.
   *
   * @param current the body of the GET; undefined if the resource does not exist
   * @throws {TypeError} if no GET of the path declares an `ETag`
   * @throws {Problem} 412 (41201) if a condition is false
   */
  checkRepresentation(current: unknown, lastModified?: Date): void;
}

export class RequestPreconditions implements Preconditions {
  /** The first condition of the request; undefined without one. */
  readonly first: string | undefined;
  readonly isRead: boolean;
  readonly #conditions: Conditions;
  readonly #tagsOf: (body: unknown) => string[];
  #isChecked = false;

  /** @param tagsOf the tags of the representations that a GET returns */
  constructor(conditions: Conditions, isRead: boolean, tagsOf: (body: unknown) => string[]) {
    this.first = firstOf(conditions);
    this.isRead = isRead;
    this.#conditions = conditions;
    this.#tagsOf = tagsOf;
  }

  /** False while nobody has compared a condition of a write. */
  get isChecked(): boolean {
    return this.#isChecked || this.first === undefined || this.isRead;
  }

  markChecked(): void {
    this.#isChecked = true;
  }

  check(current: ResourceVersion | undefined, lastModified?: Date): void {
    const isTag = typeof current === 'string' && isEntityTag(current);
    const tags = current === undefined ? [] : [isTag ? current : etag(current)];
    this.#compare(current !== undefined, tags, lastModified);
  }

  checkRepresentation(current: unknown, lastModified?: Date): void {
    if (this.first === undefined) return;
    const tags = current === undefined ? [] : this.#tagsOf(current);
    this.#compare(current !== undefined, tags, lastModified);
  }

  /**
   * @param headers of the response to a read
   * @returns false if the client has the representation
   * @throws {Problem} 412 if another condition is false
   */
  isModified(headers: HttpResponse['headers']): boolean {
    return this.#isTrue({
      exists: true,
      tags: [headerOf(headers, 'etag') ?? []].flat(),
      lastModified: httpDate(headerOf(headers, 'last-modified')),
    });
  }

  #compare(exists: boolean, tags: readonly string[], lastModified: Date | undefined): void {
    this.#isChecked = true;
    // The dates of HTTP have no fractions.
    const seconds = lastModified && Math.floor(lastModified.getTime() / 1000) * 1000;
    this.#isTrue({ exists, tags, lastModified: seconds });
  }

  /** @returns false for a condition of a read that leads to 304 */
  #isTrue(current: Current): boolean {
    const condition = falseCondition(this.#conditions, current);
    if (condition === 'none') return true;
    if (condition === 'If-Modified-Since') return false;
    if (this.isRead && condition === 'If-None-Match') return false;
    throw conditionFailed(condition);
  }
}

const preconditionsByExchange = new WeakMap<Exchange, RequestPreconditions>();

/** @returns undefined for a request without conditions, if its operation declares none */
export function preconditionsOf(exchange: Exchange): RequestPreconditions | undefined {
  return preconditionsByExchange.get(exchange);
}

function firstOf({ ifMatch, ifNoneMatch, ifUnmodifiedSince }: Conditions): string | undefined {
  if (ifMatch !== undefined) return 'If-Match';
  if (ifNoneMatch !== undefined) return 'If-None-Match';
  return ifUnmodifiedSince === undefined ? undefined : 'If-Unmodified-Since';
}

/** RFC 9110, section 15.4.5. */
const OF_NOT_MODIFIED = 'cache-control content-location date etag expires vary'.split(' ');

/**
 * @param declared undefined for a reply that is sent although its status is not declared
 * @param report called with a violation of the contract; it may throw
 * @returns the response with the declared entity tag, which is computed unless the handler gives one
 */
function withEntityTag(
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
function notModified(
  { headers }: HttpResponse,
  declared: CompiledResponse | undefined,
): HttpResponse {
  // Without an entity tag, the date is the validator of the cached response.
  const hasTag = headerOf(headers, 'etag') !== undefined;
  const isKept = (name: string) =>
    OF_NOT_MODIFIED.includes(name) ||
    (name === 'last-modified' && !hasTag) ||
    declared?.headers.has(name) === true;
  const kept = Object.entries(headers).filter(([name]) => isKept(name.toLowerCase()));
  return { status: 304, headers: Object.fromEntries(kept), body: undefined };
}

function headerOf(headers: HttpResponse['headers'], name: string): string | undefined {
  const own = nameIn(headers, name);
  return own && headers[own];
}

/** @returns a strong entity tag; undefined without a body, and for a stream */
function computedTag(body: HttpResponse['body']): string | undefined {
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
  return computedTag(content.tryWrite(sent, body)?.text);
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
function representationTags(
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
  const types = response.contents.keys.map((key) => (key.includes('*') ? JSON_TYPE : key));
  return (body) => {
    const tags = types.flatMap((type) => tagOfReply(response, { type, body }) ?? []);
    return tags.length > 0
      ? tags
      : [computedTag(replies.serialize({ status, body }).body) ?? []].flat();
  };
}

const JSON_TYPE = 'application/json';

interface Parts {
  readonly definition: Contract;
  readonly replies: Replies;
}

/** Reads the conditions. Those of a read need no declaration: caches send them. */
export function readConditions(operation: Operation, { definition, replies }: Parts) {
  const declared = declaredConditions(operation);
  const applied = isConditionalRead(operation) ? CONDITIONS : declared;
  if (applied.length === 0) return undefined;
  const parameters = new Map(applied.map((name) => [name, operation.parameter('header', name)]));
  const isRequired = (name: ConditionName) => parameters.get(name)?.isRequired === true;
  const required = operation.responses.has('428') ? declared.filter(isRequired) : [];
  const ofRead = isRead(operation);
  const tags = once(() => representationTags(definition, operation, replies));
  return (exchange: Exchange) => {
    const textOf = (name: ConditionName) =>
      parameters.has(name) ? conditionText(exchange, name, parameters.get(name)) : undefined;
    const missing = required.find((name) => textOf(name) === undefined);
    if (missing !== undefined) throw preconditionRequired(missing);
    const isSent = (name: ConditionName) => textOf(name) !== undefined;
    if (declared.length === 0 && !applied.some(isSent)) return;
    const conditions = conditionsOf(textOf, ofRead);
    const preconditions = new RequestPreconditions(conditions, ofRead, (body) => tags()(body));
    preconditionsByExchange.set(exchange, preconditions);
  };
}

/** Expects that the handler of a write has compared the conditions of its request. */
export function requireCheck(operation: Operation, { validation }: Replies) {
  if (!isConditionalWrite(operation)) return undefined;
  return (exchange: Exchange, reply: unknown) => {
    const { status = 0 } = (reply ?? {}) as Partial<HandlerReply>;
    const { isChecked, first } = preconditionsOf(exchange)!;
    if (status >= 200 && status < 300 && !isChecked && validation !== 'off') {
      const error = new InvalidReply(
        `${operation.operationId} returned ${status}: the request has ${first}, expected a call of request.preconditions.check`,
      );
      if (validation === 'strict') {
        discardBody(reply);
        throw error;
      }
      exchange.violation = error;
    }
    return reply;
  };
}

/** Adds the entity tag of a success response, and replaces the response to a read by 304. */
export function conditionalResponse(operation: Operation, replies: Replies) {
  const isConditional = isConditionalRead(operation);
  if (!isConditional && !declaresHeader(operation, 'etag')) return undefined;
  const own = replies.of(operation);
  return (exchange: Exchange, response: HttpResponse) => {
    const { status } = response;
    if (status < 200 || status > 299) return response;
    const report = (violation: string) => {
      const error = new InvalidReply(`${operation.operationId} returned ${status}: ${violation}`);
      if (replies.validation === 'strict') throw error;
      if (replies.validation === 'log') exchange.violation = error;
    };
    try {
      const tagged = withEntityTag(response, own.responseOf(status), report);
      const preconditions = isConditional ? preconditionsOf(exchange) : undefined;
      if (preconditions?.isModified(tagged.headers) !== false) return tagged;
      discardBody(response);
      return notModified(tagged, own.responseOf(304));
    } catch (error) {
      discardBody(response);
      throw error;
    }
  };
}
