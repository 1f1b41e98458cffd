// Loads the contracts that `stubwright diff`, `changelog` and `release` compare.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { LoadedContract } from 'stubwright/internal/contract/bundle';
import { releasesIn } from '../diff/report/releases.ts';
import { SourceLocations } from '../diff/report/sourceLocations.ts';
import { loadContract } from '../loading/load.ts';
import { CONTRACT, RELEASED } from '../project/layout.ts';

export interface NamedContract extends LoadedContract {
  /** A path, or `HEAD~1:openapi.yaml`. */
  readonly name: string;
  readonly locations: SourceLocations;
}

/**
 * @param base a path, a git revision, or a path in one: `HEAD~3:api/openapi.yaml`
 * @param variable for the message
 * @param path of the contract in a revision without a path
 * @throws {Error} if it is none of these
 * @throws {ContractErrors} if the contract has errors
 */
export async function contractOf(
  base: string,
  variable = 'BASE',
  path = CONTRACT,
): Promise<NamedContract> {
  if (existsSync(base)) return contractAt(base);
  const [revision = '', ...rest] = base.split(':');
  const file = rest.length > 0 ? rest.join(':') : path;
  return contractOfRevision(revision, file, `${variable}: got ${base}`);
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
async function contractOfRevision(
  revision: string,
  file: string,
  got: string,
): Promise<NamedContract> {
  const folder = mkdtempSync(join(tmpdir(), 'revision-'));
  try {
    extract(revision, folder, got);
    const path = join(folder, relative(process.cwd(), resolve(file)));
    if (!existsSync(path)) throw new Error(`${got}, expected a revision that has ${file}`);
    const loaded = await loadContract(path);
    const shown = (each: string) => `${revision}:${relative(folder, each)}`;
    const locations = await SourceLocations.of(path, loaded.definition.document, shown);
    return { ...loaded, name: `${revision}:${file}`, locations };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function extract(revision: string, folder: string, got: string): void {
  const releases = releasesIn(RELEASED).map(({ version }) => version);
  const expected = `a release (${releases.join(', ') || 'none yet'}), the path of a contract, a git revision or REVISION:path`;
  // git would read it as an option.
  if (revision.startsWith('-')) throw new Error(`${got}, expected ${expected}`);
  try {
    const archive = execFileSync('git', ['archive', '--format=tar', revision], {
      maxBuffer: 1024 ** 3,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
  } catch {
    throw new Error(`${got}, expected ${expected}`);
  }
}
