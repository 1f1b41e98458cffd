// Proves the converters of the served versions of a project.
import { convertersOf } from '@stubwright/versions';
import { type NamedContract, openContract } from '../check/contracts.ts';
import type { Access } from '../loading/containment.ts';
import { contractPath, servedEntries } from '../serving/servedFiles.ts';
import { provePair } from './pairProof.ts';
import { hashesOf } from './proofFile.ts';
import type { FileProof } from './results.ts';

export interface ProveOptions extends Access {
  /** One version; by default all. */
  readonly version?: string | undefined;
}

/**
 * @param current the contract that the newest served version converts to
 * @returns the proofs of the served versions, oldest first
 * @throws {ContractErrors} for a contract with errors, and for converters that do not fit
 */
export async function proveVersions(
  current: NamedContract,
  { version, ...access }: ProveOptions = {},
): Promise<FileProof[]> {
  const { cwd = '' } = access;
  const entries = servedEntries(cwd);
  const proofs: FileProof[] = [];
  for (const [at, entry] of entries.entries()) {
    if (version !== undefined && entry.version !== version) continue;
    const next = entries[at + 1];
    const older = await openContract(contractPath(entry, cwd), access);
    const newer =
      next === undefined ? current : await openContract(contractPath(next, cwd), access);
    const both = { older: older.definition, newer: newer.definition };
    const proof = await provePair({
      ...{ version: entry.version, ...both },
      converters: await convertersOf(entry, cwd),
      positionOf: (pointer) => older.locations.position(pointer),
    });
    proofs.push({ ...proof, hashes: hashesOf({ entry, ...both }, cwd) });
  }
  return proofs;
}
