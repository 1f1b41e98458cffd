// The rate limit per caller, in the memory of this process. Loaded only if RATE_LIMIT is set.
import { tooManyRequests } from '@stubwright/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Principal } from 'stubwright/internals';

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
   * @throws {Problem} 42900 beyond the limit, with the headers of
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
