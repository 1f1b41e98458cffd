// CONTRACT=path -> a contract in memory: checked, in one document, with its errors and warnings. A
// contract that was checked before is not checked again.
import { fileURLToPath } from 'node:url';
import { ContractErrors, Definition } from '../document/definition.ts';
import { type Remembered, recall, remember } from './cache.ts';

export interface LoadedContract {
  readonly definition: Definition;
  /** What is against the letter but was understood, a line each: `file:line:column  what  expected`. */
  readonly warnings: readonly string[];
  /** The absolute paths of the files that it was made of. */
  readonly files: readonly string[];
}

const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/contracts', import.meta.url));

/**
 * Loads a contract: OpenAPI 3.0, 3.1 or 3.2, YAML or JSON, one file or many.
 *
 * @param cacheFolder where checked contracts are remembered; one that cannot be written costs a
 *   check at every start
 * @throws {ContractErrors} with all that is wrong, each as `file:line:column  what  expected`
 */
export async function loadContract(path: string, cacheFolder = CACHE): Promise<LoadedContract> {
  const { document, errors, ...rest } = await checked(path, cacheFolder);
  if (errors.length > 0) throw new ContractErrors([...new Set(errors.map(({ text }) => text))]);
  return { definition: new Definition(document), ...rest };
}

/**
 * The same for a contract that is mocked: an error that leaves single operations undefined is a
 * warning, and those operations are disabled.
 */
export async function loadMockable(path: string, cacheFolder = CACHE): Promise<LoadedContract> {
  const { document, errors, warnings, files } = await checked(path, cacheFolder);
  const definition = new Definition(document, errors);
  const disabled = definition.disabled.map((name) => `${path}  the operation ${name} is disabled`);
  const texts = new Set(errors.map(({ text }) => text));
  return { definition, warnings: [...disabled, ...texts, ...warnings], files };
}

async function checked(
  path: string,
  cacheFolder: string,
): Promise<Remembered & Pick<LoadedContract, 'files'>> {
  const known = await recall(cacheFolder, path);
  if (known !== undefined) return known;
  // Only here, since Redocly's core takes as long to import as the rest of the service.
  const { checkContract } = await import('./check.ts');
  const { hashes, ...found } = await checkContract(path);
  await remember(cacheFolder, path, hashes, found);
  return { ...found, files: [...hashes.keys()] };
}
