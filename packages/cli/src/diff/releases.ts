// The released contracts, and whether a new contract may follow them.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition } from 'stubwright/internal/document/definition';
import type { Change } from './change.ts';

/** A contract that clients were built for. */
export interface Release {
  readonly version: string;
  readonly path: string;
}

/** @returns the releases in a folder of `1.0.0.yaml`, …, oldest first; none if the folder does not exist */
export function releasesIn(folder: string): Release[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => /\.ya?ml$/.test(file));
  return files
    .map((file) => ({ version: file.replace(/\.ya?ml$/, ''), path: join(folder, file) }))
    .sort((a, b) => compareVersions(a.version, b.version));
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

export function versionOf({ document }: Definition): string {
  return String(document.info?.version ?? '');
}

/**
 * @returns the reason why the changes cannot be released under the new version; undefined if no change
 *   is breaking, or the major version of `info.version` increases (https://semver.org, section 8)
 */
export function releaseError(
  changes: readonly Change[],
  before: Definition,
  after: Definition,
): string | undefined {
  const breaking = changes.filter(({ severity }) => severity === 'breaking').length;
  const [was, is] = [before, after].map((each) => majorOf(versionOf(each)));
  if (breaking === 0 || is! > was!) return undefined;
  const count = breaking === 1 ? '1 breaking change' : `${breaking} breaking changes`;
  return `${count} since ${versionOf(before)}: expected none, or info.version ${was! + 1}.0.0`;
}

/** @returns 2 for `2.1.0` and `v2`, 2024 for `2024-05-01`; 0 for a version without a number */
function majorOf(version: string): number {
  return Number(/\d+/.exec(version)?.[0] ?? 0);
}
