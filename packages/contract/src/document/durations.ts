// Durations of extensions and settings: 10s, 1m, 24h, 7d.

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Node's maximum timer: milliseconds in 31 bits. */
export const MAX_TIMER_SECONDS = 596 * SECONDS.h;

/** @returns the seconds of a duration such as `1m`; undefined for 0, more than maxSeconds, and another value */
export function secondsOf(duration: unknown, maxSeconds: number): number | undefined {
  const text = typeof duration === 'string' ? duration : '';
  const [, count, unit] = /^([1-9]\d{0,8})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * SECONDS[unit as keyof typeof SECONDS];
  return seconds <= maxSeconds ? seconds : undefined;
}
