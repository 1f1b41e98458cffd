// The events of a service and their payloads, for log and metrics.

import type { EventEmitter } from 'node:events';
import type { Problem } from '@stubwright/contract';
import type { ApiResponse } from 'stubwright/internals';

/** Payloads by event name. Listeners run synchronously, in the emitting request: they must be fast. */
export interface ServiceEvents {
  /** The application sent a response; for a stream, after its end. */
  responded: [response: SentResponse];
  /** The server rejected input that is not a valid HTTP request. */
  requestRejected: [problem: Problem];
  /** A connection was closed because of a connection limit: a new one, or a slow or idle one. */
  connectionDropped: [];
  connectionFailed: [error: Error];
  /**
   * An error that does not change a response: of a listener, of `toProblem`, of a format of errors, of a
   * body stream after its first chunk, of a handler after its time limit, or of the removal of an upload.
   */
  internalError: [error: Error];
  /** The first request was shed. `lagMs` is the event loop delay. */
  sheddingStarted: [load: { readonly queueLength: number; readonly lagMs: number }];
  sheddingEnded: [total: { readonly refusedRequests: number }];
  /** `jwksUrl` is without the query, which may contain a secret. */
  jwksFetchFailed: [failure: { readonly error: unknown; readonly jwksUrl: string }];
  /** `introspectionUrl` is without the query, which may contain a secret. */
  introspectionFailed: [failure: { readonly error: unknown; readonly introspectionUrl: string }];
  /** `code` is the code of the jose error, the name of another error, or `INTROSPECTION`. */
  tokenRejected: [rejection: { readonly code: string; readonly reason: string }];
}

export type ServiceEmitter = EventEmitter<ServiceEvents>;

/** A response of a service. */
export interface SentResponse extends ApiResponse {
  /** Unique across restarts. */
  readonly id: string;
  /** The base path of the contract; absent if the service has one contract. */
  readonly api?: string | undefined;
  /** The configured name of the static token; absent without. */
  readonly caller?: string | undefined;
  /** Size of the body. */
  readonly bytes: number;
  /** The number of items of a sequence; absent for other bodies. */
  readonly items?: number | undefined;
  /** The time to the head of the response; absent for a body that is not a stream. */
  readonly headMs?: number | undefined;
  /** The older version of the contract that the request named; absent for the current one. */
  readonly version?: string | undefined;
  /** In hexadecimal. */
  readonly traceId: string | undefined;
}
