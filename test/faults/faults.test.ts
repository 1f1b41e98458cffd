// A short version of `make test-faults`: one round of each fault that needs no further package, in
// `make test` of one fault. Those of the disk have a test of their own.
import { describe, expect, it, jest } from '@jest/globals';
import { isTestAll } from '../../packages/stubwright/test/support/testAll.ts';
import * as postgres from './postgres.ts';
import * as processes from './processes.ts';
import * as standby from './standby.ts';

// Processes that start and stop take their time on a busy machine.
jest.setTimeout(180_000);

/** test/api/postgresFaults.test.ts has these. */
const ELSEWHERE = /SIGINT|SIGQUIT|SIGSTOP|cut (?:before|after)|one of two/;
const all = { ...processes.faults, ...postgres.faults, ...standby.faults };
const faults = Object.entries(all)
  .filter(([name]) => !ELSEWHERE.test(name))
  .slice(0, isTestAll ? undefined : 1);

describe('under load with rivals and retries', () => {
  it.concurrent.each(faults)('no plant is lost and no answer is false: %s', async (name, run) => {
    const { acknowledged, lost, falseAnswers, violations } = await run(name, 1);
    expect(violations).toEqual([]);
    expect({ lost, falseAnswers }).toEqual({ lost: 0, falseAnswers: 0 });
    expect(acknowledged).toBeGreaterThanOrEqual(name.includes('deleted') ? 0 : 50);
  });
});
