// The delays before retries.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backoffMs, retryAfterMs } from '../src/send.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const limits = fc.record({ baseDelayMs: fc.nat(10_000), maxDelayMs: fc.nat(60_000) });

describe('the backoff', () => {
  it('is between half of the doubled delay and the delay, at most maxDelayMs', () => {
    fc.assert(
      fc.property(fc.nat(2000), limits, random, (retries, bounds, drawn) => {
        const ms = backoffMs(retries, bounds, () => drawn);
        const { baseDelayMs, maxDelayMs } = bounds;
        const delay =
          baseDelayMs === 0 ? 0 : Math.min(maxDelayMs, baseDelayMs * 2 ** Math.min(retries, 60));
        expect(ms).toBeGreaterThanOrEqual(delay / 2);
        expect(ms).toBeLessThanOrEqual(delay);
      }),
      { numRuns: 500 },
    );
  });

  it('uses the whole range, evenly', () => {
    const delays = Array.from({ length: 4000 }, (_, at) =>
      backoffMs(2, { baseDelayMs: 250, maxDelayMs: 30_000 }, () => (at % 1000) / 1000),
    );
    const quarters = [500, 625, 750, 875].map(
      (from) => delays.filter((ms) => ms >= from && ms < from + 125).length,
    );
    expect(quarters).toEqual([1000, 1000, 1000, 1000]);
    const drawn = Array.from({ length: 4000 }, () =>
      backoffMs(2, { baseDelayMs: 250, maxDelayMs: 30_000 }),
    );
    expect(drawn.every((ms) => ms >= 500 && ms < 1000)).toBe(true);
    expect(new Set(drawn).size).toBeGreaterThan(3000);
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 10, 23, 12, 0, 0);

  it.each<[string | null, number]>([
    [null, 0],
    ['', 0],
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7000],
    ['Mon, 23 Nov 2026 12:00:30 GMT', 30_000],
    ['Monday, 23-Nov-26 12:00:30 GMT', 30_000],
    ['Mon Nov 23 12:00:30 2026', 30_000],
    ['Mon, 23 Nov 2026 11:00:00 GMT', 0],
    ...['-1', '1.5', '1e3', '0x10', 'soon', '2030-01-01', 'Mon, 99 Nov 2026', 'Monday'].map(
      (value): [string, number] => [value, 0],
    ),
  ])('%j is %i ms', (value, ms) => {
    expect(retryAfterMs(value, now)).toBe(ms);
  });

  it('of any length is a number', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(retryAfterMs(value, now)).toBeGreaterThanOrEqual(0);
      }),
    );
    expect(retryAfterMs('9'.repeat(400), now)).toBe(Infinity);
  });
});
