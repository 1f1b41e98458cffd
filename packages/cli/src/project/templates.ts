// The templates of a project: files with placeholders such as {{name}}.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** From src/project/ and from dist/project/. */
const FOLDER = fileURLToPath(new URL('../../templates/', import.meta.url));

/** npm does not pack these under their own names. */
const RENAMED: Readonly<Record<string, string>> = {
  gitignore: '.gitignore',
  gitattributes: '.gitattributes',
  dockerignore: '.dockerignore',
  'github/workflows/ci.yml': '.github/workflows/ci.yml',
};

export type Values = Readonly<Record<string, string>>;

/** @returns the paths in a project of the files that every project has -> the paths of their templates */
export function templatePaths(): ReadonlyMap<string, string> {
  const folder = join(FOLDER, 'service');
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .map((path) => path.replaceAll('\\', '/'));
  return new Map(paths.map((path) => [RENAMED[path] ?? path, `service/${path}`]));
}

/** @returns the files that every project has, by path */
export function projectTemplates(values: Values): Map<string, string> {
  return new Map([...templatePaths()].map(([path, source]) => [path, template(source, values)]));
}

/** @throws {Error} for a placeholder without value */
export function template(path: string, values: Values): string {
  const text = readFileSync(join(FOLDER, path), 'utf8');
  return text.replace(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${path}: got no value for ${name}, expected one`);
    return value;
  });
}
