// Compiles every validator of a contract, and finds ignored patterns and the schemas without a valid value.
import {
  type Contract,
  compilePattern,
  type DescribedValue,
  reachableSchemas,
  type Schema,
} from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { Samples } from '@stubwright/mock/samples';
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

/** @returns the patterns that are no regular expressions of ECMAScript: no value is validated against them */
export function ignoredPatterns({ operations }: Contract): AtPointer[] {
  const schemas = operations.flatMap((each) => [...each.requestSchemas, ...each.responseSchemas]);
  return [...reachableSchemas(schemas)].flatMap((schema) => {
    const { pattern } = schema.keywords;
    if (typeof pattern !== 'string' || compilePattern(pattern) !== undefined) return [];
    const message = `pattern ${pattern} is ignored  expected a regular expression of ECMAScript`;
    return [{ pointer: schema.pointerTo('pattern'), message }];
  });
}

/** @returns the parameters and bodies that no client or service can send, as generated clients find them */
export function emptySchemas(definition: Contract): AtPointer[] {
  const requests = new Samples(new Validators(definition, 'request'));
  const responses = new Samples(new Validators(definition, 'response'));
  const empty = (values: readonly DescribedValue[], samples: Samples) =>
    values.flatMap(({ schema, examples }) =>
      schema === undefined || samples.hasValue({ schema, examples }) ? [] : [schema],
    );
  const schemas = definition.operations.flatMap((operation) => [
    ...empty(
      operation.parameters.map(({ described }) => described),
      requests,
    ),
    ...empty(operation.request.values(), requests),
    ...[...operation.responses.values()].flatMap(({ contents }) =>
      empty(contents.values(), responses),
    ),
  ]);
  return [...new Set(schemas.map(({ ref, pointer }) => ref?.pointer ?? pointer))].map(
    (pointer) => ({
      pointer,
      message: 'no valid value was found  expected a schema that some value is valid against',
    }),
  );
}
