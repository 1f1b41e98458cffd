// The served versions of a contract: opens each at its first request.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  ContractErrors,
  isObject,
  type LoadedContract,
  loadContract,
  shown,
} from '@stubwright/contract';
import type { Engine } from 'stubwright/internals';
import { type Configuration, type ServedEntry, selectionErrors } from './configuration.ts';
import type { VersionConverters } from './converters.ts';
import type { Level } from './level.ts';
import { type CurrentOptions, callWithProblems, versionEngine } from './servedVersion.ts';
import { VersionEnd } from './versionEnd.ts';
import { VersionedEngine } from './versionedEngine.ts';
import { VersionLink } from './versionLink.ts';
import {
  type SelectedRequest,
  type VersionOfRequest,
  VersionSelection,
} from './versionSelection.ts';

/** What a served version needs. */
export interface VersionSource {
  readonly contract: LoadedContract;
  readonly converters: VersionConverters;
}

export interface VersionsOptions {
  readonly configuration: Configuration;
  /** Of the configuration, for messages. */
  readonly file: string;
  readonly load: (entry: ServedEntry) => Promise<VersionSource>;
}

/** An opened version. */
export interface OpenedVersion {
  readonly contract: LoadedContract;
  readonly engine: Engine;
  /** Of all its routes; undefined for the paths of its servers. */
  readonly basePath: string | undefined;
}

/** The served versions around one engine. */
export interface Versions {
  readonly engine: VersionedEngine;
  /**
   * @returns the version that a request names; undefined for the current one
   * @throws {ContractErrors} for a contract or converters that do not fit
   */
  selected(request: SelectedRequest): Promise<OpenedVersion | undefined>;
  /** Opens all versions. @throws {ContractErrors} as `selected` */
  openAll(): Promise<void>;
}

/**
 * @param current the engine of the current contract
 * @param options with which it was created
 * @throws {ContractErrors} for a selection that cannot work
 */
export function serveVersions(
  { configuration, file, load }: VersionsOptions,
  current: Engine,
  options: CurrentOptions,
): Versions {
  const { definition, basePath } = options;
  const currentVersion = definition.version ?? 'current';
  const errors = selectionErrors(configuration, currentVersion, file);
  if (errors.length > 0) throw new ContractErrors(errors);
  const { versions: entries, header } = configuration;
  const links = new Chain(entries, load, currentLevel(current, options));
  const opened = new Map<string, Promise<OpenedVersion>>();
  const open = (selected: VersionOfRequest): Promise<OpenedVersion> => {
    const { version, prefix } = selected;
    const key = `${version} ${prefix ?? ''}`;
    const known = opened.get(key) ?? openVersion(links, selected, options);
    opened.set(key, known);
    return known;
  };
  const selection = new VersionSelection(configuration, currentVersion, basePath ?? '');
  const names = entries.map(({ version }) => version);
  const brownoutMs = options.sunset?.refuses === true ? options.sunset.brownoutMs : 0;
  const ends = entries.flatMap((entry) => {
    const end = VersionEnd.of(entry, brownoutMs);
    return end === undefined ? [] : [[entry.version, end] as const];
  });
  const engine = new VersionedEngine({
    ends: new Map(ends),
    ...{ current, header, versions: names, currentVersion, selection },
    engineOf: async (selected) => (await open(selected)).engine,
  });
  return {
    engine,
    async selected(request) {
      const selected = selection.orCurrent(request);
      return selected.version === currentVersion ? undefined : open(selected);
    },
    async openAll() {
      for (const version of names) await open({ version, prefix: undefined });
    },
  };
}

async function openVersion(
  links: Chain,
  { version, prefix }: VersionOfRequest,
  options: CurrentOptions,
): Promise<OpenedVersion> {
  const { link, contract } = await links.link(version);
  const basePath = prefix ?? options.basePath;
  return { contract, basePath, engine: await versionEngine(link, basePath, options) };
}

function currentLevel(engine: Engine, { definition, toProblem }: CurrentOptions): Level {
  return {
    version: definition.version ?? 'current',
    definition,
    call: callWithProblems(engine, toProblem),
    currentOperation: (operationId) => operationId,
  };
}

interface ChainLink {
  readonly link: VersionLink;
  readonly contract: LoadedContract;
}

/** Each version converts to the next one, the last to the current contract. */
class Chain {
  readonly #entries: readonly ServedEntry[];
  readonly #load: VersionsOptions['load'];
  readonly #current: Level;
  readonly #links = new Map<string, Promise<ChainLink>>();

  constructor(entries: readonly ServedEntry[], load: VersionsOptions['load'], current: Level) {
    this.#entries = entries;
    this.#load = load;
    this.#current = current;
  }

  link(version: string): Promise<ChainLink> {
    const known = this.#links.get(version) ?? this.#open(version);
    this.#links.set(version, known);
    return known;
  }

  async #open(version: string): Promise<ChainLink> {
    const at = this.#entries.findIndex((each) => each.version === version);
    const entry = this.#entries[at]!;
    const next = this.#entries[at + 1];
    const newer = next === undefined ? this.#current : (await this.link(next.version)).link;
    const { contract, converters } = await this.#load(entry);
    const link = new VersionLink({ version, definition: contract.definition, converters, newer });
    const { errors } = link;
    if (errors.length > 0) throw new ContractErrors(errors);
    return { link, contract };
  }
}

/** @returns a loader of the files of a project @param cwd that their paths are relative to */
export function fromFiles(cwd: string): VersionsOptions['load'] {
  return async (entry) => ({
    contract: await loadContract(entry.contract, { isMocked: false, cwd }),
    converters: await convertersOf(entry, cwd),
  });
}

/**
 * @param cwd that the path of the module is relative to
 * @throws {ContractErrors} for a module without `converters`
 */
export async function convertersOf(
  { version, converters: path }: ServedEntry,
  cwd: string,
): Promise<VersionConverters> {
  const module: unknown = await import(pathToFileURL(resolve(cwd, path)).href);
  const converters: unknown = isObject(module) ? module['converters'] : undefined;
  if (isObject(converters)) return converters;
  const got = shown(converters);
  throw new ContractErrors([`version ${version}: ${path} exports ${got}, expected converters`]);
}
