// The text of a self-contained contract.
import { stringifyJson } from '@stubwright/contract';
import type { Access } from '../loading/containment.ts';
import { loadContractFiles } from '../loading/load.ts';

/**
 * @returns YAML with the comments of the source if that is one equivalent file; or JSON
 * @throws {ContractErrors} for an invalid contract
 */
export async function generatedBundle(
  path: string,
  { isJson, ...access }: Access & { readonly isJson: boolean },
): Promise<string> {
  const { definition, publish } = await loadContractFiles(path, access);
  if (!isJson) return (await publish()).text;
  return `${stringifyJson(definition.document, 2)}\n`;
}
