// How long to wait before a request is sent again.

/**
 * Between half of the delay and the delay, at random: clients that failed together do not return together.
 *
 * @param retries before this one @param random from 0, less than 1
 */
export function backoffMs(
  retries: number,
  { baseDelayMs, maxDelayMs }: { readonly baseDelayMs: number; readonly maxDelayMs: number },
  random: () => number = Math.random,
): number {
  // 0 * Infinity would be NaN.
  const delay = Math.min(maxDelayMs, baseDelayMs * 2 ** Math.min(retries, 60));
  return delay * (0.5 + random() / 2);
}

/** @param value seconds or a date (RFC 9110, section 10.2.3) @returns 0 without a valid value */
export function retryAfterMs(value: string | null, nowMs = Date.now()): number {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!DATE.test(text)) return 0;
  // The asctime form names no zone, and is in UTC too.
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Math.max(0, date - nowMs) || 0;
}

/** The end of the three forms of RFC 9110, section 5.6.7. */
const DATE = /:\d\d (?:GMT|\d{4})$/;
