// Compiles every validator of a contract.
import type { Contract, Schema } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import type { AtPointer } from './atPointer.ts';

/** @returns the schemas whose validators cannot be compiled */
export function compileErrors(definition: Contract): AtPointer[] {
  const requests = new Validators(definition, 'request');
  const responses = new Validators(definition, 'response');
  const errors = definition.operations.flatMap(({ requestSchemas, responseSchemas }) => [
    ...requestSchemas.flatMap((each) => errorsOf(each, requests)),
    ...responseSchemas.flatMap((each) => errorsOf(each, responses)),
  ]);
  return [...new Map(errors.map((each) => [each.pointer, each])).values()];
}

function errorsOf({ pointer }: Schema, validators: Validators): AtPointer[] {
  try {
    validators.at(pointer);
    return [];
  } catch (error) {
    return [{ pointer, message: `${(error as Error).message}  expected a schema that compiles` }];
  }
}
