// A file system of a given size, where this process may mount one.
import { execFileSync } from 'node:child_process';

/** @returns false where mounting is not permitted */
export function mountSmallDisk(folder: string, kilobytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

export function unmountSmallDisk(folder: string): void {
  execFileSync('umount', ['--lazy', folder]);
}
