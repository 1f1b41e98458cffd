// Resolves optional development dependencies: of the application, or of the program that runs.
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @returns the path of a module of @stubwright/cli; undefined if it is not installed */
export function cliPath(module: 'loader' | 'package.json'): string | undefined {
  return developmentPath(`@stubwright/cli/${module}`);
}

/**
 * Resolves from the working directory, else from the script of the process, else from this package: a
 * command may run in a folder without packages.
 *
 * @returns the path of a module; undefined if it is not installed
 */
export function developmentPath(module: string): string | undefined {
  for (const file of [
    resolve('package.json'),
    ...scriptOfProcess(),
    fileURLToPath(import.meta.url),
  ]) {
    try {
      return createRequire(file).resolve(module);
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}

/** A package manager may link to it from another folder. */
function scriptOfProcess(): string[] {
  const [, script] = process.argv;
  return script !== undefined && existsSync(script) ? [realpathSync(script)] : [];
}
