import { describe, expect, it } from '@jest/globals';
import { Problem } from '@stubwright/contract';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import type { ContextRequest } from 'stubwright';
import { AuthFailures } from '../../src/operations/authFailures.ts';

const from = (address: string) => ({ address }) as ContextRequest<never>;

/** @returns a guarded verifier that accepts `good`, and the credentials that reached it */
function guarded(
  isAsync: boolean,
  failures = new AuthFailures({ requests: 2, windowSeconds: 60 }),
) {
  const verified: string[] = [];
  const verify = failures.guard((credentials) => {
    verified.push(credentials);
    const principal = credentials === 'good' ? { name: 'x' } : undefined;
    return isAsync ? Promise.resolve(principal) : principal;
  });
  const statusOf = async (credentials: string, address = '192.0.2.1') => {
    try {
      return (await verify(credentials, from(address), [])) === undefined ? 401 : 200;
    } catch (error) {
      if (error instanceof Problem) return error.status;
      throw error;
    }
  };
  return { verified, statusOf };
}

describe.each([
  ['at once', false],
  ['later', true],
])('credentials that are verified %s', (_, isAsync) => {
  it('are not verified once the address has used up its failures', async () => {
    const { verified, statusOf } = guarded(isAsync);
    expect([await statusOf('a'), await statusOf('b')]).toEqual([401, 401]);
    expect([await statusOf('c'), await statusOf('good')]).toEqual([429, 429]);
    expect(verified).toEqual(['a', 'b']);
  });

  it('count for their address alone, and only when they are wrong', async () => {
    const { statusOf } = guarded(isAsync);
    for (let good = 0; good < 5; good++) expect(await statusOf('good')).toBe(200);
    await statusOf('a');
    await statusOf('b');
    expect(await statusOf('good', '192.0.2.2')).toBe(200);
  });
});

describe('simultaneous credentials', () => {
  /** Attempts before and after the limit, some of them good, which are verified in any order. */
  const attempts = fc.array(fc.record({ isGood: fc.boolean(), turns: fc.nat(4) }), {
    minLength: 1,
    maxLength: 60,
  });

  it('never reach the verifier more often than the limit allows, and all get a result', async () => {
    await fc.assert(
      fc.asyncProperty(attempts, fc.integer({ min: 1, max: 5 }), async (all, limit) => {
        const failures = new AuthFailures({ requests: limit, windowSeconds: 600 });
        let wrong = 0;
        const verify = failures.guard(async (credentials) => {
          const { isGood, turns } = JSON.parse(credentials);
          if (!isGood) wrong++;
          for (let turn = 0; turn < turns; turn++) await null;
          return isGood ? { name: 'x' } : undefined;
        });
        const results = await Promise.allSettled(
          all.map(async (each) => verify(JSON.stringify(each), from('192.0.2.1'), [])),
        );
        expect(wrong).toBeLessThanOrEqual(limit);
        const allWrong = all.filter(({ isGood }) => !isGood).length;
        const rejected = results.filter(({ status }) => status === 'rejected').length;
        if (allWrong < limit) expect(rejected).toBe(0);
        else expect(wrong).toBe(limit);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('are not limited when they are good', async () => {
    const { statusOf } = guarded(true);
    const statuses = await Promise.all(Array.from({ length: 1500 }, () => statusOf('good')));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('are verified at most 20 times of 1,500 at a limit of 20', async () => {
    const { verified, statusOf } = guarded(
      true,
      new AuthFailures({ requests: 20, windowSeconds: 60 }),
    );
    const statuses = await Promise.all(Array.from({ length: 1500 }, () => statusOf('wrong')));
    expect(verified).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1480);
  });
});

describe('failures', () => {
  it('are forgotten when their window ends', async () => {
    const { statusOf } = guarded(false, new AuthFailures({ requests: 1, windowSeconds: 0.02 }));
    expect(await statusOf('a')).toBe(401);
    while ((await statusOf('good')) !== 200) await new Promise(setImmediate);
    expect(await statusOf('b')).toBe(401);
    expect(await statusOf('good')).toBe(429);
  });

  it('of the address that failed first are forgotten when 10,000 others have failed', async () => {
    const { statusOf } = guarded(false, new AuthFailures({ requests: 1, windowSeconds: 600 }));
    await statusOf('a', 'first');
    expect(await statusOf('good', 'first')).toBe(429);
    for (let at = 0; at < 10_000; at++) await statusOf('a', `address ${at}`);
    expect(await statusOf('good', 'first')).toBe(200);
    expect(await statusOf('good', 'address 9999')).toBe(429);
  });

  it('are not counted when the verifier is unavailable', async () => {
    const verify = new AuthFailures({ requests: 1, windowSeconds: 60 }).guard(() =>
      Promise.reject(new Error('issuer away')),
    );
    for (let at = 0; at < 3; at++) {
      await expect(verify('a', from('192.0.2.1'), [])).rejects.toThrow('issuer away');
    }
  });
});
