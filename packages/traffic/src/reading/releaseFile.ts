// Reads the requests of a release.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Conversation } from '../record/record.ts';

/**
 * @param release whose contract is at `path`: `test/released/1.0.0.yaml` -> `….requests.json`
 * @throws {Error} for a release without that file
 */
export function recordedFor({ path }: { readonly path: string }, cwd = ''): Conversation[] {
  const file = path.replace(/\.ya?ml$/, '.requests.json');
  const absolute = resolve(cwd, file);
  if (!existsSync(absolute))
    throw new Error(`${file}: not found, expected the requests of ${path}`);
  return JSON.parse(readFileSync(absolute, 'utf8'));
}
