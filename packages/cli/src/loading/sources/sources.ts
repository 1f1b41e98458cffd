// Where the files of contracts are: on the disk, in memory, or in a tree such as a git revision. Paths are absolute.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, parse, relative, resolve, sep } from 'node:path';

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
  const folders = new Set<string>();
  for (const path of texts.keys()) {
    for (let at = dirname(path); !folders.has(at); at = dirname(at)) folders.add(at);
  }
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
    const folders = new Set([root]);
    for (const path of this.#files.keys()) {
      for (let at = dirname(path); !folders.has(at); at = dirname(at)) folders.add(at);
    }
    this.#folders = folders;
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
    if (!this.#isInside(path)) throw failure('ENOENT', path);
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
      else if (this.#isInside(next)) throw failure('ENOENT', path);
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

  #isInside(path: string): boolean {
    const inside = relative(this.#root, path);
    return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
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
