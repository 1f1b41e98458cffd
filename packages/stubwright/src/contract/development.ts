// Resolves optional development dependencies of the application, from the working directory.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

/** @returns the path of a module of @stubwright/cli; undefined if it is not installed */
export function cliPath(module: 'loader' | 'package.json'): string | undefined {
  return developmentPath(`@stubwright/cli/${module}`);
}

/** @returns the path of a module; undefined if it is not installed */
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
