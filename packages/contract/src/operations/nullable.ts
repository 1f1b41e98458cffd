// `nullable` without a meaning: since OpenAPI 3.1, `type` lists null.
import { schemaLocations } from '../document/schemaLocations.ts';
import { Contract } from './contract.ts';

/** @returns the contract as its version of OpenAPI means it: since 3.1 without `nullable` */
export function withoutNullable(definition: Contract): Contract {
  if (definition.isVersion30 || !hasNullable(definition)) return definition;
  const document = structuredClone(definition.document);
  for (const { node } of schemaLocations(document)) delete node['nullable'];
  return new Contract(document, definition.errors);
}

function hasNullable({ document }: Contract): boolean {
  for (const { node } of schemaLocations(document)) if (node['nullable'] !== undefined) return true;
  return false;
}
