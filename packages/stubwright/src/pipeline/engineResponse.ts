// What an engine does with a request, and its response with properties for the log.
import type { MaybePromise, Problem } from '@stubwright/contract';
import type { DeprecatedUsage } from '../deprecation/deprecations.ts';
import type { Exchange } from '../request/exchange.ts';
import type { HttpResponse } from '../response/reply.ts';

export interface EngineResponse extends HttpResponse {
  /** The path template of the operation; undefined if no operation matches. */
  readonly route: string | undefined;
  readonly operationId?: string | undefined;
  /** The base path of the contract, if its service has several. */
  readonly api?: string;
  /** The error that caused a 500 or 503, or the violation of a reply that was sent nevertheless. */
  readonly cause: unknown;
  /** The message of an error, for the log, if the declared response has no room for it. */
  readonly reason?: string;
  readonly traceId?: string;
  /** For the log; undefined for a request without deprecated parts. */
  readonly deprecated?: DeprecatedUsage;
}

export interface Engine {
  /** Never rejects. */
  handle(exchange: Exchange): Promise<EngineResponse>;
  /** @returns `path` if only operations with other methods have the path */
  match(exchange: Exchange): 'operation' | 'path' | undefined;
  /**
   * @param exchange undefined for input that is not a request
   * @returns the response to an error outside of `handle`, as declared by the operation of the request
   */
  reject(error: Problem, exchange?: Exchange): MaybePromise<EngineResponse>;
}
