// Writes the files of a project, all or none: new ones, and generated ones in place of others.

import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { isObject, parsedJson } from '@stubwright/contract';

interface Writing {
  /** The folder that paths are relative to; by default the working directory of the process. */
  readonly cwd?: string | undefined;
  /** Called before the first file: a signal that would end the process must wait for the last. */
  readonly deferSignals?: (() => void) | undefined;
  /** True to replace a symbolic link; by default the file that it leads to. */
  readonly replacesLinks?: boolean;
}

/** Creates the missing folders of a path; `undo` removes them. */
function makeFolder(path: string, undo: (() => void)[]): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), undo);
  mkdirSync(path);
  undo.push(() => rmdirSync(path));
}

/** In one of the first lines of a generated module or README. */
const GENERATED = /^(?:.*\n){0,2}.*\bGenerated from\b/;
const BUNDLE = /^\{\s*"stubwright":\s*\d/;

/** @throws {Error} for a file that no command has generated and that would change, unless `force` */
export function expectGenerated(
  files: ReadonlyMap<string, string>,
  {
    cwd = '',
    force = false,
  }: { readonly cwd?: string | undefined; readonly force?: boolean | undefined },
): void {
  for (const [name, text] of force ? [] : files) {
    const path = resolve(cwd, name);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    const before = readFileSync(path, 'utf8');
    if (before.trim() === '' || before === text || isGenerated(name, before)) continue;
    throw new Error(
      `${name}: got a file that this command has not written, expected none: --force overwrites it`,
    );
  }
}

/** A module, a README, the bundle of a contract, or the package.json of a client. */
function isGenerated(name: string, text: string): boolean {
  if (basename(name) !== 'package.json') return GENERATED.test(text) || BUNDLE.test(text);
  const manifest = parsedJson(text);
  return isObject(manifest) && manifest['exports']?.['.']?.require?.types === './index.d.cts';
}

/**
 * Writes each file under another name first, then renames all. A device or pipe is written to.
 *
 * @throws {Error} if one cannot be written; then all keep their content, and no file or folder is new
 */
export function replaceFiles(
  files: ReadonlyMap<string, string | Buffer>,
  { cwd = '', deferSignals, replacesLinks = false }: Writing = {},
): void {
  deferSignals?.();
  const renames: { name: string; from: string; to: string }[] = [];
  const undo: (() => void)[] = [];
  let current = '';
  try {
    for (const [name, content] of files) {
      current = name;
      const path = resolve(cwd, name);
      const kind = statSync(path, { throwIfNoEntry: false });
      if (kind?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
      if (kind !== undefined && !kind.isFile()) {
        writeFileSync(path, content);
        continue;
      }
      makeFolder(dirname(path), undo);
      const target = kind === undefined || replacesLinks ? path : realpathSync(path);
      const temporary = `${target}.${process.pid}.tmp`;
      const file = openSync(temporary, 'w');
      undo.push(() => rmSync(temporary, { force: true }));
      try {
        writeFileSync(file, content, { flush: true });
      } finally {
        closeSync(file);
      }
      renames.push({ name, from: temporary, to: target });
    }
    for (const { name, from, to } of renames) {
      current = name;
      const before = existsSync(to) ? readFileSync(to) : undefined;
      renameSync(from, to);
      undo.push(() => (before === undefined ? rmSync(to) : writeFileSync(to, before)));
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${current}: got ${code ?? message}, expected a file to write to`);
  }
}

/** @throws {Error} for a path that exists, also as a broken symbolic link, or leads through a file */
export function expectNone(paths: Iterable<string>, cwd = ''): void {
  for (const path of paths) {
    if (!exists(resolve(cwd, path))) continue;
    throw new Error(`${path}: got an existing file, expected none: --force overwrites it`);
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
