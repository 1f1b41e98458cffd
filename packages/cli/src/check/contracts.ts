// Opens the contracts that `diff`, `changelog` and `release` compare; of a pair, what both have in common is not checked.

import { relative, resolve } from 'node:path';
import { ContractErrors, type LoadedContract } from '@stubwright/contract';
import { type Access, DISK } from '../loading/containment.ts';
import { leaveOutEqualParts } from '../loading/equalParts.ts';
import { ContractFiles, settingsFileOf } from '../loading/files.ts';
import {
  type GitRevision,
  gitRevision,
  hashesOfRevisions,
  isShallow,
} from '../loading/gitRevision.ts';
import {
  loadContractFiles,
  loadMockable,
  operationErrors,
  SourceLocations,
} from '../loading/load.ts';
import { missingFile } from '../output/errors.ts';
import { CONTRACT, RELEASED } from '../project/layout.ts';
import { type Release, releasesIn } from '../project/releases.ts';

export interface NamedContract extends LoadedContract {
  /** A path, or `HEAD~1:openapi.yaml`. */
  readonly name: string;
  readonly locations: SourceLocations;
  /** The errors of operations, which are not compared; empty unless `isLenient`. */
  readonly errors: readonly string[];
}

interface BaseOptions extends Access {
  /** The name of the argument, for the message. */
  readonly variable?: string;
  /** The path of the contract in a revision without a path. */
  readonly path?: string;
  /** By default of `base` alone. */
  readonly hashOf?: HashOf;
}

/**
 * @param base a path, a git revision, or a path in one: `HEAD~3:api/openapi.yaml`
 * @throws {Error} if it is none of these, or both a file and a revision
 * @throws {ContractErrors} if the contract has errors
 */
export async function openContract(
  base: string,
  options: BaseOptions = {},
): Promise<NamedContract> {
  return contractIn(namedFiles(base, options));
}

/** The files of a contract, which may be read already. */
interface NamedFiles {
  readonly name: string;
  readonly path: string;
  readonly access: Access;
  readonly files: ContractFiles;
  readonly shown?: (path: string) => string;
}

/** Finds the files of a contract, as `openContract` does. */
export function namedFiles(
  base: string,
  { variable = 'BASE', path = CONTRACT, hashOf: given, ...access }: BaseOptions = {},
): NamedFiles {
  const { cwd = '', sources = DISK } = access;
  const hashOf = given ?? hashesOf([base], cwd);
  if (base !== '' && sources.exists(resolve(cwd, base))) {
    const hash = hashOf(base);
    if (sources.kindOf(resolve(cwd, base)) === 'folder' && hash !== undefined) {
      return filesOfRevision(hash, path, { cwd, got: `${variable}: got ${base}` });
    }
    if (hash !== undefined) throw ambiguous(variable, base, { path: `./${base}`, hash });
    return { name: base, path: base, access, files: new ContractFiles(base, access) };
  }
  if (access.overlays?.files.length && access.overlays.contract === base) {
    throw new Error(`--overlay: got ${base}, expected ${variable} as a file of the disk`);
  }
  const [revision = '', ...rest] = base.split(':');
  const isFile = rest.length === 0 && /\.(?:ya?ml|json)$/i.test(base);
  if (isFile && hashOf(base) === undefined) throw missingFile(base);
  const file = rest.length > 0 ? rest.join(':') : path;
  return filesOfRevision(revision, file, { cwd, got: `${variable}: got ${base}` });
}

/**
 * @param options `isLenient` to disable operations with errors
 * @throws {ContractErrors} if the contract has errors; for `isLenient` if it has no other operation
 */
async function contractIn(
  { name, path, access, files, shown }: NamedFiles,
  { isLenient = false }: { readonly isLenient?: boolean } = {},
): Promise<NamedContract> {
  const load = isLenient ? loadMockable : loadContractFiles;
  const loaded = await load(path, { ...access, files, isWithoutWarnings: true });
  const { definition } = loaded;
  const locations = await SourceLocations.of(path, {
    ...{ ...access, files },
    ...(shown && { shown }),
  });
  return { ...loaded, name, errors: operationErrors(definition), locations };
}

/**
 * @param name an argument
 * @throws {Error} if it is a release and a git revision, of which a branch may have added the former
 */
export function releaseNamed(
  name: string,
  {
    variable = 'BASE',
    cwd = '',
    hashOf = hashesOf([name], cwd),
  }: Pick<BaseOptions, 'variable' | 'cwd' | 'hashOf'> = {},
): Release | undefined {
  const release = releasesIn(RELEASED, cwd).find(
    ({ version, path }) => version === name || path === name,
  );
  const hash = release?.version === name ? hashOf(name) : undefined;
  if (hash !== undefined) throw ambiguous(variable, name, { path: release!.path, hash });
  return release;
}

/** @returns the hash of a revision, or of that in `REVISION:path`; undefined for another argument */
type HashOf = (argument: string) => string | undefined;

/** Starts git once for all arguments, when the first hash is needed. No revision starts as a path does. */
export function hashesOf(names: readonly string[], cwd: string): HashOf {
  const revisions = names.map((argument) => argument.replace(/:.*/s, ''));
  let hashes: ReturnType<typeof hashesOfRevisions> | undefined;
  return (argument) => {
    if (/^\.{0,2}\//.test(argument)) return undefined;
    hashes ??= hashesOfRevisions(revisions, cwd);
    return hashes[names.indexOf(argument)];
  };
}

function ambiguous(
  variable: string,
  name: string,
  { path, hash }: { readonly path: string; readonly hash: string },
): Error {
  return new Error(
    `${variable}: got ${name}, which is a file and a git revision, expected ${path} or ${hash}`,
  );
}

interface Revision {
  readonly cwd: string;
  /** The argument, for the message. */
  readonly got: string;
}

function filesOfRevision(revision: string, file: string, { cwd, got }: Revision): NamedFiles {
  const found = revisionOf(revision, { cwd, got });
  const path = relative(resolve(cwd), resolve(cwd, file));
  if (!found.sources.exists(resolve(found.cwd, path))) {
    throw new Error(`${got}, expected a revision that has ${file}`);
  }
  return {
    ...{ name: found.sources.prefix + file, path },
    ...{ access: found, files: new ContractFiles(path, found) },
    shown: (absolute) => found.sources.prefix + relative(found.cwd, absolute),
  };
}

function revisionOf(revision: string, { cwd, got }: Revision): GitRevision {
  try {
    // git would read it as an option.
    if (!revision.startsWith('-')) return gitRevision(revision, resolve(cwd));
  } catch {
    if (isShallow(cwd)) {
      const expected = 'a revision that this shallow clone has: git fetch --unshallow fetches all';
      throw new Error(`${got}, expected ${expected}`);
    }
  }
  const releases = releasesIn(RELEASED, cwd).map(({ version }) => version);
  const isInRepository = DISK.repositoryOf(resolve(cwd)) !== undefined;
  const revisions = isInRepository ? 'a git revision' : 'in a git repository a revision';
  const expected = `a release (${releases.join(', ') || 'none yet'}), the path of a contract, ${revisions} or REVISION:path`;
  throw new Error(`${got}, expected ${expected}`);
}

interface ContractPair {
  readonly before: NamedContract;
  readonly after: NamedContract;
}

type FilesOfPair = Readonly<Record<keyof ContractPair, NamedFiles>>;

interface OpenOptions {
  /** Finds the files once more: those that were read lack the common parts. */
  readonly readAgain: () => FilesOfPair;
  /** True to check both as a whole. */
  readonly isWhole: boolean;
  /** Called with the name of each contract that is checked. */
  readonly onContract: (name: string) => void;
}

/**
 * Opens the parts of two contracts that differ, and the parts that these refer to. If one of them has an error, both
 * contracts are opened as a whole.
 *
 * @throws {ContractErrors} for errors of a whole contract; operations with errors are disabled
 */
export async function openPair(
  files: FilesOfPair,
  { readAgain, isWhole, onContract }: OpenOptions,
): Promise<ContractPair> {
  if (isWhole || !(await leaveOut(files))) return opened(files, onContract);
  try {
    const pair = await opened(files, onContract);
    if (pair.before.errors.length + pair.after.errors.length === 0) return pair;
  } catch (error) {
    if (!(error instanceof ContractErrors)) throw error;
  }
  return opened(readAgain(), onContract);
}

/** @returns `info.version`, of a file that may have errors */
export async function versionIn(files: NamedFiles): Promise<string> {
  const info: unknown = Object(await parsed(files)).info;
  return String(Object(info).version ?? '');
}

async function leaveOut({ before, after }: FilesOfPair): Promise<boolean> {
  return leaveOutEqualParts(await parsed(before), await parsed(after));
}

async function opened(
  { before, after }: FilesOfPair,
  onContract: OpenOptions['onContract'],
): Promise<ContractPair> {
  onContract(after.name);
  const revision = await contractIn(after, { isLenient: true });
  onContract(before.name);
  return { before: await contractIn(before, { isLenient: true }), after: revision };
}

/** @returns undefined for a file that cannot be read */
async function parsed({ files }: NamedFiles): Promise<unknown> {
  const root = await files.readRoot();
  return 'value' in root ? root.value : undefined;
}

/**
 * Decided without reading a contract.
 *
 * @returns false for contracts that other files may change
 */
export async function haveSameBytes({ before, after }: FilesOfPair): Promise<boolean> {
  const both = [before.files, after.files];
  if (both.some(({ root, sources }) => settingsFileOf(root, sources) !== undefined)) return false;
  const [one, other] = await Promise.all(
    both.map(({ root, sources }) => sources.read(root).catch(() => undefined)),
  );
  return (
    one !== undefined && other?.equals(one) === true && isSelfContained(one.toString('latin1'))
  );
}

/** False for a text that may refer to another file. An escaped `$ref` is not found: it counts as one. */
function isSelfContained(text: string): boolean {
  if (/\\(?:u0024|x24|U00000024)/i.test(text)) return false;
  const all = text.match(/\$ref/g)?.length ?? 0;
  return all === (text.match(/\$ref["']?[ \t]*:[ \t]*["']?#/g)?.length ?? 0);
}
