// How recorded requests and responses violate a contract, and what of the contract nobody uses.

import type { Contract, Direction, Operation } from '@stubwright/contract';
import type { Violation } from '@stubwright/contract/values';
import { checkedRequest } from '@stubwright/diff/traffic-internals';
import {
  operationName,
  REDACTED,
  ShownValues,
  type TrafficRecord,
  type TrafficRequest,
  Usage,
  type UsageLine,
} from '@stubwright/traffic';
import { RequestCheck, ResponseCheck } from 'stubwright/internals';

/** Violations at one location with one message. */
export interface TrafficViolation {
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

export interface TrafficReport {
  readonly requests: number;
  readonly callers: number;
  /** The most frequent first. */
  readonly violations: readonly TrafficViolation[];
  /** Violations beyond the limit of distinct ones. */
  readonly others: number;
  /** What no recorded request uses: `DELETE /toys/{id}`, `POST /toys  request body /tag`. */
  readonly unused: readonly string[];
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

/** @returns the violations of all recorded requests, and the unused parts of the contract */
export async function checkTraffic(
  definition: Contract,
  records: AsyncIterable<TrafficRecord>,
): Promise<TrafficReport> {
  const check = new TrafficCheck(definition);
  for await (const { entry, usage } of records) {
    if (usage === undefined) await check.add(entry);
    else check.addUsage(usage);
  }
  return check.report();
}

class TrafficCheck {
  readonly #requests: RequestCheck;
  readonly #responses: ResponseCheck;
  readonly #usage: Usage;
  readonly #shown: ShownValues;
  readonly #groups = new Map<string, Group>();
  readonly #callers = new Set<string>();
  #count = 0;
  #others = 0;

  constructor(definition: Contract) {
    this.#requests = new RequestCheck({ definition, basePath: undefined, realm: '' });
    this.#responses = new ResponseCheck(definition, 'allow');
    this.#usage = new Usage(definition);
    this.#shown = new ShownValues(definition);
  }

  async add(entry: TrafficRequest): Promise<void> {
    this.#count++;
    if (this.#callers.size < MAX_CALLERS) this.#callers.add(entry.caller);
    const { exchange, violations } = await checkedRequest(this.#requests, entry);
    const { operation } = exchange;
    for (const each of violations) this.#report(entry, operation, 'request', each);
    if (operation === undefined) return;
    this.#usage.add(operation, exchange);
    await this.#addResponse(entry, operation);
  }

  /** Without values, only the use of the contract is known. */
  addUsage(usage: UsageLine): void {
    this.#count += usage.requests;
    if (this.#callers.size < MAX_CALLERS) this.#callers.add(usage.caller);
    this.#usage.addLine(usage);
  }

  async #addResponse(entry: TrafficRequest, operation: Operation): Promise<void> {
    const { status, response, method } = entry;
    if (status === undefined || response === undefined) return;
    const received = { status, headers: new Headers(response.headers), bytes: response.body };
    const { violations } = await this.#responses.check(operation, method, received);
    for (const each of violations) {
      if (each.value !== REDACTED) this.#report(entry, operation, 'response', each);
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
      this.#others++;
      return;
    }
    const described = { operation: name, direction, location, message, example: value ?? null };
    const group = known ?? {
      ...{ at: described, callers: new Set<string>(), count: 0, first: at, last: at },
    };
    this.#groups.set(key, group);
    group.count++;
    group.callers.add(caller);
    group.first = Math.min(group.first, at);
    group.last = Math.max(group.last, at);
  }

  report(): TrafficReport {
    const violations = [...this.#groups.values()]
      .sort((a, b) => b.count - a.count)
      .map(({ at, callers, count, first, last }) => ({
        ...{ ...at, count, callers: [...callers].sort() },
        ...{ first: new Date(first).toISOString(), last: new Date(last).toISOString() },
      }));
    const unused = this.#usage.unused();
    return {
      ...{ requests: this.#count, callers: this.#callers.size },
      ...{ violations, others: this.#others, unused },
    };
  }
}
