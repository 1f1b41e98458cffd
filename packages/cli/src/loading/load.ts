// Loads a contract from its OpenAPI files. stubwright imports this module if CONTRACT is not a bundle.
import { basename, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type Bundle,
  type CheckedContract,
  type Contract,
  ContractErrors,
  contractFromBundle,
  errorCauses,
  exactIntegers,
  FORMAT,
  type LoadedContract,
  type LoadOptions,
  type Located,
  type Node,
  type Position,
  type PublishedYaml,
  textOf,
  tokensOf,
  withServers,
} from '@stubwright/contract';
import { positionText } from '@stubwright/contract/printable';
import { DUMP_SCHEMA, dump } from 'js-yaml';
import { type Checked, checkContract, type LoaderOptions } from './checkContract.ts';
import { type Access, DISK, memoryTree, type Sources } from './containment.ts';
import { ContractFiles, type SourceFile } from './files.ts';
import { type Positions, parseText, positionIn, type Ranges, type TextRange } from './parse.ts';

export { publishedYaml };

/**
 * Checks a contract: OpenAPI 3.0, 3.1 or 3.2, YAML or JSON, one file or many.
 *
 * @returns the contract with the errors of single operations; `files` are absolute
 * @throws {ContractErrors} for errors of the whole contract
 */
export async function checkedContract(
  path: string,
  options?: LoaderOptions,
): Promise<CheckedContract> {
  return bundled(await checkContract(path, options));
}

function bundled({ definition, hashes, warnings, errors, patterns }: Checked): CheckedContract {
  return {
    stubwright: FORMAT,
    // Files are read concurrently, in any order.
    files: Object.fromEntries([...hashes].sort(([a], [b]) => (a < b ? -1 : 1))),
    ...{ warnings, errors, patterns },
    document: definition.document,
  };
}

/**
 * @param folder of the bundle's file
 * @throws {ContractErrors} with every error of the contract
 */
export async function bundleOf(path: string, folder: string, access?: Access): Promise<Bundle> {
  const { document, errors, files, ...rest } = await checkedContract(path, access);
  if (errors.length > 0) throw new ContractErrors(errors);
  const relativeFiles = Object.entries(files).map(([file, hash]) => [
    relative(resolve(access?.cwd ?? '', folder), file),
    hash,
  ]);
  return {
    ...rest,
    files: Object.fromEntries(relativeFiles),
    errors,
    yaml: await publishedYaml(resolve(access?.cwd ?? '', path), document, access?.sources),
    document,
  };
}

interface ClientContract extends CheckedContract {
  /** The errors of operations that are left out, and each such operation. */
  readonly omitted: readonly Located[];
}

/**
 * Checks a contract for a client, which has its operations without errors.
 *
 * @throws {ContractErrors} for errors of the whole contract, and if no operation is left
 */
export async function clientContract(path: string, access?: Access): Promise<ClientContract> {
  const checked = await checkContract(path, { ...access, isWithoutWarnings: true });
  const { errors, definition } = checked;
  const { operations, disabled } = definition;
  if (disabled.length > 0 && operations.length === 0) throw new ContractErrors(errors);
  const left = disabled.map((name) => {
    return { position: undefined, message: `${path}  the operation ${name} is left out` };
  });
  return { ...bundled(checked), omitted: [...errorCauses(errors), ...left] };
}

/** @throws {ContractErrors} with all errors of the contract */
export function loadContractFiles(path: string, access?: LoaderOptions): Promise<LoadedContract> {
  return load(path, { ...access, isMocked: false });
}

/** The same, with the operations that have errors disabled. */
export function loadMockable(path: string, access?: LoaderOptions): Promise<LoadedContract> {
  return load(path, { ...access, isMocked: true });
}

async function load(path: string, options: LoadOptions & LoaderOptions): Promise<LoadedContract> {
  const checked = await checkContract(path, options);
  const { definition } = checked;
  const source = resolve(options.cwd ?? '', path);
  const publish = () => publishedYaml(source, definition.document, options.sources);
  return contractFromBundle(path, bundled(checked), publish, options, definition);
}

/** The value is replaced. */
const ANY_SERVERS = [{ url: '/' }];

/** @param document as it is published */
async function publishedYaml(
  path: string,
  document: Node,
  sources: Sources = DISK,
): Promise<PublishedYaml> {
  const source = await sources.read(path).then(String, () => '');
  const own = asWritten(source, document) ?? written(document);
  const rebased = withServers(document, ANY_SERVERS);
  const isSameWithout = isDeepStrictEqual(rebased, { ...document, servers: ANY_SERVERS });
  return isSameWithout ? own : { ...own, rebased: written(rebased) };
}

/** @returns the text if it is YAML in block style that has the value of the document */
function asWritten(text: string, document: Node): PublishedYaml | undefined {
  if (text.trim() === '' || text.trimStart().startsWith('{')) return undefined;
  const parsed = parseText(text, false);
  if (parsed.errors !== undefined || !isDeepStrictEqual(parsed.value, document)) return undefined;
  return { text, servers: serversIn(parsed.positions, document) };
}

/** @returns the lines of `servers`, or else the position after `info` */
function serversIn(positions: Positions, { servers }: Node): [number, number] {
  const { text } = positions;
  const { keyStart, end } = positions.find([servers === undefined ? 'info' : 'servers']);
  const lineEnd = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1;
  const after = lineEnd === 0 ? text.length : lineEnd;
  return [servers === undefined ? after : keyStart, after];
}

/** `servers` comes after `info`, as in most contracts. */
function written(document: Node): PublishedYaml {
  const { openapi, info, servers, ...rest } = exactIntegers(document);
  const head = yamlOf({ openapi, info });
  const list = servers === undefined ? '' : yamlOf({ servers });
  const text = head + list + (Object.keys(rest).length === 0 ? '' : yamlOf(rest));
  return { text, servers: [head.length, head.length + list.length] };
}

const SCHEMA = DUMP_SCHEMA.withTags(
  DUMP_SCHEMA.tags
    .filter((tag) => tag.nodeKind === 'scalar')
    .filter(({ tagName }) => tagName === 'tag:yaml.org,2002:int')
    .map((tag) => ({
      ...tag,
      identify: (value: unknown) => typeof value === 'bigint' || tag.identify(value),
      represent: String,
    })),
);

/** Quotes strings that YAML 1.1 reads as dates or booleans. */
function yamlOf(node: Node): string {
  return dump(node, { schema: SCHEMA, noRefs: true, lineWidth: 100 });
}

/** A contract with the positions of its parts. */
interface TextContract {
  readonly definition: Contract;
  readonly locations: SourceLocations;
  readonly name: string;
  /** Of operations, which are disabled. */
  readonly errors: readonly string[];
}

/**
 * @param text YAML or JSON
 * @param file its name in locations
 * @throws {ContractErrors} for errors of the whole contract, and if every operation has errors
 */
export async function openText(
  text: string,
  { file }: { readonly file: string },
): Promise<TextContract> {
  const cwd = resolve('/');
  const path = basename(file);
  const sources = memoryTree(cwd, new Map([[path, text]]));
  const files = new ContractFiles(path, { cwd, sources });
  const { definition } = await loadMockable(path, { cwd, sources, files, isWithoutWarnings: true });
  const options = { cwd, sources, files, shown: () => file };
  const locations = await SourceLocations.of(path, options);
  return { definition, locations, name: file, errors: operationErrors(definition) };
}

/** @returns the errors of operations, each once */
export function operationErrors({ errors }: Contract): string[] {
  return [...new Set(errors.map(textOf))];
}

interface LocationOptions extends Access {
  /** The loaded files of the contract. */
  readonly files?: ContractFiles;
  readonly shown?: (path: string) => string;
}

/** Maps JSON pointers into a loaded contract to `file:line:column` in its source files. */
export class SourceLocations {
  readonly #files: ContractFiles;
  readonly #root: SourceFile;
  readonly #shown: (path: string) => string;

  private constructor(files: ContractFiles, root: SourceFile, shown: (path: string) => string) {
    this.#files = files;
    this.#root = root;
    this.#shown = shown;
  }

  /**
   * @param path of the contract
   * @param options `shown` formats the path of a file; relative to the working directory by default
   */
  static async of(
    path: string,
    { shown, files = new ContractFiles(path), ...access }: LocationOptions = {},
  ): Promise<SourceLocations> {
    if (files.origins === undefined) await checkContract(path, { ...access, files });
    const fromCwd = (file: string) => relative(resolve(access.cwd ?? ''), file);
    const root = (await files.read(files.root)) as SourceFile;
    return new SourceLocations(files, root, shown ?? fromCwd);
  }

  /** @returns `file:line:column` of the pointer, or of its nearest ancestor */
  at(pointer: string): string {
    return positionText(this.position(pointer));
  }

  position(pointer: string): Position {
    const { file, pointer: inFile } = this.#files.originOf(pointer, this.#root);
    const { file: path, ...at } = positionIn(file, inFile, inFile !== '');
    return { file: this.#shown(path), ...at };
  }

  /** @returns the range of the pointer, or of its nearest ancestor; `file` is an absolute path */
  range(pointer: string): TextRange & { readonly file: string; readonly positions: Positions } {
    const { file, pointer: inFile } = this.#files.originOf(pointer, this.#root);
    const { path, positions, ranges = positions as Ranges } = file;
    return { file: path, positions, ...ranges.find(tokensOf(inFile)) };
  }
}
