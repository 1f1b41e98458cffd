// Keeps a release served: its entry in compatibility.yaml, its types, and the module of its converters.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { timeOf } from '@stubwright/contract';
import { countOf } from '@stubwright/contract/printable';
import { configurationIn } from '@stubwright/versions';
import type { Access } from '../loading/containment.ts';
import { bundleOf } from '../loading/load.ts';
import { BUNDLE } from '../project/generated.ts';
import { POLICY, RELEASED } from '../project/layout.ts';
import { releasesIn } from '../project/releases.ts';
import { expectGenerated, replaceFiles } from '../project/replaceFiles.ts';
import { type ConverterPlan, flatMapConverters } from './converterPlan.ts';
import { type NewEntry, withServedEntry } from './servedEntry.ts';
import { servedFiles } from './servedFiles.ts';
import { skeleton } from './skeleton.ts';

interface ServeVersionOptions extends Access, Omit<NewEntry, 'version'> {
  /** Also overwrites files that no command has written. */
  readonly force?: boolean | undefined;
  readonly deferSignals?: (() => void) | undefined;
}

/**
 * @returns a line for each file and for what is left to do
 * @throws {Error} for a version that is not released, or served already
 */
export async function writeServedVersion(
  version: string,
  path: string,
  { until, path: prefix, force, deferSignals, ...access }: ServeVersionOptions = {},
): Promise<string[]> {
  const { cwd = '' } = access;
  expectDate(until);
  expectRelease(version, cwd);
  const policy = resolve(cwd, POLICY);
  const before = existsSync(policy) ? readFileSync(policy, 'utf8') : '';
  if (configurationIn(before, POLICY)?.versions.some((each) => each.version === version)) {
    throw new Error(`${POLICY} serves ${version} already: expected another version`);
  }
  const after = withServedEntry(before, { version, until, path: prefix });
  const { versions: entries } = configurationIn(after, POLICY)!;
  const current = await bundleOf(path, dirname(BUNDLE), access);
  const { files, versions } = await servedFiles(entries, current, access);
  const { entry, plan } = versions.find((each) => each.entry.version === version)!;
  const isNew = !existsSync(resolve(cwd, entry.converters));
  expectGenerated(files, { cwd, force });
  const written = new Map([
    [POLICY, after],
    ...files,
    ...(isNew ? [[entry.converters, skeleton(plan, entry)] as const] : []),
  ]);
  replaceFiles(written, { cwd, deferSignals });
  return [...written.keys(), ...summaryOf(plan, entry.converters)];
}

function summaryOf(plan: ConverterPlan, converters: string): string[] {
  const count = flatMapConverters(plan, (each) => [each]).length;
  const needed =
    count === 0
      ? 'no breaking change: no converter is needed'
      : `${countOf(count, 'converter')} to write in ${converters}: the compiler lists them`;
  return [
    needed,
    ...plan.unconverted.map(({ operations, what, effect }) => {
      const where = operations.length === 0 ? '' : `${operations.join(', ')}: `;
      return `not converted: ${where}${what}. ${effect}`;
    }),
  ];
}

function expectDate(until: string | undefined): void {
  if (until === undefined || (/^\d{4}-\d\d-\d\d$/.test(until) && timeOf(until) !== undefined))
    return;
  throw new Error(`--until: got ${JSON.stringify(until)}, expected a date such as 2027-06-30`);
}

function expectRelease(version: string, cwd: string): void {
  const releases = releasesIn(RELEASED, cwd).map((each) => each.version);
  if (releases.includes(version)) return;
  const known = releases.join(', ') || 'none yet';
  throw new Error(`VERSION: got ${version}, expected a release in ${RELEASED}/ (${known})`);
}
