// Sends a request: credentials, time limits, retries and middleware.

import type { AnyReply } from './anyReply.ts';
import type { BodyWriter, SentBody } from './bodies.ts';
import type { Connection, ServerSpec } from './connection.ts';
import { BrokenConnection, NoResponse } from './errors.ts';
import {
  type CallOptions,
  type ConnectionOptions,
  expectCallOptions,
  type OutgoingRequest,
  type ReadOptions,
} from './options.ts';
import { type ReplySpecs, readReply } from './replies.ts';
import { definedEntries, type ParameterSpec } from './styles.ts';
import { type CallTimer, limitTime } from './timeLimit.ts';

/** A serialized request without credentials. */
export interface Prepared {
  readonly url: string;
  readonly headers: Headers;
  readonly body: SentBody['body'] | undefined;
}

/** RFC 9110, section 9.2.2. */
const REPEATABLE = /^(?:GET|HEAD|OPTIONS|TRACE|PUT|DELETE|QUERY)$/;

/** @throws {NoResponse} @throws {UndeclaredResponse} @throws the reason of `signal` */
export async function send(
  connection: Connection,
  spec: OperationSpec,
  prepared: Prepared,
  options: ReadOptions,
): Promise<AnyReply> {
  const { id, method, security = connection.security } = spec;
  expectCallOptions(options);
  const given = Object.fromEntries(definedEntries(options));
  const all: AllOptions = { ...connection.options, ...given };
  const { signal, as } = options;
  const { timeoutMs = 60_000, idleTimeoutMs } = all;
  const retry = retryOf(all);
  const isStream = prepared.body instanceof ReadableStream;
  const isSafe = !isStream && (spec.isIdempotent ?? REPEATABLE.test(method));
  let values = await connection.credentials.values(security);
  let mayRenew = !isStream && values.size > 0;
  for (let attempt = 1, retries = 0; ; attempt++) {
    const limit = limitTime(signal, timeoutMs);
    const errorOf = (cause: unknown) =>
      signal?.aborted ? signal.reason : new NoResponse(id, attempt, cause);
    const mayRetry = isSafe && retries < retry.limit;
    let after = 0;
    try {
      const tried = { prepared, values, attempt, options: all };
      const response = await exchange(connection.credentials, spec, tried, limit.signal);
      const { status } = response;
      if (status === 401 && mayRenew) {
        mayRenew = false;
        const renewed = await connection.credentials.renewed(values);
        if (renewed) {
          values = renewed;
          discard(response, limit);
          continue;
        }
      }
      const retryAfter = response.headers.get('Retry-After');
      // 409 with a time is a request in progress under the same idempotency key.
      const isTemporary = retry.statuses.includes(status) || (status === 409 && retryAfter);
      after = mayRetry && isTemporary ? retryAfterMs(retryAfter) : Infinity;
      if (after > retry.maxDelayMs) {
        const reading = { as, timeoutMs, limit, idleTimeoutMs, errorOf };
        return await readReply(spec, response, reading);
      }
      discard(response, limit);
    } catch (error) {
      limit.end();
      signal?.throwIfAborted();
      if (!(error instanceof BrokenConnection)) throw error;
      if (!mayRetry) throw errorOf(error.cause);
    }
    await sleep(Math.max(after, backoffMs(retries++, retry)), signal);
  }
}

type AllOptions = ConnectionOptions & ReadOptions;

interface Attempt {
  readonly prepared: Prepared;
  readonly values: Parameters<Connection['credentials']['write']>[0];
  readonly attempt: number;
  readonly options: ConnectionOptions;
}

async function exchange(
  credentials: Connection['credentials'],
  { id, method }: OperationSpec,
  { prepared, values, attempt, options }: Attempt,
  signal: AbortSignal,
): Promise<Response> {
  const { fetch = globalThis.fetch, validate } = options;
  const middleware = [...(options.middleware ?? []), ...(validate ? [validate] : [])];
  const headers = new Headers(prepared.headers);
  const query = credentials.write(values, headers);
  const { body } = prepared;
  const url = withQuery(prepared.url, query);
  const request: OutgoingRequest = { operationId: id, attempt, method, url, headers, body };
  let response: Response | undefined;
  for (const { before } of middleware) response ??= (await before?.(request)) ?? undefined;
  if (!response) {
    const { redirect = 'manual', credentials: sent, cache, mode } = options;
    const init = { method, headers, signal, body, redirect, credentials: sent, cache, mode };
    try {
      response = await fetch(request.url, { ...init, duplex: 'half' } as RequestInit);
    } catch (cause) {
      expectRequest(id, request, fetch);
      throw new BrokenConnection('fetch', { cause });
    }
  }
  for (const { after } of middleware.reverse()) {
    response = (await after?.(response, request)) ?? response;
  }
  return response;
}

/**
 * `fetch` rejects with a TypeError for a broken connection, and for a request that nobody can send.
 *
 * @throws {TypeError} for such a request: its method, URL or body
 */
function expectRequest(
  id: string,
  { url, method, body }: OutgoingRequest,
  fetch: typeof globalThis.fetch | NonNullable<ConnectionOptions['fetch']>,
): void {
  // Another `fetch` may accept relative URLs.
  const base = fetch === globalThis.fetch ? undefined : 'http://localhost';
  try {
    // A stream is locked by now.
    const init = { method, body: body instanceof ReadableStream ? '' : body };
    new Request(base === undefined ? url : new URL(url, base), init as RequestInit);
  } catch (cause) {
    throw new TypeError(`${id}: ${(cause as Error).message}`, { cause });
  }
}

export function withQuery(url: string, pairs: readonly string[]): string {
  if (pairs.length === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

function retryOf({ retry = {} }: CallOptions) {
  const {
    limit = 2,
    baseDelayMs = 250,
    maxDelayMs = 30_000,
    statuses = [408, 425, 429, 502, 503, 504],
  } = retry || { limit: 0 };
  return { limit, baseDelayMs, maxDelayMs, statuses };
}

/** Frees the connection. A copy of the response, as MSW has one, would delay the end. */
function discard(response: Response, limit: CallTimer): void {
  response.body?.cancel().catch(() => {});
  limit.end();
}

/** @throws the reason of the signal */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const limit = limitTime(signal, ms);
  await new Promise((resolve) => limit.signal.addEventListener('abort', resolve));
  limit.end();
  signal?.throwIfAborted();
}

/**
 * Between half of the delay and the delay, at random: clients that failed together do not return together.
 *
 * @param retries before this one @param random from 0, less than 1
 */
export function backoffMs(
  retries: number,
  { baseDelayMs, maxDelayMs }: { readonly baseDelayMs: number; readonly maxDelayMs: number },
  random: () => number = Math.random,
): number {
  // 0 * Infinity would be NaN.
  const delay = Math.min(maxDelayMs, baseDelayMs * 2 ** Math.min(retries, 60));
  return delay * (0.5 + random() / 2);
}

/** @param value seconds or a date (RFC 9110, section 10.2.3) @returns 0 without a valid value */
export function retryAfterMs(value: string | null, nowMs = Date.now()): number {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!DATE.test(text)) return 0;
  // The asctime form names no zone, and is in UTC too.
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Math.max(0, date - nowMs) || 0;
}

/** The end of the three forms of RFC 9110, section 5.6.7. */
const DATE = /:\d\d (?:GMT|\d{4})$/;

/** An operation, as the generator writes it. */
export interface OperationSpec {
  /** The operationId. */
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly parameters?: readonly ParameterSpec[];
  /** By media type; the default is the first. */
  readonly bodies?: Readonly<Record<string, BodyWriter>>;
  /** The value of the header Accept. */
  readonly accept?: string;
  readonly replies: ReplySpecs;
  /** The alternatives, each with the names of its schemes. */
  readonly security?: readonly (readonly string[])[];
  /** True if the request is safe to repeat, although its method is not. */
  readonly isIdempotent?: boolean;
  /** If it differs from the contract's. */
  readonly server?: ServerSpec;
}
