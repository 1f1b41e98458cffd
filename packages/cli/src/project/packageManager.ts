// npm, pnpm and Yarn: which one a project uses, and their commands.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Writable } from 'node:stream';

export const MANAGERS = ['npm', 'pnpm', 'yarn'] as const;
export type Manager = (typeof MANAGERS)[number];

export interface Commands {
  /** Runs a script, without a banner. */
  readonly run: string;
  readonly exec: string;
  readonly install: string;
  /** Installs exactly the packages of the lock file. */
  readonly ci: string;
  readonly production: string;
  /** The files besides package.json that `ci` reads; with `*` those that may not exist. */
  readonly locks: readonly string[];
  /** A file that an installation writes, in node_modules. */
  readonly installed: string;
}

const COMMANDS: Readonly<Record<Manager, Commands>> = {
  npm: {
    run: 'npm run --silent',
    exec: 'npx --no',
    install: 'npm install --no-audit --no-fund --loglevel=error',
    ci: 'npm ci',
    production: 'npm ci --omit=dev --ignore-scripts --no-audit --no-fund',
    locks: ['package-lock.json'],
    installed: '.package-lock.json',
  },
  pnpm: {
    run: 'pnpm --silent run',
    exec: 'pnpm exec',
    install: 'pnpm install --no-frozen-lockfile',
    ci: 'pnpm install --frozen-lockfile',
    production: 'corepack enable && pnpm install --prod --frozen-lockfile --ignore-scripts',
    // pnpm writes its settings into the second one.
    locks: ['pnpm-lock.yaml', 'pnpm-workspace.yaml*'],
    installed: '.modules.yaml',
  },
  yarn: {
    run: 'yarn run',
    exec: 'yarn run',
    install: 'yarn install',
    ci: 'yarn install --immutable',
    production: 'corepack enable && YARN_ENABLE_SCRIPTS=false yarn workspaces focus --production',
    locks: ['yarn.lock', '.yarnrc.yml'],
    installed: '.yarn-state.yml',
  },
};

export function commandsOf(manager: Manager): Commands {
  return COMMANDS[manager];
}

/** @returns `pnpm@12.0.0`, which corepack reads; undefined without an installed one */
export function versionedManager(
  manager: Manager,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const [name, version] = (env['npm_config_user_agent'] ?? '').split(' ')[0]!.split('/');
  if (name === manager && version !== undefined) return `${name}@${version}`;
  try {
    const shell = process.platform === 'win32';
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    const output = execFileSync(manager, ['--version'], { env, shell, stdio: [...stdio] });
    return `${manager}@${output.toString().trim()}`;
  } catch {
    return undefined;
  }
}

export interface Workplace {
  readonly manager: Manager;
  /** The file that lists the members of a workspace, relative to the project: `../../package.json`. */
  readonly workspace: string | undefined;
  /** True below the root of a git repository. */
  readonly isInRepository: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @returns the chosen package manager, else that of the workspace, else the one that runs this process */
export function workplaceOf(folder: string, env: Environment, chosen?: Manager): Workplace {
  const above = ancestorsOf(folder).slice(1);
  const file = above.flatMap((ancestor) => workspaceFileIn(ancestor) ?? [])[0];
  const agent = /^(npm|pnpm|yarn)\//.exec(env['npm_config_user_agent'] ?? '')?.[1];
  const found = file?.endsWith('.yaml') ? 'pnpm' : (agent as Manager | undefined);
  return {
    manager: chosen ?? found ?? 'npm',
    workspace: file && relative(folder, file).replaceAll('\\', '/'),
    isInRepository: above.some((ancestor) => existsSync(join(ancestor, '.git'))),
  };
}

/** @returns the folder and those above it, up to the root of the repository */
function ancestorsOf(folder: string): string[] {
  const parent = dirname(folder);
  const isLast = parent === folder || existsSync(join(folder, '.git'));
  return isLast ? [folder] : [folder, ...ancestorsOf(parent)];
}

function workspaceFileIn(folder: string): string | undefined {
  const [pnpm, manifest] = [join(folder, 'pnpm-workspace.yaml'), join(folder, 'package.json')];
  if (existsSync(pnpm)) return pnpm;
  try {
    return JSON.parse(readFileSync(manifest, 'utf8')).workspaces === undefined
      ? undefined
      : manifest;
  } catch {
    return undefined;
  }
}

interface Installation {
  readonly manager: Manager;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives the output of the package manager. */
  readonly stderr: Writable;
}

/** @throws {Error} if the package manager is missing or fails; the files of the project stay */
export async function installPackages({ manager, cwd, env, stderr }: Installation): Promise<void> {
  const [, ...args] = commandsOf(manager).install.split(' ');
  const child = spawn(manager, args, {
    cwd,
    // Yarn would refuse to write a lock file in CI.
    env: { ...env, YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // On Windows it is a script, which only a shell starts.
    shell: process.platform === 'win32',
  });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(stderr, { end: false });
  const reason = await once(child, 'close').then(
    ([code]) => (code === 0 ? undefined : `exit code ${code}`),
    (error: Error) => error.message,
  );
  if (reason === undefined) return;
  const command = `${manager} install`;
  throw new Error(`${command}: got ${reason}, expected 0: the files are written, run ${command}`);
}
