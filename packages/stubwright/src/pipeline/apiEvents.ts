// The events of a contract.
import type { EventEmitter } from 'node:events';
import type { DeprecatedUsage } from '../deprecation/deprecations.ts';

/** Payloads by event name, for a contract without a service. */
export interface ApiEvents {
  /** An operation, or a request that matches none, has a response. */
  responded: [response: ApiResponse];
  /**
   * An error that does not change a response: of a listener, of `toProblem`, of a format of errors, of a
   * body stream after its first chunk, of a handler after its time limit, or of the removal of an upload.
   * Without a listener, it is written to stderr.
   */
  internalError: [error: Error];
}

export type ApiEmitter = EventEmitter<ApiEvents>;

/** A response that an API has sent, without its body. */
export interface ApiResponse {
  /** A token (RFC 9110, section 9.1). */
  readonly method: string | undefined;
  /** The path template; undefined if no operation matches. */
  readonly route: string | undefined;
  readonly operationId: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** The error that caused a 500 or 503, or the violation of a reply that was sent; for the log only. */
  readonly cause: unknown;
  /** The message of an error if the declared response has no room for it. */
  readonly reason?: string | undefined;
  /** Undefined for a request without deprecated parts. */
  readonly deprecated?: DeprecatedUsage | undefined;
}
