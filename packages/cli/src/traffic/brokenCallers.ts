// Whom a change breaks: recorded requests that the first contract allows, and the second does not.
import { Readable } from 'node:stream';
import { type Definition, parseMediaType } from 'stubwright/contract';
import { type BodySource, Exchange, RequestCheck, type Violation } from 'stubwright/validation';
import type { Change } from '../diff/change.ts';
import type { TrafficEntry } from './entry.ts';

/** The requests of one caller. */
export interface CallerRequests {
  readonly caller: string;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly last: number;
}

/** What the recording says about a change. */
export interface Evidence {
  /** Callers whose requests the new contract refuses at the part of the change; most requests first. */
  readonly broken: readonly CallerRequests[];
  /** Callers of the changed operations. */
  readonly callers: readonly CallerRequests[];
  /** The length of the recording. */
  readonly days: number;
  /** True for a change of a response: what a client reads is not recorded. */
  readonly isOfResponse: boolean;
}

/** By caller. */
type Counts = Map<string, { count: number; last: number }>;

const DAY_MS = 24 * 60 * 60 * 1000;

export class BrokenCallers {
  readonly #before: RequestCheck;
  readonly #after: RequestCheck;
  /** By operation of the first contract, as `POST /toys`. */
  readonly #callers = new Map<string, Counts>();
  /** By operation, then by part: `request body /name`. */
  readonly #broken = new Map<string, Map<string, Counts>>();
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  /** CallerRequests that the first contract has no operation for, or refuses. */
  ignored = 0;
  total = 0;

  constructor(before: Definition, after: Definition) {
    const realm = '';
    this.#before = new RequestCheck({ definition: before, basePath: undefined, realm });
    this.#after = new RequestCheck({ definition: after, basePath: undefined, realm });
  }

  get days(): number {
    return this.total === 0 ? 0 : Math.ceil((this.#last - this.#first) / DAY_MS);
  }

  async add(entry: TrafficEntry): Promise<void> {
    this.total++;
    this.#first = Math.min(this.#first, entry.at);
    this.#last = Math.max(this.#last, entry.at);
    const { operation, violations: before } = await checked(this.#before, entry);
    if (operation === undefined || before.length > 0) {
      this.ignored++;
      return;
    }
    const key = `${operation.method.toUpperCase()} ${operation.path}`;
    countIn(mapIn(this.#callers, key), entry);
    const { violations } = await checked(this.#after, entry);
    const parts = mapIn<Counts>(this.#broken, key);
    const mediaType = parseMediaType(entry.headers['content-type'])?.type;
    for (const part of new Set(violations.map((each) => partOf(each, mediaType)))) {
      countIn(mapIn(parts, part), entry);
    }
  }

  evidenceFor({ operations, part }: Change): Evidence {
    const isOfResponse = /^response\b/.test(part);
    const callers: Counts = new Map();
    const broken: Counts = new Map();
    for (const operation of operations) {
      merge(callers, this.#callers.get(operation));
      for (const [violated, counts] of this.#broken.get(operation) ?? []) {
        if (isSamePart(part, violated)) merge(broken, counts);
      }
    }
    return { broken: sorted(broken), callers: sorted(callers), days: this.days, isOfResponse };
  }
}

async function checked(check: RequestCheck, entry: TrafficEntry) {
  const { method, target: url, headers, body } = entry;
  const exchange = new Exchange({ method, url, headers }, sourceOf(body ?? Buffer.alloc(0)));
  check.route(exchange);
  const { violations } = await check.check(exchange);
  // Credentials are not recorded.
  const others = violations.filter(({ where }) => where !== 'credentials');
  return { operation: exchange.operation, violations: others };
}

function sourceOf(bytes: Buffer): BodySource {
  return { readBody: async () => bytes, stream: () => Readable.from([bytes]) };
}

/** As in a change: `''` for the whole operation. @param mediaType of the body */
function partOf({ where, pointer }: Violation, mediaType: string | undefined): string {
  if (where === 'path' || where === 'method') return '';
  return [where === '' ? `${BODY} ${mediaType ?? ''}`.trim() : where, pointer].join(' ').trim();
}

const BODY = 'request body';
/** A change has the media type if the body has several. */
const BODY_PART = /^request body(?: ([^\s/]+\/\S+))?(?: (\/.*))?$/;

/** True if one part contains the other; the items of an array are `*` in a change. */
function isSamePart(changed: string, violated: string): boolean {
  const [, type, pointer = ''] = BODY_PART.exec(changed) ?? [];
  const [body, sentType, violatedPointer = ''] = BODY_PART.exec(violated) ?? [];
  if (body !== undefined && changed.startsWith(BODY)) {
    const isSameType = type === undefined || parseMediaType(type)?.type === sentType;
    return isSameType && overlaps(pointer, violatedPointer);
  }
  return overlaps(changed, violated);
}

function overlaps(one: string, other: string): boolean {
  const [first, second] = [one, other].map((each) =>
    each.replace(/\/(?:\d+|\*|\[\]|\{\})(?=\/|$)/g, '/*'),
  );
  return contains(first!, second!) || contains(second!, first!);
}

function contains(outer: string, inner: string): boolean {
  return (
    outer === '' ||
    inner === outer ||
    inner.startsWith(`${outer}/`) ||
    inner.startsWith(`${outer} `)
  );
}

function mapIn<Value = { count: number; last: number }>(
  maps: Map<string, Map<string, Value>>,
  key: string,
): Map<string, Value> {
  const known = maps.get(key) ?? new Map<string, Value>();
  maps.set(key, known);
  return known;
}

function countIn(counts: Counts, { caller, at }: TrafficEntry): void {
  const { count = 0, last = 0 } = counts.get(caller) ?? {};
  counts.set(caller, { count: count + 1, last: Math.max(last, at) });
}

function merge(into: Counts, counts: Counts | undefined): void {
  for (const [caller, { count, last }] of counts ?? []) {
    const known = into.get(caller) ?? { count: 0, last: 0 };
    into.set(caller, { count: known.count + count, last: Math.max(known.last, last) });
  }
}

function sorted(counts: Counts): CallerRequests[] {
  return [...counts]
    .map(([caller, each]) => ({ caller, ...each }))
    .sort((a, b) => b.count - a.count || (a.caller < b.caller ? -1 : 1));
}
