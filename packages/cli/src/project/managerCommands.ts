// The commands of npm, pnpm and Yarn.
import { execFileSync } from 'node:child_process';

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
