// The schemas that validate an operation's requests and responses.
import type { Definition, Operation, Place } from './definition.ts';

/** @yields the schemas of the parameters and of the bodies */
export function* requestSchemas(definition: Definition, operation: Operation): Generator<Place> {
  for (const parameter of operation.parameters) yield* schemasIn(definition, parameter);
  if (operation.requestBody !== undefined) yield* schemasIn(definition, operation.requestBody);
}

/** @yields the schemas of a response's headers and bodies */
export function* responseSchemas(definition: Definition, response: Place): Generator<Place> {
  for (const header of children(definition, response, 'headers')) {
    yield* schemasIn(definition, header);
  }
  yield* schemasIn(definition, response);
}

function* schemasIn(definition: Definition, holder: Place): Generator<Place> {
  if (holder.node.schema !== undefined) yield definition.step(holder, 'schema');
  for (const content of children(definition, holder, 'content')) {
    if (content.node.schema !== undefined) yield definition.step(content, 'schema');
  }
}

function children(definition: Definition, holder: Place, name: string): Place[] {
  const map = definition.child(holder, name);
  return Object.keys(map?.node ?? {}).flatMap((key) => definition.child(map!, key) ?? []);
}
