// The package manager of a project, and the workspace that it belongs to.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isObject } from '@stubwright/contract';
import { parseText } from '../loading/parse.ts';
import { MANAGERS, type Manager } from './managerCommands.ts';

export interface Workplace {
  readonly manager: Manager;
  readonly workspace?: Workspace | undefined;
  /** True below the root of a git repository. */
  readonly isInRepository: boolean;
}

export interface Workspace {
  /** The file that lists the members, relative to the project: `../../package.json`. */
  readonly file: string;
  /** False if no pattern of the file matches the project. */
  readonly isMember: boolean;
}

const LOCKS: Readonly<Record<string, Manager>> = {
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'pnpm-workspace.yaml': 'pnpm',
  'yarn.lock': 'yarn',
};

/**
 * Finds the nearest `packageManager` field or lock file, from the folder of the project up to the root of its
 * repository; without one, the package manager that runs this process is used.
 */
export function workplaceOf(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  chosen?: Manager,
): Workplace {
  const folders = ancestorsOf(folder);
  const agent = /^(npm|pnpm|yarn)\//.exec(env['npm_config_user_agent'] ?? '')?.[1];
  const found = folders.map(managerIn).find((each) => each !== undefined);
  const workspaces = folders.slice(1).map((root) => workspaceIn(root, folder));
  return {
    manager: chosen ?? found ?? (agent as Manager | undefined) ?? 'npm',
    workspace: workspaces.find((each) => each !== undefined),
    isInRepository: folders.slice(1).some((each) => existsSync(join(each, '.git'))),
  };
}

/** @returns the folder and those above it, up to the root of the repository */
function ancestorsOf(folder: string): string[] {
  const parent = dirname(folder);
  const isLast = parent === folder || existsSync(join(folder, '.git'));
  return isLast ? [folder] : [folder, ...ancestorsOf(parent)];
}

function managerIn(folder: string): Manager | undefined {
  const field = /^\w+/.exec(String(manifestIn(folder)?.['packageManager']))?.[0];
  const named = MANAGERS.find((each) => each === field);
  const lock = Object.keys(LOCKS).find((name) => existsSync(join(folder, name)));
  return named ?? (lock === undefined ? undefined : LOCKS[lock]);
}

function workspaceIn(root: string, project: string): Workspace | undefined {
  const listed = [
    ['pnpm-workspace.yaml', patternsOfPnpm(root)],
    ['package.json', patternsOfManifest(root)],
  ] as const;
  const [name, patterns] = listed.find(([, each]) => each !== undefined) ?? [];
  if (name === undefined || patterns === undefined) return undefined;
  const path = relative(root, project).replaceAll('\\', '/');
  return {
    file: relative(project, join(root, name)).replaceAll('\\', '/'),
    isMember: isMatched(path, patterns),
  };
}

function patternsOfPnpm(root: string): string[] | undefined {
  const text = textOf(join(root, 'pnpm-workspace.yaml'));
  const parsed = parseText(text ?? '', false);
  const packages =
    parsed.errors === undefined && isObject(parsed.value) ? parsed.value.packages : undefined;
  return Array.isArray(packages) ? packages.map(String) : undefined;
}

function patternsOfManifest(root: string): string[] | undefined {
  const workspaces = manifestIn(root)?.['workspaces'];
  const packages = (workspaces as { packages?: unknown } | undefined)?.packages ?? workspaces;
  return Array.isArray(packages) ? packages.map(String) : undefined;
}

function manifestIn(folder: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(textOf(join(folder, 'package.json')) ?? '') as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** The last matching pattern wins; `!` excludes. */
function isMatched(path: string, patterns: readonly string[]): boolean {
  const last = patterns.findLast((each) => expressionOf(each.replace(/^!/, '')).test(path));
  return last !== undefined && !last.startsWith('!');
}

/** Of a glob with `*` and `**`. */
function expressionOf(pattern: string): RegExp {
  const plain = pattern.replace(/^\.\//, '').replace(/\/$/, '');
  const source = plain
    .replace(/[.+^${}()|[\]\\?]/g, '\\$&')
    .replace(/\*\*\/|\/?\*\*|\*/g, (glob) => {
      if (glob === '*') return '[^/]*';
      return glob === '**/' ? '(?:.*/)?' : '.*';
    });
  return new RegExp(`^${source}$`);
}
