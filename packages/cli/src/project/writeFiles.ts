// Writes the files of a project: new ones, all or none, and generated ones in place of others.

import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isObject, parsedJson } from '@stubwright/contract';

interface Writing {
  /** The folder that paths are relative to; by default the working directory of the process. */
  readonly cwd?: string | undefined;
  /** Called before the first file: a signal that would end the process must wait for the last. */
  readonly deferSignals?: (() => void) | undefined;
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
 * Writes each file under another name first, then renames all. A device or pipe is written to, and a
 * symbolic link stays.
 *
 * @throws {Error} if one cannot be written; then all keep their content, and no folder is new
 */
export function replaceFiles(
  files: ReadonlyMap<string, string>,
  { cwd = '', deferSignals }: Writing = {},
): void {
  deferSignals?.();
  const renames: { name: string; from: string; to: string }[] = [];
  const undo: (() => void)[] = [];
  let current = '';
  try {
    for (const [name, text] of files) {
      current = name;
      const path = resolve(cwd, name);
      const kind = statSync(path, { throwIfNoEntry: false });
      if (kind?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
      if (kind !== undefined && !kind.isFile()) {
        writeFileSync(path, text);
        continue;
      }
      makeFolder(dirname(path), undo);
      const target = kind === undefined ? path : realpathSync(path);
      const temporary = `${target}.${process.pid}.tmp`;
      const file = openSync(temporary, 'w');
      undo.push(() => rmSync(temporary, { force: true }));
      try {
        writeFileSync(file, text, { flush: true });
      } finally {
        closeSync(file);
      }
      renames.push({ name, from: temporary, to: target });
    }
    for (const { name, from, to } of renames) {
      current = name;
      renameSync(from, to);
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${current}: got ${code ?? message}, expected a file to write to`);
  }
}

/**
 * Writes new files: into a temporary folder inside `folder`, then moves them.
 *
 * @param files by path relative to `folder`, which may not exist
 * @throws {Error} if one exists, or cannot be written; then nothing is left of the others
 */
export function writeNew(
  folder: string,
  files: ReadonlyMap<string, string | Buffer>,
  {
    cwd = '',
    deferSignals,
    force = false,
  }: Writing & { readonly force?: boolean | undefined } = {},
): void {
  for (const path of force ? [] : files.keys()) expectNone(join(folder, path), cwd);
  deferSignals?.();
  const root = resolve(cwd, folder);
  const undo: (() => void)[] = [];
  try {
    makeFolder(root, undo);
    const staging = mkdtempSync(join(root, '.stubwright-'));
    undo.push(() => rmSync(staging, { recursive: true, force: true }));
    for (const [path, content] of files) {
      mkdirSync(dirname(join(staging, path)), { recursive: true });
      writeFileSync(join(staging, path), content, { flush: true });
    }
    const replaced = mkdtempSync(join(staging, 'replaced-'));
    for (const path of files.keys()) {
      makeFolder(dirname(join(root, path)), undo);
      if (force) moveAside(join(root, path), join(replaced, String(undo.length)), undo);
      renameSync(join(staging, path), join(root, path));
      undo.push(() => rmSync(join(root, path)));
    }
    rmSync(staging, { recursive: true });
  } catch (error) {
    for (const step of undo.reverse()) step();
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${folder}: got ${code ?? message}, expected a folder to write to`);
  }
}

/** A folder stays, so that the file cannot be written. */
function moveAside(path: string, to: string, undo: (() => void)[]): void {
  const kind = lstatSync(path, { throwIfNoEntry: false });
  if (kind === undefined || kind.isDirectory()) return;
  renameSync(path, to);
  undo.push(() => renameSync(to, path));
}

function expectNone(path: string, cwd: string): void {
  if (!exists(resolve(cwd, path))) return;
  throw new Error(`${path}: got an existing file, expected none: --force overwrites it`);
}

/** True also for a broken symbolic link, and for a path that leads through a file. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
