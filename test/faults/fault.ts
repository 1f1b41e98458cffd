// One kind of fault: how it is repeated under load, and its row of the table.
import { AssertionError } from 'node:assert/strict';
import type { Findings } from '../support/history.ts';
import { type Load, type LoadOptions, startWorkload } from '../support/load.ts';
import type { Tables } from '../support/workload.ts';
import type { Application } from './application.ts';

/** A row of the table. */
export interface Row extends Findings {
  readonly fault: string;
  readonly rounds: number;
  /** How many answers were 503. */
  readonly unavailable: number;
  /** From the end of the cause, in a failover from its beginning, to the next 200; per round. */
  readonly recoveryMs: readonly number[];
}

/** The row that a fault fills. */
export type Run = [fault: string, rounds: number, application: Application];

/** Causes a fault `rounds` times. */
export type Fault = (...run: Run) => Promise<Row>;

export interface Rounds extends LoadOptions {
  /** Of the services under load. */
  readonly urls: readonly string[];
  /** Causes the fault and ends it; @returns when recovery begins, as `performance.now()` counts */
  cause(load: Load, round: number): Promise<number>;
  /** Called after the last round, while the load continues. */
  finish?(load: Load): Promise<void>;
  /** Called after the last answer; @returns all rows */
  stored(): Promise<Tables>;
}

/**
 * Requests with rivals and retries before, during and after each round. Answers that do not come in
 * time end the rounds, and are a violation.
 */
export async function runRounds([fault, rounds, application]: Run, options: Rounds): Promise<Row> {
  const load = startWorkload(options.urls, application.workload(), options);
  const recoveryMs: number[] = [];
  const missing: string[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      await load.more(200, 50);
      recoveryMs.push(await load.recovered(await options.cause(load, round)));
    }
    await load.more(200, 50);
    await options.finish?.(load);
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    missing.push(error.message);
  } finally {
    await load.end();
  }
  const findings = load.findings(await options.stored());
  return {
    fault,
    rounds,
    unavailable: load.count(503),
    recoveryMs,
    ...findings,
    falseAnswers: findings.falseAnswers + missing.length,
    violations: [...missing, ...findings.violations],
  };
}

/** Adds up the rows of one fault. */
export function sumRows(fault: string, rows: readonly Row[]): Row {
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    fault,
    rounds: sum(({ rounds }) => rounds),
    acknowledged: sum(({ acknowledged }) => acknowledged),
    lost: sum(({ lost }) => lost),
    falseAnswers: sum(({ falseAnswers }) => falseAnswers),
    violations: rows.flatMap(({ violations }) => violations),
    unavailable: sum(({ unavailable }) => unavailable),
    recoveryMs: rows.flatMap(({ recoveryMs }) => recoveryMs),
  };
}
