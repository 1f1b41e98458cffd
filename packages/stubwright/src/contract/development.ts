// Resolves optional development dependencies: of the application, or of the program that runs.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

/** @returns the path of a module of @stubwright/cli; undefined if it is not installed */
export function cliPath(module: 'loader' | 'package.json'): string | undefined {
  return developmentPath(`@stubwright/cli/${module}`);
}

/**
 * @param from files from which it is resolved; the working directory is that of the application, and a
 *   command may run without one
 * @returns the path of a module; undefined if it is not installed
 */
export function developmentPath(
  module: string,
  from = [resolve('package.json'), ...process.argv.slice(1, 2)],
): string | undefined {
  for (const file of from) {
    try {
      return createRequire(resolve(file)).resolve(module);
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}
