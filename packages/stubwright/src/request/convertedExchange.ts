// A request that was converted from another contract, for the handlers of this one.
import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@stubwright/contract';
import { Exchange } from './exchange.ts';

/** Shares the id, the log, the signal and the context of the request that was sent. */
export class ConvertedExchange extends Exchange {
  readonly sent: Exchange;

  /** @param headers of the sent request, whose entity tags may be those of another contract */
  constructor(sent: Exchange, operation: Operation, headers: IncomingHttpHeaders = sent.headers) {
    const { method, url, address } = sent;
    super({ method, url, headers, address }, sent.body, sent.native, sent);
    this.sent = sent;
    this.operation = operation;
    this.parentLog = sent.parentLog;
    this.onSignal = sent.onSignal;
  }
}
