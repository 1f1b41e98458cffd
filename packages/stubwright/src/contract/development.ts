// Packages that only development needs. They are resolved as the application resolves them, from the
// working directory: they are its development dependencies, and none of ours.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

/** @returns the path of a module of @stubwright/cli; undefined where it is not installed */
export function cliPath(module: 'loader' | 'package.json'): string | undefined {
  return developmentPath(`@stubwright/cli/${module}`);
}

/** @returns the path of a module; undefined where it is not installed */
export function developmentPath(
  module: string,
  from = resolve('package.json'),
): string | undefined {
  try {
    return createRequire(from).resolve(module);
  } catch {
    return undefined;
  }
}
