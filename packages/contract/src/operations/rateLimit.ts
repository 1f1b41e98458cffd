// The rate limit of an operation: `x-rate-limit`.
import { MAX_TIMER_SECONDS, secondsOf } from '../document/durations.ts';
import { isObject } from '../document/node.ts';
import { type FieldError, FieldErrors } from './fieldErrors.ts';

/** The maximum number of requests in a fixed window. */
export interface RequestRate {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** The parts of an operation that describe its rate limit. */
interface LimitedOperation {
  readonly security: readonly object[];
  field(name: string): unknown;
}

/** @returns undefined for a value that is no window, such as `1m` */
export function windowSecondsOf(window: unknown): number | undefined {
  return secondsOf(window, MAX_TIMER_SECONDS);
}

const MAX_REQUESTS = 999_999_999;
const FIELDS = ['requests', 'window'];

/** @returns how `x-rate-limit` of an operation violates its form; empty without one */
export function rateLimitErrors(operation: LimitedOperation): FieldError[] {
  const described = operation.field('x-rate-limit');
  if (described === undefined) return [];
  if (!isObject(described)) {
    return [{ field: '', message: 'expected an object with requests and window' }];
  }
  const errors = new FieldErrors(described, FIELDS);
  const { requests, window } = described;
  const isCount = Number.isInteger(requests) && requests > 0 && requests <= MAX_REQUESTS;
  errors.expect(isCount, 'requests', `an integer from 1 to ${MAX_REQUESTS}`);
  const isWindow = windowSecondsOf(window) !== undefined;
  errors.expect(isWindow, 'window', 'a time such as 10s, 1m or 24h, at most 596h');
  if (operation.security.length > 0) return errors.found;
  const message = 'expected security requirements: the requests of a caller are counted';
  return [...errors.found, { field: '', message }];
}

/** @returns undefined without `x-rate-limit`, and for one with errors */
export function rateLimitOf(operation: LimitedOperation): RequestRate | undefined {
  const described = operation.field('x-rate-limit');
  if (!isObject(described) || rateLimitErrors(operation).length > 0) return undefined;
  return { requests: described['requests'], windowSeconds: windowSecondsOf(described['window'])! };
}
