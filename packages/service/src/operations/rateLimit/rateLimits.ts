// Rate limits per caller: RATE_LIMIT, and `x-rate-limit` of operations. Loaded only if there is one. Their state is
// sent as draft-ietf-httpapi-ratelimit-headers-10 describes it.
import {
  type Contract,
  type Operation,
  onceFor,
  type RequestRate,
  tooManyRequests,
} from '@stubwright/contract';
import {
  type Admit,
  type CallerKey,
  callerOf,
  type Principal,
  type RateLimitOf,
} from 'stubwright/internals';
import type { Counter, Counters } from './counters.ts';

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
   * @returns undefined if it could not be counted, and is allowed
   * @throws {Problem} 50300 if it could not be counted, and is not allowed
   */
  readonly count: (caller: CallerKey) => Promise<LimitState | undefined>;
}

/**
 * @param rate of all requests of a caller: RATE_LIMIT
 * @returns the limits of the operations of a contract, which older versions share
 */
export function rateLimitsOf(
  rate: RequestRate | undefined,
  counters: Counters,
): (definition: Contract) => RateLimitOf {
  const ofCaller = rate && limitOf('caller', rate, counters.counter(rate, ['caller']));
  return ({ document: { info } }) =>
    onceFor(({ operationId, rateLimit }: Operation) => {
      const limits = ofCaller === undefined ? [] : [ofCaller];
      if (rateLimit !== undefined) {
        const name = ['operation', String(info?.title), operationId];
        limits.push(limitOf(operationId, rateLimit, counters.counter(rateLimit, name)));
      }
      return limits.length === 0 ? undefined : admitWithin(limits);
    });
}

/** @param name of the policy */
function limitOf(name: string, { requests, windowSeconds }: RequestRate, counter: Counter): Limit {
  // A String of Structured Fields (RFC 9651, section 3.3.3), without characters that it cannot have.
  const item = `"${name.replace(/[^\x20-\x7e]/g, '').replace(/["\\]/g, '\\$&')}"`;
  return {
    policy: `${item};q=${requests};w=${windowSeconds}`,
    async count(caller) {
      const counted = await counter.count(caller);
      if (counted === undefined) return undefined;
      const { isExceeded, remaining, windowEndMs } = counted;
      const seconds = Math.max(1, Math.ceil(windowEndMs / 1000));
      return { isExceeded, seconds, text: `${item};r=${remaining};t=${seconds}` };
    },
  };
}

/** Counts each request in all limits, also one that a limit refuses. */
function admitWithin(limits: readonly Limit[]): Admit {
  const policy = limits.map((each) => each.policy).join(', ');
  return async (principals) => {
    const [[scheme, principal]] = Object.entries(principals) as [[string, Principal]];
    const caller = callerOf(scheme, principal);
    const counted = await Promise.all(limits.map((each) => each.count(caller)));
    const states = counted.filter((each) => each !== undefined);
    if (states.length === 0) return undefined;
    const state = states.map(({ text }) => text).join(', ');
    const exceeded = states.filter(({ isExceeded }) => isExceeded);
    if (exceeded.length > 0) {
      const longest = Math.max(...exceeded.map(({ seconds }) => seconds));
      throw tooManyRequests(longest, state, policy);
    }
    return { RateLimit: state, 'RateLimit-Policy': policy };
  };
}
