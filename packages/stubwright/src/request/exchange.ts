// The state of one request in the engine; also the ParsedRequest of openapi-backend.

import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { NameMap, type Operation, once } from '@stubwright/contract';
import {
  type BodySource,
  NO_PARAMETERS,
  type ParameterValues,
  type Violation,
} from '@stubwright/contract/values';

/** An authenticated caller. */
export interface Principal {
  readonly name: string;
  /** The issuer that assigned the name; undefined for this service. */
  readonly issuer?: string;
  /** The granted scopes (RFC 6749, section 3.3). */
  readonly scopes?: readonly string[];
}

/**
 * The identity of a principal. Two schemes or issuers may have the same name for different callers.
 *
 * @returns scheme, issuer and name
 */
export function callerOf(scheme: string, { issuer, name }: Principal): CallerKey {
  return [scheme, issuer ?? null, name];
}

export type CallerKey = readonly (string | null)[];

/** The result of one security scheme for one request. */
export type Outcome =
  | { readonly kind: 'absent' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Without a principal for a mocked operation, which validates only presence and syntax. */
  | { readonly kind: 'authenticated'; readonly principal: Principal | undefined };

/** A request without its body. */
export interface HttpRequest {
  readonly method: string;
  /** The request target (RFC 9112, section 3.2). */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The remote IP address of the connection. */
  readonly address?: string | undefined;
}

/** Writes a line with properties. */
interface LogMethod {
  (properties: object, message?: string): void;
  (message: string): void;
}

/** The log of a request: pino, or another logger with these methods. */
export interface RequestLog {
  /** @returns a log that adds the properties to each line */
  child(properties: Readonly<Record<string, unknown>>): RequestLog;
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
}

/** How a request has ended, before its response is sent. */
export type RequestOutcome =
  /** The reply of the handler is valid, and the first chunk of its stream is ready. */
  | { readonly kind: 'replied'; readonly status: number }
  /** The handler threw, its reply is invalid, or the time is over: the response is an error. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The client has closed the connection: it receives no response. */
  | { readonly kind: 'aborted' };

/**
 * A context that ends with its request, such as a transaction.
 *
 * @example
 * class Transaction implements DisposableContext {
 *   [Symbol.asyncDispose](outcome?: RequestOutcome) {
 *     return outcome?.kind === 'replied' ? this.commit() : this.rollback();
 *   }
 * }
 */
export interface DisposableContext {
  /**
   * Called once, after the validation of the reply and before the response. If it throws after a valid
   * reply, the response is an error.
   */
  [Symbol.asyncDispose](outcome?: RequestOutcome): PromiseLike<void>;
}

/** @returns the head of a request of Node's HTTP server */
export function headOf({ method = '', url = '', headers, socket }: IncomingMessage): HttpRequest {
  return { method, url, headers, address: socket.remoteAddress };
}

/** A parsed body, validated on demand. */
export interface ParsedBody {
  /** Undefined without a body. */
  readonly mediaType: string | undefined;
  /** True for a body that the handler reads while it arrives. */
  readonly isStream?: boolean;
  /** True for a stream of items, which are validated when they are read. */
  readonly isSequence?: boolean | undefined;
  /** The value before coercion; undefined without one. */
  readonly value?: unknown;
  /** @returns the errors, one by one */
  violations(): Violation[];
  /** @returns the body for the handler; only valid without errors */
  coerced(): unknown;
}

export const NO_BODY: ParsedBody = {
  mediaType: undefined,
  violations: () => [],
  coerced: () => undefined,
};

/** A request, as `context` and verifiers receive it. */
export interface ContextRequest<Native = unknown> extends HttpRequest {
  /** Undefined before routing. */
  readonly operationId: string | undefined;
  /** The principal of the first scheme of the requirement; undefined for an anonymous caller. */
  readonly principal: Principal | undefined;
  /** The principals of the security requirement that passed, by name of the scheme. */
  readonly principals: Readonly<Record<string, Principal>>;
  /** The request of the adapter: a Koa context, an IncomingMessage, or a Request. */
  readonly native: Native;
  /** Unique across restarts. */
  readonly requestId: string;
  /**
   * Aborts with an `AbortError` when the client closes the connection before the end of the response,
   * when the time limit of the handler is over, and when a service stops: an event stream at once,
   * another request before its connection is closed.
   */
  readonly signal: AbortSignal;
  /** The `log` of the options, with the `requestId`; without one, its lines are discarded. */
  readonly log: RequestLog;
}

const SILENT: RequestLog = {
  child: () => SILENT,
  debug() {},
  info() {},
  warn() {},
  error() {},
};

/** When it is first needed: Workers refuse random values while they load a module. */
const idPrefix = once(() => randomBytes(6).toString('base64url'));
let requestCount = 0;

const NO_PARAMS: Exchange['params'] = {};
const NO_PRINCIPALS: Exchange['principals'] = Object.freeze(new NameMap<Principal>());

/** What few requests use; shared with the requests that are converted from this one. */
interface OptionalParts {
  requestId?: string;
  log?: RequestLog;
  controller?: AbortController;
  aborted?: DOMException;
  context?: DisposableContext | undefined;
  timedOut?: Error | undefined;
  adapted?: Adapted | undefined;
}

/** A request of a served version, which becomes one of the current contract. */
interface Adapted {
  readonly version: string;
  /** The operation of the current contract that has authenticated and counted it; undefined for none. */
  readonly admittedTo: Operation | undefined;
}

/** The deprecated parts of a contract that a request uses, with their response headers. */
export interface AnnouncedUse {
  readonly parts: readonly { readonly name: string; readonly sunset: number | undefined }[];
  readonly headers: Readonly<Record<string, string>>;
  readonly sunset: number | undefined;
}

/** A request, and what the steps of the pipeline find out about it. */
export class Exchange<Native = unknown> implements ContextRequest<Native> {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly address: string | undefined;
  /** Replaced if middleware has read it. */
  body: BodySource;
  readonly native: Native;
  readonly path: string;
  /** The query without the question mark, percent-encoded. */
  readonly queryText: string;
  /** The match of the router; undefined before, and without one. */
  match: { readonly params: Readonly<Record<string, string>> } | undefined;
  /** Set by routing. */
  operation: Operation | undefined;
  params: Readonly<Record<string, string>> = NO_PARAMS;
  /** The principal of the first scheme of the requirement; undefined for an anonymous caller. */
  principal: Principal | undefined;
  /** The principals of the security requirement that passed, by name of the scheme. */
  principals: Readonly<Record<string, Principal>> = NO_PRINCIPALS;
  parameters: ParameterValues = NO_PARAMETERS;
  parsedBody: ParsedBody = NO_BODY;
  /** Removes temporary files of the body after the response. */
  release: (() => Promise<void>) | undefined;
  /** Set for a reply that was sent although it violates the contract, and for a sample instead of one. */
  violation: Error | undefined;
  /** True after the call of the application's handler. */
  isHandled = false;
  /** Set by the engine if the application has a log. */
  parentLog: RequestLog | undefined;
  /** Called when the signal is first used. */
  onSignal: ((exchange: Exchange) => void) | undefined;
  /** Set before the handler; undefined for a request without deprecated parts. */
  deprecated: AnnouncedUse | undefined;
  /** Headers of the response; undefined for a request that was not counted. */
  rateLimit: Readonly<Record<string, string>> | undefined;
  #query: URLSearchParams | undefined;
  #optional: OptionalParts | undefined;

  constructor(
    { method, url, headers, address }: HttpRequest,
    body: BodySource,
    native = undefined as Native,
    sent?: Exchange,
  ) {
    const target = url.startsWith('/') ? url : originForm(url);
    const question = target.indexOf('?');
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.address = address;
    this.body = body;
    this.native = native;
    this.path = question < 0 ? target : target.slice(0, question);
    this.queryText = question < 0 ? '' : target.slice(question + 1);
    if (sent !== undefined) this.#optional = sent.#parts();
  }

  get operationId(): string | undefined {
    return this.operation?.operationId;
  }

  get searchParams(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.queryText);
    return this.#query;
  }

  get requestId(): string {
    const parts = this.#parts();
    parts.requestId ??= `${idPrefix()}-${++requestCount}`;
    return parts.requestId;
  }

  get log(): RequestLog {
    const parts = this.#parts();
    parts.log ??= this.parentLog?.child({ requestId: this.requestId }) ?? SILENT;
    return parts.log;
  }

  get signal(): AbortSignal {
    const parts = this.#parts();
    if (parts.controller === undefined) {
      parts.controller = new AbortController();
      if (parts.aborted !== undefined) parts.controller.abort(parts.aborted);
      this.body.onClose?.((isSent) => {
        if (!isSent) this.abort('the client closed the connection');
      });
      this.onSignal?.(this);
    }
    return parts.controller.signal;
  }

  /** Aborts the signal with an AbortError. */
  abort(message: string): void {
    const parts = this.#parts();
    parts.aborted ??= new DOMException(message, 'AbortError');
    parts.controller?.abort(parts.aborted);
  }

  /** @returns true for an error that the abort of this request has caused */
  isAbort(error: unknown): boolean {
    return this.#optional?.aborted !== undefined && isAbortError(error);
  }

  /** The context of the handler until it is disposed; undefined for one without disposal. */
  get context(): DisposableContext | undefined {
    return this.#optional?.context;
  }

  set context(context: DisposableContext | undefined) {
    this.#parts().context = context;
  }

  /** The error of the time limit while the handler is still running. */
  get timedOut(): Error | undefined {
    return this.#optional?.timedOut;
  }

  set timedOut(error: Error | undefined) {
    this.#parts().timedOut = error;
  }

  /** Undefined for a request of the current contract. */
  get adapted(): Adapted | undefined {
    return this.#optional?.adapted;
  }

  set adapted(adapted: Adapted | undefined) {
    this.#parts().adapted = adapted;
  }

  #parts(): OptionalParts {
    this.#optional ??= {};
    return this.#optional;
  }
}

/** @returns true for the error of an aborted signal */
export function isAbortError(error: unknown): boolean {
  try {
    return (error as Partial<Error> | undefined)?.name === 'AbortError';
  } catch {
    // The error has a getter that throws.
    return false;
  }
}

/**
 * Converts a request target in absolute form (RFC 9112, section 3.2.2).
 *
 * @returns path and query, not normalized
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const [authority] = /^https?:\/\/[^/?#]+/i.exec(target) ?? [];
  if (authority === undefined) return target;
  const rest = target.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The values of a request, as a handler receives them. */
export interface ConvertedRequest {
  readonly path?: ParameterValues['path'] | undefined;
  readonly query?: ParameterValues['query'] | undefined;
  readonly header?: ParameterValues['header'] | undefined;
  readonly cookie?: ParameterValues['cookie'] | undefined;
  /** Undefined without a body. */
  readonly mediaType?: string | undefined;
  readonly body?: unknown;
  /** Those of the sent request by default. */
  readonly headers?: IncomingHttpHeaders | undefined;
}

/** A request of the current contract. Shares the id, the log, the signal and the context of the sent request. */
export class ConvertedExchange extends Exchange {
  readonly sent: Exchange;
  readonly converted: ConvertedRequest;
  /** Set by this request; undefined for the context of another operation that the sent one calls. */
  ownContext: DisposableContext | undefined;

  /** @param path of this operation */
  constructor(
    sent: Exchange,
    operation: Operation,
    converted: ConvertedRequest = {},
    path = sent.path,
  ) {
    const { queryText, address } = sent;
    const url = queryText === '' ? path : `${path}?${queryText}`;
    const method = operation.method.toUpperCase();
    const { headers = sent.headers } = converted;
    super({ method, url, headers, address }, sent.body, sent.native, sent);
    this.sent = sent;
    this.converted = converted;
    this.operation = operation;
    this.parentLog = sent.parentLog;
    this.onSignal = sent.onSignal;
  }

  override get context(): DisposableContext | undefined {
    return this.ownContext ?? super.context;
  }

  override set context(context: DisposableContext | undefined) {
    this.ownContext = context;
    super.context = context;
  }
}
