// A contract in a chain: the current one, or that of a served version.
import type { Contract } from '@stubwright/contract';
import type { CallOperation } from 'stubwright/internals';

export interface Level {
  /** `info.version`, or the name of the served version. */
  readonly version: string;
  readonly definition: Contract;
  readonly call: CallOperation;
  /** @returns the operation of the current contract; undefined for one that it does not have */
  currentOperation(operationId: string): string | undefined;
}
