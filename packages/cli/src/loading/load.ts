// Loads a contract from its OpenAPI files. stubwright imports this module if CONTRACT is not a bundle.

import { relative, resolve } from 'node:path';
import {
  type Bundle,
  type CheckedContract,
  Contract,
  ContractErrors,
  contractFromBundle,
  errorCauses,
  FORMAT,
  type LoadedContract,
  type LoadOptions,
  type Located,
} from '@stubwright/contract';
import { linearPatterns } from '../patterns/linearPattern.ts';
import { checkContract, type LoaderOptions } from './checkContract.ts';
import type { Access } from './containment.ts';
import { publishedYaml, selfContained } from './publishedYaml.ts';

export { publishedYaml };

/**
 * Checks a contract: OpenAPI 3.0, 3.1 or 3.2, YAML or JSON, one file or many.
 *
 * @returns the contract with the errors of single operations; `files` are absolute
 * @throws {ContractErrors} for errors of the whole contract
 */
export async function checkedContract(
  path: string,
  options?: LoaderOptions,
): Promise<CheckedContract> {
  const { document: checked, errors, warnings, hashes } = await checkContract(path, options);
  const document = selfContained(checked);
  return {
    stubwright: FORMAT,
    // Files are read concurrently, in any order.
    files: Object.fromEntries([...hashes].sort(([a], [b]) => (a < b ? -1 : 1))),
    warnings,
    errors,
    patterns: linearPatterns(document),
    document,
  };
}

/**
 * @param folder of the bundle's file
 * @throws {ContractErrors} with every error of the contract
 */
export async function bundleOf(path: string, folder: string, access?: Access): Promise<Bundle> {
  const { document, errors, files, ...rest } = await checkedContract(path, access);
  if (errors.length > 0) throw new ContractErrors(errors);
  const relativeFiles = Object.entries(files).map(([file, hash]) => [
    relative(resolve(access?.cwd ?? '', folder), file),
    hash,
  ]);
  return {
    ...rest,
    files: Object.fromEntries(relativeFiles),
    errors,
    yaml: await publishedYaml(resolve(access?.cwd ?? '', path), document, access?.sources),
    document,
  };
}

export interface ClientContract extends CheckedContract {
  /** The errors of operations that are left out, and each such operation. */
  readonly omitted: readonly Located[];
}

/**
 * Checks a contract for a client, which has its operations without errors.
 *
 * @throws {ContractErrors} for errors of the whole contract, and if no operation is left
 */
export async function clientContract(path: string, access?: Access): Promise<ClientContract> {
  const checked = await checkedContract(path, { ...access, isWithoutWarnings: true });
  const { document, errors } = checked;
  const { operations, disabled } = new Contract(document, errors);
  if (disabled.length > 0 && operations.length === 0) throw new ContractErrors(errors);
  const left = disabled.map((name) => {
    return { position: undefined, message: `${path}  the operation ${name} is left out` };
  });
  return { ...checked, omitted: [...errorCauses(errors), ...left] };
}

/** @throws {ContractErrors} with all errors of the contract */
export function loadContractFiles(path: string, access?: LoaderOptions): Promise<LoadedContract> {
  return load(path, { ...access, isMocked: false });
}

/** The same, with the operations that have errors disabled. */
export function loadMockable(path: string, access?: LoaderOptions): Promise<LoadedContract> {
  return load(path, { ...access, isMocked: true });
}

async function load(path: string, options: LoadOptions & LoaderOptions): Promise<LoadedContract> {
  const checked = await checkedContract(path, options);
  const source = resolve(options.cwd ?? '', path);
  return contractFromBundle(
    path,
    checked,
    () => publishedYaml(source, checked.document, options.sources),
    options,
  );
}
