// The files of a contract, as a new project keeps them.
import { readFile } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import { filesOf } from '../loading/checkContract.ts';
import type { Access } from '../loading/containment.ts';
import { bundleOf } from '../loading/load.ts';
import { CONTRACT } from './layout.ts';

/**
 * @param path of the contract
 * @param options `isTaken` is true for a path that the project uses for another file
 * @returns openapi.yaml, and the other files at their paths relative to it; or one bundled openapi.yaml
 *   for JSON, and for files that cannot keep their relative paths
 * @throws {ContractErrors} for files that cannot be read
 */
export async function contractSource(
  path: string,
  { isTaken, ...access }: Access & { readonly isTaken: (path: string) => boolean },
): Promise<Map<string, string | Buffer>> {
  const main = resolve(access.cwd ?? '', path);
  const found = await filesOf(path, access).catch(async (error) => {
    // Lists all errors of the contract.
    await bundleOf(path, dirname(main), access);
    throw error;
  });
  const others = found
    .filter((file) => file !== main)
    .map((file) => relative(dirname(main), file).replaceAll('\\', '/'));
  const texts = await Promise.all(others.map((file) => readFile(resolve(dirname(main), file))));
  const name = basename(main);
  const isKept = (file: string, at: number) =>
    !file.startsWith('../') &&
    relative(dirname(main), resolve(dirname(main), file)) !== CONTRACT &&
    !isTaken(file) &&
    // A reference to the first file, whose name changes.
    (name === CONTRACT || !texts[at]!.includes(name));
  if (/\.json$/i.test(main) || !others.every(isKept)) {
    const { yaml } = await bundleOf(path, dirname(main), access);
    return new Map([[CONTRACT, yaml.text]]);
  }
  return new Map([
    [CONTRACT, await readFile(main)],
    ...others.map((file, at) => [file, texts[at]!] as const),
  ]);
}
