// Opens two contracts for their comparison: what both have in common is not checked.
import { ContractErrors } from '@stubwright/contract';
import { leaveOutEqualParts } from '../loading/equalParts.ts';
import { contractIn, type NamedContract, type NamedFiles } from './contracts.ts';

interface ContractPair {
  readonly before: NamedContract;
  readonly after: NamedContract;
}

type FilesOfPair = Readonly<Record<keyof ContractPair, NamedFiles>>;

interface OpenOptions {
  /** Finds the files once more: those that were read lack the common parts. */
  readonly readAgain: () => FilesOfPair;
  /** True to check both as a whole. */
  readonly isWhole: boolean;
  /** Called with the name of each contract that is checked. */
  readonly onContract: (name: string) => void;
}

/**
 * Opens the parts of two contracts that differ, and the parts that these refer to. If one of them has an error, both
 * contracts are opened as a whole.
 *
 * @throws {ContractErrors} for errors of a whole contract; operations with errors are disabled
 */
export async function openPair(
  files: FilesOfPair,
  { readAgain, isWhole, onContract }: OpenOptions,
): Promise<ContractPair> {
  if (isWhole || !(await leaveOut(files))) return opened(files, onContract);
  try {
    const pair = await opened(files, onContract);
    if (pair.before.errors.length + pair.after.errors.length === 0) return pair;
  } catch (error) {
    if (!(error instanceof ContractErrors)) throw error;
  }
  return opened(readAgain(), onContract);
}

/** @returns `info.version`, of a file that may have errors */
export async function versionIn(files: NamedFiles): Promise<string> {
  const info: unknown = Object(await parsed(files)).info;
  return String(Object(info).version ?? '');
}

async function leaveOut({ before, after }: FilesOfPair): Promise<boolean> {
  return leaveOutEqualParts(await parsed(before), await parsed(after));
}

async function opened(
  { before, after }: FilesOfPair,
  onContract: OpenOptions['onContract'],
): Promise<ContractPair> {
  onContract(after.name);
  const revision = await contractIn(after, { isLenient: true });
  onContract(before.name);
  return { before: await contractIn(before, { isLenient: true }), after: revision };
}

/** @returns undefined for a file that cannot be read */
async function parsed({ files }: NamedFiles): Promise<unknown> {
  const root = await files.readRoot();
  return 'value' in root ? root.value : undefined;
}
