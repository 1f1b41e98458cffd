// Resolves optional development dependencies of the application, from the working directory.
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

/**
 * Resolves from the working directory, else from the script of the process: `npx stubwright mock` runs in
 * folders without packages.
 *
 * @returns the path of a module of @stubwright/cli; undefined if it is not installed
 */
export function cliPath(module: 'loader' | 'package.json'): string | undefined {
  const name = `@stubwright/cli/${module}`;
  return developmentPath(name) ?? developmentPath(name, scriptOfProcess());
}

function scriptOfProcess(): string | undefined {
  try {
    return realpathSync(process.argv[1]!);
  } catch {
    return undefined;
  }
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
