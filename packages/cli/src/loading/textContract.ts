// A contract that is given as text, in one piece.
import { basename, resolve } from 'node:path';
import { type Contract, textOf } from '@stubwright/contract';
import { ContractFiles } from './files.ts';
import { loadContractFiles, loadMockable } from './load.ts';
import { SourceLocations } from './sourceLocations.ts';
import { Tree } from './sources/tree.ts';

/** A contract with the positions of its parts. */
interface TextContract {
  readonly definition: Contract;
  readonly locations: SourceLocations;
  readonly name: string;
  /** Of operations; empty unless `isBase`. */
  readonly errors: readonly string[];
}

/**
 * @param text YAML or JSON
 * @param options `file` is its name in locations; `isBase` leaves out operations with errors
 * @throws {ContractErrors} if the contract has errors; for `isBase` if it has no other operation
 */
export async function openText(
  text: string,
  { file, isBase }: { readonly file: string; readonly isBase: boolean },
): Promise<TextContract> {
  const cwd = resolve('/');
  const path = basename(file);
  const sources = new Tree(cwd, new Map([[path, { read: async () => Buffer.from(text) }]]));
  const files = new ContractFiles(path, { cwd, sources });
  const load = isBase ? loadMockable : loadContractFiles;
  const { definition } = await load(path, { cwd, sources, files, isWithoutWarnings: true });
  const options = { cwd, sources, files, shown: () => file };
  const locations = await SourceLocations.of(path, options);
  return { definition, locations, name: file, errors: operationErrors(definition) };
}

/** @returns the errors of operations, each once */
export function operationErrors({ errors }: Contract): string[] {
  return [...new Set(errors.map(textOf))];
}
