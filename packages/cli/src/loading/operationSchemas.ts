// Lists the schemas of an operation's requests and responses.

import {
  contentsOf,
  type Definition,
  type LocatedNode,
  type Operation,
} from '@stubwright/contract';

/** @yields the schemas of parameters and request bodies */
export function* requestSchemaLocations(
  definition: Definition,
  operation: Operation,
): Generator<LocatedNode> {
  for (const parameter of operation.parameters) yield* schemasIn(definition, parameter);
  if (operation.requestBody !== undefined) yield* schemasIn(definition, operation.requestBody);
}

/** @yields the schemas of a response's headers and bodies */
export function* responseSchemaLocations(
  definition: Definition,
  response: LocatedNode,
): Generator<LocatedNode> {
  for (const header of definition.children(response, 'headers').values()) {
    yield* schemasIn(definition, header);
  }
  yield* schemasIn(definition, response);
}

function* schemasIn(definition: Definition, holder: LocatedNode): Generator<LocatedNode> {
  if (holder.node.schema !== undefined) yield definition.step(holder, 'schema');
  for (const content of contentsOf(definition, holder).values()) {
    if (content.node.schema !== undefined) yield definition.step(content, 'schema');
  }
}
