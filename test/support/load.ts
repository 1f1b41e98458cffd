// Load with rivals and retries: a request whose outcome is unknown is repeated.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Findings, StoredName } from './history.ts';
import { plantWorkload } from './plantWorkload.ts';
import type { SentStep, Tables, Workload } from './workload.ts';

const LANES = 16;
/** Errors of a connection whose service is gone. */
const GONE = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'];
/** One answer in so many is asked for again, though it was 200 or 409. */
const REPEAT_EVERY = 8;
/** Far above any outage that a test causes. */
const LONGEST_RECOVERY_MS = 60_000;
/** Twelve faults at once on a busy machine take their time. */
const LONGEST_WAIT_MS = 150_000;

export interface Load {
  /** How many answers of a status there were so far; 0 stands for no answer. */
  count(status: number): number;
  /** Resolves when there were `more` further answers of a status. */
  more(status: number, more: number): Promise<void>;
  /** Resolves with the milliseconds from `since` to the first 200 for a request sent after it. */
  recovered(since: number): Promise<number>;
  /** Resolves when no request is under way any more. */
  end(): Promise<void>;
  /**
   * Compares the answers with the rows that are stored; call it after {@link end}.
   *
   * @param later further requests, after those of the load
   */
  findings(tables: Tables, later?: readonly SentStep[]): Findings;
}

/** Of creates of plants. */
export interface PlantLoad extends Omit<Load, 'findings'> {
  findings(rows: readonly StoredName[]): Findings;
  /** Throws when a plant is lost, or an answer was false. */
  expectIn(rows: readonly StoredName[]): void;
}

export interface LoadOptions {
  /** Between two requests of each of the 16 lanes. */
  readonly pauseMs?: number;
}

/** @param urls of the services; requests go to them in turn. May be changed meanwhile. */
export function startLoad(
  urls: readonly string[],
  { firstId, ...options }: LoadOptions & { readonly firstId?: number } = {},
): PlantLoad {
  const load = startWorkload(urls, plantWorkload(firstId), options);
  const findings = (rows: readonly StoredName[]) =>
    load.findings({ plant: rows.map((row) => ({ ...row })) });
  return {
    ...load,
    findings,
    expectIn(rows) {
      assert.deepEqual(findings(rows).violations, []);
    },
  };
}

/** @param urls as those of {@link startLoad} */
export function startWorkload<Step extends object>(
  urls: readonly string[],
  workload: Workload<Step>,
  { pauseMs = 0 }: LoadOptions = {},
): Load {
  const statuses = new Map<number, number>();
  const attempts: (Step & Required<SentStep>)[] = [];
  const repeats: Step[] = [];
  let sent = 0;
  let created = 0;
  let isOver = false;
  let newest200 = 0;

  /** Alternates between new requests and repeats. */
  const next = () => (sent % 2 === 0 ? repeats.shift() : undefined) ?? workload.step(created++);
  const lane = async () => {
    while (!isOver) {
      const step = next();
      const turn = sent++;
      const url = urls[(turn + (turn >> 1)) % urls.length]!;
      const sentAt = performance.now();
      const status = await statusOf(workload, url, step);
      attempts.push({ ...step, status, sentAt, answeredAt: performance.now() });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) newest200 = Math.max(newest200, sentAt);
      const isKnown = workload.isOutcome(status);
      if (!isKnown || turn % REPEAT_EVERY === 0) repeats.push(step);
      if (!isKnown || pauseMs > 0) await sleep(Math.max(pauseMs, 5));
    }
  };
  const lanes = Promise.all(Array.from({ length: LANES }, lane));
  lanes.catch(() => {});

  const count = (status: number) => statuses.get(status) ?? 0;
  const until = async (what: string, isDone: () => boolean, limitMs = LONGEST_WAIT_MS) => {
    const endAt = performance.now() + limitMs;
    while (!isDone()) {
      const seen = JSON.stringify(Object.fromEntries(statuses));
      assert(
        performance.now() < endAt,
        `expected ${what} within ${limitMs / 1000} s; answers: ${seen}`,
      );
      // A lane that failed ends the wait with its error.
      await Promise.race([lanes, sleep(5)]);
    }
  };
  return {
    count,
    async more(status, more) {
      const goal = count(status) + more;
      await until(`${more} more answers ${status}`, () => count(status) >= goal);
    },
    async recovered(since) {
      await until('a 200', () => newest200 >= since, LONGEST_RECOVERY_MS);
      const first = attempts.find(({ status, sentAt }) => status === 200 && sentAt >= since)!;
      return first.answeredAt - since;
    },
    async end() {
      isOver = true;
      await lanes;
    },
    findings: (tables, later = []) =>
      workload.check([...attempts, ...(later as typeof attempts)], tables),
  };
}

/** @returns the status, or 0 when the service that was asked is gone */
async function statusOf<Step>(workload: Workload<Step>, url: string, step: Step): Promise<number> {
  try {
    const { status, headers } = await workload.send(url, step);
    if (status === 503) assert.equal(headers['retry-after'], '1');
    return status;
  } catch (error) {
    if (GONE.includes((error as NodeJS.ErrnoException).code ?? '')) return 0;
    throw error;
  }
}
