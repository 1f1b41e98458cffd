// The rate limit of an operation: `x-rate-limit`.
import { MAX_TIMER_SECONDS, secondsOf } from '../document/durations.ts';
import { isObject } from '../document/node.ts';

/** The maximum number of requests in a fixed window. */
export interface RequestRate {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** The parts of an operation that describe its rate limit. */
export interface LimitedOperation {
  readonly security: readonly object[];
  field(name: string): unknown;
}

/** @returns undefined for a value that is no window, such as `1m` */
export function windowSecondsOf(window: unknown): number | undefined {
  return secondsOf(window, MAX_TIMER_SECONDS);
}

/** A violation of the form of `x-rate-limit`. */
export interface RateLimitError {
  /** The field, such as `/window`; empty for the whole. */
  readonly field: string;
  readonly message: string;
}

const MAX_REQUESTS = 999_999_999;
const FIELDS = ['requests', 'window'];

/** @returns how `x-rate-limit` of an operation violates its form; empty without one */
export function rateLimitErrors(operation: LimitedOperation): RateLimitError[] {
  const described = operation.field('x-rate-limit');
  if (described === undefined) return [];
  if (!isObject(described)) {
    return [{ field: '', message: 'expected an object with requests and window' }];
  }
  const errors: RateLimitError[] = [];
  const expect = (isMet: boolean, name: string, expected: string) => {
    if (isMet) return;
    const got = described[name] === undefined ? 'nothing' : JSON.stringify(described[name]);
    errors.push({ field: `/${name}`, message: `${name}: got ${got}, expected ${expected}` });
  };
  const { requests, window } = described;
  for (const name of Object.keys(described)) {
    expect(FIELDS.includes(name), name, `one of ${FIELDS.join(', ')}`);
  }
  const isCount = Number.isInteger(requests) && requests > 0 && requests <= MAX_REQUESTS;
  expect(isCount, 'requests', `an integer from 1 to ${MAX_REQUESTS}`);
  const isWindow = windowSecondsOf(window) !== undefined;
  expect(isWindow, 'window', 'a time such as 10s, 1m or 24h, at most 596h');
  if (operation.security.length > 0) return errors;
  const message = 'expected security requirements: the requests of a caller are counted';
  return [...errors, { field: '', message }];
}

/** @returns undefined without `x-rate-limit`, and for one with errors */
export function rateLimitOf(operation: LimitedOperation): RequestRate | undefined {
  const described = operation.field('x-rate-limit');
  if (!isObject(described) || rateLimitErrors(operation).length > 0) return undefined;
  return { requests: described['requests'], windowSeconds: windowSecondsOf(described['window'])! };
}
