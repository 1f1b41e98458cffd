// A request that was converted from another contract, and the call of its operation.
import type { IncomingHttpHeaders } from 'node:http';
import type { MaybePromise } from '@stubwright/contract';
import type { ParameterValues } from '@stubwright/contract/values';
import type { Exchange } from '../request/exchange.ts';
import type { HandlerReply } from '../response/reply.ts';

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

/**
 * Authorizes a converted request, validates it, creates the context and calls the handler. The context is
 * that of the sent request: it is disposed after the response of that one.
 *
 * @param sent authenticated by the operation of another contract
 * @returns the valid reply, with declared properties only
 * @throws {InvalidReply} for a converted request or a reply that violates the contract
 * @throws {Problem} 40300 for a scope that this contract requires, and the errors of the handler
 */
export type CallOperation = (
  sent: Exchange,
  operationId: string,
  request: ConvertedRequest,
) => MaybePromise<HandlerReply>;
