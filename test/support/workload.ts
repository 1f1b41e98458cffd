// What a load sends, and the rules that the answers and the stored rows keep.
import type { IncomingHttpHeaders } from 'node:http';
import type { Findings } from './history.ts';

/** The rows of each table. */
export type Tables = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

export interface SentStep {
  /** Status of the response; 0 without one. */
  readonly status: number;
  /** As `performance.now()` counts. */
  readonly sentAt?: number;
  readonly answeredAt?: number;
}

/** @template Step one request, as data */
export interface Workload<Step = unknown> {
  readonly tables: readonly string[];
  /** @returns a request; its rivals are near in time */
  step(turn: number): Step;
  send(
    url: string,
    step: Step,
  ): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders }>;
  /** False if the request must be repeated. */
  isOutcome(status: number): boolean;
  /** @param tables after the last answer */
  check(attempts: readonly (Step & SentStep)[], tables: Tables): Findings;
  /**
   * Requests that change nothing, since the rows are stored, and their rivals.
   *
   * @returns groups of requests that are sent together
   */
  retries(tables: Tables): Step[][];
}
