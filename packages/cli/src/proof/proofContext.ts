// What the parts of one proof share.
import type { Operation } from '@stubwright/contract';
import type { HandlerReply } from 'stubwright/internals';
import type { FindingList } from './findingList.ts';
import type { Losses } from './losses.ts';
import type { ProofResponse, ProofService } from './proofService.ts';
import type { ProofValues } from './proofValues.ts';
import type { ProofCounts } from './results.ts';
import type { VersionPair } from './versionPair.ts';

export interface ProofContext {
  readonly pair: VersionPair;
  readonly service: ProofService;
  readonly values: ProofValues;
  readonly losses: Losses;
  readonly findings: FindingList;
  readonly counts: ProofCounts;
  /** A successful reply of each operation of the newer contract, by operationId; none if none is found. */
  readonly usual: ReadonlyMap<string, HandlerReply>;
}

/** An operation of the older contract, and the one that it calls. */
export interface ProvenOperation {
  readonly older: Operation;
  /** Undefined for a removed operation. */
  readonly newer: Operation | undefined;
  /** The converters of its values: `operations.getToy`, `schemas.Toy`. */
  readonly owners: readonly string[];
}

/** True for an error of a converter or of the engine. */
export function isFailed({ status, cause }: ProofResponse): boolean {
  return cause !== undefined || status >= 500;
}

export function failureOf({ cause, status }: ProofResponse): string {
  return cause?.message ?? `the response is ${status}`;
}
