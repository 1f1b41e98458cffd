// Recorded requests compared with a contract: violations and unused parts.
import type { Contract, Direction, Operation } from '@stubwright/contract';
import { countOf, printable } from '@stubwright/contract/printable';
import type { Violation } from '@stubwright/contract/values';
import {
  addCount,
  type CallerRequests,
  type Counts,
  callersText,
  checkedRequest,
  mostFirst,
} from '@stubwright/diff/traffic-internals';
import {
  OTHERS,
  operationName,
  ShownValues,
  type TrafficRecord,
  type TrafficRequest,
  Usage,
  type UsageLine,
} from '@stubwright/traffic';
import { RequestCheck, ResponseCheck } from 'stubwright/internals';

/** Violations at one location with one message. */
interface TrafficViolation {
  /** The served version that the requests named; absent for the contract itself. */
  readonly version?: string;
  /** `POST /toys`, or method and path of a request that no operation has. */
  readonly operation: string;
  readonly direction: Direction;
  /** `request body /name`, `query parameter limit`, `response 200 /name`. */
  readonly location: string;
  readonly message: string;
  readonly count: number;
  /** In alphabetical order. */
  readonly callers: readonly string[];
  /** RFC 3339. */
  readonly first: string;
  readonly last: string;
  /** The first violating value; null if nothing was sent. */
  readonly example: unknown;
}

/** Clients choose paths and the names of properties. */
const MAX_DISTINCT = 1_000;
const MAX_CALLERS = 1_000;

interface Group {
  readonly at: Omit<TrafficViolation, 'count' | 'callers' | 'first' | 'last'>;
  readonly callers: Set<string>;
  count: number;
  first: number;
  last: number;
}

/** The recorded requests of one contract. */
class TrafficCheck {
  readonly #requests: RequestCheck;
  readonly #responses: ResponseCheck;
  readonly #usage: Usage;
  readonly #shown: ShownValues;
  readonly #groups = new Map<string, Group>();
  readonly #version: string | undefined;
  readonly callers = new Set<string>();
  /** By operation, in the order of their first requests. */
  readonly calls = new Map<string, Counts>();
  count = 0;
  /** Violations beyond the limit of distinct ones. */
  others = 0;

  /** @param version of a contract that is not the checked one, for its violations */
  constructor(definition: Contract, version?: string) {
    this.#version = version;
    this.#requests = new RequestCheck({ definition, basePath: undefined, realm: '' });
    this.#responses = new ResponseCheck(definition, 'allow');
    this.#usage = new Usage(definition);
    this.#shown = new ShownValues();
  }

  async add(entry: TrafficRequest): Promise<void> {
    this.#addCaller(entry.caller, 1);
    const { exchange, violations } = await checkedRequest(this.#requests, entry);
    const { operation } = exchange;
    for (const violation of violations) this.#report(entry, operation, 'request', violation);
    if (operation === undefined) return;
    this.#usage.add(operation, exchange);
    this.#addCall(operationName(operation), entry.caller, { count: 1, last: entry.at });
    await this.#addResponse(entry, operation);
  }

  /** Without values, only the use of the contract is known. */
  addUsage(usage: UsageLine): void {
    const { caller, operation, requests, last } = usage;
    this.#addCaller(caller, requests);
    this.#usage.addLine(usage);
    this.#addCall(operation, caller, { count: requests, last: Date.parse(last) });
  }

  /** @param operation `POST /toys` */
  #addCall(operation: string, caller: string, requests: Pick<CallerRequests, 'count' | 'last'>) {
    const counts: Counts = this.calls.get(operation) ?? new Map();
    this.calls.set(operation, counts);
    const isCounted = counts.size < MAX_CALLERS || counts.has(caller);
    addCount(counts, isCounted ? caller : OTHERS, requests);
  }

  #addCaller(caller: string, requests: number): void {
    this.count += requests;
    if (this.callers.size < MAX_CALLERS) this.callers.add(caller);
  }

  async #addResponse(entry: TrafficRequest, operation: Operation): Promise<void> {
    const { status, response, method } = entry;
    if (status === undefined || response === undefined) return;
    const received = { status, headers: new Headers(response.headers), bytes: response.body };
    const { violations } = await this.#responses.check(operation, method, received);
    const isRecorded = ({ keyword, where }: Violation) =>
      !response.isPartial ||
      (keyword !== 'required' && (where !== '' || response.body !== undefined));
    for (const violation of violations.filter(isRecorded)) {
      this.#report(entry, operation, 'response', violation);
    }
  }

  #report(
    entry: TrafficRequest,
    operation: Operation | undefined,
    direction: Direction,
    violation: Violation,
  ): void {
    const { where, pointer, message, value } = this.#shown.shown(
      violation,
      operation,
      direction === 'response',
    );
    const { method, path, caller, at, status } = entry;
    const name =
      operation === undefined
        ? `${method} ${path.replace(/\?.*$/s, '')}`
        : operationName(operation);
    const subject = direction === 'response' ? `response ${status}` : 'request body';
    const place =
      direction === 'response' && where !== '' ? `${subject} ${where}` : where || subject;
    const location = `${place} ${pointer.replace(/\/\d+(?=\/|$)/g, '/*')}`.trim();
    const key = JSON.stringify([name, location, message]);
    const known = this.#groups.get(key);
    if (known === undefined && this.#groups.size >= MAX_DISTINCT) {
      this.others++;
      return;
    }
    const version = this.#version;
    const described = { operation: name, direction, location, message, example: value ?? null };
    const group = known ?? {
      at: version === undefined ? described : { version, ...described },
      ...{ callers: new Set<string>(), count: 0, first: at, last: at },
    };
    this.#groups.set(key, group);
    group.count++;
    group.callers.add(caller);
    group.first = Math.min(group.first, at);
    group.last = Math.max(group.last, at);
  }

  violations(): TrafficViolation[] {
    return [...this.#groups.values()].map(({ at, callers, count, first, last }) => ({
      ...{ ...at, count, callers: [...callers].sort() },
      ...{ first: new Date(first).toISOString(), last: new Date(last).toISOString() },
    }));
  }

  unused(): string[] {
    return this.#usage.unused();
  }
}

interface TrafficReport {
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
interface VersionCalls {
  readonly version: string;
  readonly requests: number;
  readonly operations: readonly OperationCalls[];
}

interface OperationCalls {
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
  const violations = all.flatMap((trafficCheck) => trafficCheck.violations());
  return {
    requests: sumOf(all.map(({ count }) => count)),
    callers: new Set(all.flatMap((trafficCheck) => [...trafficCheck.callers])).size,
    violations: violations.sort((a, b) => b.count - a.count),
    others: sumOf(all.map(({ others }) => others)),
    unused: current.unused(),
    versions: Array.from(older, ([version, check]) => callsOf(version, check)),
  };
}

/** @returns the callers in the first `most` records, as text by JSON pointer of the operation */
export async function callersIn(
  definition: Contract,
  records: AsyncIterable<TrafficRecord>,
  most: number,
): Promise<ReadonlyMap<string, string>> {
  const check = new TrafficCheck(definition);
  let count = 0;
  for await (const { entry, usage } of records) {
    if (usage === undefined) await check.add(entry);
    else check.addUsage(usage);
    if (++count === most) break;
  }
  const texts = definition.operations.flatMap((operation) => {
    const counts = check.calls.get(operationName(operation));
    if (counts === undefined) return [];
    return [[operation.pointer, callersText(mostFirst(counts), MAX_NAMED_CALLERS)] as const];
  });
  return new Map(texts);
}

function callsOf(version: string, { count, calls }: TrafficCheck): VersionCalls {
  const operations = Array.from(calls, ([operation, counts]) => ({
    operation,
    callers: mostFirst(counts).map((calls) => ({
      ...calls,
      last: new Date(calls.last).toISOString(),
    })),
  }));
  return { version, requests: count, operations };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** @returns the violations, one a line, who calls which served version, and the unused parts */
export function trafficText({
  requests,
  callers,
  violations,
  others,
  unused,
  versions,
}: TrafficReport): string {
  const lines = violations.map(
    ({ version, operation, location, message, count, callers: by, first, last }) => {
      const days = [...new Set([first, last].map((time) => time.slice(0, 10)))].join(' to ');
      const from = by.length > MAX_NAMED ? `${by.length} callers` : by.map(printable).join(', ');
      const of = version === undefined ? '' : `${version}  `;
      const what = printable(`${of}${operation}  ${location} ${message}`);
      return `${what}: ${countOf(count, 'time')}, ${from}, ${days}`;
    },
  );
  return [
    ...lines,
    ...(others > 0 ? [`and ${others} more`] : []),
    ...versions.flatMap(callLines),
    ...unused.map((text) => `unused: ${printable(text)}`),
    `${countOf(requests, 'recorded request')} of ${countOf(callers, 'caller')}: ${countOf(violations.length, 'violation')}, ${unused.length} unused`,
  ].join('\n');
}

const MAX_NAMED = 3;
/** Callers of an operation that are named: the end of a served version needs all of them. */
const MAX_NAMED_CALLERS = 20;

/** @returns a line for each operation that was called */
function callLines({ version, requests, operations }: VersionCalls): string[] {
  if (requests === 0) return [`${version}: no recorded request`];
  return operations.map(({ operation, callers }) => {
    const timed = callers.map((caller) => ({ ...caller, last: Date.parse(caller.last) }));
    return `${version}  ${printable(operation)}: called by ${callersText(timed, MAX_NAMED_CALLERS)}`;
  });
}
