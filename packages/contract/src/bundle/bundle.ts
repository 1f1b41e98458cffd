// A bundle, the checked contract that `stubwright generate` writes: its format, and how a start reads it, or the OpenAPI
// files with @stubwright/cli.

import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type ContractError, ContractErrors, type Located, textOf } from '../document/finding.ts';
import { escapeToken, isObject, type Node, tokensOf } from '../document/node.ts';
import { stringifyJson } from '../json/json.ts';
import { Contract } from '../operations/contract.ts';
import { type Automaton, testInLinearTime } from '../schema/pattern.ts';

/** A contract whose files are resolved and checked, as JSON. */
export interface CheckedContract {
  /** The version of this format. */
  readonly stubwright: typeof FORMAT;
  /** SHA-256 of each source file in hexadecimal, by its path relative to the bundle, or absolute. */
  readonly files: Readonly<Record<string, string>>;
  /** Violations of OpenAPI that are tolerated. */
  readonly warnings: readonly Located[];
  /** Errors of single operations; empty in a bundle file. */
  readonly errors: readonly ContractError[];
  /** Patterns that V8 may not test in linear time -> the same as automata. */
  readonly patterns: Readonly<Record<string, Automaton>>;
  /** The OpenAPI document; each `$ref` of a defined operation starts with `#`. */
  readonly document: Node;
}

/** The content of a bundle file. */
export interface Bundle extends CheckedContract {
  readonly yaml: PublishedYaml;
}

/** The contract as YAML, with the comments of its source if that is equivalent. */
export interface PublishedYaml {
  readonly text: string;
  /** The range of the text that BASE_URL replaces, in UTF-16 code units. */
  readonly servers: readonly [start: number, end: number];
  /** The text without the servers of paths and operations; undefined if there are none. */
  readonly rebased?: Omit<PublishedYaml, 'rebased'>;
}

/** @returns the contract as YAML; takes seconds for a large contract without bundle */
export type Publish = () => Promise<PublishedYaml>;

/** A bundle file as JSON, such as an imported module. */
export interface ContractBundle {
  /** The version of the format. */
  readonly stubwright: number;
  /** The OpenAPI document. */
  readonly document: object;
}

/** Lists the integers that JSON.parse rounds: an exact parser takes three times as long. */
interface BundleFile extends CheckedContract {
  /** JSON pointer into the document -> digits. */
  readonly bigints: Readonly<Record<string, string>>;
  readonly yaml?: PublishedYaml;
}

/** A contract in memory. */
export interface LoadedContract {
  readonly definition: Contract;
  /** Violations of OpenAPI that are tolerated. */
  readonly warnings: readonly Located[];
  /** The paths of its source files. */
  readonly files: readonly string[];
  readonly publish: Publish;
}

/** How a contract is loaded. */
export interface LoadOptions {
  /** True to disable operations with errors, and to report the errors as warnings, unless none is left. */
  readonly isMocked: boolean;
  /** The folder that the path is relative to; by default the working directory of the process. */
  readonly cwd?: string | undefined;
  /** Folders that references of OpenAPI files may lead to, besides the contract's own folder or repository. */
  readonly allowOutside?: readonly string[] | undefined;
}

/** The version of the format of bundles. */
export const FORMAT = 3;

/**
 * @param path the path of the contract, for the warnings
 * @param definition of the document with the errors
 * @throws {ContractErrors} with every error, each as `file:line:column  error  expectation`
 */
export function contractFromBundle(
  path: string,
  { document, errors, warnings, files, patterns }: CheckedContract,
  publish: Publish,
  { isMocked }: LoadOptions,
  definition = new Contract(document, errors),
): LoadedContract {
  if (errors.length > 0 && !isMocked) throw new ContractErrors(errors);
  testInLinearTime(patterns);
  if (errors.length > 0 && definition.operations.length === 0) throw new ContractErrors(errors);
  return {
    definition,
    warnings: [...errorCauses(errors), ...disabledIn(path, definition), ...warnings],
    files: Object.keys(files),
    publish,
  };
}

/**
 * Loads a contract without a file system. Does not change the bundle.
 *
 * @throws {ContractErrors} for a bundle of another version
 */
export function contractOf(bundle: ContractBundle, options: LoadOptions): LoadedContract {
  expectFormat('contract', bundle.stubwright);
  const file = structuredClone(bundle) as BundleFile;
  restoreBigints(file);
  return contractFromBundle('contract', file, async () => file.yaml!, options);
}

/** @param path of the bundle, for the message @throws {ContractErrors} for another version */
function expectFormat(path: string, format: number): void {
  if (format === FORMAT) return;
  throw new ContractErrors([
    `${path}  has format ${format}  expected ${FORMAT}: write it with the same version of @stubwright/cli`,
  ]);
}

function restoreBigints({ document, bigints }: BundleFile): void {
  for (const [pointer, digits] of Object.entries(bigints)) {
    const keys = tokensOf(pointer);
    const last = keys.pop()!;
    const holder = keys.reduce((node, key) => node[key], document);
    holder[last] = BigInt(digits);
  }
}

/** @returns each cause once, with its first location */
export function errorCauses(errors: readonly ContractError[]): Located[] {
  const groups = Map.groupBy(errors, (error) => error.cause ?? textOf(error));
  return Array.from(groups.values(), (group) => {
    const { position, message } = group[0]!;
    const others = new Set(group.map(textOf)).size - 1;
    if (others === 0) return { position, message };
    return { position, message: `${message}; the same at ${others} other locations` };
  });
}

/** The number of disabled operations that are reported one by one. */
const MAX_DISABLED = 5;

function disabledIn(path: string, { disabled }: Contract): Located[] {
  const texts =
    disabled.length <= MAX_DISABLED
      ? disabled.map((name) => `the operation ${name} is disabled`)
      : [`${disabled.length} operations are disabled, such as ${disabled[0]}`];
  return texts.map((text) => ({ position: undefined, message: `${path}  ${text}` }));
}

/** The exports of `@stubwright/cli/loader`. */
interface Loader {
  checkedContract(path: string, options: LoadOptions): Promise<CheckedContract>;
  publishedYaml(path: string, document: Node): Promise<PublishedYaml>;
}

/**
 * Loads a contract.
 *
 * @param path a bundle, or OpenAPI 3.0, 3.1 or 3.2 as YAML or JSON in one or more files
 * @throws {ContractErrors} with every error, each as `file:line:column  error  expectation`; also for an
 *   outdated bundle, and for OpenAPI files without @stubwright/cli
 */
export async function loadContract(path: string, options: LoadOptions): Promise<LoadedContract> {
  const source = resolve(options.cwd ?? '', path);
  const bundle = bundleIn(await readFile(source).catch(() => NO_BYTES));
  if (bundle === undefined) {
    const { checkedContract, publishedYaml } = await loader(path);
    const checked = await checkedContract(path, options);
    return contractFromBundle(
      path,
      checked,
      () => publishedYaml(source, checked.document),
      options,
    );
  }
  expectFormat(path, bundle.stubwright);
  await expectSameSources(path, source, bundle);
  restoreBigints(bundle);
  return contractFromBundle(path, bundle, bundle.publish, options);
}

const NO_BYTES = Buffer.alloc(0);
/** The start of the last property in the file, and the end of the file. No string contains a line break. */
const YAML = ',\n "yaml": ';
const END = '\n }\n}\n';

/** @returns undefined for content that is no bundle; a formatter may have changed its white space */
function bundleIn(content: Buffer): LoadedBundle | undefined {
  if (!content.includes('"stubwright"')) return undefined;
  const at =
    content.toString('latin1', content.length - END.length) === END ? content.indexOf(YAML) : -1;
  if (at >= 0) {
    const head = bundleFrom(`${content.toString('utf8', 0, at)}}`);
    // A copy, which does not retain the rest: most of a bundle is its YAML, which few processes publish.
    const yaml = Buffer.from(content.subarray(at + YAML.length, -2));
    // Another order of the properties: the rest of the file is more than the YAML.
    const isRest = head?.bigints === undefined || head.document === undefined;
    if (!isRest) return { ...head, publish: async () => JSON.parse(yaml.toString()) };
  }
  const whole = bundleFrom(content.toString());
  return whole && { ...whole, publish: async () => whole.yaml! };
}

function bundleFrom(text: string): BundleFile | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isObject(value) && 'stubwright' in value ? (value as BundleFile) : undefined;
  } catch {
    return undefined;
  }
}

interface LoadedBundle extends BundleFile {
  readonly publish: Publish;
}

/** @returns the text of a bundle file */
export function bundleText(bundle: Bundle): string {
  const { stubwright, document, yaml, ...rest } = bundle;
  const bigints = Object.fromEntries(bigintsOf(document, ''));
  const file: BundleFile = { stubwright, ...rest, bigints, document, yaml };
  return `${stringifyJson(file, 1)}\n`;
}

function* bigintsOf(node: unknown, pointer: string): Generator<[pointer: string, digits: string]> {
  if (typeof node === 'bigint') yield [pointer, node.toString()];
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    yield* bigintsOf(value, `${pointer}/${escapeToken(key)}`);
  }
}

/**
 * Compares the hashes of the source files that exist: a deployment may omit them.
 *
 * @param path of the bundle, for the message
 * @param absolute path of the bundle
 */
async function expectSameSources(
  path: string,
  absolute: string,
  { files }: CheckedContract,
): Promise<void> {
  for (const [file, hash] of Object.entries(files)) {
    const source = join(dirname(path), file);
    const content = await readFile(join(dirname(absolute), file)).catch(() => undefined);
    if (content !== undefined && textHash(content) !== hash) {
      throw new ContractErrors([
        `${path}  was written from another ${source}  expected the same: generate it again`,
      ]);
    }
  }
}

async function loader(path: string): Promise<Loader> {
  const module = developmentPath('@stubwright/cli/loader');
  if (module !== undefined) return await import(pathToFileURL(module).href);
  throw new ContractErrors([
    `${path}  is not a bundled contract  expected one, or @stubwright/cli to be installed, which reads OpenAPI`,
  ]);
}

/**
 * Resolves from the working directory, else from the script of the process, else from this package: a
 * command may run in a folder without packages.
 *
 * @returns the path of a module; undefined if it is not installed
 */
export function developmentPath(module: string): string | undefined {
  for (const file of [
    resolve('package.json'),
    ...scriptOfProcess(),
    fileURLToPath(import.meta.url),
  ]) {
    try {
      return createRequire(file).resolve(module);
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}

/** A package manager may link to it from another folder. */
function scriptOfProcess(): string[] {
  const [, script] = process.argv;
  return script !== undefined && existsSync(script) ? [realpathSync(script)] : [];
}

/** @returns the SHA-256 of a text file with the line endings of Unix: git may convert them */
export function textHash(content: Buffer): string {
  if (!content.includes('\r\n')) return sha256(content);
  return sha256(Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'));
}

/** @returns the SHA-256 in hexadecimal */
export function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}
