// What an engine reports to a recorder.
import type { Contract } from '@stubwright/contract';
import type { Exchange } from '../request/exchange.ts';
import type { HttpResponse } from '../response/reply.ts';

/** Sees the requests of one contract. None of the methods throws. */
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
  /** Writes what is not written yet. May be called again. */
  close(): Promise<void>;
}
