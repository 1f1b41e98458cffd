// Whom a change breaks: recorded requests that the first contract allows, and the second does not. Without
// the values of requests, and for changes that do not refuse any, those that use the changed part.
import { type Contract, type Operation, parseMediaType, tokensOf } from '@stubwright/contract';
import type { Violation } from '@stubwright/contract/values';
import {
  ContractParts,
  keyOfPart,
  operationName,
  type PartLocation,
  type TrafficRecord,
  type TrafficRequest,
  type UsageLine,
} from '@stubwright/traffic';
import { type Exchange, RequestCheck } from 'stubwright/internals';
import type { Change, ChangedPart } from '../rules/rules.ts';
import { addCount, type CallerRequests, type Counts, mostFirst } from './callerCounts.ts';
import { checkedRequest } from './checkedRequest.ts';
import {
  type Count,
  changedPartOf,
  isWithin,
  maximum,
  type OperationUse,
  useOf,
} from './partUse.ts';
import { REFUSING } from './visibility.ts';

/** What the recording says about a change. */
export interface Evidence {
  /** Callers whose requests the new contract refuses at the part of the change; most requests first. */
  readonly broken: readonly CallerRequests[];
  /** Callers that use the part of the change, or whose requests are not recorded completely. */
  readonly possible: readonly CallerRequests[];
  /** Callers of the changed operations. */
  readonly callers: readonly CallerRequests[];
  /** The days (UTC) of the recording. */
  readonly days: number;
  /** True for a change of a response: what a client reads is not recorded. */
  readonly isOfResponse: boolean;
}

/** What is known about one operation of the first contract. */
interface OperationTraffic {
  readonly callers: Counts;
  /** By key of the part. */
  readonly broken: Map<string, BrokenPart>;
  /** Requests of which a value or the body is not recorded. */
  readonly incomplete: Counts;
  /** By caller: of recorded requests, and of usage files. */
  readonly sent: Map<string, OperationUse>;
  readonly counted: Map<string, OperationUse>;
  /** The bodies that patch a resource: neither their parts are recorded, nor does a validator refuse them. */
  readonly patches: readonly PartLocation[];
}

interface BrokenPart {
  readonly part: ChangedPart;
  readonly counts: Counts;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export class BrokenCallers {
  readonly #before: RequestCheck;
  readonly #after: RequestCheck;
  readonly #parts: ContractParts;
  /** By operation of the first contract, as `POST /toys/{}`. */
  readonly #operations = new Map<string, OperationTraffic>();
  /** First and last request of the first contract by file, in milliseconds since 1970. */
  readonly #spans = new Map<string, { first: number; last: number }>();
  /** The paths of the servers, the longest first, and none. */
  readonly #prefixes: readonly string[];
  /** Requests that the first contract has no operation for. */
  ignored = 0;
  total = 0;

  constructor(before: Contract, after: Contract) {
    const realm = '';
    this.#parts = new ContractParts(before);
    // A change of the servers is a change of its own: paths are compared without their prefix.
    this.#before = new RequestCheck({ definition: before, basePath: '', realm });
    this.#after = new RequestCheck({ definition: after, basePath: '', realm });
    const prefixes = new Set(before.operations.flatMap(({ basePaths }) => basePaths)).add('');
    this.#prefixes = [...prefixes].sort((a, b) => b.length - a.length);
    for (const operation of before.operations) {
      this.#operations.set(keyOf(operationName(operation)), {
        ...{ callers: new Map(), broken: new Map(), incomplete: new Map() },
        ...{ sent: new Map(), counted: new Map() },
        patches: operation.request.entries.flatMap(({ key, content }) =>
          content.patchOf === undefined ? [] : [{ subject: BODY, path: [], mediaType: key }],
        ),
      });
    }
  }

  /** The days (UTC) between the first and the last request of each file. */
  get days(): number {
    const days = new Set<number>();
    for (const { first, last } of this.#spans.values()) {
      for (let day = Math.floor(first / DAY_MS); day <= Math.floor(last / DAY_MS); day++) {
        days.add(day);
      }
    }
    return days.size;
  }

  async add(record: TrafficRecord): Promise<void> {
    const { file, entry, usage } = record;
    if (usage === undefined) {
      this.total++;
      if (!(await this.#addEntry(entry))) this.ignored++;
      else if (!entry.isUndated) this.#extend(file, entry.at, entry.at);
    } else {
      this.total += usage.requests;
      if (this.#addUsage(usage)) {
        this.#extend(file, Date.parse(usage.first), Date.parse(usage.last));
      } else this.ignored += usage.requests;
    }
  }

  #extend(file: string, first: number, last: number): void {
    const known = this.#spans.get(file) ?? { first, last };
    const span = { first: Math.min(known.first, first), last: Math.max(known.last, last) };
    this.#spans.set(file, span);
  }

  /** @returns false for a request that the first contract has no operation for */
  async #addEntry(recorded: TrafficRequest): Promise<boolean> {
    const found = await this.#routed(recorded);
    if (found === undefined) return false;
    const { entry, exchange, operation, traffic } = found;
    const { caller, at } = entry;
    const one = { count: 1, last: at };
    addCount(traffic.callers, caller, one);
    this.#addUse(traffic.sent, caller, operation, exchange, at);
    if (entry.isBodyOmitted) addCount(traffic.incomplete, caller, one);
    const mediaType = parseMediaType(entry.headers['content-type'])?.type;
    const refused = found.violations.map((violation) => partOfViolation(violation, mediaType));
    const { violations } = await checkedRequest(this.#after, entry);
    const parts = violations
      .map((violation) => partOfViolation(violation, mediaType))
      // Only requests that the first contract allows can break.
      .filter((part) => part.subject === '' || !refused.some((other) => isSamePart(other, part)));
    for (const [key, part] of new Map(parts.map((part) => [JSON.stringify(part), part]))) {
      const broken = traffic.broken.get(key) ?? { part, counts: new Map() };
      traffic.broken.set(key, broken);
      addCount(broken.counts, caller, one);
    }
    return true;
  }

  /** Tries each path of the servers: a recording behind a gateway may have none. */
  async #routed(recorded: TrafficRequest) {
    for (const prefix of this.#prefixes) {
      if (!recorded.path.startsWith(`${prefix}/`)) continue;
      const entry = { ...recorded, path: recorded.path.slice(prefix.length) };
      const { exchange, violations } = await checkedRequest(this.#before, entry);
      const { operation } = exchange;
      const traffic = operation && this.#operations.get(keyOf(operationName(operation)));
      if (operation === undefined || traffic === undefined) continue;
      if (prefix === '' || operation.basePaths.includes(prefix)) {
        return { entry, exchange, violations, operation, traffic };
      }
    }
    return undefined;
  }

  #addUse(
    uses: Map<string, OperationUse>,
    caller: string,
    operation: Operation,
    exchange: Exchange,
    at: number,
  ): void {
    const parts = this.#parts.of(operation);
    const use = useIn(uses, caller);
    use.valid++;
    use.last = Math.max(use.last, at);
    use.isTruncated ||= parts.isTruncated;
    const indexes = new Set<number>();
    parts.forEach(exchange, (index) => indexes.add(index));
    for (const index of indexes) addPart(use, parts.parts[index]!, { count: 1, last: at });
  }

  /** @returns false for an operation that the first contract does not have */
  #addUsage({ caller, operation, requests, valid, last, parts, isTruncated }: UsageLine): boolean {
    const traffic = this.#operations.get(keyOf(operation));
    if (traffic === undefined) return false;
    addCount(traffic.callers, caller, { count: requests, last: Date.parse(last) });
    // The parts of these are not counted.
    const refused = Math.max(0, requests - valid);
    if (refused > 0)
      addCount(traffic.incomplete, caller, { count: refused, last: Date.parse(last) });
    if (valid === 0) return true;
    const use = useIn(traffic.counted, caller);
    use.valid += valid;
    use.last = Math.max(use.last, Date.parse(last));
    use.isTruncated ||= isTruncated === true;
    for (const { count, last: lastUse, ...part } of parts) {
      addPart(use, part, { count, last: Date.parse(lastUse) });
    }
    return true;
  }

  /** @returns undefined for a change of operations that the first contract does not have */
  evidenceFor(change: Change): Evidence | undefined {
    if (!change.operations.some((operation) => this.#operations.has(keyOf(operation))))
      return undefined;
    const callers: Counts = new Map();
    const broken: Counts = new Map();
    const possible: Counts = new Map();
    for (const operation of change.operations) {
      const traffic = this.#operations.get(keyOf(operation));
      if (traffic === undefined) continue;
      const part = changedPartOf(change, partIn(change, operation));
      merge(callers, traffic.callers);
      const isRefusing = REFUSING.has(change.rule);
      for (const { part: violated, counts } of traffic.broken.values()) {
        if (isSamePart(part, violated)) merge(broken, counts);
      }
      merge(possible, traffic.incomplete);
      // What a change does not refuse, it may understand in another way.
      const mayUse = (use: OperationUse, isCounted: boolean) =>
        patchesOf(part, use, traffic) ??
        (isCounted || !isRefusing ? useOf(change, part, use) : undefined);
      for (const uses of [traffic.counted, traffic.sent]) {
        for (const [caller, use] of uses) {
          const count = mayUse(use, uses === traffic.counted);
          if (count !== undefined) addCount(possible, caller, count);
        }
      }
    }
    return {
      ...{ broken: mostFirst(broken), possible: mostFirst(possible), callers: mostFirst(callers) },
      ...{ days: this.days, isOfResponse: /^response\b/.test(change.part) },
    };
  }
}

/** @returns the patches, for a part of a body */
function patchesOf(
  { subject, mediaType }: ChangedPart,
  { parts }: OperationUse,
  { patches }: OperationTraffic,
): Count | undefined {
  if (subject !== BODY) return undefined;
  const changed = patches.filter((patch) => [undefined, patch.mediaType].includes(mediaType));
  return maximum(changed.flatMap((patch) => parts.get(keyOfPart(patch)) ?? []));
}

/** The names of path parameters may differ. */
function keyOf(operation: string): string {
  return operation.replace(/\{[^{}]*\}/g, '{}');
}

function useIn(uses: Map<string, OperationUse>, caller: string): OperationUse {
  const use = uses.get(caller) ?? { valid: 0, last: 0, parts: new Map(), isTruncated: false };
  uses.set(caller, use);
  return use;
}

function addPart(use: OperationUse, part: PartLocation, count: Count) {
  const key = keyOfPart(part);
  const known = use.parts.get(key) ?? { count: 0, last: 0 };
  const last = Math.max(known.last, count.last);
  use.parts.set(key, { part, count: known.count + count.count, last });
}

function merge(into: Counts, counts: Counts): void {
  for (const [caller, count] of counts) addCount(into, caller, count);
}

/** As in a change: no subject for the whole operation. @param mediaType of the body */
function partOfViolation(
  { where, pointer }: Violation,
  mediaType: string | undefined,
): ChangedPart {
  if (where === 'path' || where === 'method') return WHOLE;
  const path = tokensOf(pointer);
  return where === '' ? { subject: BODY, mediaType, path } : { subject: where, path };
}

const BODY = 'request body';
const WHOLE: ChangedPart = { subject: '', path: [] };

/** @returns the part without the media type of a schema that several have */
function partIn({ before, located }: Change, operation: string): ChangedPart {
  const { mediaType, ...part } = located?.get(operation) ?? WHOLE;
  const isOfType = mediaType !== undefined && before.includes('/content/');
  return isOfType ? { ...part, mediaType } : part;
}

/** True if one part contains the other. */
function isSamePart(changed: ChangedPart, violated: ChangedPart): boolean {
  if (changed.subject === '' || violated.subject === '') return true;
  const { mediaType } = changed;
  const isSameType =
    mediaType === undefined || parseMediaType(mediaType)?.type === violated.mediaType;
  return isSameType && (isWithin(changed, violated) || isWithin(violated, changed));
}
