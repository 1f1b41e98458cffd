// The released contracts of a project.

import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compareVersions } from '@stubwright/diff/versions';

export interface Release {
  readonly version: string;
  readonly path: string;
}

/** @returns the releases in a folder of `1.0.0.yaml`, …, oldest first; none if the folder does not exist */
export function releasesIn(folder: string, cwd = ''): Release[] {
  const path = resolve(cwd, folder);
  if (!existsSync(path)) return [];
  const files = readdirSync(path).filter((file) => /\.ya?ml$/.test(file));
  return files
    .map((file) => ({ version: file.replace(/\.ya?ml$/, ''), path: join(folder, file) }))
    .sort((a, b) => compareVersions(a.version, b.version));
}
