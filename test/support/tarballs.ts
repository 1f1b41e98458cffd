// Packs the packages, as `npm publish` does, and installs them with plain npm.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { copyProject } from './projectCopy.ts';

export interface Tarballs {
  readonly stubwright: string;
  readonly cli: string;
}

/** @param folder for the tarballs and a copy of their sources @returns their paths */
export function packPackages(folder: string): Tarballs {
  const source = join(folder, 'source');
  copyProject(source, ['packages', 'tsconfig.json', 'package.json']);
  const PATH = `${join(source, 'node_modules/.bin')}:${process.env['PATH']}`;
  for (const name of ['stubwright', 'cli']) {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: join(source, 'packages', name),
      env: { ...process.env, PATH },
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
