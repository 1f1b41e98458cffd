// The arguments and options of several commands.

import { globSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { text as textOfStream } from 'node:stream/consumers';
import type { TrafficRecord } from '@stubwright/traffic';
import { Argument, Command, Option } from 'commander';
import { type Access, buffersOver, DISK, type Sources } from '../loading/containment.ts';
import { missingFile } from '../output/errors.ts';
import { formatOption, jsonOption } from '../output/formats.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';
import { DATE_TYPES, INT64_TYPES } from '../types/valueTypes.ts';

export interface AllowOutside {
  readonly allowOutside?: readonly string[];
  readonly overlay?: readonly string[];
  readonly quiet?: true | undefined;
}

const VARIABLE = 'CONTRACT_FOLDERS';

/**
 * @param contract that the overlays apply to
 * @throws {Error} for a path that is no folder
 */
export function accessOf(
  { cwd, env, sources, stderr }: CommandIo,
  { allowOutside, overlay = [], quiet }: AllowOutside,
  contract: string = CONTRACT,
): Required<Omit<Access, 'sources' | 'isRelease'>> & Pick<Access, 'sources'> {
  const folders = allowOutside ?? listed(env[VARIABLE] ?? '');
  for (const folder of folders) {
    const kind = statSync(resolve(cwd, folder), { throwIfNoEntry: false });
    if (!kind?.isDirectory()) throw new Error(`--allow-outside: got ${folder}, expected a folder`);
  }
  const overlays = { contract, files: overlay };
  const reported = new Set<string>();
  // A command may read a contract twice.
  const onOverlayWarning = (warning: string) => {
    if (!quiet && !reported.has(warning)) stderr.write(`${warning}\n`);
    reported.add(warning);
  };
  return {
    ...{ cwd, allowOutside: folders, overlays, onOverlayWarning },
    ...(sources && { sources }),
  };
}

function listed(text: string): string[] {
  return text.split(',').filter(Boolean);
}

/** The options of several commands. */
const SHARED = {
  /** May be repeated; the environment variable separates folders by commas. */
  allowOutside: () =>
    new Option(
      '--allow-outside <dir>',
      `folder that references may lead to, besides the contract's folder or repository; repeatable (env: ${VARIABLE})`,
    ).argParser((text: string, before: readonly string[] = []) => [...before, ...listed(text)]),
  /** Of the commands that read one contract. */
  overlay: () =>
    new FileOption(
      '--overlay <file>',
      'OpenAPI overlay to apply to the contract, after those of stubwright.yaml; repeatable',
    ).argParser((file: string, files: readonly string[] = []) => [...files, file]),
  caller: () =>
    new Option('--caller <header>', 'the header of recorded requests that names their caller'),
  check: () =>
    new Option(
      '--check',
      'write nothing; list the files that differ, and exit with 1 if there are any',
    ),
  /** A command overwrites the files that it has written, without it. */
  force: () => new Option('--force', 'also overwrite files that this command has not written'),
  /** Of commands that report their results. */
  quiet: () => new Option('-q, --quiet', 'print errors only'),
  /** The package.json of a client keeps the types of dates and integers. */
  dates: () =>
    new Option(
      '--dates <type>',
      'of date-time and date in the client: string by default, or as generated before',
    ).choices(DATE_TYPES),
  int64: () =>
    new Option(
      '--int64 <type>',
      'of int64 in the client: bigint by default, or as generated before',
    ).choices(INT64_TYPES),
  format: () => formatOption(),
  json: jsonOption,
} satisfies Record<string, () => Option>;

export class StubwrightCommand extends Command {
  /** Adds options that several commands have. */
  with(...names: readonly (keyof typeof SHARED)[]): this {
    for (const name of names) this.addOption(SHARED[name]());
    return this;
  }

  /** @param port by default, if neither the option nor PORT is set */
  withAddress(port: number): this {
    return this.option(
      '--host <host>',
      `address to listen on (default: "${HOST}", env: HOST)`,
    ).option(
      '--port <port>',
      `port to listen on; 0 selects a free one (default: ${port}, env: PORT)`,
    );
  }

  /** Ends the help with examples and the page of the command. */
  withExamples(...examples: readonly string[]): this {
    const lines = examples.map((example) => `  $ stubwright ${example}`).join('\n');
    const title = examples.length === 1 ? 'Example' : 'Examples';
    const page = pageOf(`commands/${this.name()}`);
    return this.addHelpText('after', `\n${title}:\n${lines}\n\nMore: ${page}`);
  }
}

export function trafficOption(shown: string): Option {
  return new FileOption(
    '--traffic <file>',
    `recorded requests${shown} HAR, Pact, or an entry a line; repeatable`,
  ).argParser((file: string, files: readonly string[] = []) => [...files, file]);
}

/** @throws {Error} for a name that npm refuses for a new package */
export function npmName(option: string, text: string): string {
  const isName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(text);
  if (isName && text.length <= LONGEST_NAME) return text;
  throw new Error(
    `${option}: got ${JSON.stringify(text)}, expected a name that npm accepts, such as toys-client or @me/toys`,
  );
}

const LONGEST_NAME = 214;

/** The pages of the commands; in the repository, where the manifest has no address, their folder. */
function pageOf(name: string): string {
  const { homepage } = createRequire(import.meta.url)('@stubwright/cli/package.json');
  return `${homepage === undefined ? '' : `${homepage}/blob/main/`}docs/stubwright/${name}.md`;
}

/** Where the rules of `check` are described. */
export function rulesPage(): string {
  return pageOf('rules');
}

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

const HOST = '127.0.0.1';
const LARGEST_PORT = 65_535;

export interface ServerOptions {
  readonly host?: string;
  readonly port?: string;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

export function addressOf(
  { env }: CommandIo,
  options: ServerOptions,
  defaultPort: number,
): Address {
  const { host = env['HOST'] ?? HOST, port = env['PORT'] ?? String(defaultPort) } = options;
  return { host, port: integerOption('--port', port, 0, LARGEST_PORT) };
}

/** @throws {Error} for a value that is not an integer from min to max */
export function integerOption(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Error(
    `${name}: got ${JSON.stringify(text)}, expected an integer from ${min} to ${max}`,
  );
}

/** @returns an error for the user, if `error` is the error of a server that cannot listen */
export function listenError(error: unknown, { host, port }: Address) {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return new Error(`--port: got ${port}, which is in use, expected a free port`);
    case 'EACCES':
      return new Error(`--port: got ${port}, which needs privileges, expected a port above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Error(
        `--host: got ${JSON.stringify(host)} (${code}), expected an address of this machine`,
      );
    default:
      return error;
  }
}

/** Resolves when a command that listens must stop. */
export function stopped({ untilSignal }: CommandIo): Promise<void> {
  return untilSignal?.() ?? new Promise(() => {});
}

export interface RecordingOptions {
  readonly traffic?: readonly string[] | undefined;
  readonly caller?: string | undefined;
}

/** @returns undefined without `--traffic` */
export async function recordsIn(
  { traffic, caller }: RecordingOptions,
  { cwd }: { readonly cwd: string },
): Promise<AsyncIterable<TrafficRecord> | undefined> {
  if (traffic === undefined) return undefined;
  const { readTraffic } = await import('@stubwright/traffic');
  return readTraffic(traffic, { cwd, callerHeader: caller?.toLowerCase() });
}

/** @yields the records of other versions than these */
export async function* recordsWithout(
  versions: ReadonlySet<string>,
  records: AsyncIterable<TrafficRecord>,
): AsyncGenerator<TrafficRecord, void, undefined> {
  for await (const record of records) {
    const { contract = '' } = record.entry ?? record.usage;
    if (!versions.has(contract)) yield record;
  }
}
