// Makes the directory entries of a file durable.
import { closeSync, fsyncSync, openSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** EACCES: the directory of another user. EINVAL: the file system does not sync directories. */
const NOT_SYNCED = new Set<string | undefined>(['EACCES', 'EINVAL']);

/**
 * Syncs all directories above a file: after a power failure every entry of the path must exist.
 *
 * @throws {NodeJS.ErrnoException}
 */
export function syncPath(file: string): void {
  let folder = realpathSync(file);
  while (folder !== dirname(folder)) {
    folder = dirname(folder);
    syncFolder(folder);
  }
}

function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!NOT_SYNCED.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}
