// The files that a command reads, as arguments and options: checked before the command runs.
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { text as textOfStream } from 'node:stream/consumers';
import { Argument, type Command, Option } from 'commander';
import type { Sources } from '../loading/sources/sources.ts';
import { buffersOver, DISK } from '../loading/sources/sources.ts';
import { missingFile } from '../output/errorLine.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';

/** The argument for standard input, and its name in messages. */
const DASH = '-';
export const STDIN = '<stdin>';
const URI = /^[a-z][a-z0-9+.-]+:\/\//i;
const GLOB = /[*?[\]{}]/;

interface InputKind {
  /** True if `-` stands for standard input. */
  readonly readsStdin?: boolean;
  /** True if the argument may also name a release or a git revision. */
  readonly mayBeRevision?: boolean;
}

export class ContractArgument extends Argument {
  readonly kind: InputKind;

  /** @param name such as `[contract]`; `[contract...]` also accepts glob patterns */
  constructor(name: string, description: string, kind: InputKind = {}) {
    super(name, description);
    this.kind = kind;
  }
}

/** @returns the argument of most commands: one contract, by default that of the project */
export function contractArgument(kind?: InputKind, name = '[contract]'): Argument {
  const dash = kind?.readsStdin ? ', or - for standard input' : '';
  const isVariadic = name.endsWith('...]');
  const what = isVariadic
    ? `paths or glob patterns of contracts${dash}`
    : `path of the contract${dash}`;
  const argument = new ContractArgument(name, what, kind);
  return name.startsWith('[')
    ? argument.default(isVariadic ? [CONTRACT] : CONTRACT, JSON.stringify(CONTRACT))
    : argument;
}

export class FileOption extends Option {
  /** False for a value that is not a path. */
  readonly isPath: (value: string) => boolean;

  constructor(flags: string, description: string, isPath = (_value: string) => true) {
    super(flags, description);
    this.isPath = isPath;
  }
}

/**
 * Replaces glob patterns by the files that match, and `-` by a file in `io.sources`.
 *
 * @throws {Error} for a URL, and for a path that is no file
 */
export async function readInputs(command: Command, io: CommandIo): Promise<void> {
  const { processedArgs } = command;
  for (const [at, argument] of command.registeredArguments.entries()) {
    if (!(argument instanceof ContractArgument) || processedArgs[at] === undefined) continue;
    const named = [processedArgs[at] as string | string[]].flat();
    const paths = argument.variadic ? named.flatMap((path) => matching(path, io)) : named;
    const found: string[] = [];
    for (const path of paths) found.push(await inputOf(path, argument.kind, io));
    processedArgs[at] = argument.variadic ? [...new Set(found)] : found[0];
  }
  for (const option of command.options) {
    const name = option.attributeName();
    if (!(option instanceof FileOption) || command.getOptionValueSource(name) !== 'cli') continue;
    const values = [command.getOptionValue(name) as string | string[]].flat();
    for (const value of values) if (option.isPath(value)) expectFile(value, io);
  }
}

async function inputOf(
  path: string,
  { readsStdin, mayBeRevision }: InputKind,
  io: CommandIo,
): Promise<string> {
  if (path === DASH && readsStdin) {
    if (io.stdin === undefined) throw new Error('-: standard input is not open');
    const file = resolve(io.cwd, STDIN);
    if (io.sources?.exists(file)) throw new Error('-: got it twice, expected another contract');
    io.sources = buffersOver(new Map([[file, await textOfStream(io.stdin())]]), io.sources ?? DISK);
    return STDIN;
  }
  if (path === DASH)
    throw new Error('-: expected a file, this command does not read standard input');
  if (URI.test(path)) {
    throw new Error(`${path}: URLs are not read, expected a file: curl -o ${CONTRACT} URL`);
  }
  if (!mayBeRevision) expectFile(path, io);
  return path;
}

function expectFile(path: string, { cwd, sources = DISK }: CommandIo): void {
  const file = resolve(cwd, path);
  if (!sources.exists(file)) throw missingFile(path);
  if (isFolder(file, sources)) {
    throw new Error(`${path}: it is a folder, expected a file`);
  }
}

function isFolder(file: string, sources: Sources): boolean {
  return sources.kindOf(sources.realPath(file)) === 'folder';
}

/** @returns the files that a pattern matches; a path without a pattern unchanged */
function matching(path: string, { cwd, sources = DISK }: CommandIo): string[] {
  if (!GLOB.test(path) || sources.exists(resolve(cwd, path))) return [path];
  const found = globSync(path, { cwd, exclude: (name) => name === 'node_modules' })
    .filter((file) => sources.exists(resolve(cwd, file)) && !isFolder(resolve(cwd, file), sources))
    .sort();
  if (found.length === 0) throw new Error(`${path}: no file matches`);
  return found;
}
