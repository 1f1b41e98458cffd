// The templates of a project: files with placeholders such as {{name}}.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** From src/project/ and from dist/project/. */
const FOLDER = fileURLToPath(new URL('../../templates/', import.meta.url));

/** npm does not pack these under their own names, which start with a dot. */
const HIDDEN = new Set([
  ...['gitignore', 'gitattributes', 'dockerignore', 'prettierignore', 'yarnrc.yml'],
  'github/workflows/ci.yml',
]);

/** Folders of templates: of every project, and of some. */
export const SETS = [
  ...(['service', 'store', 'rows', 'transactions', 'webhooks', 'workers'] as const),
  ...(['image', 'repository', 'yarn', 'jest'] as const),
] as const;

export type TemplateSet = (typeof SETS)[number];
export type Values = Readonly<Record<string, string>>;

/** @returns the paths of the files in a project -> the paths of their templates */
export function templatePaths(sets: readonly TemplateSet[] = SETS): ReadonlyMap<string, string> {
  return new Map(sets.flatMap((set) => pathsIn(set)));
}

function pathsIn(set: TemplateSet): [path: string, source: string][] {
  const folder = join(FOLDER, set);
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .map((path) => path.replaceAll('\\', '/'));
  return paths.map((path) => [HIDDEN.has(path) ? `.${path}` : path, `${set}/${path}`]);
}

/** @returns the files of the sets, by path */
export function projectTemplates(
  sets: readonly TemplateSet[],
  values: Values,
): Map<string, string> {
  const paths = [...templatePaths(sets)];
  return new Map(paths.map(([path, source]) => [path, template(source, values)]));
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
