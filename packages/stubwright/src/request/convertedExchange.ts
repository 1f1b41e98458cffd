// A request that was converted from another contract, for the handlers of this one.
import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@stubwright/contract';
import { type DisposableContext, Exchange, type RequestLog } from './exchange.ts';

/** Shares the id, the log, the signal and the context of the request that was sent. */
export class ConvertedExchange extends Exchange {
  readonly sent: Exchange;

  /** @param headers of the sent request, whose entity tags may be those of another contract */
  constructor(sent: Exchange, operation: Operation, headers: IncomingHttpHeaders = sent.headers) {
    super({ ...headOf(sent), headers }, sent.body, sent.native);
    this.sent = sent;
    this.operation = operation;
  }

  override get requestId(): string {
    return this.sent.requestId;
  }

  override get log(): RequestLog {
    return this.sent.log;
  }

  override get signal(): AbortSignal {
    return this.sent.signal;
  }

  override abort(message: string): void {
    this.sent.abort(message);
  }

  override isAbort(error: unknown): boolean {
    return this.sent.isAbort(error);
  }

  /** Disposed after the reply of the other contract is valid. */
  override get context(): DisposableContext | undefined {
    return this.sent.context;
  }

  override set context(context: DisposableContext | undefined) {
    this.sent.context = context;
  }

  override get timedOut(): Error | undefined {
    return this.sent.timedOut;
  }

  override set timedOut(error: Error | undefined) {
    this.sent.timedOut = error;
  }
}

function headOf({ method, url, address }: Exchange) {
  return { method, url, address };
}
