// Validates the reply of a handler against the contract, and serializes its declared properties.

import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import {
  type Contract,
  InvalidReply,
  isJsonMediaType,
  type Operation,
  onceFor,
  typeInRange,
} from '@stubwright/contract';
import {
  checkedItems,
  describeErrors,
  type ItemSource,
  NotSerializable,
  plainData,
  type Validate,
  type Validators,
  writeJson,
} from '@stubwright/contract/values';
import {
  type CompiledResponse,
  compileResponse,
  cookieLines,
  nameIn,
  nameViolation,
  SET_COOKIE,
  type Serializer,
  valueViolation,
} from './compiledResponse.ts';
import { byteStream, ItemStream, type ItemStreamOptions, isItems } from './itemStream.ts';
import type { OnUnsent } from './unsentProperties.ts';

/** The reply of any handler; ReplyOf has the exact types. */
export interface HandlerReply {
  readonly status: number;
  /** The media type; by default JSON, else the first declared one. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A serialized response. */
export interface HttpResponse {
  readonly status: number;
  /** `Set-Cookie` has one cookie per line. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Readable | undefined;
}

/**
 * The validation of replies. `strict`: an invalid reply becomes a 500. `log`: it is sent, and reported
 * as the `violation` of the request. `off`: replies are serialized without validation.
 */
export type ResponseValidation = 'strict' | 'log' | 'off';

interface RepliesOptions {
  /** By default `strict`. */
  readonly validation?: ResponseValidation | undefined;
  readonly onUnsent?: OnUnsent | undefined;
  readonly keepAliveMs?: number | undefined;
}

/** Proxies close connections that are idle for 30 s or more. */
const KEEP_ALIVE_MS = 15_000;

/** What a reply may tell about its request. */
interface ReplyExchange {
  /** Set for a reply that is sent although it violates the contract. */
  violation?: Error | undefined;
  /** @returns true for an error that the abort of the request has caused */
  isAbort?(error: unknown): boolean;
}

/** Serializes the replies of one contract. */
export class Replies {
  readonly definition: Contract;
  /** For responses. */
  readonly validators: Validators;
  readonly validation: ResponseValidation;
  /** Undefined to send declared properties without a report of the others. */
  readonly onUnsent: OnUnsent | undefined;
  /** The interval of keep-alive comments in event streams; 0 for none. */
  readonly keepAliveMs: number;
  readonly of = onceFor((operation: Operation) => new OperationReplies(operation, this));

  constructor(
    definition: Contract,
    validators: Validators,
    { validation = 'strict', onUnsent, keepAliveMs = KEEP_ALIVE_MS }: RepliesOptions = {},
  ) {
    this.definition = definition;
    this.validators = validators;
    this.validation = validation;
    this.onUnsent = onUnsent;
    this.keepAliveMs = keepAliveMs;
  }
}

/** Serializes the replies of one operation. */
export class OperationReplies {
  readonly #operation: Operation;
  readonly #shared: Replies;
  readonly #responses = new Map<number, CompiledResponse | undefined>();

  constructor(operation: Operation, shared: Replies) {
    this.#operation = operation;
    this.#shared = shared;
  }

  /** @returns the declared response of a status, compiled once; undefined if there is none */
  responseOf(status: number): CompiledResponse | undefined {
    const known = this.#responses.get(status);
    if (known !== undefined || this.#responses.has(status)) return known;
    const declared = this.#operation.responses.for(status);
    const compiled = declared && compileResponse(this.#shared.validators, declared);
    const response = compiled && status < 300 ? withComputedTag(compiled) : compiled;
    this.#responses.set(status, response);
    return response;
  }

  /**
   * @param exchange gets the violation of a reply that is sent nevertheless
   * @throws {InvalidReply} if the reply violates the contract, in strict validation
   */
  serialize(reply: HandlerReply, exchange: ReplyExchange = {}): HttpResponse {
    const { validation } = this.#shared;
    try {
      return this.#serialize(reply, validation !== 'off', exchange);
    } catch (thrown) {
      const error = this.#located(thrown, reply);
      if (validation === 'strict') throw error;
      if (error instanceof InvalidReply) exchange.violation = error;
      else if (validation === 'log') throw error;
      return this.#unvalidated(reply);
    }
  }

  #serialize(reply: HandlerReply, isValidated: boolean, exchange: ReplyExchange): HttpResponse {
    const { status, body } = reply;
    const { headers, content } = this.#headOf(reply, isValidated);
    if (content === undefined) return framed({ status, headers, body: undefined });
    if (content.items !== undefined && isItems(body) && !isBytes(body)) {
      const { signals, write } = content.items;
      headers['Content-Type'] = content.type;
      // Of events, which caches would repeat.
      if (signals !== undefined && nameIn(headers, 'cache-control') === undefined) {
        headers['Cache-Control'] = 'no-cache';
      }
      const fail = this.#failure(status);
      return { status, headers, body: this.#itemStream(body, { write, signals }, exchange, fail) };
    }
    const plain = plainBody(content, body);
    const written = writeBody(content, plain, isValidated);
    headers['Content-Type'] = written.type;
    if (isValidated && this.#shared.onUnsent) this.#reportUnsent(content, status, plain);
    return framed({ status, headers, body: written.body });
  }

  /**
   * Validates a reply that is converted to another contract, and not sent.
   *
   * @param exchange gets the violation of a reply that is converted nevertheless
   * @returns the reply without properties that are not declared
   * @throws {InvalidReply} as serialize
   */
  check(reply: HandlerReply, exchange: ReplyExchange = {}): HandlerReply {
    const { validation } = this.#shared;
    if (validation === 'off') return reply;
    try {
      return this.#checked(reply);
    } catch (thrown) {
      const error = this.#located(thrown, reply);
      if (validation === 'strict' || !(error instanceof InvalidReply)) throw error;
      exchange.violation = error;
      return reply;
    }
  }

  #checked(reply: HandlerReply): HandlerReply {
    const { status, body } = reply;
    const { content } = this.#headOf(reply, true);
    if (content === undefined) return reply;
    if (isBytes(body)) {
      if (content.acceptsBytes || content.items !== undefined) return reply;
      throw new Violation(`a stream cannot be sent as ${content.type}`);
    }
    if (content.items !== undefined && isItems(body)) {
      return { ...reply, body: checkedItems(body, content.items, this.#failure(status)) };
    }
    const plain = plainBody(content, body);
    const { validate } = content;
    if (validate && !validate(plain)) throw invalidValue(validate, plain, '');
    return { ...reply, body: content.declaredOf(plain) };
  }

  #failure(status: number): Fail {
    const { operationId } = this.#operation;
    return (violation) => new InvalidReply(`${operationId} returned ${status}: ${violation}`);
  }

  /** @returns the error of a violation with the operation and the status; another error as it is */
  #located(thrown: unknown, { status }: HandlerReply): unknown {
    const isViolation = thrown instanceof Violation || thrown instanceof NotSerializable;
    return isViolation ? this.#failure(status)(thrown.message) : thrown;
  }

  /** Without the contract: an object as JSON, text and bytes unchanged. */
  #unvalidated(reply: HandlerReply): HttpResponse {
    const { status, type, body } = reply;
    const known = type ?? (isBytes(body) ? undefined : this.#jsonTypeOf(status));
    try {
      return unvalidated({ ...reply, ...(known && { type: known }) });
    } catch (thrown) {
      throw this.#located(thrown, reply);
    }
  }

  /** @returns the media type of a status whose bodies are JSON */
  #jsonTypeOf(status: number): string | undefined {
    const type = this.responseOf(status)?.defaultContent?.key;
    return isJsonMediaType(type) ? type : undefined;
  }

  /** @returns the headers, and the content of the body; undefined without body */
  #headOf(reply: HandlerReply, isValidated: boolean) {
    expectStatus(reply.status);
    const response = this.responseOf(reply.status);
    if (response === undefined) throw new Violation('the status is not declared');
    const { requiredHeaders } = response;
    const hasHeaders = reply.headers !== undefined || requiredHeaders.length > 0;
    const headers: Record<string, string> = hasHeaders
      ? writeHeaders(response, reply.headers, isValidated)
      : {};
    const content = contentOf(response, reply);
    if (content === undefined && reply.body !== undefined) {
      throw new Violation('no body is declared');
    }
    return { headers, content };
  }

  #itemStream(
    items: ItemSource,
    format: Pick<ItemStreamOptions, 'write' | 'signals'>,
    exchange: ReplyExchange,
    fail: Fail,
  ): ItemStream {
    const { validation, keepAliveMs } = this.#shared;
    return new ItemStream({
      ...{ ...format, items, validation, keepAliveMs, fail },
      onViolation: (error) => {
        exchange.violation ??= error;
      },
      isAbort: (error) => exchange.isAbort?.(error) === true,
    });
  }

  #reportUnsent(content: Serializer, status: number, body: unknown): void {
    if (content.acceptsBytes && isBytes(body)) return;
    const { operationId } = this.#operation;
    for (const text of content.undeclaredIn(body)) {
      this.#shared.onUnsent!(operationId, status, text);
    }
  }
}

/** The engine computes the entity tag of a success response, unless the handler gives one. */
function withComputedTag(response: CompiledResponse): CompiledResponse {
  const requiredHeaders = response.requiredHeaders.filter((name) => name !== 'etag');
  return { ...response, requiredHeaders };
}

type Fail = (violation: string) => InvalidReply;

/** How a reply violates the contract, without its operation and status. */
class Violation extends Error {}

/** @param subject of the message */
function invalidValue(validate: Validate, value: unknown, subject: string): Violation {
  return new Violation(describeErrors(validate.errorsOf(value), subject));
}

function writeHeaders(
  response: CompiledResponse,
  given: HandlerReply['headers'],
  isValidated: boolean,
): Record<string, string> {
  const written: Record<string, string> = {};
  const seen: string[] = [];
  for (const [name, header] of Object.entries(given ?? {})) {
    const value = plainData(header);
    if (value === undefined) continue;
    const key = name.toLowerCase();
    const declared = response.headers.get(key);
    if (isValidated) {
      if (declared === undefined) throw new Violation(`header ${name} is not declared`);
      const { validate } = declared;
      if (validate && !validate(value)) throw invalidValue(validate, value, `header ${name} `);
    }
    seen.push(key);
    written[name] = writeHeader(name, value, declared?.write);
  }
  const missing = response.requiredHeaders.filter((name) => !seen.includes(name));
  if (isValidated && missing.length > 0) {
    throw new Violation(`header ${missing.join(', ')} is missing`);
  }
  return written;
}

/** @returns the data that is validated and written; bytes as they are */
function plainBody(content: Serializer, body: unknown): unknown {
  if (body instanceof Readable || (content.acceptsBytes && isBytes(body))) return body;
  return content.plain(body);
}

/** @throws {Violation} for a status that no final response has */
function expectStatus(status: number): void {
  if (!(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw new Violation('expected a status from 200 to 599');
  }
}

/** @throws {Violation} for a header that HTTP cannot carry, or that only the server sets */
function writeHeader(
  name: string,
  value: unknown,
  write: (value: unknown) => string = writerOfOther(name.toLowerCase()),
): string {
  const text = headerText(name, value, write);
  const key = name.toLowerCase();
  if (key !== CONTENT_LENGTH) expectNone(nameViolation(name));
  for (const line of key === SET_COOKIE ? text.split('\n') : [text]) {
    expectNone(valueViolation(name, line));
  }
  return text;
}

function headerText(name: string, value: unknown, write: (value: unknown) => string): string {
  try {
    return write(value);
  } catch (error) {
    if (!(error instanceof NotSerializable)) throw error;
    throw new Violation(`header ${name} ${error.message}`);
  }
}

function expectNone(violation: string | undefined): void {
  if (violation !== undefined) throw new Violation(violation);
}

const CONTENT_LENGTH = 'content-length';

/** The length of a stream is the one in its headers; the server sets the length of other bodies. */
function framed(response: HttpResponse): HttpResponse {
  const { status, headers, body } = response;
  const name = nameIn(headers, CONTENT_LENGTH);
  if (!(body instanceof Readable)) {
    if (name === undefined) return response;
    const { [name]: _replaced, ...rest } = headers;
    return { status, headers: rest, body };
  }
  const text = name === undefined ? undefined : headers[name]!;
  if (text !== undefined && !/^\d{1,15}$/.test(text)) {
    throw new Violation(`header Content-Length expected a number of bytes, got ${text}`);
  }
  const length = text === undefined ? undefined : Number(text);
  return { status, headers, body: byteStream(body, length) };
}

/** @returns the writer of a header that is not declared */
function writerOfOther(key: string): (value: unknown) => string {
  return key === SET_COOKIE ? (value) => cookieLines([value].flat()) : textOfOther;
}

function textOfOther(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return (Array.isArray(value) ? value : Object.entries(value).flat()).join(',');
}

/** @returns undefined for a response without bodies */
function contentOf(
  { contents, defaultContent }: CompiledResponse,
  { type, body }: HandlerReply,
): Serializer | undefined {
  if (defaultContent === undefined) return undefined;
  const key = type ?? defaultContent.key;
  const selected = type === undefined ? defaultContent : contents.select(type)?.content;
  if (selected === undefined) throw new Violation(`media type ${type} is not declared`);
  const sent = key.includes('*') ? typeInRange(key, body) : key;
  if (sent !== undefined) return selected.serializer(sent);
  throw new Violation(`expected a media type of ${key} as the type of the reply or its Blob`);
}

function writeBody(
  { type, typeViolation, acceptsBytes, validate, write, stream }: Serializer,
  body: unknown,
  isValidated: boolean,
): { readonly type: string; readonly body: HttpResponse['body'] } {
  if (typeViolation !== undefined) throw new Violation(typeViolation);
  if (acceptsBytes && isBytes(body)) return { type, body: toBytes(body) };
  if (body instanceof Readable) throw new Violation(`a stream cannot be sent as ${type}`);
  if (isValidated && validate && !validate(body)) throw invalidValue(validate, body, '');
  if (body === undefined) throw new Violation(`expected a body of ${type}`);
  if (stream === undefined || typeof body !== 'object' || body === null) {
    return { type, body: write(body) };
  }
  const streamed = stream(body);
  return { type: streamed.type, body: Readable.fromWeb(streamed.body as ReadableStream) };
}

/** @param reply with the media type of its body, if it is known */
function unvalidated({ status, headers: given = {}, type, body }: HandlerReply): HttpResponse {
  expectStatus(status);
  const headers: Record<string, string> = {};
  for (const [name, header] of Object.entries(given)) {
    const value = plainData(header);
    if (value !== undefined) headers[name] = writeHeader(name, value);
  }
  if (body === undefined) return framed({ status, headers, body });
  const sent = typeInRange(type ?? '*/*', body)!;
  expectNone(valueViolation('Content-Type', sent));
  headers['Content-Type'] = sent;
  if (isBytes(body)) return framed({ status, headers, body: toBytes(body) });
  if (isItems(body) && !Array.isArray(body)) throw new Violation('no sequence is declared');
  if (typeof body === 'string' && !isJsonMediaType(sent)) return framed({ status, headers, body });
  const data = plainData(body);
  if (data === undefined) throw new Violation(`expected a JSON value, got ${typeof body}`);
  return framed({ status, headers, body: writeJson(data) });
}

type Bytes = Uint8Array | Readable | ReadableStream | Blob;

function isBytes(body: unknown): body is Bytes {
  return (
    body instanceof Readable ||
    ArrayBuffer.isView(body) ||
    ['ReadableStream', 'Blob', 'File'].includes(Object.prototype.toString.call(body).slice(8, -1))
  );
}

function toBytes(body: Bytes): Uint8Array | Readable {
  if (body instanceof Readable) return body;
  if (ArrayBuffer.isView(body)) return bytesOf(body);
  return Readable.fromWeb('stream' in body ? (body.stream() as ReadableStream) : body);
}

/** Node and fetch accept no other view, and fetch no shared or resizable memory. */
function bytesOf(view: ArrayBufferView): Uint8Array {
  const { buffer, byteOffset, byteLength } = view;
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return buffer instanceof ArrayBuffer && !buffer.resizable ? bytes : new Uint8Array(bytes);
}

/** @param reply of any type */
export function discardBody(reply: unknown): void {
  try {
    const { body } = reply as HandlerReply;
    if (body instanceof Readable) body.on('error', () => {}).destroy();
  } catch {
    // The reply has a getter that throws.
  }
}
