// The rate limit: so many requests a window for each caller. Loads rate-limiter-flexible, so only a
// service with RATE_LIMIT loads this. Counts in this process alone.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '../errors/problem.ts';
import type { Principal } from '../request/exchange.ts';

export interface RateLimitSettings {
  readonly requests: number;
  readonly windowSeconds: number;
}

export class RateLimit {
  readonly #limiter: RateLimiterMemory;
  readonly #policy: string;

  constructor({ requests, windowSeconds }: RateLimitSettings) {
    this.#limiter = new RateLimiterMemory({ points: requests, duration: windowSeconds });
    this.#policy = `"caller";q=${requests};w=${windowSeconds}`;
  }

  /**
   * Counts a request of an authenticated caller.
   *
   * @throws {Problem} 42900 when it is one too many, with the headers of
   *   draft-ietf-httpapi-ratelimit-headers-10
   */
  readonly admit = async ({ issuer, name }: Principal): Promise<void> => {
    try {
      await this.#limiter.consume(JSON.stringify([issuer, name]));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw tooManyRequests(seconds, `"caller";r=0;t=${seconds}`, this.#policy);
    }
  };
}
