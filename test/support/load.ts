// Load with rivals and retries: each id is created twice, with different content, and a create whose
// outcome is unknown is repeated.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attempt, checkHistory, type Findings, type StoredName } from './history.ts';
import { createAt } from './service.ts';

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
  /** Compares the answers with the rows that are stored; call it after {@link end}. */
  findings(rows: readonly StoredName[]): Findings;
  /** Throws when a plant is lost, or an answer was false. */
  expectIn(rows: readonly StoredName[]): void;
}

export interface LoadOptions {
  readonly firstId?: number;
  /** Between two requests of each of the 16 lanes. */
  readonly pauseMs?: number;
}

type Timed = Required<Attempt>;

/** @param urls of the services; requests go to them in turn. May be changed meanwhile. */
export function startLoad(
  urls: readonly string[],
  { firstId = 0, pauseMs = 0 }: LoadOptions = {},
): Load {
  const statuses = new Map<number, number>();
  const attempts: Timed[] = [];
  const repeats: Pick<Attempt, 'id' | 'name'>[] = [];
  let sent = 0;
  let created = 0;
  let isOver = false;
  let newest200 = 0;

  /** Alternates between new plants and repeats. */
  const next = () => {
    const repeat = sent % 2 === 0 ? repeats.shift() : undefined;
    if (repeat !== undefined) return repeat;
    const turn = created++;
    const id = String(firstId + (turn >> 1));
    return { id, name: `rival ${turn & 1} for ${id}` };
  };
  const lane = async () => {
    while (!isOver) {
      const plant = next();
      const turn = sent++;
      const url = urls[(turn + (turn >> 1)) % urls.length]!;
      const sentAt = performance.now();
      const status = await create(url, plant);
      attempts.push({ ...plant, status, sentAt, answeredAt: performance.now() });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) newest200 = Math.max(newest200, sentAt);
      const isKnown = status === 200 || status === 409;
      if (!isKnown || turn % REPEAT_EVERY === 0) repeats.push(plant);
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
    findings: (rows) => checkHistory(attempts, rows),
    expectIn(rows) {
      assert.deepEqual(checkHistory(attempts, rows).violations, []);
    },
  };
}

/** @returns the status, or 0 when the service that was asked is gone */
async function create(url: string, { id, name }: Pick<Attempt, 'id' | 'name'>): Promise<number> {
  try {
    const { status, headers } = await createAt(url, `{"id":${id},"name":"${name}"}`);
    if (status === 503) assert.equal(headers['retry-after'], '1');
    return status;
  } catch (error) {
    if (GONE.includes((error as NodeJS.ErrnoException).code ?? '')) return 0;
    throw error;
  }
}
