// Whether two contracts have the same bytes: decided before any module of contracts is loaded.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { hashOfRevision } from '../loading/sources/gitRevision.ts';
import { RELEASED, SETTINGS } from '../project/layout.ts';
import { releasesIn } from '../project/releases.ts';

/** Contracts have up to 12 MB. */
const MAX_BYTES = 1024 ** 3;

/**
 * @param base a release, a path, a git revision or REVISION:path
 * @param path of the other contract
 * @returns the name of the first contract; undefined if the bytes differ, if another file may differ, and for an
 *   argument that names no contract or two
 */
export function nameOfSame(base: string, path: string, cwd: string): string | undefined {
  const content = contentOf(path, cwd);
  const found = content && contractNamed(base, path, cwd, content);
  if (found === undefined || !found.content.equals(content!)) return undefined;
  if (!isSelfContained(content!.toString('latin1'))) return undefined;
  const { name, file, revision } = found;
  if (hasSettings(resolve(cwd, path)) || hasSettings(resolve(cwd, file))) return undefined;
  return revision !== undefined && mayHaveSettings(revision, cwd) ? undefined : name;
}

interface NamedContent {
  readonly name: string;
  readonly content: Buffer;
  /** Relative to the working directory. */
  readonly file: string;
  readonly revision?: string;
}

/** Settings have overlays: of the folder of a contract, or of one above. */
function hasSettings(path: string): boolean {
  const folder = dirname(path);
  if (existsSync(join(folder, SETTINGS))) return true;
  return folder !== path && hasSettings(folder);
}

/** @returns true if the revision or the index has settings in any folder */
function mayHaveSettings(revision: string, cwd: string): boolean {
  const tree = `--with-tree=${revision}`;
  try {
    return gitOutput(['ls-files', tree, '--', `:(top,glob)**/${SETTINGS}`], cwd).length > 0;
  } catch {
    return true;
  }
}

/** @param other a file with other bytes is not looked up in git */
function contractNamed(
  base: string,
  path: string,
  cwd: string,
  other: Buffer,
): NamedContent | undefined {
  if (base === '' || base.startsWith('-')) return undefined;
  const release = releasesIn(RELEASED, cwd).find((release) => release.version === base);
  const file = release?.path ?? base;
  const [revision = '', ...rest] = base.split(':');
  const isRevision = () => revision !== '' && hashOfRevision(revision, cwd) !== undefined;
  if (existsSync(resolve(cwd, file))) {
    const content = contentOf(file, cwd);
    if (content === undefined || !content.equals(other) || isRevision()) return undefined;
    return { name: file, content, file };
  }
  const inRevision = rest.length > 0 ? rest.join(':') : path;
  const content = isRevision() ? blobOf(revision, inRevision, cwd) : undefined;
  return content && { name: `${revision}:${inRevision}`, content, file: inRevision, revision };
}

function contentOf(path: string, cwd: string): Buffer | undefined {
  try {
    return readFileSync(resolve(cwd, path));
  } catch {
    return undefined;
  }
}

function blobOf(revision: string, path: string, cwd: string): Buffer | undefined {
  const inFolder = relative(resolve(cwd), resolve(cwd, path)).replaceAll('\\', '/');
  try {
    return gitOutput(['cat-file', 'blob', `${revision}:./${inFolder}`], cwd);
  } catch {
    return undefined;
  }
}

function gitOutput(args: readonly string[], cwd: string): Buffer {
  return execFileSync('git', args, {
    ...{ cwd: resolve(cwd), maxBuffer: MAX_BYTES },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** False for a text that may refer to another file. An escaped `$ref` is not found: it counts as one. */
function isSelfContained(text: string): boolean {
  if (/\\(?:u0024|x24|U00000024)/i.test(text)) return false;
  const all = text.match(/\$ref/g)?.length ?? 0;
  return all === (text.match(/\$ref["']?[ \t]*:[ \t]*["']?#/g)?.length ?? 0);
}
