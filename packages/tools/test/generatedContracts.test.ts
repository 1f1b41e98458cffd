// Generated contracts, mocked: a valid request gets a declared success, one that is broken in one way
// a 4xx, and arbitrary input never a 5xx.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { generatedContract } from '@stubwright/test-support/generatedContract';
import { isTestAll } from '@stubwright/test-support/testAll';
import { serveDefinition, type Toy } from '@stubwright/test-support/toy';
import fc from 'fast-check';
import { sweep } from '../src/corpus/sweep.ts';

interface Arbitrary {
  readonly path: string;
  readonly type: string;
  readonly body: string;
  readonly cookie: string;
}

/** With delimiters of every style, and escapes that are malformed. */
const target = fc.stringMatching(/^(?:%[0-9a-f]{0,2}|[&=;,.[\]+:~0-9a-z-]){0,12}$/);
const text = fc.oneof(target, fc.string({ maxLength: 20 }), fc.json({ maxDepth: 2 }));
const arbitraryRequest: fc.Arbitrary<Arbitrary> = fc.record({
  path: fc
    .tuple(
      fc.constantFrom('/things', '/things/1', '/things/;id=1/x-a.y', '/things/'),
      target,
      target,
    )
    .map(([path, more, query]) => `${path}${more}?query0=${query}&query1=${query}&${query}`),
  type: fc.constantFrom(
    'application/json',
    'application/x+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    'text/plain',
    'application/octet-stream',
  ),
  body: text,
  cookie: fc.stringMatching(/^[!-~]{0,20}$/),
});

async function statusesOf(toy: Toy, requests: readonly Arbitrary[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const { path, type, body, cookie } of requests) {
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const headers = {
        'Content-Type': type,
        Cookie: `key=k; cookie3=${cookie}`,
        header2: cookie,
        'X-Key': 'k',
        Authorization: 'Bearer t',
      };
      statuses.push((await toy.fetch(path, { method, headers, body })).status);
    }
  }
  return statuses;
}

describe('a generated contract', () => {
  it('returns only declared responses to valid, invalid and arbitrary requests', async () => {
    const totals = { operations: 0, valid: 0, invalid: 0, invalidMocks: 0 };
    await fc.assert(
      fc.asyncProperty(
        generatedContract,
        fc.array(arbitraryRequest, { minLength: 4, maxLength: 8 }),
        async (document, requests) => {
          const definition = new Contract(structuredClone(document));
          const toy = await serveDefinition(definition, { mock: 'all' });
          try {
            const swept = await sweep({ definition, warnings: [] }, toy.url);
            expect(swept.failures).toEqual([]);
            for (const key of Object.keys(totals) as (keyof typeof totals)[])
              totals[key] += swept[key];
            expect((await statusesOf(toy, requests)).filter((status) => status >= 500)).toEqual([]);
          } finally {
            await toy.close();
          }
        },
      ),
      { numRuns: isTestAll ? 25 : 6, seed: 14 },
    );
    expect(totals.valid).toBe(totals.operations);
    expect(totals.invalid).toBeGreaterThan(4 * totals.valid);
    expect(totals.invalidMocks).toBe(0);
  }, 600_000);
});
