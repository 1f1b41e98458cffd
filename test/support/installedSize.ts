// The size of installed packages.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What an installation without development dependencies may take. */
export const MAX_PRODUCTION_MB = 45;

/** @returns megabytes on the disk, as `du -m` counts them: blocks, and a file with several links once */
export function installedMegabytes(folder: string): number {
  const blocks = new Map<number, number>();
  const pending = [folder];
  for (const path of pending) {
    const stats = lstatSync(path);
    blocks.set(stats.ino, stats.blocks);
    // A link to a package of the workspace is no folder.
    if (stats.isDirectory()) pending.push(...readdirSync(path).map((name) => join(path, name)));
  }
  return (sum([...blocks.values()]) * BLOCK_BYTES) / 1024 ** 2;
}

/** Of `stat`, on every system. */
const BLOCK_BYTES = 512;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
