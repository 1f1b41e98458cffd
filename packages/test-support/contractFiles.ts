// Toy contracts in a folder of their own, loaded with a cache of their own.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadContractFiles } from '@stubwright/cli/loader';
import { ContractErrors, type LoadedContract } from '@stubwright/contract';
import { textOf } from '@stubwright/contract/printable';

type Files = Readonly<Record<string, string>>;

/** Writes the files, the first of which is the contract, for as long as `use` takes. */
export async function withFiles<T>(
  files: Files,
  use: (load: () => Promise<LoadedContract>, folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const path = join(folder, Object.keys(files)[0]!);
    return await use(() => loadContractFiles(path), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function loadToy(files: Files): Promise<LoadedContract> {
  return withFiles(files, (load) => load());
}

/** @returns the errors of a contract, their paths without the folder; none where it loads */
export function errorsOf(files: Files): Promise<string[]> {
  return withFiles(files, async (load, folder) => {
    try {
      await load();
      return [];
    } catch (error) {
      if (!(error instanceof ContractErrors)) throw error;
      return error.errors.map((error) => error.replaceAll(`${folder}/`, ''));
    }
  });
}

/** @returns the warnings of a contract, their paths without the folder */
export function warningsOf(files: Files): Promise<string[]> {
  return withFiles(files, async (load, folder) => {
    const warnings = (await load()).warnings.map(textOf);
    return warnings.map((warning) => warning.replaceAll(`${folder}/`, ''));
  });
}

/** A contract as JSON, which is YAML too; its parts are given as text, so that digits stay. */
export function toy({ paths = '{}', schemas = '{}', openapi = '3.0.3' } = {}): string {
  return `{"openapi":"${openapi}","info":{"title":"Toys","version":"1"},
"paths":${paths},
"components":{"schemas":${schemas}}}`;
}
