// CONTRACT=path -> a contract in memory: checked, in one document, its faults and warnings told. A
// contract that was checked before is not checked again.
import { fileURLToPath } from 'node:url';
import { Definition } from '../definition/definition.ts';
import { type Remembered, recall, remember } from './cache.ts';

export interface LoadedContract {
  readonly definition: Definition;
  /** What is against the letter but was understood, a line each: `file:line:column  what  expected`. */
  readonly warnings: readonly string[];
  /** The absolute paths of the files that it was made of. */
  readonly files: readonly string[];
}

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/contracts', import.meta.url));

/**
 * Loads a contract: OpenAPI 3.0 or 3.1, YAML or JSON, one file or many.
 *
 * @param cacheFolder where checked contracts are remembered; one that cannot be written costs a
 *   check at every start
 * @throws {ContractFaults} with all that is wrong, each as `file:line:column  what  expected`
 */
export async function loadContract(path: string, cacheFolder = CACHE): Promise<LoadedContract> {
  const known = await recall(cacheFolder, path);
  if (known !== undefined) return loaded(known);
  // Only here, since Redocly's core takes as long to import as the rest of the service.
  const { checkContract } = await import('./check.ts');
  const { hashes, ...checked } = await checkContract(path);
  await remember(cacheFolder, path, hashes, checked);
  return loaded({ ...checked, files: [...hashes.keys()] });
}

function loaded({ document, ...rest }: Remembered & Pick<LoadedContract, 'files'>): LoadedContract {
  return { definition: new Definition(document), ...rest };
}
