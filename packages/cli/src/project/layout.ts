// Where the files of a project are, relative to its folder.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export { RELEASED, SETTINGS } from '../loading/containment.ts';

export const CONTRACT = 'openapi.yaml';
/** Severities of rules, and accepted changes. */
export const POLICY = 'compatibility.yaml';

/** A file or folder that a start reads. */
interface Started {
  readonly path: string;
  /** True if a project may have none. */
  readonly isOptional?: boolean;
}

/**
 * What a start reads besides package.json and the production dependencies: Dockerfile, `.dockerignore` and `files` of a new
 * project are made of it. Types of `generated/` belong to the converters of served versions.
 */
export function startedFiles({ hasStore }: { readonly hasStore: boolean }): readonly Started[] {
  return [
    { path: 'generated' },
    { path: 'src' },
    ...(hasStore ? [{ path: 'migrations' }] : []),
    { path: POLICY, isOptional: true },
  ];
}

/** A pattern may match no file, if another path of the line exists. */
function pathOf({ path, isOptional = false }: Started): string {
  return isOptional ? `${path}*` : path;
}

/** @returns the COPY lines of a Dockerfile: folders by name, files together with package.json */
export function copyLines(started: readonly Started[]): string {
  const isFile = ({ path }: Started) => path.includes('.');
  const folders = started.filter((entry) => !isFile(entry));
  return [
    ...folders.map(({ path }) => `COPY ${path} ${path}`),
    `COPY package.json ${started.filter(isFile).map(pathOf).join(' ')} ./`,
  ].join('\n');
}

/** @returns the lines of a .dockerignore that let them pass */
export function allowedLines(started: readonly Started[]): string {
  return started.map((entry) => `!${pathOf(entry)}`).join('\n');
}

/** @returns false if compatibility.yaml has no `served`, whose modules take longer to load than a comparison */
export function mayServeVersions(cwd = ''): boolean {
  const path = resolve(cwd, POLICY);
  // An escape may be a letter of the key.
  return existsSync(path) && /served|\\/.test(readFileSync(path, 'utf8'));
}
