// Which release a contract follows, and whether its changes may be released under its version.
import type { Contract } from '@stubwright/contract';
import { type Change, isDocumentation } from '../rules/change.ts';
import {
  compareVersions,
  hasScheme,
  isPrerelease,
  mayBreak,
  type NextVersion,
  nextBreaking,
  nextVersion,
  type VersionScheme,
} from './versionOrder.ts';

export type FailOn = 'breaking' | 'risky';

/**
 * @returns the release that a contract is compared with: the newest one up to its version, without
 *   pre-releases if there is another; undefined without releases
 */
export function baselineOf<Release extends { readonly version: string }>(
  releases: readonly Release[],
  version: string,
): Release | undefined {
  const earlier = releases.filter((release) => compareVersions(release.version, version) <= 0);
  const candidates = earlier.length > 0 ? earlier : releases;
  return candidates.findLast((candidate) => !isPrerelease(candidate.version)) ?? candidates.at(-1);
}

export function versionOf({ version }: Contract): string {
  return String(version ?? '');
}

/**
 * @param options.failOn the least severity that needs another version
 * @param options.versions the scheme that the policy names: without it, a version that is neither semver
 *   nor a date permits no change
 * @returns the reason why the changes cannot be released under the version of `after`; undefined if no
 *   change is that severe, or if the version may break clients
 */
export function releaseError(
  changes: readonly Change[],
  before: Contract,
  after: Contract,
  { failOn = 'breaking', versions }: { failOn?: FailOn; versions?: VersionScheme | undefined } = {},
): string | undefined {
  const [was, is] = [versionOf(before), versionOf(after)];
  const counts = (['breaking', 'risky'] as const)
    .slice(0, failOn === 'risky' ? 2 : 1)
    .map((severity) => [changes.filter((change) => change.severity === severity).length, severity])
    .filter(([count]) => count !== 0);
  const unknown = [was, is].find((location) => !hasScheme(location));
  const isUnknown = unknown !== undefined && versions === undefined;
  if (counts.length === 0 || (!isUnknown && mayBreak(was, is))) return undefined;
  const noun = counts.at(-1)![0] === 1 ? 'change' : 'changes';
  const counted = `${counts.map((count) => count.join(' ')).join(' and ')} ${noun}`;
  if (isUnknown) {
    return `${counted} since ${was}: info.version ${unknown} is neither semver nor a date  expected no such change, or versions: sequence in compatibility.yaml`;
  }
  return `${counted} since ${was}: expected none, or ${nextBreaking(was)}`;
}

/**
 * @param isBreaking true if the changes need a version that may break clients
 * @returns the version that the next release needs; undefined if nothing else than the version changed
 * @throws {Error} for a version that is not semantic
 */
export function suggestedVersion(
  changes: readonly Change[],
  before: Contract,
  isBreaking: boolean,
): NextVersion | undefined {
  const relevant = changes.filter(({ rule }) => rule !== 'info-version-changed');
  if (relevant.length === 0) return undefined;
  const other = relevant.every(isDocumentation) ? 'documentation' : 'compatible';
  const was = versionOf(before);
  const next = nextVersion(was, isBreaking ? 'breaking' : other);
  if (next !== undefined) return next;
  throw new Error(`info.version: got ${JSON.stringify(was)}, expected a semantic version: 1.2.0`);
}

/**
 * @returns a warning if a contract differs from the release of the same version; its documentation
 *   may
 */
export function versionWarning(
  changes: readonly Change[],
  before: Contract,
  after: Contract,
): string[] {
  const version = versionOf(after);
  const isChanged = !changes.every(isDocumentation);
  if (!isChanged || versionOf(before) !== version) return [];
  return [
    `warning: the contract has changed since ${version} was released, expected another info.version`,
  ];
}
