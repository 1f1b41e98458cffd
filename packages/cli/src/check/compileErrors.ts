// Compiles every validator of a contract.
import type { Contract, Schema } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';

/** A schema whose validator cannot be compiled. */
export interface CompileError {
  readonly pointer: string;
  /** `error  expected …` */
  readonly message: string;
}

export function compileErrors(definition: Contract): CompileError[] {
  const requests = new Validators(definition, 'request');
  const responses = new Validators(definition, 'response');
  const errors = definition.operations.flatMap(({ requestSchemas, responseSchemas }) => [
    ...requestSchemas.flatMap((each) => errorsOf(each, requests)),
    ...responseSchemas.flatMap((each) => errorsOf(each, responses)),
  ]);
  return [...new Map(errors.map((each) => [each.pointer, each])).values()];
}

function errorsOf({ pointer }: Schema, validators: Validators): CompileError[] {
  try {
    validators.at(pointer);
    return [];
  } catch (error) {
    return [{ pointer, message: `${(error as Error).message}  expected a schema that compiles` }];
  }
}
