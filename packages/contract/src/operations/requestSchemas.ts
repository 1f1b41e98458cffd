// The schemas of requests, and the errors of their defaults.
import { type DefaultError, defaultError } from '../schema/defaults.ts';
import { selectableBy } from '../schema/discriminator.ts';
import type { Schema } from '../schema/model.ts';
import { Validators } from '../schema/validator.ts';
import type { Definition } from './definition.ts';
import type { Operation } from './operation.ts';

/** @returns the errors of the defaults in parameters and request bodies, each once */
export function defaultErrors(definition: Definition): DefaultError[] {
  const validators = new Validators(definition, 'request');
  return [...requestSchemas(definition)].flatMap(
    (schema) => defaultError(schema, validators) ?? [],
  );
}

/**
 * @returns the schemas of parameters and request bodies, with all subschemas, referenced schemas and
 *   schemas that discriminators may select
 */
export function requestSchemas({ operations }: Definition): ReadonlySet<Schema> {
  const reached = new Set(operations.flatMap(writtenSchemas));
  for (const schema of reached) {
    for (const each of [...schema.inner, ...selectableBy(schema)]) reached.add(each);
  }
  return reached;
}

function writtenSchemas({ parameters, request }: Operation): Schema[] {
  const contents = [...parameters.flatMap((each) => each.contents.values()), ...request.values()];
  return [...parameters, ...contents].flatMap(({ schema }) => schema ?? []);
}
