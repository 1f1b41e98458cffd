// Reports the error responses of the engine that a contract does not declare.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ErrorFormat } from 'stubwright';
import type { Definition } from 'stubwright/internal/document/definition';
import { errorFindings } from 'stubwright/internal/engine/possibleErrors';
import { SourceLocations } from '../diff/sourceLocations.ts';

/**
 * @param path of the contract
 * @param format `problem`, `numbered`, or the path of a module with an ErrorFormatter as default export
 * @returns one line per finding, `file:line:column  warning  message`
 * @throws {Error} if the module has no such export
 */
export async function errorResponseWarnings(
  path: string,
  definition: Definition,
  format: string | undefined,
): Promise<string[]> {
  const findings = errorFindings(definition, await formatOf(format));
  if (findings.length === 0) return [];
  const locations = await SourceLocations.of(path, definition.document);
  return findings.map(({ pointer, message }) => `${locations.at(pointer)}  warning  ${message}`);
}

async function formatOf(format: string | undefined): Promise<ErrorFormat | undefined> {
  if (format === undefined || format === 'problem' || format === 'numbered') return format;
  const expectation = `--errors: got ${format}, expected problem, numbered, or a module with a function as default export`;
  const module = await import(pathToFileURL(resolve(format)).href).catch((error: Error) => {
    throw new Error(`${expectation}: ${error.message}`);
  });
  if (typeof module.default !== 'function') throw new Error(expectation);
  return module.default;
}
