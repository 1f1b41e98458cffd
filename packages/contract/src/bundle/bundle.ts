// The format of a bundle: the checked contract that `stubwright generate` writes and a start reads.

import { type ContractError, ContractErrors, type Located, textOf } from '../document/finding.ts';
import type { Node } from '../document/node.ts';
import { tokensOf } from '../document/pointer.ts';
import { Contract } from '../operations/contract.ts';
import type { Automaton } from '../schema/automaton.ts';
import { testInLinearTime } from '../schema/pattern.ts';

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
export interface BundleFile extends CheckedContract {
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
 * @throws {ContractErrors} with every error, each as `file:line:column  error  expectation`
 */
export function contractFromBundle(
  path: string,
  { document, errors, warnings, files, patterns }: CheckedContract,
  publish: Publish,
  { isMocked }: LoadOptions,
): LoadedContract {
  if (errors.length > 0 && !isMocked) throw new ContractErrors(errors);
  testInLinearTime(patterns);
  const definition = new Contract(document, errors);
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
export function expectFormat(path: string, format: number): void {
  if (format === FORMAT) return;
  throw new ContractErrors([
    `${path}  has format ${format}  expected ${FORMAT}: write it with the same version of @stubwright/cli`,
  ]);
}

export function restoreBigints({ document, bigints }: BundleFile): void {
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
