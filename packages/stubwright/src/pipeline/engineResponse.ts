// What an engine does with a request, and its response with properties for the log.

import type { Contract, MaybePromise, Operation, Problem } from '@stubwright/contract';
import type { DeprecatedUsage } from '../deprecation/deprecations.ts';
import type { ConvertedRequest, Exchange, Principal } from '../request/exchange.ts';
import type { HandlerReply, HttpResponse } from '../response/reply.ts';

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
  /** The version of the contract that the request named; undefined for the current one. */
  readonly version?: string;
  /** For the log; undefined for a request without deprecated parts. */
  readonly deprecated?: DeprecatedUsage;
}

/** The steps of an operation before its body is read, for a request of an older contract. */
export interface RequestEntry {
  /** Sets the principals. Undefined without security requirements. */
  readonly authenticate: ((exchange: Exchange) => unknown) | undefined;
  /** Counts the request. Undefined without a rate limit. */
  readonly admit: ((exchange: Exchange) => unknown) | undefined;
  /** The request headers with credentials; undefined without security requirements. */
  readonly credentialHeaders: readonly string[] | undefined;
}

/** The security of the operation of one request. */
export interface Authenticated {
  /** The request headers with credentials; undefined without security requirements. */
  readonly credentialHeaders: readonly string[] | undefined;
  /**
   * The request itself stays as it is.
   *
   * @returns undefined for an anonymous caller
   * @throws as the security of the operation
   */
  principal(): MaybePromise<Principal | undefined>;
}

/**
 * Passes a converted request through the steps of an operation, up to the reply. The context is that of the
 * sent request: it is disposed after the response of that one.
 *
 * @param sent a request of another contract
 * @returns the valid reply, with declared properties only, or the stored one of an idempotency key
 * @throws {InvalidReply} for a converted request or a reply that violates the contract
 * @throws {Problem} of a step, and the errors of the handler
 */
export type CallOperation = (
  sent: Exchange,
  operationId: string,
  request: ConvertedRequest,
) => MaybePromise<HandlerReply>;

/** An operation with its entry. */
interface EntryOfOperation extends RequestEntry {
  readonly operation: Operation;
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
  /**
   * Authenticates a request without handling it, in order to choose an engine by its principal.
   *
   * @returns undefined for a request that no operation has
   */
  authenticate(exchange: Exchange): Authenticated | undefined;
  /** For the engine of an older contract. @throws {TypeError} for an unknown operation */
  entry(operationId: string): EntryOfOperation;
  /** For the engine of an older contract, which converts requests. */
  readonly call: CallOperation;
}

/** Observes the requests of one contract. The methods do not throw. */
export interface Observer {
  /** After the validation, before the handler: defaults are not added yet. */
  accepted(exchange: Exchange): void;
  /** Also after a request that was refused. */
  responded(exchange: Exchange, response: HttpResponse): void;
}

/** Records requests, for `stubwright diff --traffic` and `stubwright check --traffic`. */
export interface Recorder {
  /**
   * Called by the engine of each contract.
   *
   * @param version of the requests, by default `info.version`
   * @throws {Error} for a caller header that holds credentials of the contract
   */
  observe(definition: Contract, version?: string): Observer;
  /** Writes pending entries. May be called again. */
  close(): Promise<void>;
}
