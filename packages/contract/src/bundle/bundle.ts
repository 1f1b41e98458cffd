// The format of a bundle: the checked contract that `stubwright generate` writes and a start reads.
import type { ContractError } from '../document/contractError.ts';
import { ContractErrors, Definition, type Node } from '../document/definition.ts';
import type { Automaton } from '../schema/automaton.ts';
import { testInLinearTime } from '../schema/pattern.ts';

/** A contract whose files are resolved and checked, as JSON. */
export interface CheckedContract {
  /** The version of this format. */
  readonly stubwright: typeof FORMAT;
  /** SHA-256 of each source file in hexadecimal, by its path relative to the bundle, or absolute. */
  readonly files: Readonly<Record<string, string>>;
  /** One line each: `file:line:column  warning  expectation`. */
  readonly warnings: readonly string[];
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

/** A contract in memory. */
export interface LoadedContract {
  readonly definition: Definition;
  /** Violations of OpenAPI that are tolerated, one line each: `file:line:column  warning  expectation`. */
  readonly warnings: readonly string[];
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
  const texts = [...new Set(errors.map(({ text }) => text))];
  if (texts.length > 0 && !isMocked) throw new ContractErrors(texts);
  testInLinearTime(patterns);
  const definition = new Definition(document, errors);
  if (texts.length > 0 && definition.operations.length === 0) throw new ContractErrors(texts);
  return {
    definition,
    warnings: [...causesOf(errors), ...disabledIn(path, definition), ...warnings],
    files: Object.keys(files),
    publish,
  };
}

/** @returns each cause once, with its first location */
function causesOf(errors: readonly ContractError[]): string[] {
  const groups = Map.groupBy(errors, ({ cause, text }) => cause ?? text);
  return Array.from(groups.values(), (group) => {
    const texts = new Set(group.map(({ text }) => text));
    const [first] = texts;
    return texts.size === 1 ? first! : `${first}; the same at ${texts.size - 1} other locations`;
  });
}

/** The number of disabled operations that are reported one by one. */
const MAX_DISABLED = 5;

function disabledIn(path: string, { disabled }: Definition): string[] {
  if (disabled.length <= MAX_DISABLED) {
    return disabled.map((name) => `${path}  the operation ${name} is disabled`);
  }
  return [`${path}  ${disabled.length} operations are disabled, such as ${disabled[0]}`];
}
