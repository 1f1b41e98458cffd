// Migrations of a test, in the files of a folder.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Writes files into a new folder. @returns its URL, as a store takes it */
export function migrationsIn(folder: string, files: Readonly<Record<string, string>>): URL {
  mkdirSync(folder);
  for (const [name, sql] of Object.entries(files)) writeFileSync(`${folder}/${name}`, sql);
  return pathToFileURL(`${folder}/`);
}

/** @returns the statements for the tables of stubwright's own that a page of the documentation has */
export function documentedTables(page: 'store' | 'idempotency'): string {
  const text = readFileSync(`docs/stubwright/${page}.md`, 'utf8');
  return text.match(/CREATE (?:TABLE|INDEX) stubwright_[^;]+;/g)!.join('\n');
}
