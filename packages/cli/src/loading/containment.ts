// Where the files of a contract are: on the disk, in memory, or in a tree such as a git revision; and which of them it
// may consist of: YAML and JSON in its folder or repository.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, parse, relative, resolve, sep } from 'node:path';

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
    return this.#folders.some((folder) => isInside(folder, path));
  }
}

function isInside(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

/** Paths are absolute. */
export interface Sources {
  /** Precedes paths in messages: `HEAD~1:`, or nothing. */
  readonly prefix: string;
  /** True for a file and for a folder. */
  exists(path: string): boolean;
  /**
   * @returns the path without symbolic links
   * @throws {NodeJS.ErrnoException} if there is no such file or folder
   */
  realPath(path: string): string;
  /** @param path without symbolic links */
  kindOf(path: string): 'file' | 'folder' | 'other';
  /** @throws {NodeJS.ErrnoException} if the file cannot be read */
  read(path: string): Promise<Buffer>;
  /** @returns the top level of the repository of a folder; undefined outside of a repository */
  repositoryOf(folder: string): string | undefined;
}

export const DISK: Sources = {
  prefix: '',
  exists: existsSync,
  realPath: (path) => realpathSync(path),
  kindOf(path) {
    const stats = statSync(path);
    return stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other';
  },
  read: (path) => readFile(path),
  /** A repository in a home or in the root of the file system does not count. */
  repositoryOf(folder) {
    for (let at = folder; at !== parse(at).root && at !== homedir(); at = dirname(at)) {
      if (existsSync(resolve(at, '.git'))) return at;
    }
    return undefined;
  },
};

/**
 * @param texts by absolute path; a text counts instead of the file
 * @param below by default the disk
 */
export function buffersOver(texts: ReadonlyMap<string, string>, below: Sources = DISK): Sources {
  const folders = foldersOf(texts.keys());
  const isInMemory = (path: string) =>
    texts.has(path) || (folders.has(path) && !below.exists(path));
  return {
    prefix: below.prefix,
    exists: (path) => isInMemory(path) || below.exists(path),
    realPath: (path) => (isInMemory(path) ? path : below.realPath(path)),
    kindOf(path) {
      if (!isInMemory(path)) return below.kindOf(path);
      return texts.has(path) ? 'file' : 'folder';
    },
    async read(path) {
      const text = texts.get(path);
      return text === undefined ? below.read(path) : Buffer.from(text);
    },
    repositoryOf: (folder) => below.repositoryOf(folder),
  };
}

/** @param folders that are found already; their parents are not entered */
function foldersOf(paths: Iterable<string>, folders = new Set<string>()): ReadonlySet<string> {
  for (const path of paths) {
    for (let at = dirname(path); !folders.has(at); at = dirname(at)) folders.add(at);
  }
  return folders;
}

export interface TreeFile {
  read(): Promise<Buffer>;
  /** @returns the target of a symbolic link; absent for a regular file */
  link?(): string;
}

/** As Linux. */
const MAX_LINKS = 40;
const SEPARATOR = /[/\\]/;

export class Tree implements Sources {
  readonly prefix: string;
  readonly #root: string;
  readonly #files: ReadonlyMap<string, TreeFile>;
  readonly #folders: ReadonlySet<string>;

  /**
   * @param root the absolute path of the tree, which is a repository
   * @param files by their paths, relative to the root, with slashes
   */
  constructor(root: string, files: ReadonlyMap<string, TreeFile>, prefix = '') {
    this.prefix = prefix;
    this.#root = root;
    this.#files = new Map(Array.from(files, ([path, file]) => [resolve(root, path), file]));
    this.#folders = foldersOf(this.#files.keys(), new Set([root]));
  }

  exists(path: string): boolean {
    try {
      const found = this.realPath(path);
      return this.#files.has(found) || this.#folders.has(found);
    } catch {
      return false;
    }
  }

  /** The path may be outside of the tree if a link leads there. */
  realPath(path: string): string {
    if (!isInside(this.#root, path)) throw failure('ENOENT', path);
    const names = relative(this.#root, path).split(SEPARATOR);
    let at = this.#root;
    let links = 0;
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const next = resolve(at, name);
      const file = this.#files.get(next);
      if (file?.link !== undefined) {
        if (++links > MAX_LINKS) throw failure('ELOOP', path);
        const target = file.link();
        if (isAbsolute(target)) return resolve(target, ...names);
        names.unshift(...target.split(SEPARATOR));
      } else if (file !== undefined || this.#folders.has(next)) at = next;
      else if (isInside(this.#root, next)) throw failure('ENOENT', path);
      else return resolve(next, ...names);
    }
    return at;
  }

  kindOf(path: string): 'file' | 'folder' {
    return this.#folders.has(path) ? 'folder' : 'file';
  }

  async read(path: string): Promise<Buffer> {
    const file = this.#files.get(this.realPath(path));
    if (file === undefined) throw failure(this.exists(path) ? 'EISDIR' : 'ENOENT', path);
    return file.read();
  }

  repositoryOf(): string {
    return this.#root;
  }
}

/** @returns a tree of files in memory, by their paths relative to the root */
export function memoryTree(root: string, files: ReadonlyMap<string, string | Buffer>): Tree {
  const entries = Array.from(files, ([path, content]): [string, TreeFile] => [
    path,
    { read: async () => Buffer.from(content) },
  ]);
  return new Tree(root, new Map(entries));
}

function failure(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
