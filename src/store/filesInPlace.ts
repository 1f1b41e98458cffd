// Whether open files are still the ones at their paths.
import { type BigIntStats, statSync } from 'node:fs';

/**
 * A process keeps reading and writing a file that was deleted or renamed, and its next start finds
 * none or another. SQLite offers the same check as SQLITE_FCNTL_HAS_MOVED, which Node has not.
 */
export class FilesInPlace {
  readonly #opened: ReadonlyMap<string, BigIntStats | undefined>;

  /** @param paths of files that have just been opened */
  constructor(paths: readonly string[]) {
    this.#opened = new Map(paths.map((path) => [path, statsOf(path)]));
  }

  /** @returns the first path at which there is no file any more, or another one */
  moved(): string | undefined {
    for (const [path, opened] of this.#opened) {
      const stats = statsOf(path);
      if (stats === undefined || stats.ino !== opened?.ino || stats.dev !== opened.dev) return path;
    }
    return undefined;
  }
}

// As bigint: inode numbers of 64 bits exist, and numbers would round them.
function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
