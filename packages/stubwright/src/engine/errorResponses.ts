// Serializes problems as the error responses that the contract declares.
import type { Definition, LocatedNode, Operation } from '../document/definition.ts';
import { responseFor } from '../document/responses.ts';
import type { Problem } from '../errors/problem.ts';
import { stringifyJson } from '../json/json.ts';
import type { BestEffort } from '../mock/mocked.ts';
import { isJsonMediaType } from '../request/body/mediaType.ts';
import type { CompiledResponse } from '../response/compiledResponse.ts';
import {
  type CompiledFormat,
  type ErrorFormat,
  formatsOf,
  undeclaredResponse,
} from '../response/errorFormat.ts';
import { fillErrorBody } from '../response/fillErrorBody.ts';
import type { HandlerReply, HttpResponse, Replies } from '../response/reply.ts';
import type { Preparation } from '../schema/preparation.ts';

type MaybePromise<T> = T | Promise<T>;

export interface ErrorResponsesOptions {
  readonly definition: Definition;
  readonly replies: Replies;
  readonly preparation: Preparation;
  readonly format: ErrorFormat | undefined;
  /** @returns a mocked reply with the status, for a schema that no format fits */
  readonly mock: (operation: Operation, status: number) => Promise<HandlerReply | BestEffort>;
  readonly isMocked: (operation: Operation) => boolean;
}

export class ErrorResponses {
  readonly #options: ErrorResponsesOptions;
  readonly #formats: readonly [CompiledFormat, ...CompiledFormat[]];
  /** Operations that declare the usual response of a status. */
  readonly #usual = new Map<number, Operation | undefined>();
  readonly #keys = new WeakMap<CompiledResponse, readonly string[]>();

  constructor(options: ErrorResponsesOptions) {
    this.#options = options;
    this.#formats = formatsOf(options.format);
  }

  /**
   * Selects the response that the operation declares for the status or as `default`, then the first
   * media type and format whose body is valid, else a sample of the schema with the message. A response
   * without content has no body. Without an operation, selects the response that most operations declare.
   * Without a declared response, uses the format alone.
   */
  of(problem: Problem, operation: Operation | undefined): MaybePromise<HttpResponse> {
    const declaring = operation ?? this.#usualFor(problem.status);
    if (declaring === undefined) return this.#undeclared(problem);
    const prepared = this.#options.preparation.response(declaring, problem.status);
    const write = () => this.#declared(problem, declaring, operation !== undefined);
    return prepared === undefined ? write() : prepared.then(write);
  }

  /**
   * @returns `undeclared` if the contract declares no response for the status, `empty` if the response has
   *   no content, `sample` if no format fits the schema, `missing headers` if a required header is not sent
   */
  classify(
    problem: Problem,
    operation: Operation,
  ): 'declared' | 'undeclared' | 'empty' | 'sample' | 'missing headers' {
    const response = this.#options.replies.responseOf(operation, problem.status);
    if (response === undefined) return 'undeclared';
    if (missingHeaders(problem, response).length > 0) return 'missing headers';
    if (response.contents.size === 0) return 'empty';
    const written = this.#inFormat(problem, response, operation.operationId);
    return written === undefined ? 'sample' : 'declared';
  }

  #declared(
    problem: Problem,
    operation: Operation,
    isMatched: boolean,
  ): MaybePromise<HttpResponse> {
    const response = this.#responseOf(operation, problem.status);
    if (response === undefined) return this.#undeclared(problem);
    const operationId = isMatched ? operation.operationId : undefined;
    const written =
      response.contents.size === 0
        ? { status: problem.status, headers: problem.headers, body: undefined }
        : this.#inFormat(problem, response, operationId);
    if (!isMatched) return written ?? this.#undeclared(problem);
    const isMissing = missingHeaders(problem, response).length > 0;
    const isComplete = !(isMissing && this.#options.isMocked(operation));
    return written !== undefined && isComplete
      ? written
      : this.#filled(problem, operation, response, written);
  }

  /** @returns undefined if the contract cannot be compiled there */
  #responseOf(operation: Operation, status: number): CompiledResponse | undefined {
    try {
      return this.#options.replies.responseOf(operation, status);
    } catch {
      return undefined;
    }
  }

  /** @returns undefined if no format fits */
  #inFormat(
    problem: Problem,
    response: CompiledResponse,
    operationId: string | undefined,
  ): HttpResponse | undefined {
    for (const key of this.#keysOf(response)) {
      for (const { mediaType, toBody } of this.#formats) {
        const type = concrete(key, mediaType);
        const body = response.contents
          .get(key)!
          .tryWrite(type, toBody(problem, { operationId, mediaType: type }));
        if (body !== undefined) {
          const headers = { ...problem.headers, 'Content-Type': type };
          return { status: problem.status, headers, body };
        }
      }
    }
    return undefined;
  }

  async #filled(
    problem: Problem,
    operation: Operation,
    response: CompiledResponse,
    written: HttpResponse | undefined,
  ): Promise<HttpResponse> {
    const { mock, isMocked } = this.#options;
    const fallback = written ?? this.#undeclared(problem);
    try {
      const reply = await mock(operation, problem.status);
      const headers = isMocked(operation) ? requiredHeaders(problem, response, reply) : {};
      if (written !== undefined) return { ...written, headers: { ...headers, ...written.headers } };
      if (!('type' in reply) || reply.type === undefined) return fallback;
      const { type } = reply;
      const content = response.contents.get(type) ?? [...response.contents.values()][0]!;
      const body = fillErrorBody(reply.body, problem, (value) => content.isValid(value));
      const text = content.tryWrite(type, body);
      if (text === undefined) return fallback;
      const all = { ...headers, ...problem.headers, 'Content-Type': type };
      return { status: problem.status, headers: all, body: text };
    } catch {
      return fallback;
    }
  }

  #undeclared(problem: Problem): HttpResponse {
    return undeclaredResponse(problem, this.#formats[0]);
  }

  /** @returns the media types: that of the format first, then JSON */
  #keysOf(response: CompiledResponse): readonly string[] {
    const known = this.#keys.get(response);
    if (known !== undefined) return known;
    const [{ mediaType }] = this.#formats;
    const rank = (key: string) => (key === mediaType ? 0 : isJsonMediaType(key) ? 1 : 2);
    const keys = [...response.contents.keys()].sort((a, b) => rank(a) - rank(b));
    this.#keys.set(response, keys);
    return keys;
  }

  #usualFor(status: number): Operation | undefined {
    if (this.#usual.has(status)) return this.#usual.get(status);
    const groups = new Map<string, Operation[]>();
    for (const operation of this.#options.definition.operations) {
      const response = responseFor(operation.responses, status);
      if (response === undefined) continue;
      const key = contentOf(response);
      groups.set(key, [...(groups.get(key) ?? []), operation]);
    }
    const [largest] = [...groups.values()].sort((a, b) => b.length - a.length);
    this.#usual.set(status, largest?.[0]);
    return largest?.[0];
  }
}

function contentOf({ node }: LocatedNode): string {
  return stringifyJson(
    Object.entries(node.content ?? {}).map(([type, media]) => [
      type,
      (media as { schema?: unknown }).schema ?? null,
    ]),
  );
}

/** @returns the media type of the format if the key is a range that includes it */
function concrete(key: string, mediaType: string): string {
  if (!key.includes('*')) return key;
  const family = key.slice(0, key.indexOf('*'));
  if (key === '*/*' || mediaType.startsWith(family)) return mediaType;
  return family === 'text/' ? 'text/plain; charset=utf-8' : `${family}octet-stream`;
}

function missingHeaders({ headers }: Problem, { requiredHeaders }: CompiledResponse): string[] {
  if (requiredHeaders.length === 0) return NONE;
  const sent = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return requiredHeaders.filter((name) => !sent.has(name));
}

const NONE: string[] = [];

/** @returns the required headers of a mocked reply that the problem does not have */
function requiredHeaders(
  problem: Problem,
  response: CompiledResponse,
  reply: HandlerReply | BestEffort,
): Record<string, string> {
  const missing = missingHeaders(problem, response);
  const given = 'headers' in reply ? Object.entries(reply.headers ?? {}) : [];
  const required = given.filter(([name]) => missing.includes(name.toLowerCase()));
  return Object.fromEntries(required.map(([name, value]) => [name, String(value)]));
}
