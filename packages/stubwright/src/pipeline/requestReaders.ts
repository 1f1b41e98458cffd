// The parameters and the body of an operation, compiled at its first request.
import { type Contract, type Operation, once, onceFor } from '@stubwright/contract';
import { Coercions, Parameters, type Validators } from '@stubwright/contract/values';
import { RequestBodyReader } from '../request/body/body.ts';

/** The readers of one operation. */
export interface RequestReader {
  readonly body: () => RequestBodyReader;
  readonly parameters: () => Parameters;
}

/** @param validators for requests @returns the readers of each operation of a contract */
export function requestReaders(
  definition: Contract,
  validators: Validators,
): (operation: Operation) => RequestReader {
  const coercions = new Coercions(validators);
  return onceFor((operation) => ({
    body: once(() => new RequestBodyReader(operation, validators, coercions)),
    parameters: once(() => new Parameters(definition, operation.parameters, validators, coercions)),
  }));
}
