// A copy of the repository's files in another folder, with what is installed here.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** @param paths of files and folders, as `git ls-files` takes them */
export function copyProject(target: string, paths: readonly string[]): void {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths];
  const files = execFileSync('git', list, { encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files) cpSync(file, join(target, file));
  mkdirSync(join(target, 'node_modules/@stubwright'), { recursive: true });
  for (const name of readdirSync('node_modules')) {
    if (name === '@stubwright') continue;
    const module =
      name === 'stubwright' ? join(target, 'packages/stubwright') : `node_modules/${name}`;
    symlinkSync(resolve(module), join(target, 'node_modules', name));
  }
  for (const name of readdirSync('node_modules/@stubwright')) {
    symlinkSync(join(target, 'packages', name), join(target, 'node_modules/@stubwright', name));
    const own = `packages/${name}/node_modules`;
    if (existsSync(own)) symlinkSync(resolve(own), join(target, own));
  }
}
