// Which breaking changes the clients of served versions do not notice, because proven converters serve them.
import {
  applyPolicy,
  type Change,
  changesBetween,
  convertedChanges,
  type Policy,
} from '@stubwright/diff';
import type { ServedEntry } from '@stubwright/versions';
import { type NamedContract, openContract } from '../check/contracts.ts';
import type { Access } from '../loading/containment.ts';
import { isConvertibleChange } from '../serving/conversions.ts';
import { contractPath, proofPath, servedEntries } from '../serving/servedFiles.ts';
import { hashesOf, proofError } from './proofFile.ts';

interface ServedVersion {
  readonly version: string;
  readonly contract: NamedContract;
  /** Why its converters, or those of a version after it, are not proven; undefined if all are. */
  readonly unproven: string | undefined;
}

/** The changes that break the clients of a served version. */
export interface UnconvertedChanges {
  readonly version: string;
  readonly changes: readonly Change[];
}

export class ServedClients {
  readonly #current: NamedContract | undefined;
  readonly #versions: readonly ServedVersion[];

  /** @param path of the current contract, which is not read without served versions */
  static async of(path: string, access: Access = {}): Promise<ServedClients> {
    const { cwd = '' } = access;
    const entries = servedEntries(cwd);
    if (entries.length === 0) return new ServedClients(undefined, []);
    const current = await openContract(path, access);
    const contracts: NamedContract[] = [];
    for (const each of entries) contracts.push(await openContract(contractPath(each, cwd), access));
    contracts.push(current);
    const errors = entries.map((entry, at) => {
      const [older, newer] = [contracts[at]!.definition, contracts[at + 1]!.definition];
      return unprovenText(
        entry,
        proofError(entry.version, hashesOf({ entry, older, newer }, cwd), cwd),
      );
    });
    const versions = entries.map(({ version }, at) => {
      const unproven = errors.slice(at).find((each) => each !== undefined);
      return { version, contract: contracts[at]!, unproven };
    });
    return new ServedClients(current, versions);
  }

  private constructor(current: NamedContract | undefined, versions: readonly ServedVersion[]) {
    this.#current = current;
    this.#versions = versions;
  }

  has(version: string | undefined): boolean {
    return this.#versions.some((each) => each.version === version);
  }

  /** @returns the changes since a version; those that its proven converters cover are `converted` */
  converted(changes: readonly Change[], version: string | undefined): readonly Change[] {
    const served = this.#versions.find((each) => each.version === version);
    if (served === undefined || served.unproven !== undefined) return changes;
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

  /** @returns the line that fails a check: whatever the version number, the version is served */
  errorText({ version, changes }: UnconvertedChanges): string {
    const { unproven } = this.#versions.find((each) => each.version === version)!;
    const count = `${changes.length} breaking ${changes.length === 1 ? 'change' : 'changes'}`;
    const [first] = changes;
    const where = [first!.operations[0], first!.what].filter(Boolean).join('  ');
    const expected = unproven ?? 'expected no change that converters do not cover';
    return `${count} since ${version}, which is served: ${where}: ${expected}`;
  }
}

function unprovenText(
  { version }: ServedEntry,
  error: 'missing' | 'stale' | undefined,
): string | undefined {
  if (error === undefined) return undefined;
  const state = error === 'missing' ? 'does not exist' : 'is of other files';
  return `${proofPath(version)} ${state}, expected a proof: npx stubwright replay --versions`;
}
