// Detects that the open files of a database were deleted, renamed, replaced or truncated.
import { type BigIntStats, statSync } from 'node:fs';
import { isExtendedLogWhole } from './writeAheadLog.ts';

/** Why the next start would not find what was written. */
export interface Loss {
  readonly path: string;
  /** True if content was lost; false if the path has no file, or another file. */
  readonly isTruncated: boolean;
}

interface OpenFile {
  readonly path: string;
  readonly opened: BigIntStats | undefined;
  /** The size at the last check: SQLite extends and overwrites its files, and never truncates an open one. */
  size: bigint;
}

/**
 * A process can write to a deleted or renamed file, which its next start does not find, and past the end
 * of a truncated one. Node does not expose SQLite's check, SQLITE_FCNTL_HAS_MOVED.
 */
export class FilesInPlace {
  readonly #file: OpenFile;
  readonly #log: OpenFile;
  #truncated: Loss | undefined;

  /** @param file path of the open database @param log path of its write-ahead log */
  constructor(file: string, log: string) {
    this.#file = openFile(file);
    this.#log = openFile(log);
  }

  /**
   * To be called before and after each commit: between two calls, a file may be extended once.
   *
   * @returns undefined if all written content is in place. A truncation is permanent.
   */
  loss(): Loss | undefined {
    return this.#truncated ?? this.#lossOf(this.#file) ?? this.#lossOf(this.#log);
  }

  #lossOf(file: OpenFile): Loss | undefined {
    const { path, opened, size: previous } = file;
    const stats = statsOf(path);
    if (stats === undefined || stats.ino !== opened?.ino || stats.dev !== opened.dev) {
      return { path, isTruncated: false };
    }
    file.size = stats.size;
    const mayHaveGap = file === this.#log && stats.size > previous;
    const isTruncated =
      stats.size < previous || (mayHaveGap && !isExtendedLogWhole(path, Number(previous)));
    if (!isTruncated) return undefined;
    this.#truncated = { path, isTruncated: true };
    return this.#truncated;
  }
}

function openFile(path: string): OpenFile {
  const opened = statsOf(path);
  return { path, opened, size: opened?.size ?? 0n };
}

// Inode numbers have 64 bits.
function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
