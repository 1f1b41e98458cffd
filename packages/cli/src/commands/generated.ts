// The files of generated/: the types of a contract, and its bundle.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bundleText } from 'stubwright/internal/contract/load';
import { bundleOf } from '../loading/load.ts';

export const TYPES = 'generated/contract.ts';
export const BUNDLE = 'generated/contract.json';

/**
 * @param path of a contract @returns what each file of generated/ should contain, by its path
 * @throws {ContractErrors} with every error of the contract
 */
export async function generate(path: string): Promise<ReadonlyMap<string, string>> {
  // The TypeScript compiler takes as long to import as the check of a small contract.
  const [bundle, { generateTypes }] = await Promise.all([
    bundleOf(path, dirname(BUNDLE)),
    import('../types/generateTypes.ts'),
  ]);
  return new Map([
    [TYPES, await generateTypes(path, bundle.document)],
    [BUNDLE, bundleText(bundle)],
  ]);
}

/** @returns the files whose content on disk differs */
export async function staleFiles(files: ReadonlyMap<string, string>): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, content] of files) {
    if ((await readFile(path, 'utf8').catch(() => '')) !== content) stale.push(path);
  }
  return stale;
}

/** Writes all, so that their modification times are newer than the contract's. */
export async function write(files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, content] of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}
