// A short version of `make test-faults`: one round of each fault that needs no further package, in
// `make test` of one fault. Those of the disk have a test of their own.
import { describe, expect, it, jest } from '@jest/globals';
import { isTestAll } from '@stubwright/test-support/testAll';
import { applications } from './application.ts';
import * as postgres from './postgres.ts';
import * as processes from './processes.ts';
import * as standby from './standby.ts';

// Processes that start and stop take their time on a busy machine.
jest.setTimeout(600_000);

/** test/api/postgresFaults.test.ts has these. */
const ELSEWHERE = /SIGINT|SIGQUIT|SIGSTOP|cut (?:before|after)|one of two/;
const all = { ...processes.faults, ...postgres.faults, ...standby.faults };
const cases = applications.flatMap((application) =>
  Object.entries(all)
    .filter(([name]) => application.name === 'fleet' || !ELSEWHERE.test(name))
    .slice(0, isTestAll ? undefined : 1)
    .map(([name, run]) => [application.name, name, run, application] as const),
);

describe('under load with rivals and retries', () => {
  it.concurrent.each(cases)(
    'no row of the %s is lost and no answer is false: %s',
    async (_, name, run, application) => {
      const { acknowledged, lost, falseAnswers, violations } = await run(name, 1, application);
      expect(violations).toEqual([]);
      expect({ lost, falseAnswers }).toEqual({ lost: 0, falseAnswers: 0 });
      expect(acknowledged).toBeGreaterThanOrEqual(name.includes('deleted') ? 0 : 50);
    },
  );
});
