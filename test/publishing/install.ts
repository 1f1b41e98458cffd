// Installs packages with plain npm, from the registry of npm_config_registry.
import { execFileSync } from 'node:child_process';

/** @param packages names, which may have versions; options of npm */
export function install(project: string, packages: readonly string[]): void {
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, ...packages], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
