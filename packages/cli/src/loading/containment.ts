// Restricts the files of a contract to YAML and JSON in its folder or repository.
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Sources } from './sources/sources.ts';
import { DISK } from './sources/sources.ts';

export interface Overlays {
  /** The path of the contract; other contracts of a command, such as a release, have no overlays. */
  readonly contract: string;
  readonly files: readonly string[];
}

export interface Access {
  /** The folder that paths are relative to; by default the working directory of the process. */
  readonly cwd?: string | undefined;
  /** Further folders that references of the contract may lead to. */
  readonly allowOutside?: readonly string[] | undefined;
  /** Apply to this contract in their order, after those of stubwright.yaml. */
  readonly overlays?: Overlays | undefined;
  /** The overlays of stubwright.yaml are applied to a release already; by default true in the project's folder of releases. */
  readonly isRelease?: boolean | undefined;
  /** Reports an overlay's target that selects nothing; by default it is a warning of the contract. */
  readonly onOverlayWarning?: ((warning: string) => void) | undefined;
  /** By default the disk. */
  readonly sources?: Sources | undefined;
}

/** Holds `1.0.0.yaml`, …, and the requests of their clients; in the folder of a project. */
export const RELEASED = 'test/released';
/** Overlays, and the copies of remote schemas; in the folder of a contract or above. */
export const SETTINGS = 'stubwright.yaml';

const EXTENSIONS = /\.(?:json|ya?ml)$/i;

/** A reference that leads out of the folders of a contract. */
export class OutsideFolder extends Error {
  override readonly name = 'OutsideFolder';

  /** @param folder that would have to be permitted */
  constructor(folder: string) {
    const permits = `--allow-outside ${folder} permits it, for a service CONTRACT_FOLDERS`;
    super(`it is outside of the contract's folder or repository; ${permits}`);
  }
}

export class Containment {
  readonly #sources: Sources;
  readonly #cwd: string;
  readonly #root: string;
  readonly #folders: readonly string[];

  /** @param path of the contract, which may be any file */
  constructor(path: string, { cwd = '', allowOutside = [], sources = DISK }: Access = {}) {
    this.#sources = sources;
    this.#cwd = resolve(cwd);
    this.#root = resolve(cwd, path);
    const folder = this.#realFolder(dirname(this.#root));
    this.#folders = [
      sources.repositoryOf(folder) ?? folder,
      ...allowOutside.map((allowed) => this.#realFolder(resolve(cwd, allowed))),
    ];
  }

  /**
   * @param path absolute
   * @param extension of its name
   * @returns the real path of a file that the contract may consist of
   * @throws {Error} with the reason in a few words, or with the code of the file system
   */
  admit(path: string, extension = EXTENSIONS): string {
    if (path === this.#root) return path;
    const found = this.#realPath(path);
    if (!this.#isInside(found)) throw this.#outside(this.#isInside(path) ? found : path);
    const kind = this.#sources.kindOf(found);
    if (kind === 'folder') throw new Error('it is a folder');
    // A pipe or a device may never end.
    if (kind === 'other') throw new Error('it is not a regular file');
    if (!extension.test(found)) throw new Error('its name does not end with .json, .yaml, .yml');
    return found;
  }

  #realPath(path: string): string {
    try {
      return this.#sources.realPath(path);
    } catch (error) {
      // Whether another file exists is not revealed.
      throw this.#isInside(path) ? error : this.#outside(path);
    }
  }

  #outside(path: string): OutsideFolder {
    return new OutsideFolder(relative(this.#cwd, dirname(path)) || '.');
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
