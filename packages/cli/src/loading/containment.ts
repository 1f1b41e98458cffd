// Restricts the files of a contract to YAML and JSON in its folder or repository.
import { existsSync, realpathSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, extname, isAbsolute, parse, relative, resolve, sep } from 'node:path';

export interface Access {
  /** The folder that paths are relative to; by default the working directory of the process. */
  readonly cwd?: string | undefined;
  /** Further folders that references of the contract may lead to. */
  readonly allowOutside?: readonly string[] | undefined;
}

const EXTENSIONS = ['.json', '.yaml', '.yml'];

export class Containment {
  readonly #root: string;
  readonly #folders: readonly string[];

  /** @param path of the contract, which may be any file */
  constructor(path: string, { cwd = '', allowOutside = [] }: Access = {}) {
    this.#root = resolve(cwd, path);
    const folder = realFolder(dirname(this.#root));
    this.#folders = [
      repositoryOf(folder) ?? folder,
      ...allowOutside.map((each) => realFolder(resolve(cwd, each))),
    ];
  }

  /**
   * @param path absolute
   * @returns the real path of a file that the contract may consist of
   * @throws {Error} with the reason in a few words, or with the code of the file system
   */
  async admit(path: string): Promise<string> {
    if (path === this.#root) return path;
    const found = await realpath(path).catch((error) => {
      // Whether another file exists is not revealed.
      throw this.#isInside(path) ? error : outside();
    });
    if (!this.#isInside(found)) throw outside();
    const kind = await stat(found);
    if (kind.isDirectory()) throw new Error('it is a folder');
    // A pipe or a device may never end.
    if (!kind.isFile()) throw new Error('it is not a regular file');
    if (!EXTENSIONS.includes(extname(found).toLowerCase())) {
      throw new Error(`its name does not end with ${EXTENSIONS.join(', ')}`);
    }
    return found;
  }

  #isInside(path: string): boolean {
    return this.#folders.some((folder) => {
      const inside = relative(folder, path);
      return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
    });
  }
}

function outside(): Error {
  return new Error(
    "it is outside of the contract's folder or repository; --allow-outside permits it",
  );
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** @returns the top level of the git repository; undefined if it is a home or the root of the file system */
function repositoryOf(folder: string): string | undefined {
  for (let at = folder; at !== parse(at).root && at !== homedir(); at = dirname(at)) {
    if (existsSync(resolve(at, '.git'))) return at;
  }
  return undefined;
}
