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
import {
  ConvertedExchange,
  type Engine,
  type EngineOptions,
  type Verifier,
} from 'stubwright/internals';
import { type Configuration, type ServedEntry, selectionErrors } from './configuration.ts';
import type { VersionConverters } from './converters.ts';
import { type CurrentOptions, callWithProblems, versionEngine } from './servedVersion.ts';
import { VersionEnd, VersionedEngine } from './versionedEngine.ts';
import { type ChainLink, type Level, type LoadVersion, versionChain } from './versionLink.ts';
import {
  type Pin,
  type SelectedRequest,
  type VersionOfRequest,
  VersionPin,
  VersionSelection,
} from './versionSelection.ts';

type Verifiers = NonNullable<EngineOptions<never>['verifiers']>;
type Result = ReturnType<Verifier>;

/** @returns verifiers that return the same result for the same credentials and scopes of one request */
export function verifiedOnce(verifiers: Verifiers): Verifiers {
  // Schemes that share a verifier share its wrapper, too: the engine compares them.
  const wrapped = new Map(
    [...new Set(Object.values(verifiers))].map((verifier) => [verifier, once(verifier)]),
  );
  const all = Object.entries(verifiers).map(
    ([name, verifier]) => [name, wrapped.get(verifier)!] as const,
  );
  return Object.fromEntries(all);
}

function once(verify: Verifier<never>): Verifier<never> {
  const results = new WeakMap<object, Map<string, Result>>();
  return (credentials, request, scopes) => {
    const sent: object = request instanceof ConvertedExchange ? request.sent : request;
    const ofRequest = results.get(sent) ?? new Map<string, Result>();
    results.set(sent, ofRequest);
    const key = JSON.stringify([credentials, scopes]);
    const known = ofRequest.get(key);
    if (known !== undefined || ofRequest.has(key)) return known;
    const result = verify(credentials, request, scopes);
    ofRequest.set(key, result);
    return result;
  };
}

export interface VersionsOptions {
  readonly configuration: Configuration;
  /** Of the configuration, for messages. */
  readonly file: string;
  readonly load: LoadVersion;
  /** For requests that name no version. The verifiers are those of `verifiedOnce`. */
  readonly pin?: Pin | undefined;
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
  { configuration, file, load, pin }: VersionsOptions,
  current: Engine,
  options: CurrentOptions,
): Versions {
  const { definition, basePath } = options;
  const currentVersion = definition.version ?? 'current';
  const errors = selectionErrors(configuration, {
    current: currentVersion,
    file,
    hasPin: pin !== undefined,
    routes: definition.operations.map(({ path, basePaths }) =>
      basePath === undefined && basePaths.length > 0
        ? basePaths.map((base) => base + path)
        : [path],
    ),
  });
  if (errors.length > 0) throw new ContractErrors(errors);
  const { versions: entries, header } = configuration;
  const linkOf = versionChain(entries, load, currentLevel(current, options));
  const opened = new Map<string, Promise<OpenedVersion>>();
  const open = (selected: VersionOfRequest): Promise<OpenedVersion> => {
    const { version, prefix } = selected;
    const key = `${version} ${prefix ?? ''}`;
    const known = opened.get(key) ?? openVersion(linkOf, selected, options);
    opened.set(key, known);
    return known;
  };
  const selection = new VersionSelection(configuration, currentVersion, basePath ?? '');
  const names = entries.map(({ version }) => version);
  const ends = entries.flatMap((entry) => {
    const end = VersionEnd.of(entry);
    return end === undefined ? [] : [[entry.version, end] as const];
  });
  const engineOf = async (selected: VersionOfRequest) => (await open(selected)).engine;
  const pins =
    pin &&
    new VersionPin({
      ...{ pin, selection },
      versions: [selection.byDefault.version, currentVersion, ...names.toReversed()],
      engineOf: async (version) =>
        version === currentVersion ? current : engineOf({ version, prefix: undefined }),
    });
  const engine = new VersionedEngine({
    ends: new Map(ends),
    ...{ current, header, versions: names, currentVersion, selection, engineOf, pins },
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
  linkOf: (version: string) => Promise<ChainLink>,
  { version, prefix }: VersionOfRequest,
  options: CurrentOptions,
): Promise<OpenedVersion> {
  const { link, contract } = await linkOf(version);
  const basePath = prefix ?? options.basePath;
  return { contract, basePath, engine: await versionEngine(link, basePath, options) };
}

function currentLevel(engine: Engine, { definition, toProblem }: CurrentOptions): Level {
  return {
    version: definition.version ?? 'current',
    definition,
    call: callWithProblems(engine, toProblem),
    currentOperation: (operationId) => operationId,
    entry: (operationId) => engine.entry(operationId),
    inOwnStatus: (error) => error,
  };
}

/** @returns a loader of the files of a project @param cwd that their paths are relative to */
export function fromFiles(cwd: string): LoadVersion {
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
