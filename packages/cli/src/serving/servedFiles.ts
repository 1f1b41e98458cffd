// The generated files of served versions.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle, Contract } from '@stubwright/contract';
import type { ServedEntry } from '@stubwright/versions';
import type { Access } from '../loading/containment.ts';
import { generateIn } from '../project/generated.ts';
import type { ConverterPlan } from './converterPlan.ts';
import { definitionOf, releasedContract, servedEntries, VERSIONS } from './servedVersions.ts';
import { versionTypes } from './versionTypes.ts';

/** @returns the files of `generate` in a project, with those of served versions, and files of no served version */
export async function generatedFiles(path: string, access: Access) {
  const { files, bundle } = await generateIn('.', path, access);
  const served = await servedFiles(servedEntries(access.cwd), bundle, access);
  return { files: new Map([...files, ...served.files]), surplus: served.surplus, bundle };
}

interface GeneratedVersion {
  readonly entry: ServedEntry;
  readonly contract: Contract;
  readonly plan: ConverterPlan;
}

/**
 * @param entries oldest first: each converts to the next one, the last one to the current contract
 * @throws {ContractErrors} for a contract with errors
 */
export async function servedFiles(
  entries: readonly ServedEntry[],
  current: Bundle,
  access: Access = {},
) {
  const files = new Map<string, string>();
  const versions: GeneratedVersion[] = [];
  const contracts: Contract[] = [];
  for (const entry of entries) {
    const { contract, text } = await releasedContract(entry, access);
    if (text !== undefined) files.set(entry.contract, text);
    contracts.push(contract);
  }
  for (const [at, entry] of entries.entries()) {
    const contract = contracts[at]!;
    const next = contracts[at + 1];
    const { text, plan } = versionTypes({
      version: entry.version,
      ...{ older: contract, newer: next ?? definitionOf(current) },
      newerTypes: next === undefined ? '../contract.ts' : undefined,
    });
    files.set(`${VERSIONS}/${entry.version}.ts`, text);
    versions.push({ entry, contract, plan });
  }
  return { files, versions, surplus: surplusIn(entries, access.cwd) };
}

function surplusIn(entries: readonly ServedEntry[], cwd = ''): string[] {
  const folder = join(cwd, VERSIONS);
  if (!existsSync(folder)) return [];
  const known = new Set(
    entries.flatMap(({ version, contract }) => [...[`${VERSIONS}/${version}.ts`, contract]]),
  );
  return readdirSync(folder)
    .map((name) => `${VERSIONS}/${name}`)
    .filter((path) => /\.(?:ts|json)$/.test(path) && !known.has(path));
}
