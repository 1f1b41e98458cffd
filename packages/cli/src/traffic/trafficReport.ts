// Compares recorded requests with a contract, and those of versions that stay served with theirs.
import type { Contract } from '@stubwright/contract';
import { mostFirst } from '@stubwright/diff/traffic-internals';
import type { TrafficRecord } from '@stubwright/traffic';
import { TrafficCheck, type TrafficViolation } from './trafficCheck.ts';

export interface TrafficReport {
  readonly requests: number;
  readonly callers: number;
  /** The most frequent first. */
  readonly violations: readonly TrafficViolation[];
  /** Violations beyond the limit of distinct ones. */
  readonly others: number;
  /** What no recorded request uses: `DELETE /toys/{id}`, `POST /toys  request body /tag`. */
  readonly unused: readonly string[];
  /** The older versions that stay served, oldest first. */
  readonly versions: readonly VersionCalls[];
}

/** Who calls a served version. */
export interface VersionCalls {
  readonly version: string;
  readonly requests: number;
  readonly operations: readonly OperationCalls[];
}

export interface OperationCalls {
  /** `POST /toys` */
  readonly operation: string;
  /** Most requests first. */
  readonly callers: readonly {
    readonly caller: string;
    readonly count: number;
    /** RFC 3339. */
    readonly last: string;
  }[];
}

/**
 * @param served the contracts of the older versions that stay served, by version, oldest first
 * @returns the violations of all recorded requests, and the unused parts of the contract
 */
export async function checkTraffic(
  definition: Contract,
  records: AsyncIterable<TrafficRecord>,
  served: ReadonlyMap<string, Contract> = new Map(),
): Promise<TrafficReport> {
  const current = new TrafficCheck(definition);
  const older = new Map(
    Array.from(served, ([version, contract]) => [version, new TrafficCheck(contract, version)]),
  );
  for await (const { entry, usage } of records) {
    const check = older.get((entry ?? usage).contract ?? '') ?? current;
    if (usage === undefined) await check.add(entry);
    else check.addUsage(usage);
  }
  const all = [current, ...older.values()];
  const violations = all.flatMap((each) => each.violations());
  return {
    requests: sumOf(all.map(({ count }) => count)),
    callers: new Set(all.flatMap((each) => [...each.callers])).size,
    violations: violations.sort((a, b) => b.count - a.count),
    others: sumOf(all.map(({ others }) => others)),
    unused: current.unused(),
    versions: Array.from(older, ([version, check]) => callsOf(version, check)),
  };
}

function callsOf(version: string, { count, calls }: TrafficCheck): VersionCalls {
  const operations = Array.from(calls, ([operation, counts]) => ({
    operation,
    callers: mostFirst(counts).map((each) => ({
      ...each,
      last: new Date(each.last).toISOString(),
    })),
  }));
  return { version, requests: count, operations };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
