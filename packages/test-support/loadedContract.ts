// Contracts of tests, as an API takes them.
import { Contract, type LoadedContract, type Node } from '@stubwright/contract';
import { parse } from 'yaml';

/** @param document as YAML or as an object; without `openapi` it is of OpenAPI 3.1.0 */
export function loadedContract(document: string | Node): LoadedContract {
  const given: Node = typeof document === 'string' ? parse(document) : document;
  const info = { title: 'Toys', version: '1' };
  const definition = new Contract({ openapi: '3.1.0', info, ...given });
  const publish = async () => ({ text: '', servers: [0, 0] as const });
  return { definition, warnings: [], files: [], publish };
}
