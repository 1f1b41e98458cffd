// Compares two contracts, with the policy of a project and recorded requests.
import type { TrafficRecord } from '@stubwright/traffic';
import { changesBetween, type DiffOptions } from '../contract/changes.ts';
import { type ChangeFinding, type ComparedContracts, findingsOf } from '../report/changeFinding.ts';
import { applyPolicy, type Policy } from '../report/policy.ts';
import type { LocationsOfBoth } from '../report/report.ts';
import type { Change } from '../rules/change.ts';
import type { Severity } from '../rules/severity.ts';
import { type ContractSource, type OpenedContract, opened } from './source.ts';

/** The options of {@link compare}. */
export interface CompareOptions extends DiffOptions {
  /** Severities and accepted changes of a project; by default none. */
  readonly policy?: Partial<Policy> | undefined;
  /**
   * Recorded requests, as `readTraffic` of @stubwright/traffic yields them: findings name the callers that a change
   * breaks. Needs `stubwright`.
   */
  readonly traffic?: AsyncIterable<TrafficRecord> | undefined;
}

/** The changes between two contracts, as they affect clients of the first. */
export class Comparison {
  readonly before: OpenedContract;
  readonly after: OpenedContract;
  /** The most severe first: one change may affect several operations. */
  readonly changes: readonly Change[];
  /** The number of changes that the policy accepts. */
  readonly ignored: number;
  /** Entries of the policy that have expired or accept nothing, and what could not be compared. */
  readonly warnings: readonly string[];
  /** `1,204 recorded requests in 38 days, 0 not of the first contract`; undefined without a recording. */
  readonly recording: string | undefined;

  constructor(
    contracts: { readonly before: OpenedContract; readonly after: OpenedContract },
    {
      changes,
      ignored,
      warnings,
      recording,
    }: Pick<Comparison, 'changes' | 'ignored' | 'warnings' | 'recording'>,
  ) {
    this.before = contracts.before;
    this.after = contracts.after;
    this.changes = changes;
    this.ignored = ignored;
    this.warnings = warnings;
    this.recording = recording;
  }

  get severity(): Severity | 'none' {
    return this.changes[0]?.severity ?? 'none';
  }

  /** One for each operation that a change affects; the most severe first. */
  get findings(): readonly ChangeFinding[] {
    return findingsOf(this.changes, this.locations, this.contracts);
  }

  get contracts(): ComparedContracts {
    return { before: this.before.definition, after: this.after.definition };
  }

  get locations(): LocationsOfBoth {
    return { before: this.before.locations, after: this.after.locations };
  }

  get names(): { readonly before: string; readonly after: string } {
    return { before: this.before.name, after: this.after.name };
  }

  /** @returns the comparison with these changes only */
  with(changes: readonly Change[]): Comparison {
    const { ignored, warnings, recording } = this;
    return new Comparison(this, { changes, ignored, warnings, recording });
  }
}

/** A shorter recording is no evidence that nobody uses a part. */
const MINIMUM_DAYS = 30;

/**
 * Compares two contracts.
 *
 * @param base the contract that clients were built for
 * @param revision the contract that replaces it
 * @throws {ContractErrors} for errors of a whole contract: an operation with errors is not compared
 * @example
 * const { findings } = await compare({ text: released }, { text: proposed });
 * const breaking = findings.filter(({ severity }) => severity === 'breaking');
 */
export async function compare(
  base: ContractSource,
  revision: ContractSource,
  { policy = {}, traffic, ...options }: CompareOptions = {},
): Promise<Comparison> {
  const after = await opened(revision, 'revision');
  const before = await opened(base, 'base');
  const { severities = {}, ignore = [], minimumDays = MINIMUM_DAYS, minimumNoticeDays } = policy;
  const found = changesBetween(before, after, { minimumNoticeDays, ...options });
  const { changes, ignored, warnings } = applyPolicy(found, { ...policy, severities, ignore });
  const errors = [...before.errors, ...after.errors].map(
    (error) => `warning: not compared, for an error: ${error}`,
  );
  const result = { ignored, warnings: [...warnings, ...errors] };
  const contracts = { before: before.definition, after: after.definition };
  const evidence =
    traffic === undefined
      ? { changes, summary: undefined }
      : await (await import('../traffic/changeTraffic.ts')).withTraffic(changes, contracts, {
          ...{ records: traffic, minimumDays },
        });
  const { changes: noticed, summary: recording } = evidence;
  return new Comparison({ before, after }, { ...result, changes: noticed, recording });
}
