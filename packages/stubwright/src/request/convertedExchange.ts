// A request that was converted from another contract, for the steps of this one.
import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@stubwright/contract';
import type { ParameterValues } from '@stubwright/contract/values';
import { type DisposableContext, Exchange } from './exchange.ts';

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
