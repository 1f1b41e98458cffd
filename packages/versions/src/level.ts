// A contract in a chain: the current one, or that of a served version.
import type { Contract, Problem } from '@stubwright/contract';
import type { CallOperation, Engine } from 'stubwright/internals';

export interface Level {
  /** `info.version`, or the name of the served version. */
  readonly version: string;
  readonly definition: Contract;
  readonly call: CallOperation;
  /** @returns the operation of the current contract; undefined for one that it does not have */
  currentOperation(operationId: string): string | undefined;
  /**
   * @returns the steps that a request passes before its body is read; undefined for an operation with the
   *   converter `call`, whose calls pass them
   */
  entry(operationId: string): ReturnType<Engine['entry']> | undefined;
  /** @returns an error of the current contract with the status of this one */
  inOwnStatus(error: Problem): Problem;
}
