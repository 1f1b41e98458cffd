// The served versions of compatibility.yaml: their contracts, how clients name them, and a list with dates.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Bundle, bundleText, type Contract, contractFromBundle } from '@stubwright/contract';
import { countOf } from '@stubwright/contract/printable';
import { type Configuration, configurationIn, type ServedEntry } from '@stubwright/versions';
import type { Access } from '../loading/containment.ts';
import { bundleOf, loadContractFiles } from '../loading/load.ts';
import { POLICY, RELEASED } from '../project/layout.ts';
import { releasesIn } from '../project/releases.ts';

/** The folder of the generated contracts and types, relative to the project. */
export const VERSIONS = 'generated/versions';

/** How a client names a version: the first that the configuration has. */
export interface ServedSelection {
  /** After the path of the service; undefined for a version without. */
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** @returns how to name each served version, by version @throws {ContractErrors} for an invalid file */
export function servedSelections(cwd: string): ReadonlyMap<string, ServedSelection> {
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

/** @returns the path of the sources of the contract of a version: of its release, if its bundle is generated */
export function contractPath({ version, contract }: ServedEntry, cwd = ''): string {
  const release = releasesIn(RELEASED, cwd).find((release) => release.version === version);
  return release === undefined || dirname(contract) !== VERSIONS ? contract : release.path;
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
export async function releasedContract(
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

export function definitionOf(bundle: Bundle): Contract {
  const publish = () => Promise.resolve(bundle.yaml);
  return contractFromBundle('', bundle, publish, { isMocked: false }).definition;
}

const DAY_MS = 86_400_000;

/** @param now in ms since 1970 @returns a line for each version */
export function servedList(entries: readonly ServedEntry[], now: number): string[] {
  return entries.map((entry) => {
    const { version, path, converters } = entry;
    return [version.padEnd(12), (path ?? '-').padEnd(8), endText(entry, now), converters].join(
      '  ',
    );
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
