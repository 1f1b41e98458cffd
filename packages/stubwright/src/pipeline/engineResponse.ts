// The response to a request, with properties for the log.
import type { HttpResponse } from '../response/reply.ts';

export interface EngineResponse extends HttpResponse {
  /** The path template of the operation; undefined if no operation matches. */
  readonly route: string | undefined;
  readonly operationId?: string | undefined;
  /** The error that caused a 500 or 503, or the violation of a reply that was sent nevertheless. */
  readonly cause: unknown;
  readonly traceId?: string;
}
