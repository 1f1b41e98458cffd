// The schemas of requests, and the errors of their defaults.
import { type DefaultError, defaultError } from '../schema/coercion.ts';
import type { Schema } from '../schema/model.ts';
import { reachableSchemas } from '../schema/possible.ts';
import { Validators } from '../schema/validator.ts';
import type { Contract } from './contract.ts';

/** @returns the errors of the defaults in parameters and request bodies, each once */
export function defaultErrors(definition: Contract): DefaultError[] {
  const validators = Validators.of(definition, 'request');
  return [...requestSchemas(definition)].flatMap(
    (schema) => defaultError(schema, validators) ?? [],
  );
}

/**
 * @returns the schemas of parameters and request bodies, with all subschemas, referenced schemas and
 *   schemas that discriminators may select
 */
export function requestSchemas({ operations }: Contract): ReadonlySet<Schema> {
  return reachableSchemas(operations.flatMap((operation) => operation.requestSchemas));
}
