// Makes the name of a file durable.
import { closeSync, fsyncSync, openSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** A directory that may not be read was made by another user; some file systems sync no directory. */
const NOT_SYNCED = new Set<string | undefined>(['EACCES', 'EINVAL']);

/**
 * Syncs the directory of a file and all above it: after a power cut a file is found only when each
 * name on its path is on disk.
 *
 * @throws the system's error
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
