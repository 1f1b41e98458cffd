// Whether open files are still the ones at their paths.
import { statSync } from 'node:fs';

/**
 * A process keeps reading and writing a file that was deleted or renamed, and its next start finds
 * none or another. SQLite offers the same check as SQLITE_FCNTL_HAS_MOVED, which Node has not.
 */
export class FilesInPlace {
  readonly #identities: ReadonlyMap<string, string | undefined>;

  /** @param paths of files that have just been opened */
  constructor(paths: readonly string[]) {
    this.#identities = new Map(paths.map((path) => [path, identityOf(path)]));
  }

  /** @returns the first path at which there is no file any more, or another one */
  moved(): string | undefined {
    for (const [path, identity] of this.#identities) {
      if (identity === undefined || identityOf(path) !== identity) return path;
    }
    return undefined;
  }
}

// As bigint: inode numbers of 64 bits exist, and numbers would round them.
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
