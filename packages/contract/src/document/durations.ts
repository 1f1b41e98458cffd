// Durations of extensions and settings: 10s, 1m, 24h.

const SECONDS = { s: 1, m: 60, h: 3600 };

/** Node's maximum timer: milliseconds in 31 bits. */
const MAX_SECONDS = 596 * SECONDS.h;

/** What `secondsOf` accepts, for messages. */
export const DURATION_EXPECTATION = 'a time such as 10s, 1m or 24h, at most 596h';

/** @returns the seconds of a duration such as `1m`; undefined for another value */
export function secondsOf(duration: unknown): number | undefined {
  const text = typeof duration === 'string' ? duration : '';
  const [, count, unit] = /^(\d{1,7})([smh])$/.exec(text) ?? [];
  const seconds = Number(count) * SECONDS[unit as keyof typeof SECONDS];
  return seconds > 0 && seconds <= MAX_SECONDS ? seconds : undefined;
}
