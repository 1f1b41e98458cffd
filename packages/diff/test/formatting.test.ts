// Canonical JSON: what JSON.stringify writes of values whose keys are sorted.
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonical } from '../src/values/formatting.ts';

function sorted(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return JSON.rawJSON(value.toString());
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

it('a value is written as its sorted copy is, with exact integers', () => {
  const names = fc.constantFrom('200', '2', '01', '__proto__', '4294967296', 'default');
  const key = fc.oneof(fc.string(), names);
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, key }), (value) => {
      expect(canonical(value)).toBe(JSON.stringify(value, sorted) ?? 'nothing');
    }),
    { numRuns: 2_000 },
  );
});
