// Removes `nullable` where it has no meaning: since OpenAPI 3.1, `type` lists null.

import { Definition, schemaLocations } from '@stubwright/contract';

/** @returns the definition, without `nullable` in a contract of OpenAPI 3.1 or later */
export function withMeaning(definition: Definition): Definition {
  if (definition.isVersion30 || !hasNullable(definition)) return definition;
  const document = structuredClone(definition.document);
  for (const { node } of schemaLocations(document)) delete node.nullable;
  return new Definition(document, definition.errors);
}

function hasNullable({ document }: Definition): boolean {
  for (const { node } of schemaLocations(document)) if (node.nullable !== undefined) return true;
  return false;
}
