// Packs the packages, as they are published, and installs them with plain npm.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface Tarballs {
  readonly stubwright: string;
  readonly cli: string;
}

/** @param folder for the tarballs and what they are packed from @returns their paths */
export function packPackages(folder: string): Tarballs {
  const packages = join(folder, 'packages');
  execFileSync(process.execPath, ['packages/tools/src/pack.ts', packages], { stdio: 'inherit' });
  for (const name of ['stubwright', 'cli']) {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: join(packages, name),
    });
  }
  const names = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const path = (isCli: boolean) =>
    join(folder, names.find((each) => each.includes('cli') === isCli)!);
  return { stubwright: path(false), cli: path(true) };
}

/** @param packages names, or paths of tarballs; options of npm */
export function install(project: string, packages: readonly string[]): void {
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const specs = packages.map((each) => (each.endsWith('.tgz') ? relative(project, each) : each));
  execFileSync('npm', ['install', ...options, ...specs], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
