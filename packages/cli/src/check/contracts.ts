// Loads the contracts that `stubwright diff` and `make changelog` compare.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { LoadedContract } from 'stubwright/internal/contract/bundle';
import { SourceLocations } from '../diff/sourceLocations.ts';
import { loadContract } from '../loading/load.ts';

export const CONTRACT = 'openapi.yaml';
export const RELEASED = 'test/released';
/** Printed by commands that compare with the newest release, which is no error. */
export const NOT_RELEASED = `${RELEASED}/ holds no release of ${CONTRACT}, nothing to compare\n`;

export interface NamedContract extends LoadedContract {
  /** A path, or `HEAD~1:openapi.yaml`. */
  readonly name: string;
  readonly locations: SourceLocations;
}

/**
 * @param base a path, or a git revision with an openapi.yaml
 * @param variable for the message, with the expectation
 * @throws {Error} if it is neither
 * @throws {ContractErrors} if the contract has errors
 */
export async function contractOf(
  base: string,
  variable = 'BASE',
  expected = 'the path of a contract or a git revision',
): Promise<NamedContract> {
  if (existsSync(base)) return contractAt(base);
  return contractOfRevision(base, `${variable}: got ${base}, expected ${expected}`);
}

async function contractAt(path: string): Promise<NamedContract> {
  const loaded = await loadContract(path);
  return {
    ...loaded,
    name: path,
    locations: await SourceLocations.of(path, loaded.definition.document),
  };
}

/** Extracts all files of the revision, because a contract may consist of several. */
async function contractOfRevision(revision: string, message: string): Promise<NamedContract> {
  const folder = mkdtempSync(join(tmpdir(), 'revision-'));
  try {
    const archive = execFileSync('git', ['archive', '--format=tar', revision], {
      maxBuffer: 1024 ** 3,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    const path = join(folder, CONTRACT);
    const loaded = await loadContract(path);
    const shown = (file: string) => `${revision}:${relative(folder, file)}`;
    const locations = await SourceLocations.of(path, loaded.definition.document, shown);
    return { ...loaded, name: `${revision}:${CONTRACT}`, locations };
  } catch (error) {
    if (error instanceof Error && 'status' in error) {
      throw new Error(message);
    }
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
