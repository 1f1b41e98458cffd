// Orders versions (https://semver.org, and dates), and decides which version may release a change.
import type { Contract } from '@stubwright/contract';
import { type Change, isDocumentation } from '../rules/rules.ts';

/** How versions are ordered; the order of `sequence` is that of their text, and any later one may break. */
export type VersionScheme = 'semver' | 'date' | 'sequence';
export const VERSION_SCHEMES: readonly VersionScheme[] = ['semver', 'date', 'sequence'];

interface Version {
  readonly kind: 'semver' | 'date' | 'other';
  readonly numbers: readonly number[];
  /** Identifiers after the hyphen; empty for a version that is no pre-release. */
  readonly prerelease: readonly string[];
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[-.](.+))?$/;
const SEMVER = /^v?(\d+)(?:\.(\d+)(?:\.(\d+))?(?:-([\w.-]+))?)?(?:\+.*)?$/;

function parse(text: string): Version {
  const date = DATE.exec(text);
  const [, major, minor, patch, prerelease = ''] = date ?? SEMVER.exec(text) ?? [];
  return {
    kind: date !== null ? 'date' : major === undefined ? 'other' : 'semver',
    numbers: [major, minor, patch].map((each) => Number(each ?? 0)),
    prerelease: prerelease.split('.').filter(Boolean),
  };
}

/** @returns negative if `one` precedes `other` (semver, section 11); versions of no known form by their text */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [parse(one), parse(other)];
  if (a.kind === 'other' || b.kind === 'other') {
    return one.localeCompare(other, 'en', { numeric: true });
  }
  const at = a.numbers.findIndex((number, index) => number !== b.numbers[index]);
  return at < 0 ? comparePrereleases(a.prerelease, b.prerelease) : a.numbers[at]! - b.numbers[at]!;
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [index, one] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (one === other) continue;
    const [isNumber, isOtherNumber] = [one, other].map((identifier) => /^\d+$/.test(identifier));
    if (isNumber && isOtherNumber) return Number(one) - Number(other);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return a.length - b.length;
}

export function isPrerelease(version: string): boolean {
  return parse(version).prerelease.length > 0;
}

/**
 * @returns whether the version `to` may break clients of `from`: another major version, before 1.0.0
 *   another minor version, before 0.1.0 and after a pre-release any later one. A date has no major
 *   version, so that any later date may.
 */
export function mayBreak(from: string, to: string): boolean {
  if (compareVersions(to, from) <= 0) return false;
  const [was, is] = [parse(from), parse(to)];
  if (was.kind !== 'semver' || is.kind !== 'semver' || was.prerelease.length > 0) return true;
  const significant = was.numbers.findIndex((number) => number > 0);
  const upTo = significant < 0 ? was.numbers.length : significant + 1;
  return was.numbers.slice(0, upTo).some((number, at) => number !== is.numbers[at]);
}

/** @returns false for a version that is neither semver nor a date */
function hasScheme(version: string): boolean {
  return parse(version).kind !== 'other';
}

/** The part of a semantic version that changes. */
const STEPS = ['major', 'minor', 'patch'] as const;

/** The effect of all changes on clients. */
export type Effect = 'breaking' | 'compatible' | 'documentation';

export interface NextVersion {
  readonly step: (typeof STEPS)[number];
  readonly version: string;
}

/**
 * @returns the next semantic version (https://semver.org); before 1.0.0 a breaking change raises the minor version,
 *   and others the patch version. A pre-release is followed by its release. Undefined for other versions.
 */
export function nextVersion(version: string, effect: Effect): NextVersion | undefined {
  const { kind, numbers, prerelease } = parse(version);
  if (kind !== 'semver') return undefined;
  const last = STEPS.length - 1;
  if (prerelease.length > 0) {
    const raised = numbers.findLastIndex((number) => number > 0);
    return { step: STEPS[raised < 0 ? last : raised]!, version: numbers.join('.') };
  }
  const significant = numbers.findIndex((number) => number > 0);
  const ofBreaking = significant < 0 ? last : significant;
  const raised = { breaking: ofBreaking, compatible: ofBreaking + 1, documentation: last };
  const at = Math.min(raised[effect], last);
  const next = numbers.map((number, index) =>
    index < at ? number : index === at ? number + 1 : 0,
  );
  return { step: STEPS[at]!, version: next.join('.') };
}

/** @returns the next version that may break clients, for a message: `info.version 2.0.0` */
export function nextBreaking(version: string): string {
  const { kind, prerelease } = parse(version);
  if (kind === 'date') return 'a later date as info.version';
  if (kind === 'other' || prerelease.length > 0) return 'a later info.version';
  return `info.version ${nextVersion(version, 'breaking')!.version}`;
}

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
