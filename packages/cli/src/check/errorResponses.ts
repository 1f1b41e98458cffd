// Reports the error responses of the engine that a contract does not declare.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contract } from '@stubwright/contract';
import type { ErrorFormat } from 'stubwright';
import { type ErrorFinding, errorFindings } from 'stubwright/internals';

/**
 * @param format `problem`, `numbered`, or the path of a module with an ErrorFormatter as default export
 * @throws {Error} if the module has no such export
 */
export async function undeclaredErrors(
  definition: Contract,
  format: string | undefined,
  cwd = '',
): Promise<ErrorFinding[]> {
  return errorFindings(definition, await formatOf(format, cwd));
}

async function formatOf(format: string | undefined, cwd: string): Promise<ErrorFormat | undefined> {
  if (format === undefined || format === 'problem' || format === 'numbered') return format;
  const expectation = `--errors: got ${format}, expected problem, numbered, or a module with a function as default export`;
  const module = await import(pathToFileURL(resolve(cwd, format)).href).catch((error: Error) => {
    throw new Error(`${expectation}: ${error.message}`);
  });
  if (typeof module.default !== 'function') throw new Error(expectation);
  return module.default;
}
