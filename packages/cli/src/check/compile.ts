// Compiles every validator of a contract.
import type { Definition, LocatedNode } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { requestSchemaLocations, responseSchemaLocations } from '../loading/operationSchemas.ts';

/** A schema whose validator cannot be compiled. */
export interface CompileError {
  readonly pointer: string;
  /** `error  expected …` */
  readonly message: string;
}

export function compileErrors(definition: Definition): CompileError[] {
  const requests = new Validators(definition, 'request');
  const responses = new Validators(definition, 'response');
  const errors = definition.operations.flatMap((operation) => [
    ...errorsOf(requestSchemaLocations(definition, operation), requests),
    ...[...operation.responses.values()].flatMap((response) =>
      errorsOf(responseSchemaLocations(definition, response), responses),
    ),
  ]);
  return [...new Map(errors.map((each) => [each.pointer, each])).values()];
}

function errorsOf(schemas: Iterable<LocatedNode>, validators: Validators): CompileError[] {
  return [...schemas].flatMap(({ pointer }) => {
    try {
      validators.at(pointer);
      return [];
    } catch (error) {
      return [{ pointer, message: `${(error as Error).message}  expected a schema that compiles` }];
    }
  });
}
