// Texts of requests that @stubwright/store refuses, because PostgreSQL cannot store them.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Contract, compilePattern, reachableSchemas, type Schema } from '@stubwright/contract';
import type { AtPointer } from './atPointer.ts';

const STORE = '@stubwright/store';
/** Keywords that exclude U+0000, or whose effect on it is not decided here. */
const LIMITING = ['enum', 'const', 'format', 'contentEncoding', 'contentMediaType'];

/**
 * One finding for a contract whose project uses the store.
 *
 * @param path of the contract @param cwd that it is relative to
 */
export function unstorableTexts(definition: Contract, path: string, cwd = ''): AtPointer[] {
  if (!usesStore(dirname(resolve(cwd, path)))) return [];
  const schemas = reachableSchemas(definition.operations.flatMap((each) => each.requestSchemas));
  const open = [...schemas].filter(admitsNul);
  const [first] = open;
  if (first === undefined) return [];
  const others = open.length > 1 ? `, as for ${open.length - 1} more` : '';
  const message = `got a text that admits U+0000, which ${STORE} answers with 400  expected pattern: '^[^\\x00]*$'${others}`;
  return [{ pointer: first.pointer, message }];
}

function admitsNul({ types, keywords }: Schema): boolean {
  if (types?.has('string') !== true || LIMITING.some((each) => each in keywords)) return false;
  const { pattern } = keywords;
  return typeof pattern !== 'string' || compilePattern(pattern)?.test('\0') === true;
}

function usesStore(folder: string): boolean {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return folder !== dirname(folder) && usesStore(dirname(folder));
  try {
    const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
    return STORE in Object(dependencies);
  } catch {
    return false;
  }
}
