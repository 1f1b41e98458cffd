// The files on the disk.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, parse, resolve } from 'node:path';
import type { Sources } from './sources.ts';

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
