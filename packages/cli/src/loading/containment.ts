// Restricts the files of a contract to YAML and JSON in its folder or repository.
import { dirname, extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { DISK } from './sources/disk.ts';
import type { Sources } from './sources/sources.ts';

export interface Access {
  /** The folder that paths are relative to; by default the working directory of the process. */
  readonly cwd?: string | undefined;
  /** Further folders that references of the contract may lead to. */
  readonly allowOutside?: readonly string[] | undefined;
  /** By default the disk. */
  readonly sources?: Sources | undefined;
}

const EXTENSIONS = ['.json', '.yaml', '.yml'];

export class Containment {
  readonly #sources: Sources;
  readonly #root: string;
  readonly #folders: readonly string[];

  /** @param path of the contract, which may be any file */
  constructor(path: string, { cwd = '', allowOutside = [], sources = DISK }: Access = {}) {
    this.#sources = sources;
    this.#root = resolve(cwd, path);
    const folder = this.#realFolder(dirname(this.#root));
    this.#folders = [
      sources.repositoryOf(folder) ?? folder,
      ...allowOutside.map((each) => this.#realFolder(resolve(cwd, each))),
    ];
  }

  /**
   * @param path absolute
   * @returns the real path of a file that the contract may consist of
   * @throws {Error} with the reason in a few words, or with the code of the file system
   */
  admit(path: string): string {
    if (path === this.#root) return path;
    const found = this.#realPath(path);
    if (!this.#isInside(found)) throw outside();
    const kind = this.#sources.kindOf(found);
    if (kind === 'folder') throw new Error('it is a folder');
    // A pipe or a device may never end.
    if (kind === 'other') throw new Error('it is not a regular file');
    if (!EXTENSIONS.includes(extname(found).toLowerCase())) {
      throw new Error(`its name does not end with ${EXTENSIONS.join(', ')}`);
    }
    return found;
  }

  #realPath(path: string): string {
    try {
      return this.#sources.realPath(path);
    } catch (error) {
      // Whether another file exists is not revealed.
      throw this.#isInside(path) ? error : outside();
    }
  }

  #realFolder(path: string): string {
    try {
      return this.#sources.realPath(path);
    } catch {
      return resolve(path);
    }
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
