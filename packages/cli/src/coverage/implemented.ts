// The operations of a project that have a handler.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export const HANDLER_INDEX = 'src/handlers/index.ts';

/** @param path of a module that exports `handlers`; without the file every operation counts */
export async function implementedIn(path: string): Promise<(operationId: string) => boolean> {
  if (!existsSync(path)) return () => true;
  const { handlers } = await import(pathToFileURL(resolve(path)).href);
  // A mocked operation has a symbol.
  return (operationId) => typeof handlers[operationId] === 'function';
}
