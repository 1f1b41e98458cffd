// Compiles every validator of a contract.
import type { Definition, LocatedNode } from 'stubwright/internal/document/definition';
import { requestSchemas, responseSchemas } from 'stubwright/internal/document/schemas';
import { Validators } from 'stubwright/internal/schema/validator';

/** @returns a line for each schema whose validator cannot be compiled: `#pointer  error  expected …` */
export function compileErrors(definition: Definition): string[] {
  const requests = new Validators(definition, 'request');
  const responses = new Validators(definition, 'response');
  const errors = definition.operations.flatMap((operation) => [
    ...errorsOf(requestSchemas(definition, operation), requests),
    ...[...operation.responses.values()].flatMap((response) =>
      errorsOf(responseSchemas(definition, response), responses),
    ),
  ]);
  return [...new Set(errors)];
}

function errorsOf(schemas: Iterable<LocatedNode>, validators: Validators): string[] {
  return [...schemas].flatMap(({ pointer }) => {
    try {
      validators.at(pointer);
      return [];
    } catch (error) {
      return [`#${pointer}  ${(error as Error).message}  expected a schema that compiles`];
    }
  });
}
