import { describe, expect, it } from '@jest/globals';
import { Problem } from '../../src/errors/problem.ts';
import { AuthFailures } from '../../src/operations/authFailures.ts';
import type { ContextRequest } from '../../src/request/exchange.ts';

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
