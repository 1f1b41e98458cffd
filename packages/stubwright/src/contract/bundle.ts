// A checked contract: one document, with what only a check can find out. @stubwright/cli makes it of
// the files of a contract, and writes it as a bundle, which a start reads.
import type { ContractError } from '../document/contractError.ts';
import { ContractErrors, Definition, type Node } from '../document/definition.ts';
import { testWithRe2 } from '../schema/pattern.ts';

export interface CheckedContract {
  /** The version of this format. */
  readonly stubwright: typeof FORMAT;
  /** SHA-256 in hex of each file of the contract, by its path relative to the bundle, or absolute. */
  readonly files: Readonly<Record<string, string>>;
  /** A line each: `file:line:column  what  expected`. */
  readonly warnings: readonly string[];
  /** Of operations that cannot be served; none in a bundle that was written to a file. */
  readonly errors: readonly ContractError[];
  /** Patterns that V8 may test in exponential time -> the same in RE2's syntax. */
  readonly re2: Readonly<Record<string, string>>;
  /** OpenAPI; each `$ref` of a defined operation starts with `#`. */
  readonly document: Node;
}

/** What a bundle's file contains. */
export interface Bundle extends CheckedContract {
  readonly yaml: PublishedYaml;
}

/** The contract as YAML, with the comments of its source where that means the same. */
export interface PublishedYaml {
  readonly text: string;
  /** From where to where `servers` is replaced by BASE_URL, in code units. */
  readonly servers: readonly [start: number, end: number];
  /** The text without the servers of single paths and operations, where there are such. */
  readonly rebased?: Omit<PublishedYaml, 'rebased'>;
}

/** @returns the contract as YAML; takes seconds for a large one that was not bundled */
export type Publish = () => Promise<PublishedYaml>;

/** A contract in memory. */
export interface LoadedContract {
  readonly definition: Definition;
  /** What violates OpenAPI and is understood: a line each, `file:line:column  what  expected`. */
  readonly warnings: readonly string[];
  /** The paths of the files that it consists of. */
  readonly files: readonly string[];
  readonly publish: Publish;
}

export interface LoadOptions {
  /** True where an operation with an error is disabled, and the error is a warning. */
  readonly isMocked: boolean;
}

export const FORMAT = 1;

/**
 * @param path of the contract, for the warnings
 * @throws {ContractErrors} with every error, each as `file:line:column  what  expected`
 */
export function contractOf(
  path: string,
  { document, errors, warnings, files, re2 }: CheckedContract,
  publish: Publish,
  { isMocked }: LoadOptions,
): LoadedContract {
  const texts = [...new Set(errors.map(({ text }) => text))];
  if (texts.length > 0 && !isMocked) throw new ContractErrors(texts);
  testWithRe2(re2);
  const definition = new Definition(document, errors);
  const disabled = definition.disabled.map((name) => `${path}  the operation ${name} is disabled`);
  return {
    definition,
    warnings: [...disabled, ...texts, ...warnings],
    files: Object.keys(files),
    publish,
  };
}
