// The files of generated/: the types of a contract, and its bundle.

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bundleText } from '@stubwright/contract';
import type { Access } from '../loading/containment.ts';
import { bundleOf } from '../loading/load.ts';

const TYPES_FILE = 'generated/contract.ts';
export const BUNDLE = 'generated/contract.json';

/** @param folder in which the files are those of its own `stubwright generate` @throws {ContractErrors} */
export async function generateIn(folder: string, path: string, access?: Access) {
  // The TypeScript compiler takes as long to import as the check of a small contract.
  const [found, { generateTypes }] = await Promise.all([
    bundleOf(folder === '.' ? path : join(folder, path), join(folder, dirname(BUNDLE)), access),
    import('../types/generateTypes.ts'),
  ]);
  const prefix = join(folder, '/');
  const isWithin = (file: string) => folder !== '.' && file.startsWith(prefix);
  const warnings = found.warnings.map(({ position, message }) => {
    if (position === undefined || !isWithin(position.file)) return { position, message };
    return { position: { ...position, file: position.file.slice(prefix.length) }, message };
  });
  const bundle = { ...found, warnings };
  const files = new Map([
    [TYPES_FILE, generateTypes(path, bundle.document)],
    [BUNDLE, bundleText(bundle)],
  ]);
  return { files, bundle };
}

/** @returns the files whose content on disk differs */
export async function staleFiles(files: ReadonlyMap<string, string>, cwd = ''): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, content] of files) {
    if ((await readFile(join(cwd, path), 'utf8').catch(() => '')) !== content) stale.push(path);
  }
  return stale;
}
