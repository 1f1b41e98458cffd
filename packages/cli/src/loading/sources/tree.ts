// A tree of files that are not on the disk, with symbolic links.
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Sources } from './sources.ts';

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
