// What a recorder reads of a request and its response.
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Contract, Operation } from '@stubwright/contract';
import type { ParameterValues } from '@stubwright/contract/values';

/** The parameters and the body of a request, read by its operation. */
export interface ParsedRequest {
  readonly parameters: ParameterValues;
  readonly parsedBody: { readonly mediaType: string | undefined; readonly value?: unknown };
}

/** A request in progress. */
export interface ObservedRequest extends ParsedRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark, percent-encoded. */
  readonly queryText: string;
  readonly headers: IncomingHttpHeaders;
  /** Undefined for a request that no operation has. */
  readonly operation: Operation | undefined;
  readonly principal: { readonly name: string } | undefined;
}

export interface ObservedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Readable | undefined;
}

/** Sees the requests of one contract. None of the methods throws. */
export interface RequestObserver {
  /** After the validation, before the handler: defaults are not added yet. */
  accepted(request: ObservedRequest): void;
  /** Also after a request that was refused. */
  responded(request: ObservedRequest, response: ObservedResponse): void;
}

/** A recorder that writes files; also the `Recorder` of stubwright. */
export interface TrafficRecorder {
  /**
   * @param version of the requests, by default `info.version`
   * @throws {Error} for a caller header that holds credentials of the contract
   */
  observe(definition: Contract, version?: string): RequestObserver;
  /** Writes what is not written yet. May be called again. */
  close(): Promise<void>;
}
