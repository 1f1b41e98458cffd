// Rate limits per caller: RATE_LIMIT, and `x-rate-limit` of operations. Loaded only if there is one. Their state is
// sent as draft-ietf-httpapi-ratelimit-headers-10 describes it.
import { hash } from 'node:crypto';
import {
  type Contract,
  errorFrom,
  type Operation,
  onceFor,
  type RequestRate,
  tooManyRequests,
  unavailable,
} from '@stubwright/contract';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import {
  type Admit,
  type CallerKey,
  callerOf,
  type Principal,
  type RateLimitOf,
} from 'stubwright/internals';
import type { Log } from './log.ts';

/** Counts requests in fixed windows. Each limiter of rate-limiter-flexible is one. */
export interface RateLimiter {
  /**
   * @returns the window after a request that is admitted
   * @throws the window after a request that is not, or an Error if it could not be counted
   */
  consume(key: string, points?: number): Promise<RateLimitWindow>;
}

/** A `RateLimiterRes` of rate-limiter-flexible. */
export interface RateLimitWindow {
  readonly remainingPoints: number;
  /** Until the end of the window. */
  readonly msBeforeNext: number;
}

/** Options of a limiter of rate-limiter-flexible: as many requests of each key in as many seconds. */
export interface RateLimiterLimit {
  readonly points: number;
  readonly duration: number;
}

/** A limit after a request. */
interface LimitState {
  readonly isExceeded: boolean;
  /** Until the end of the window, at least 1. */
  readonly seconds: number;
  /** An item of the header `RateLimit`. */
  readonly text: string;
}

interface Limit {
  /** An item of the header `RateLimit-Policy`. */
  readonly policy: string;
  /**
   * Counts a request of a caller.
   *
   * @throws {Problem} 50300 if it could not be counted
   */
  readonly count: (caller: CallerKey) => Promise<LimitState>;
}

export interface RateLimitsOptions {
  /** Of all requests of a caller: RATE_LIMIT. */
  readonly rate: RequestRate | undefined;
  /** Its limiters may share a store with those of other services. */
  readonly service: string;
  /** By default each process counts in its memory. */
  readonly rateLimiter: ((limit: RateLimiterLimit) => RateLimiter) | undefined;
  readonly log: Log;
}

/**
 * @returns the limits of the operations of a contract, which older versions share
 */
export function rateLimitsOf(options: RateLimitsOptions): (definition: Contract) => RateLimitOf {
  const { rate } = options;
  const ofCaller = rate && limitOf(['caller'], rate, options);
  return ({ document: { info } }) =>
    onceFor(({ operationId, rateLimit }: Operation) => {
      const limits = ofCaller === undefined ? [] : [ofCaller];
      if (rateLimit !== undefined) {
        const name = ['operation', String(info?.title), operationId];
        limits.push(limitOf(name, rateLimit, options));
      }
      return limits.length === 0 ? undefined : admitWithin(limits);
    });
}

/** @param name unique in the service; its last part is that of the policy */
function limitOf(
  name: readonly string[],
  { requests, windowSeconds }: RequestRate,
  { service, rateLimiter, log }: RateLimitsOptions,
): Limit {
  const limit = { points: requests, duration: windowSeconds };
  const limiter = rateLimiter?.(limit) ?? new RateLimiterMemory(limit);
  let isCounted = true;
  // A String of Structured Fields (RFC 9651, section 3.3.3), without characters that it cannot have.
  const item = `"${name
    .at(-1)!
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/["\\]/g, '\\$&')}"`;
  return {
    policy: `${item};q=${requests};w=${windowSeconds}`,
    async count(caller) {
      // Names of callers have any length, and are nobody else's business.
      const key = hash('sha256', JSON.stringify([service, ...name, ...caller]), 'base64url');
      const consumed = await consume(limiter, key);
      if (consumed instanceof Error) {
        if (isCounted) log.error({ err: consumed }, 'rate limits not counted');
        isCounted = false;
        throw unavailable('requests cannot be counted now, try again', 1);
      }
      if (!isCounted) log.info('rate limits counted again');
      isCounted = true;
      const { isExceeded, remainingPoints, msBeforeNext } = consumed;
      const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
      const remaining = Math.max(0, remainingPoints);
      return { isExceeded, seconds, text: `${item};r=${remaining};t=${seconds}` };
    },
  };
}

/** @returns the error of a limiter that does not count */
async function consume(
  limiter: RateLimiter,
  key: string,
): Promise<(RateLimitWindow & { readonly isExceeded: boolean }) | Error> {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(key, 1);
    return { isExceeded: false, remainingPoints, msBeforeNext };
  } catch (error) {
    if (isWindow(error)) {
      const { remainingPoints, msBeforeNext } = error;
      return { isExceeded: true, remainingPoints, msBeforeNext };
    }
    return errorFrom(error);
  }
}

/** A limiter rejects with its result, which is no Error. */
function isWindow(error: unknown): error is RateLimitWindow {
  return (
    !(error instanceof Error) && typeof (error as RateLimitWindow | null)?.msBeforeNext === 'number'
  );
}

/** Counts each request in all limits, also one that a limit refuses. */
function admitWithin(limits: readonly Limit[]): Admit {
  const policy = limits.map((limit) => limit.policy).join(', ');
  return async (principals) => {
    const [[scheme, principal]] = Object.entries(principals) as [[string, Principal]];
    const caller = callerOf(scheme, principal);
    const states = await Promise.all(limits.map((limit) => limit.count(caller)));
    const state = states.map(({ text }) => text).join(', ');
    const exceeded = states.filter(({ isExceeded }) => isExceeded);
    if (exceeded.length > 0) {
      const longest = Math.max(...exceeded.map(({ seconds }) => seconds));
      throw tooManyRequests(longest, state, policy);
    }
    return { RateLimit: state, 'RateLimit-Policy': policy };
  };
}
