// The files of a git revision, read from the object database.
import { execFile, execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Tree, type TreeFile } from './sources.ts';

const MAX_BYTES = 1024 ** 3;
const LINK = '120000';

export interface GitRevision {
  readonly sources: Tree;
  /** The folder of the revision that corresponds to the working directory. */
  readonly cwd: string;
}

/**
 * @param revision any tree-ish, which does not start with a dash
 * @param cwd a folder of the repository
 * @throws {Error} if git has no such revision
 */
export function gitRevision(revision: string, cwd: string): GitRevision {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd,
      maxBuffer: MAX_BYTES,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const listed = git('ls-tree', '-r', '-z', '--full-tree', revision).toString();
  const files = listed.split('\0').flatMap((line): [string, TreeFile][] => {
    const [, mode, object, path] = /^(\d+) blob (\w+)\t(.*)$/s.exec(line) ?? [];
    // A commit is a submodule, whose files are in another repository.
    if (object === undefined) return [];
    const file = { read: () => blob(object, cwd) };
    const link = () => git('cat-file', 'blob', object).toString();
    return [[path!, mode === LINK ? { ...file, link } : file]];
  });
  const { root, folder } = placeIn(git, cwd);
  return { sources: new Tree(root, new Map(files), `${revision}:`), cwd: join(root, folder) };
}

/** @returns the hash of the object that a revision names; undefined if it is no tree-ish */
export function hashOfRevision(revision: string, cwd: string): string | undefined {
  // The names are lines of the input.
  if (revision.includes('\n')) return undefined;
  try {
    const output = execFileSync('git', ['cat-file', '--batch-check=%(objectname)'], {
      cwd: resolve(cwd),
      input: `${revision}^{tree}\n${revision}\n`,
      stdio: ['pipe', 'pipe', 'ignore'],
      encoding: 'utf8',
    });
    const hashes = output.trim().split('\n');
    return hashes.every((hash) => /^[0-9a-f]+$/.test(hash)) ? hashes[1] : undefined;
  } catch {
    return undefined;
  }
}

interface ComparedRevision {
  /** REVISION or REVISION:path; of the merge base its abbreviated hash, unless that is the revision itself. */
  readonly base: string;
  /** For people, if the merge base is another commit. */
  readonly note?: string;
}

/**
 * The merge base of two revisions, as `git diff A...B` compares with it: commits that a branch lacks are no changes
 * of the branch.
 *
 * @param base `A`, `A:path`, `A...B` or `A...`
 * @param other `B`, unless `base` names it
 * @returns `base` itself if it names no commit
 * @throws {Error} if the histories have no common ancestor, or the clone is too shallow to show it
 */
export function mergeBase(base: string, other: string, cwd: string): ComparedRevision {
  const [, revision = '', range, path = ''] =
    /^([^:]+?)(?:\.\.\.([^:]*))?(:.*)?$/s.exec(base) ?? [];
  const end = range || other;
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: resolve(cwd),
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    }).trim();
  const commitOf = (name: string) =>
    name.startsWith('-') ? undefined : hashOfRevision(`${name}^{commit}`, cwd);
  const commit = commitOf(revision);
  if (commit === undefined || commitOf(end) === undefined) return { base };
  const got = `BASE: got ${base}, expected`;
  const itself = `--exact compares with ${revision} itself`;
  let common: string;
  try {
    common = git('merge-base', revision, end);
  } catch {
    throw new Error(
      isShallow(cwd)
        ? `${got} a merge base with ${end}, which this shallow clone lacks: git fetch --unshallow fetches all, ${itself}`
        : `${got} a revision with a common ancestor of ${end}; ${itself}`,
    );
  }
  if (common === commit) return { base: revision + path };
  const hash = git('rev-parse', '--short', common);
  return {
    base: hash + path,
    note: `${revision}: comparing with ${hash}, its merge base with ${end}; ${itself}`,
  };
}

/** @returns true in a clone that has only the latest commits, as CI services make it */
export function isShallow(cwd: string): boolean {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    const options = { cwd: resolve(cwd), stdio: [...stdio] };
    return (
      `${execFileSync('git', ['rev-parse', '--is-shallow-repository'], options)}`.trim() === 'true'
    );
  } catch {
    return false;
  }
}

async function blob(object: string, cwd: string): Promise<Buffer> {
  const options = { cwd, maxBuffer: MAX_BYTES, encoding: 'buffer' } as const;
  const { stdout } = await promisify(execFile)('git', ['cat-file', 'blob', object], options);
  return stdout;
}

/** @returns the top level of the working tree, and the folder in it; a bare repository has none */
function placeIn(git: (...args: string[]) => Buffer, cwd: string) {
  const line = (option: string) => git('rev-parse', option).toString().replace(/\n$/, '');
  if (line('--is-inside-work-tree') !== 'true') return { root: resolve(cwd), folder: '' };
  return { root: resolve(line('--show-toplevel')), folder: line('--show-prefix') };
}
