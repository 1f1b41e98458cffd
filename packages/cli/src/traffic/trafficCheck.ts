// How the recorded requests and responses of a contract violate it, who sends them, and what nobody uses.

import type { Contract, Direction, Operation } from '@stubwright/contract';
import type { Violation } from '@stubwright/contract/values';
import {
  addCount,
  type CallerRequests,
  type Counts,
  checkedRequest,
} from '@stubwright/diff/traffic-internals';
import {
  OTHERS,
  operationName,
  ShownValues,
  type TrafficRequest,
  Usage,
  type UsageLine,
} from '@stubwright/traffic';
import { RequestCheck, ResponseCheck } from 'stubwright/internals';

/** Violations at one location with one message. */
export interface TrafficViolation {
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
export class TrafficCheck {
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
    this.#shown = new ShownValues(definition);
  }

  async add(entry: TrafficRequest): Promise<void> {
    this.#addCaller(entry.caller, 1);
    const { exchange, violations } = await checkedRequest(this.#requests, entry);
    const { operation } = exchange;
    for (const each of violations) this.#report(entry, operation, 'request', each);
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
    for (const each of violations) this.#report(entry, operation, 'response', each);
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
