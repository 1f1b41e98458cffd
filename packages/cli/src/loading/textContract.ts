// A contract that is given as text, in one piece.
import { basename, resolve } from 'node:path';
import { type Contract, textOf } from '@stubwright/contract';
import { ContractFiles } from './files.ts';
import { loadMockable } from './load.ts';
import { SourceLocations } from './sourceLocations.ts';
import { Tree } from './sources/tree.ts';

/** A contract with the positions of its parts. */
interface TextContract {
  readonly definition: Contract;
  readonly locations: SourceLocations;
  readonly name: string;
  /** Of operations, which are disabled. */
  readonly errors: readonly string[];
}

/**
 * @param text YAML or JSON
 * @param file its name in locations
 * @throws {ContractErrors} for errors of the whole contract, and if every operation has errors
 */
export async function openText(
  text: string,
  { file }: { readonly file: string },
): Promise<TextContract> {
  const cwd = resolve('/');
  const path = basename(file);
  const sources = new Tree(cwd, new Map([[path, { read: async () => Buffer.from(text) }]]));
  const files = new ContractFiles(path, { cwd, sources });
  const { definition } = await loadMockable(path, { cwd, sources, files, isWithoutWarnings: true });
  const options = { cwd, sources, files, shown: () => file };
  const locations = await SourceLocations.of(path, options);
  return { definition, locations, name: file, errors: operationErrors(definition) };
}

/** @returns the errors of operations, each once */
export function operationErrors({ errors }: Contract): string[] {
  return [...new Set(errors.map(textOf))];
}
