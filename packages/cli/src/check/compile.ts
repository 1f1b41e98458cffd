// Compiles every validator of a contract.
import type { Definition, LocatedNode } from 'stubwright/internal/document/definition';
import { requestSchemas, responseSchemas } from 'stubwright/internal/document/schemas';
import { Validators } from 'stubwright/internal/schema/validator';

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
    ...errorsOf(requestSchemas(definition, operation), requests),
    ...[...operation.responses.values()].flatMap((response) =>
      errorsOf(responseSchemas(definition, response), responses),
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
