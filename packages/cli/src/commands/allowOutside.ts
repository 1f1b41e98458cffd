// The option of commands that read a contract.
import { statSync } from 'node:fs';
import { Option } from 'commander';

/** May be repeated; the environment variable separates folders by commas. */
export function allowOutsideOption(): Option {
  return new Option(
    '--allow-outside <dir>',
    "folder that references may lead to, besides the contract's folder or repository; repeatable",
  )
    .env('CONTRACT_FOLDERS')
    .argParser((text: string, before: readonly string[] = []) => [...before, ...foldersIn(text)]);
}

function foldersIn(text: string): string[] {
  const folders = text.split(',').filter(Boolean);
  for (const folder of folders) {
    const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (!isFolder) throw new Error(`--allow-outside: got ${folder}, expected a folder`);
  }
  return folders;
}
