// Compares two contracts, as text, parsed or opened, with the policy of a project and recorded requests.

import { pathToFileURL } from 'node:url';
import { Contract, developmentPath, type Node } from '@stubwright/contract';
import type { TrafficRecord } from '@stubwright/traffic';
import { changesBetween, type DiffOptions } from '../contract/changes.ts';
import { type ChangeFinding, type ComparedContracts, findingsOf } from '../report/changeFinding.ts';
import { applyPolicy, type Policy } from '../report/policy.ts';
import type { Locations, LocationsOfBoth } from '../report/report.ts';
import type { Change } from '../rules/rules.ts';
import type { Severity } from '../rules/severity.ts';

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

/** YAML or JSON, in one piece. @stubwright/cli reads it. */
export interface ContractText {
  readonly text: string;
  /** The name of the file in locations. */
  readonly file?: string;
}

/** A parsed OpenAPI 3.0, 3.1 or 3.2 document, in one piece. Its locations are JSON pointers. */
export interface ContractObjectSource {
  readonly document: object;
  readonly file?: string;
}

/** A contract that is checked, with the positions of its parts. */
export interface OpenedContract {
  readonly definition: Contract;
  readonly locations: Locations;
  /** `openapi.yaml` */
  readonly name: string;
  /** The errors of its operations, which are not compared. */
  readonly errors: readonly string[];
}

export type ContractSource = ContractText | ContractObjectSource | OpenedContract;

/** Of `@stubwright/cli/loader`. */
interface Reader {
  openText(text: string, options: { file: string }): Promise<OpenedContract>;
}

/**
 * @param name in locations, if the source has none
 * @throws {ContractErrors} for a text with errors of the whole contract
 */
async function opened(source: ContractSource, name: string): Promise<OpenedContract> {
  if ('definition' in source) return source;
  const { file = name } = source;
  if ('text' in source) return (await reader(file)).openText(source.text, { file });
  const locations: Locations = {
    position: () => undefined,
    at: (pointer) => `${file}#${pointer}`,
  };
  const definition = new Contract(source.document as Node);
  return { definition, locations, name: file, errors: [] };
}

async function reader(file: string): Promise<Reader> {
  const module = developmentPath('@stubwright/cli/loader');
  if (module !== undefined) return await import(pathToFileURL(module).href);
  throw new Error(
    `${file}: got text, expected a document, or @stubwright/cli to be installed, which reads OpenAPI`,
  );
}
