// The files of served versions, and a list of the versions: dates, cost and callers.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Bundle, bundleText, type Contract, contractFromBundle } from '@stubwright/contract';
import { countOf } from '@stubwright/contract/printable';
import { addCount, type Counts, callersText, mostFirst } from '@stubwright/diff/traffic-internals';
import type { TrafficRecord } from '@stubwright/traffic';
import { type Configuration, configurationIn, type ServedEntry } from '@stubwright/versions';
import type { Access } from '../loading/containment.ts';
import { bundleOf, loadContractFiles } from '../loading/load.ts';
import { POLICY, RELEASED } from '../project/layout.ts';
import { releasesIn } from '../project/releases.ts';
import type { ConverterPlan } from './converterPlan.ts';
import { VERSIONS, versionTypes } from './versionTypes.ts';

interface GeneratedVersion {
  readonly entry: ServedEntry;
  readonly contract: Contract;
  readonly plan: ConverterPlan;
}

/** How a client names a version: the first that the configuration has. */
export interface ServedSelection {
  /** After the path of the service; undefined for a version without. */
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** @returns how to name each served version, by version @throws {ContractErrors} for an invalid file */
export function servedSelections(cwd = ''): ReadonlyMap<string, ServedSelection> {
  const { versions = [], header, mediaType } = configurationOf(cwd) ?? {};
  return new Map(
    versions.map(({ version, path }) => {
      const ofHeader = header === undefined ? {} : { [header]: version };
      const ofMediaType =
        mediaType === undefined ? {} : { Accept: `application/json; ${mediaType}="${version}"` };
      const named = header === undefined ? ofMediaType : ofHeader;
      return [version, { path, headers: path === undefined ? named : {} }] as const;
    }),
  );
}

/** @returns the entries of compatibility.yaml, oldest first @throws {ContractErrors} for an invalid file */
export function servedEntries(cwd = ''): readonly ServedEntry[] {
  return configurationOf(cwd)?.versions ?? [];
}

function configurationOf(cwd: string): Configuration | undefined {
  const path = resolve(cwd, POLICY);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return configurationIn(text, POLICY);
}

/**
 * @param entries oldest first: each converts to the next one, the last one to the current contract
 * @throws {ContractErrors} for a contract with errors
 */
export async function servedFiles(
  entries: readonly ServedEntry[],
  current: Bundle,
  access: Access = {},
) {
  const files = new Map<string, string>();
  const versions: GeneratedVersion[] = [];
  const contracts: Contract[] = [];
  for (const entry of entries) {
    const { contract, text } = await releasedContract(entry, access);
    if (text !== undefined) files.set(entry.contract, text);
    contracts.push(contract);
  }
  for (const [at, entry] of entries.entries()) {
    const contract = contracts[at]!;
    const next = contracts[at + 1];
    const { text, plan } = versionTypes({
      ...{ version: entry.version, converters: entry.converters },
      ...{ older: contract, newer: next ?? definitionOf(current) },
      newerTypes: next === undefined ? '../contract.ts' : undefined,
    });
    files.set(`${VERSIONS}/${entry.version}.ts`, text);
    versions.push({ entry, contract, plan });
  }
  return { files, versions, surplus: surplusIn(entries, access.cwd) };
}

/** @returns the path of the sources of the contract of a version: of its release, if its bundle is generated */
export function contractPath({ version, contract }: ServedEntry, cwd = ''): string {
  const release = releasesIn(RELEASED, cwd).find((release) => release.version === version);
  return release === undefined || dirname(contract) !== VERSIONS ? contract : release.path;
}

/**
 * @param path of the current contract
 * @returns the versions of compatibility.yaml, oldest first; none without reading the contract
 * @throws {ContractErrors} for an invalid file or contract
 */
export async function servedVersions(
  path: string,
  access: Access = {},
): Promise<readonly GeneratedVersion[]> {
  const entries = servedEntries(access.cwd);
  if (entries.length === 0) return [];
  const { versions } = await servedFiles(entries, await bundleOf(path, VERSIONS, access), access);
  return versions;
}

/**
 * @param version of a contract of the same API
 * @returns the contracts of the other versions that are served, by version, oldest first
 * @throws {ContractErrors} for a contract with errors
 */
export async function olderContracts(
  version: string | undefined,
  access: Access = {},
): Promise<ReadonlyMap<string, Contract>> {
  const others = servedEntries(access.cwd).filter((servedEntry) => servedEntry.version !== version);
  const loaded = await Promise.all(
    others.map((servedEntry) => releasedContract(servedEntry, access)),
  );
  return new Map(loaded.map(({ contract }, at) => [others[at]!.version, contract]));
}

/** The bundle of a release is generated; another contract is the application's own. */
async function releasedContract(
  { version, contract: path }: ServedEntry,
  access: Access,
): Promise<{ readonly contract: Contract; readonly text: string | undefined }> {
  const release = releasesIn(RELEASED, access.cwd).find((release) => release.version === version);
  if (release === undefined || dirname(path) !== VERSIONS) {
    const isThere = existsSync(resolve(access.cwd ?? '', path));
    const own = isThere ? path : (release?.path ?? path);
    return { contract: (await loadContractFiles(own, access)).definition, text: undefined };
  }
  const bundle = await bundleOf(release.path, VERSIONS, access);
  return { contract: definitionOf(bundle), text: bundleText(bundle) };
}

function definitionOf(bundle: Bundle): Contract {
  const publish = () => Promise.resolve(bundle.yaml);
  return contractFromBundle('', bundle, publish, { isMocked: false }).definition;
}

function surplusIn(entries: readonly ServedEntry[], cwd = ''): string[] {
  const folder = join(cwd, VERSIONS);
  if (!existsSync(folder)) return [];
  const known = new Set(
    entries.flatMap(({ version, contract }) => [...[`${VERSIONS}/${version}.ts`, contract]]),
  );
  return readdirSync(folder)
    .map((name) => `${VERSIONS}/${name}`)
    .filter((path) => /\.(?:ts|json)$/.test(path) && !known.has(path));
}

const DAY_MS = 86_400_000;
/** Callers of a version with a name. */
const MAX_CALLERS = 20;

interface ListOptions {
  /** In ms since 1970. */
  readonly now: number;
  readonly callers: ReadonlyMap<string, Counts> | undefined;
  readonly cwd: string;
}

export async function callersByVersion(
  records: AsyncIterable<TrafficRecord>,
): Promise<ReadonlyMap<string, Counts>> {
  const versions = new Map<string, Counts>();
  for await (const { entry, usage } of records) {
    const { contract, caller } = entry ?? usage;
    if (contract === undefined) continue;
    const counts: Counts = versions.get(contract) ?? new Map();
    versions.set(contract, counts);
    const requests =
      usage === undefined
        ? { count: 1, last: entry.at }
        : { count: usage.requests, last: Date.parse(usage.last) };
    addCount(counts, caller, requests);
  }
  return versions;
}

/** @param versions oldest first @returns lines for each version, oldest first */
export function servedList(
  versions: readonly GeneratedVersion[],
  { now, callers, cwd }: ListOptions,
): string[] {
  return versions.flatMap(({ entry }, at) => {
    const { version, path, converters } = entry;
    const parts = [version.padEnd(12), (path ?? '-').padEnd(8), endText(entry, now), converters];
    const details = [
      costText(versions.slice(at), linesIn(resolve(cwd, converters))),
      ...(callers === undefined ? [] : [callersOf(callers.get(version))]),
    ];
    return [parts.join('  '), ...details.map((detail) => `${' '.repeat(14)}${detail}`)];
  });
}

/** `until` is the last day, in UTC. */
function endText({ deprecated, until }: ServedEntry, now: number): string {
  if (until === undefined) return 'without an end'.padEnd(28);
  const days = Math.ceil((Date.parse(until) + DAY_MS - now) / DAY_MS);
  const left = days > 0 ? `${countOf(days, 'day')} left` : 'has ended';
  const since = deprecated === undefined ? '' : `deprecated since ${deprecated}, `;
  return `${since}until ${until}, ${left}`.padEnd(28);
}

/** @param passed the versions whose converters a request passes, the one that it names first */
function costText(passed: readonly GeneratedVersion[], lines: number): string {
  const counts = passed.map(({ plan }) => plan.schemas.length + plan.operations.length);
  const converters = counts.reduce((sum, count) => sum + count, 0);
  const texts = [countOf(passed.length, 'link'), countOf(converters, 'converter')];
  return `a request passes ${texts.join(' with ')}; ${countOf(lines, 'line')} of code`;
}

/** @returns the number of lines that are neither blank nor a comment of their own; 0 without the file */
function linesIn(path: string): number {
  if (!existsSync(path)) return 0;
  const text = readFileSync(path, 'utf8').replace(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '');
  return text.split('\n').filter((line) => !/^\s*(?:\/\/.*)?$/.test(line)).length;
}

function callersOf(counts: Counts | undefined): string {
  if (counts === undefined) return 'no recorded request';
  return `called by ${callersText(mostFirst(counts), MAX_CALLERS)}`;
}
