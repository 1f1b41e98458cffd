// The option of commands that read a contract.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import type { Access } from '../loading/containment.ts';
import type { CommandIo } from '../output/io.ts';

export interface AllowOutside {
  readonly allowOutside?: readonly string[];
}

const VARIABLE = 'CONTRACT_FOLDERS';

/** May be repeated; the environment variable separates folders by commas. */
export function allowOutsideOption(): Option {
  return new Option(
    '--allow-outside <dir>',
    `folder that references may lead to, besides the contract's folder or repository; repeatable (env: ${VARIABLE})`,
  ).argParser((text: string, before: readonly string[] = []) => [...before, ...listed(text)]);
}

/** @throws {Error} for a path that is no folder */
export function accessOf(
  { cwd, env }: CommandIo,
  { allowOutside }: AllowOutside,
): Required<Omit<Access, 'sources'>> {
  const folders = allowOutside ?? listed(env[VARIABLE] ?? '');
  for (const folder of folders) {
    const kind = statSync(resolve(cwd, folder), { throwIfNoEntry: false });
    if (!kind?.isDirectory()) throw new Error(`--allow-outside: got ${folder}, expected a folder`);
  }
  return { cwd, allowOutside: folders };
}

function listed(text: string): string[] {
  return text.split(',').filter(Boolean);
}
