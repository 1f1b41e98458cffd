// The events that a service emits, and their payloads: log and metrics subscribe to them.
import type { EventEmitter } from 'node:events';
import type { Problem } from '../errors/problem.ts';

/** Payloads by event name. Listeners run synchronously, in the emitting request: they must be fast. */
export interface ServiceEvents {
  /** The application sent a response, or started to send a stream. */
  responded: [response: SentResponse];
  /** The server responded itself, because no request could be read. */
  requestRejected: [problem: Problem];
  /** A connection was closed when it was accepted, because of a connection limit. */
  connectionDropped: [];
  connectionFailed: [error: Error];
  /** The first request is shed. `lagMs` is the delay of the event loop. */
  sheddingStarted: [load: { readonly queueLength: number; readonly lagMs: number }];
  sheddingEnded: [total: { readonly refusedRequests: number }];
  /** `jwksUrl` has no query, which may hold a secret. */
  jwksFetchFailed: [failure: { readonly error: unknown; readonly jwksUrl: string }];
  /** `code` is jose's, or the name of the error. */
  tokenRejected: [rejection: { readonly code: string; readonly reason: string }];
}

export type ServiceEmitter = EventEmitter<ServiceEvents>;

export interface SentResponse {
  /** Unique for each request, across restarts. */
  readonly id: string;
  /** A token (RFC 9110, section 9.1). */
  readonly method: string | undefined;
  /** The path template; undefined if no operation matched. */
  readonly route: string | undefined;
  readonly operationId: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** The size of the body; 0 for a stream. */
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly traceId: string | undefined;
  /** The error behind the response, for the log only. */
  readonly cause: unknown;
}
