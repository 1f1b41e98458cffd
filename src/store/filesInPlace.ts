// Detects that open files were deleted, renamed or replaced.
import { type BigIntStats, statSync } from 'node:fs';

/**
 * A process can write to a deleted or renamed file, which its next start does not find. Node does not
 * expose SQLite's check, SQLITE_FCNTL_HAS_MOVED.
 */
export class FilesInPlace {
  readonly #opened: ReadonlyMap<string, BigIntStats | undefined>;

  /** @param paths the paths of open files */
  constructor(paths: readonly string[]) {
    this.#opened = new Map(paths.map((path) => [path, statsOf(path)]));
  }

  /** @returns the first path without a file or with another file; undefined if there is none */
  moved(): string | undefined {
    for (const [path, opened] of this.#opened) {
      const stats = statsOf(path);
      if (stats === undefined || stats.ino !== opened?.ino || stats.dev !== opened.dev) return path;
    }
    return undefined;
  }
}

// Inode numbers have 64 bits.
function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
