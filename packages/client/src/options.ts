// The options of a client and of a call.

type HeadersLike = ConstructorParameters<typeof Headers>[0];

/** When a request is sent again. Only requests that are safe to repeat are. */
export interface RetryOptions {
  /** The maximum number of further requests, by default 2. */
  readonly limit?: number;
  /** The delay before the first of them, which doubles with each: by default 250 ms. */
  readonly baseDelayMs?: number;
  /** By default 30 s. A response with a longer `Retry-After` is returned. */
  readonly maxDelayMs?: number;
  /** By default 408, 425, 429, 502, 503 and 504; a 409 with `Retry-After`, too. */
  readonly statuses?: readonly number[];
}

/** A request before it is sent; `before` may change it. */
export interface OutgoingRequest {
  readonly operationId: string;
  /** From 1. */
  readonly attempt: number;
  readonly method: string;
  url: string;
  readonly headers: Headers;
  readonly body: RequestInit['body'] | undefined;
}

/** Functions around each request, in order; `after` in reverse order. */
export interface Middleware {
  /** A returned response is used instead of a request. */
  before?(request: OutgoingRequest): MaybeResponse | Promise<MaybeResponse>;
  /** A returned response replaces the response. */
  after?(response: Response, request: OutgoingRequest): MaybeResponse | Promise<MaybeResponse>;
}

// biome-ignore lint/suspicious/noConfusingVoidType: of a function without `return`
type MaybeResponse = Response | undefined | void;

/** The options that `fetch` receives. */
export interface FetchOptions {
  /** By default `manual`: a redirection is a response, which the contract declares or not. */
  readonly redirect?: RequestInit['redirect'] | undefined;
  /** Of browsers: `include` sends cookies to other origins. */
  readonly credentials?: RequestInit['credentials'] | undefined;
  readonly cache?: RequestInit['cache'] | undefined;
  readonly mode?: RequestInit['mode'] | undefined;
}

/** The options that a call can override. */
export interface CallOptions extends FetchOptions {
  /** Cancels the request, and its retries. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The time limit of each request until its body is read: by default 60 s. For a stream, until its headers
   * arrive, and then until its first read.
   */
  readonly timeoutMs?: number | undefined;
  /** The time limit of each read of a stream: by default none. */
  readonly idleTimeoutMs?: number | undefined;
  /** False sends each request once. */
  readonly retry?: RetryOptions | false | undefined;
  /** Added to those of the client. */
  readonly headers?: HeadersLike | undefined;
}

/** When a stream of events is opened again. */
export interface ReconnectOptions {
  /** The maximum number of connections without an event, one after the other: by default none. */
  readonly limit?: number;
  /** The delay, which doubles with each of them up to 30 s; the `retry` of the service replaces it: by default 3 s. */
  readonly delayMs?: number;
}

/** How a body of bytes or text is returned: `stream` for its bytes, as they arrive. */
export type BodyAs = 'stream' | undefined;

/** The options of a call that select the type of its reply. */
export interface ReadOptions<As extends BodyAs = BodyAs> extends CallOptions {
  /** `stream` returns a body of bytes or text as a stream of bytes, without reading it. */
  readonly as?: As;
  /** Of `text/event-stream`: opens the stream again after its end and after a failed connection, until 204. */
  readonly reconnect?: boolean | ReconnectOptions | undefined;
}

export interface ConnectionOptions extends Omit<CallOptions, 'signal'> {
  /**
   * Replaces the servers of the contract; a function receives the URL that the contract declares. A query is
   * sent before that of the operation.
   */
  readonly baseUrl?: string | ((declared: string, operationId: string) => string) | undefined;
  /** The values of the variables in the URLs of the contract's servers. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** By default the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  readonly middleware?: readonly Middleware[] | undefined;
  /**
   * The last middleware: for development, on Node, `clientValidation` of `stubwright/client-validation`. It
   * throws a TypeError for a request or a response that violates the contract.
   */
  readonly validate?: Middleware | undefined;
}

/** Node's maximum timer: milliseconds in 31 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * @throws {RangeError} for a number out of its range
 * @throws {TypeError} for another value
 */
export function expectCallOptions({ timeoutMs, idleTimeoutMs, retry }: CallOptions): void {
  const { limit, baseDelayMs, maxDelayMs, statuses = [] } = retry || {};
  expectIntegers({ timeoutMs, idleTimeoutMs }, 1);
  expectIntegers(
    { 'retry.limit': limit, 'retry.baseDelayMs': baseDelayMs, 'retry.maxDelayMs': maxDelayMs },
    0,
  );
  for (const status of statuses) expectIntegers({ 'retry.statuses': status }, 100, 599);
}

/** @throws {RangeError | TypeError} */
export function expectIntegers(values: object, min: number, max = LONGEST_TIMER_MS): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) continue;
    const Type = typeof value === 'number' ? RangeError : TypeError;
    throw new Type(`${name}: got ${String(value)}, expected an integer from ${min} to ${max}`);
  }
}
