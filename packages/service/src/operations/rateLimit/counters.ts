// Counts requests in fixed windows, with the limiters of rate-limiter-flexible.
import type { RequestRate } from '@stubwright/contract';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** A window after a request. */
export interface RequestCount {
  readonly isExceeded: boolean;
  readonly remaining: number;
  readonly windowEndMs: number;
}

/** Counts the requests of each caller in one limit. */
export interface Counter {
  /** @returns undefined if the request could not be counted, and is allowed */
  count(caller: CallerKey): Promise<RequestCount | undefined>;
}

/** Scheme, issuer and name. */
export type CallerKey = readonly (string | null | undefined)[];

export interface Counters {
  /** @param name of the limit, unique in the service */
  counter(rate: RequestRate, name: readonly string[]): Counter;
}

/** Each process counts for itself. */
export class InMemory implements Counters {
  counter({ requests, windowSeconds }: RequestRate): Counter {
    const limiter = new RateLimiterMemory({ points: requests, duration: windowSeconds });
    return { count: (caller) => consume(limiter, JSON.stringify(caller)) };
  }
}

/** @throws the error of a store */
export async function consume(
  limiter: Pick<RateLimiterAbstract, 'consume'>,
  key: string,
): Promise<RequestCount> {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(key);
    return { isExceeded: false, remaining: remainingPoints, windowEndMs: msBeforeNext };
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return { isExceeded: true, remaining: 0, windowEndMs: error.msBeforeNext };
  }
}
