// The converters of the served versions of a project: their round trips, and the breaking changes that they undo.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { errorFrom } from '@stubwright/contract';
import {
  applyPolicy,
  type Change,
  changesBetween,
  convertedChanges,
  type Policy,
} from '@stubwright/diff';
import { convertersOf, type ServedEntry } from '@stubwright/versions';
import { type NamedContract, openContract } from '../check/contracts.ts';
import type { Access } from '../loading/containment.ts';
import { isConvertibleChange } from './conversions.ts';
import { converterPlan } from './converterPlan.ts';
import { type RoundTrips, roundTripsOf } from './roundTrips.ts';
import { contractPath, servedEntries } from './servedVersions.ts';

interface ServedVersion {
  readonly version: string;
  readonly contract: NamedContract;
  /** Why its converters, or those of a version after it, do not serve its clients; undefined if all do. */
  readonly failure: string | undefined;
}

/** The changes that break the clients of a served version. */
interface UnconvertedChanges {
  readonly version: string;
  readonly changes: readonly Change[];
}

/** A served version, and the contract that it converts to. */
interface Link {
  readonly entry: ServedEntry;
  readonly older: NamedContract;
  readonly newer: NamedContract;
}

/** @returns the served versions, oldest first @throws {ContractErrors} for a contract with errors */
async function linksTo(current: NamedContract, access: Access): Promise<Link[]> {
  const entries = servedEntries(access.cwd);
  const contracts: NamedContract[] = [];
  for (const servedEntry of entries) {
    contracts.push(await openContract(contractPath(servedEntry, access.cwd), access));
  }
  contracts.push(current);
  return entries.map((entry, at) => ({
    ...{ entry, older: contracts[at]!, newer: contracts[at + 1]! },
  }));
}

async function tripsOf(
  link: Link,
  { cwd = '' }: Access,
  onOperation?: () => void,
): Promise<RoundTrips> {
  const { entry, older, newer } = link;
  const converters = await convertersOf(entry, cwd);
  const pair = {
    version: entry.version,
    older: older.definition,
    newer: newer.definition,
    converters,
  };
  const positionOf = (pointer: string) => older.locations.position(pointer);
  return roundTripsOf(pair, positionOf, onOperation);
}

/**
 * @param current the contract that the newest served version converts to
 * @param version one; by default all
 * @returns the round trips of the served versions, oldest first
 * @throws {ContractErrors} for a contract with errors, and for converters that do not fit
 */
export async function versionRoundTrips(
  current: NamedContract,
  version: string | undefined,
  access: Access,
): Promise<RoundTrips[]> {
  const all: RoundTrips[] = [];
  for (const link of await linksTo(current, access)) {
    if (version === undefined || link.entry.version === version)
      all.push(await tripsOf(link, access));
  }
  return all;
}

export class ServedClients {
  readonly #current: NamedContract | undefined;
  readonly #versions: readonly ServedVersion[];

  /**
   * @param path of the current contract, which is not read without served versions
   * @param limitMs for the samples of one operation
   */
  static async of(
    path: string,
    access: Access = {},
    limitMs: number = LIMIT_MS,
  ): Promise<ServedClients> {
    if (servedEntries(access.cwd).length === 0) return new ServedClients(undefined, []);
    const current = await openContract(path, access);
    const links = await linksTo(current, access);
    const converted = links.filter(needsConverters).map(({ entry }) => entry.version);
    const failures = await failuresInThread(path, converted, { access, limitMs });
    const versions = links.map(({ entry: { version }, older }, at) => {
      const [failure] = links.slice(at).flatMap(({ entry }) => failures.get(entry.version) ?? []);
      return { version, contract: older, failure };
    });
    return new ServedClients(current, versions);
  }

  private constructor(current: NamedContract | undefined, versions: readonly ServedVersion[]) {
    this.#current = current;
    this.#versions = versions;
  }

  has(version: string | undefined): boolean {
    return this.#versions.some((servedVersion) => servedVersion.version === version);
  }

  /** @returns the changes since a version; those that its converters undo are `converted` */
  converted(changes: readonly Change[], version: string | undefined): readonly Change[] {
    const served = this.#versions.find((servedVersion) => servedVersion.version === version);
    if (served === undefined || served.failure !== undefined) return changes;
    return convertedChanges(changes, served.version, isConvertibleChange);
  }

  /** @returns the breaking changes for the clients of each served version but one */
  unconverted(policy: Policy, besides: string | undefined): UnconvertedChanges[] {
    const others = this.#versions.filter(({ version }) => version !== besides);
    return others.flatMap(({ version, contract }) => {
      const { minimumNoticeDays } = policy;
      const found = changesBetween(contract, this.#current!, { minimumNoticeDays });
      const { changes } = applyPolicy(found, policy);
      const breaking = this.converted(changes, version).filter(
        ({ severity }) => severity === 'breaking',
      );
      return breaking.length === 0 ? [] : [{ version, changes: breaking }];
    });
  }

  /** @returns the line that fails a check of the changes since a version; undefined unless it is served */
  errorOf(changes: readonly Change[], version: string | undefined): string | undefined {
    const breaking = changes.filter(({ severity }) => severity === 'breaking');
    if (version === undefined || !this.has(version) || breaking.length === 0) return undefined;
    return this.errorText({ version, changes: breaking });
  }

  /** @returns the line that fails a check, for any version number, since the version is served */
  errorText({ version, changes }: UnconvertedChanges): string {
    const { failure } = this.#versions.find((servedVersion) => servedVersion.version === version)!;
    const count = `${changes.length} breaking ${changes.length === 1 ? 'change' : 'changes'}`;
    const [first] = changes;
    const where = [first!.operations[0], first!.what].filter(Boolean).join('  ');
    const expected = failure ?? 'expected no change that converters do not cover';
    return `${count} since ${version}, which is served: ${where}: ${expected}`;
  }
}

/** True if a breaking change reaches the clients of the version. */
function needsConverters({ older, newer }: Link): boolean {
  const { converters, statuses } = converterPlan(older.definition, newer.definition);
  return converters.some(({ isOptional }) => !isOptional) || statuses.size > 0;
}

const failureText = (version: string, message: string) =>
  `the converters of ${version} fail: ${message}, expected no finding: npx stubwright replay --versions`;

/** Also for the contracts, before the first operation. */
const LIMIT_MS = 60_000;

export interface ThreadData {
  readonly path: string;
  readonly versions: readonly string[];
  readonly access: Access;
}

/** The result for a version; without one, an operation of a version is finished. */
export interface ThreadMessage {
  readonly version?: string;
  readonly failure?: string | undefined;
}

/** Posts the first finding of the round trips of each version, oldest first. */
export async function postFailures(
  { path, versions, access }: ThreadData,
  post: (message: ThreadMessage) => void,
): Promise<void> {
  const links = await linksTo(await openContract(path, access), access);
  for (const link of links.filter(({ entry }) => versions.includes(entry.version))) {
    const { version } = link.entry;
    const message = await tripsOf(link, access, () => post({})).then(
      ({ findings: [first] }) => first?.message,
      (error) => errorFrom(error).message,
    );
    post({ version, failure: message && failureText(version, message) });
  }
}

/**
 * Converters are modules of the project: one that ends the process, never returns or prints must not decide
 * the exit code of the command, stop it, or become part of its report.
 *
 * @returns by version; a version without a result has one, too
 */
async function failuresInThread(
  path: string,
  versions: readonly string[],
  { access, limitMs }: { readonly access: Access; readonly limitMs: number },
): Promise<Map<string, string>> {
  const failures = new Map<string, string>();
  const pending = new Set(versions);
  if (pending.size === 0) return failures;
  const { cwd, allowOutside, overlays } = access;
  const script = new URL(`./roundTripThread${extname(import.meta.url)}`, import.meta.url);
  const workerData: ThreadData = { path, versions, access: { cwd, allowOutside, overlays } };
  const thread = new Worker(script, { workerData, stdout: true, execArgv: [] });
  // Unread, it would stop the thread.
  thread.stdout.resume();
  const reason = await new Promise<string>((resolve) => {
    const limit = setTimeout(
      () => resolve(`got no result in ${limitMs / 1000} s, expected converters that return`),
      limitMs,
    );
    thread.on('message', ({ version, failure }: ThreadMessage) => {
      limit.refresh();
      if (version === undefined) return;
      if (failure !== undefined) failures.set(version, failure);
      pending.delete(version);
      // Timers of the project would keep the thread running.
      if (pending.size === 0) resolve('');
    });
    thread.once('error', (error) => resolve(errorFrom(error).message));
    thread.once('exit', (code) => {
      clearTimeout(limit);
      resolve(`got exit code ${code} before a result, expected converters that return`);
    });
  });
  await thread.terminate();
  for (const version of pending) failures.set(version, failureText(version, reason));
  return failures;
}
