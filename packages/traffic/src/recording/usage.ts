// The parts of a contract that requests use: counts by caller, and the unused parts.
import type { Contract, Operation } from '@stubwright/contract';
import {
  keyOfPart,
  type ParsedRequest,
  type PartLocation,
  type RequestPart,
  RequestParts,
} from './requestParts.ts';

/** Of all callers. They take 52 MiB if each of 33,000 callers has six (bench/README.md). */
export const MAX_COUNTS = 200_000;
/** Callers beyond the limit of counts are one. */
export const OTHERS = 'other callers';

/** One line of a usage file: what one caller sent to one operation. */
export interface UsageLine {
  /** The version of this format. */
  readonly usage: 2;
  readonly caller: string;
  /** `POST /toys` */
  readonly operation: string;
  /** The version of the contract that served the requests. */
  readonly contract: string;
  /** All requests, and those that were valid: only of these the parts are counted. */
  readonly requests: number;
  readonly valid: number;
  /** RFC 3339. */
  readonly first: string;
  readonly last: string;
  /** Responses by status. */
  readonly responses: Readonly<Record<string, number>>;
  /** True if parts within the named ones are not counted. */
  readonly isTruncated?: true;
  readonly parts: readonly UsedPart[];
}

/** A part, with the number of requests that have it, the first and the last one. */
export interface UsedPart extends PartLocation {
  readonly count: number;
  /** RFC 3339. */
  readonly first: string;
  readonly last: string;
}

class OperationUsage {
  readonly parts: RequestParts;
  readonly counts: Float64Array;
  readonly firsts: Float64Array;
  readonly lasts: Float64Array;
  readonly statuses = new Map<number, number>();
  /** By part: the number of the last request that was counted. */
  readonly #countedIn: Float64Array;
  requests = 0;
  valid = 0;
  first = Number.POSITIVE_INFINITY;
  last = 0;

  constructor(parts: RequestParts) {
    const { length } = parts.parts;
    this.parts = parts;
    this.counts = new Float64Array(length);
    this.firsts = new Float64Array(length);
    this.lasts = new Float64Array(length);
    this.#countedIn = new Float64Array(length);
  }

  accepted(request: ParsedRequest, now: number): void {
    const { counts, firsts, lasts } = this;
    this.valid++;
    const serial = this.valid;
    this.parts.forEach(request, (index) => {
      // An item or a property of items is counted once a request.
      if (this.#countedIn[index] === serial) return;
      this.#countedIn[index] = serial;
      if (counts[index]!++ === 0) firsts[index] = now;
      lasts[index] = now;
    });
  }

  responded(status: number, now: number): void {
    this.requests++;
    this.first = Math.min(this.first, now);
    this.last = now;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }
}

export class UsageCounts {
  /** By caller. */
  readonly #usages = new Map<string, Map<Operation, OperationUsage>>();
  #size = 0;

  usageOf(caller: string, operation: Operation, parts: RequestParts): OperationUsage {
    const cached = this.#usages.get(caller)?.get(operation);
    if (cached !== undefined) return cached;
    const size = parts.parts.length + 1;
    if (this.#size + size > MAX_COUNTS && caller !== OTHERS) {
      return this.usageOf(OTHERS, operation, parts);
    }
    this.#size += size;
    const usage = new OperationUsage(parts);
    const ofCaller = this.#usages.get(caller) ?? new Map<Operation, OperationUsage>();
    this.#usages.set(caller, ofCaller.set(operation, usage));
    return usage;
  }

  *lines(): Generator<UsageLine, void, undefined> {
    for (const [caller, usages] of this.#usages) {
      for (const [operation, usage] of usages) {
        if (usage.requests > 0) yield lineOf(caller, operation, usage);
      }
    }
  }
}

function lineOf(caller: string, operation: Operation, usage: OperationUsage): UsageLine {
  const { requests, valid, counts, firsts, lasts, parts } = usage;
  const used = parts.parts.flatMap(({ isOptional: _, ...part }, at): UsedPart[] => {
    if (counts[at] === 0) return [];
    const [first, last] = [timeText(firsts[at]!), timeText(lasts[at]!)];
    return [{ ...part, count: counts[at]!, first, last }];
  });
  return {
    usage: 2,
    caller,
    operation: operationName(operation),
    contract: parts.contract,
    ...{ requests, valid, first: timeText(usage.first), last: timeText(usage.last) },
    responses: Object.fromEntries(usage.statuses),
    ...(parts.isTruncated && { isTruncated: true as const }),
    parts: used,
  };
}

/** @returns `POST /toys` */
export function operationName({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

/** The parts of the operations of one contract, compiled at the first request of each. */
export class ContractParts {
  readonly #definition: Contract;
  readonly #version: string;
  readonly #parts = new Map<Operation, RequestParts>();

  constructor(definition: Contract, version = definition.version ?? '') {
    this.#definition = definition;
    this.#version = version;
  }

  of(operation: Operation): RequestParts {
    const cached = this.#parts.get(operation);
    if (cached !== undefined) return cached;
    const parts = new RequestParts(operation, this.#definition, this.#version);
    this.#parts.set(operation, parts);
    return parts;
  }
}

export class Usage {
  readonly #definition: Contract;
  readonly #parts: ContractParts;
  /** The keys of the used parts, of the operations that were called. */
  readonly #used = new Map<Operation, Set<string>>();

  constructor(definition: Contract) {
    this.#definition = definition;
    this.#parts = new ContractParts(definition);
  }

  /** @param request whose parameters and body are read; what is invalid may be missing */
  add(operation: Operation, request: ParsedRequest): void {
    const used = this.#usedOf(operation);
    const parts = this.#parts.of(operation);
    parts.forEach(request, (index) => used.add(keyOfPart(parts.parts[index]!)));
  }

  addLine({ operation: name, parts }: UsageLine): void {
    const operation = this.#definition.operations.find(
      (operation) => operationName(operation) === name,
    );
    if (operation === undefined) return;
    const used = this.#usedOf(operation);
    for (const part of parts) used.add(keyOfPart(part));
  }

  /** @returns unused operations, then the unused parts of the others */
  unused(): string[] {
    const names = this.#definition.operations.map(
      (operation) => [operationName(operation), operation] as const,
    );
    return names.flatMap(([name, operation]) => {
      const used = this.#used.get(operation);
      if (used === undefined) return [name];
      const { parts } = this.#parts.of(operation);
      const unused = parts.filter((part) => part.isOptional && !used.has(keyOfPart(part)));
      const keys = new Set(unused.map(keyOfPart));
      // The properties and values of an unused part are not named.
      return unused
        .filter(
          (requestPart) => !containersOf(requestPart).some((outer) => keys.has(keyOfPart(outer))),
        )
        .map((requestPart) => `${name}  ${textOf(requestPart)}`);
    });
  }

  #usedOf(operation: Operation): Set<string> {
    const used = this.#used.get(operation) ?? new Set();
    this.#used.set(operation, used);
    return used;
  }
}

function containersOf({ subject, path, value }: RequestPart): PartLocation[] {
  const lengths = path.map((_, length) => length);
  return (value === undefined ? lengths : [...lengths, path.length]).map((length) => ({
    subject,
    path: path.slice(0, length),
  }));
}

/** @returns `request body /tags/* "a"` */
function textOf({ subject, path, value }: RequestPart): string {
  return [
    subject,
    ...(path.length === 0 ? [] : [`/${path.map((name) => name ?? '*').join('/')}`]),
    ...(value === undefined ? [] : [JSON.stringify(value)]),
  ].join(' ');
}
