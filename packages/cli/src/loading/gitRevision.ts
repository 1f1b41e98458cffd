// The files of a git revision, read from the object database.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Tree, type TreeFile } from './containment.ts';

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
  const listed = git(cwd, ['ls-tree', '-r', '-z', '--full-tree', revision]);
  const files = listed.split('\0').flatMap((line): [string, TreeFile][] => {
    const [, mode, object, path] = /^(\d+) blob (\w+)\t(.*)$/s.exec(line) ?? [];
    // A commit is a submodule, whose files are in another repository.
    if (object === undefined) return [];
    let content: Promise<Buffer> | undefined;
    const file = {
      read() {
        content ??= blob(object, cwd);
        return content;
      },
    };
    const link = () => git(cwd, ['cat-file', 'blob', object]);
    return [[path!, mode === LINK ? { ...file, link } : file]];
  });
  const { root, folder } = placeIn(cwd);
  return { sources: new Tree(root, new Map(files), `${revision}:`), cwd: join(root, folder) };
}

function git(cwd: string, args: readonly string[], input = ''): string {
  const options = { cwd: resolve(cwd), maxBuffer: MAX_BYTES, input } as const;
  return execFileSync('git', args, { ...options, stdio: ['pipe', 'pipe', 'ignore'] }).toString();
}

/** @returns the hash of the object that each revision names; undefined if it is no tree-ish */
export function hashesOfRevisions(
  revisions: readonly string[],
  cwd: string,
): readonly (string | undefined)[] {
  // The names are lines of the input.
  const lines = revisions.map((revision) => (revision.includes('\n') ? '' : revision));
  try {
    if (!mayHaveRepository(cwd)) return lines.map(() => undefined);
    const input = lines.map((line) => `${line}^{tree}\n${line}\n`).join('');
    const output = git(cwd, ['cat-file', '--batch-check=%(objectname)'], input);
    const found = output.split('\n').map((line) => /^[0-9a-f]+$/.exec(line)?.[0]);
    return lines.map((_, at) => found[2 * at] && found[2 * at + 1]);
  } catch {
    return lines.map(() => undefined);
  }
}

/** False where git finds no repository: a process that only reports it takes most of the time of a short command. */
function mayHaveRepository(cwd: string): boolean {
  if (process.env['GIT_DIR'] !== undefined) return true;
  for (let folder = realpathSync(cwd || '.'); ; folder = dirname(folder)) {
    // A bare repository is a folder with HEAD.
    if (['.git', 'HEAD'].some((name) => existsSync(join(folder, name)))) return true;
    if (folder === dirname(folder)) return false;
  }
}

export function hashOfRevision(revision: string, cwd: string): string | undefined {
  return hashesOfRevisions([revision], cwd)[0];
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
  const names = [revision, end].map((name) => `${name}^{commit}`);
  const [commit, endCommit] = hashesOfRevisions(names, cwd);
  const isOption = [revision, end].some((name) => name.startsWith('-'));
  if (isOption || commit === undefined || endCommit === undefined) return { base };
  if (commit === endCommit) return { base: revision + path };
  const got = `BASE: got ${base}, expected`;
  const itself = `--exact compares with ${revision} itself`;
  let common: string;
  try {
    common = git(cwd, ['merge-base', revision, end]).trim();
  } catch {
    throw new Error(
      isShallow(cwd)
        ? `${got} a merge base with ${end}, which this shallow clone lacks: git fetch --unshallow fetches all, ${itself}`
        : `${got} a revision with a common ancestor of ${end}; ${itself}`,
    );
  }
  if (common === commit) return { base: revision + path };
  const hash = git(cwd, ['rev-parse', '--short', common]).trim();
  return {
    base: hash + path,
    note: `${revision}: comparing with ${hash}, its merge base with ${end}; ${itself}`,
  };
}

/** @returns true in a clone that has only the latest commits, as CI services make it */
export function isShallow(cwd: string): boolean {
  try {
    return git(cwd, ['rev-parse', '--is-shallow-repository']).trim() === 'true';
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
function placeIn(cwd: string) {
  const options = ['--is-inside-work-tree', '--show-cdup', '--show-prefix'];
  const text = git(cwd, ['rev-parse', ...options]);
  const [, up, folder] = /^true\n([./]*)\n(.*)\n$/s.exec(text) ?? [];
  if (up === undefined) return { root: resolve(cwd), folder: '' };
  return { root: resolve(realpathSync(cwd), up), folder: folder! };
}
