// Loads the contracts that `stubwright diff`, `changelog` and `release` compare.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { LoadedContract } from 'stubwright/contract';
import { releasesIn } from '../diff/report/releases.ts';
import { SourceLocations } from '../diff/report/sourceLocations.ts';
import type { Access } from '../loading/containment.ts';
import { loadContract } from '../loading/load.ts';
import { CONTRACT, RELEASED } from '../project/layout.ts';

export interface NamedContract extends LoadedContract {
  /** A path, or `HEAD~1:openapi.yaml`. */
  readonly name: string;
  readonly locations: SourceLocations;
}

interface BaseOptions extends Access {
  /** The name of the argument, for the message. */
  readonly variable?: string;
  /** The path of the contract in a revision without a path. */
  readonly path?: string;
}

/**
 * @param base a path, a git revision, or a path in one: `HEAD~3:api/openapi.yaml`
 * @throws {Error} if it is none of these
 * @throws {ContractErrors} if the contract has errors
 */
export async function contractOf(
  base: string,
  { variable = 'BASE', path = CONTRACT, ...access }: BaseOptions = {},
): Promise<NamedContract> {
  const { cwd = '' } = access;
  if (base !== '' && existsSync(resolve(cwd, base))) return contractAt(base, access);
  const [revision = '', ...rest] = base.split(':');
  const file = rest.length > 0 ? rest.join(':') : path;
  return contractOfRevision(revision, file, { cwd, got: `${variable}: got ${base}` });
}

async function contractAt(path: string, access: Access): Promise<NamedContract> {
  const loaded = await loadContract(path, access);
  return {
    ...loaded,
    name: path,
    locations: await SourceLocations.of(path, loaded.definition.document, access),
  };
}

/** Where a revision is looked up. */
interface Revision {
  readonly cwd: string;
  /** The argument, for the message. */
  readonly got: string;
}

/** Extracts all files of the revision, because a contract may consist of several. */
async function contractOfRevision(
  revision: string,
  file: string,
  { cwd, got }: Revision,
): Promise<NamedContract> {
  const folder = mkdtempSync(join(tmpdir(), 'revision-'));
  try {
    extract(revision, folder, { cwd, got });
    const path = join(folder, relative(resolve(cwd), resolve(cwd, file)));
    if (!existsSync(path)) throw new Error(`${got}, expected a revision that has ${file}`);
    // The repository of the revision is the folder.
    const access = { allowOutside: [folder] };
    const loaded = await loadContract(path, access);
    const shown = (each: string) => `${revision}:${relative(folder, each)}`;
    const locations = await SourceLocations.of(path, loaded.definition.document, {
      ...access,
      shown,
    });
    return { ...loaded, name: `${revision}:${file}`, locations };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function extract(revision: string, folder: string, { cwd, got }: Revision): void {
  const releases = releasesIn(RELEASED, cwd).map(({ version }) => version);
  const expected = `a release (${releases.join(', ') || 'none yet'}), the path of a contract, a git revision or REVISION:path`;
  // git would read it as an option.
  if (revision.startsWith('-')) throw new Error(`${got}, expected ${expected}`);
  try {
    const archive = execFileSync('git', ['archive', '--format=tar', revision], {
      cwd: resolve(cwd),
      maxBuffer: 1024 ** 3,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
  } catch {
    throw new Error(`${got}, expected ${expected}`);
  }
}
