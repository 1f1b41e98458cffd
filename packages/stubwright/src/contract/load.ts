// CONTRACT=path -> a contract in memory. A bundle is read as it is; the sources of a contract are
// checked first, by @stubwright/cli.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ContractErrors, type Node } from '../document/definition.ts';
import { sha256 } from '../document/hash.ts';
import { parseJsonText } from '../json/json.ts';
import {
  type Bundle,
  type CheckedContract,
  contractOf,
  FORMAT,
  type LoadedContract,
  type LoadOptions,
  type PublishedYaml,
} from './bundle.ts';
import { cliPath } from './development.ts';

/** What @stubwright/cli exports as `@stubwright/cli/loader`. */
interface Loader {
  checkedContract(path: string): Promise<CheckedContract>;
  publishedYaml(path: string, document: Node): Promise<PublishedYaml>;
}

/**
 * Loads a contract: a bundle, or OpenAPI 3.0, 3.1 or 3.2 as YAML or JSON in one file or many.
 *
 * @throws {ContractErrors} with every error, each as `file:line:column  what  expected`; also for a
 *   bundle of other sources, and for sources where @stubwright/cli is not installed
 */
export async function loadContract(path: string, options: LoadOptions): Promise<LoadedContract> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (!text.startsWith(START)) {
    const { checkedContract, publishedYaml } = await loader(path);
    const checked = await checkedContract(path);
    return contractOf(path, checked, () => publishedYaml(path, checked.document), options);
  }
  // Parsing with bigints takes three times as long.
  const bundle: Bundle = /\d{16}/.test(text) ? (parseJsonText(text) as Bundle) : JSON.parse(text);
  if (bundle.stubwright !== FORMAT) {
    throw new ContractErrors([
      `${path}  has format ${bundle.stubwright}  expected ${FORMAT}: write it with the same version of @stubwright/cli`,
    ]);
  }
  await expectSameSources(path, bundle);
  return contractOf(path, bundle, async () => bundle.yaml, options);
}

const START = '{\n "stubwright":';

/** @returns the text of a bundle's file */
export function bundleText(bundle: Bundle): string {
  const replacer = (_key: string, value: unknown) =>
    typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value;
  return `${JSON.stringify(bundle, replacer, 1)}\n`;
}

/** A deployment may leave the sources out; where they are, they must be those of the bundle. */
async function expectSameSources(path: string, { files }: Bundle): Promise<void> {
  for (const [file, hash] of Object.entries(files)) {
    const source = join(dirname(path), file);
    const content = await readFile(source).catch(() => undefined);
    if (content !== undefined && sha256(content) !== hash) {
      throw new ContractErrors([
        `${path}  was written from another ${source}  expected the same: run \`make generate\``,
      ]);
    }
  }
}

async function loader(path: string): Promise<Loader> {
  const module = cliPath('loader');
  if (module !== undefined) return await import(pathToFileURL(module).href);
  throw new ContractErrors([
    `${path}  is not a bundled contract  expected one, or @stubwright/cli to be installed, which reads OpenAPI`,
  ]);
}
