// The JSON Web Key Set of an issuer (RFC 7517), cached: known keys stay usable while the issuer is down.
import { unavailable } from '@stubwright/contract';
import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import type { ServiceEmitter } from '../events.ts';

/** Tests may lower these. */
export const keyTimes = {
  /** Maximum wait of a request for keys. */
  timeoutMs: 3_000,
  /** Keys of this age are fetched again in the background, to remove withdrawn keys. */
  staleMs: 600_000,
  /** Minimum interval between fetches for unknown keys: forged key ids must not load the issuer. */
  cooldownMs: 5_000,
  /** Minimum wait after a failed fetch. */
  retryMs: 1_000,
};

/** How long keys are waited for and kept, in milliseconds. */
export type KeyTimes = Readonly<typeof keyTimes>;

export class Jwks {
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  readonly #times: KeyTimes;
  readonly #events: ServiceEmitter;
  readonly #jwksUrl: URL;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(jwksUrl: URL, events: ServiceEmitter, times: KeyTimes = keyTimes) {
    // When its cache expires, jose fails if it cannot fetch. Its cache therefore never expires, and
    // this class decides when to fetch.
    this.#keys = createRemoteJWKSet(jwksUrl, {
      timeoutDuration: times.timeoutMs,
      cacheMaxAge: Number.POSITIVE_INFINITY,
      cooldownDuration: Number.POSITIVE_INFINITY,
    });
    this.#events = events;
    this.#jwksUrl = jwksUrl;
    this.#times = times;
  }

  /**
   * @returns the key that a token names in its `kid`
   * @throws {errors.JOSEError} if the issuer has no such key
   * @throws {Problem} 50300 if the keys cannot be fetched
   */
  readonly get: JWTVerifyGetKey = async (header, token) => {
    if (!this.#hasKeys) await this.#fetch();
    else if (isOver(this.#fetchedAt, this.#times.staleMs)) this.#fetch().catch(() => {});
    try {
      return await this.#keys(header, token);
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey;
      if (!isUnknown || !isOver(this.#fetchedAt, this.#times.cooldownMs)) throw error;
      await this.#fetch();
      return this.#keys(header, token);
    }
  };

  /** @returns false until the first successful fetch; starts a fetch in that case */
  isReady(): boolean {
    if (!this.#hasKeys) this.#fetch().catch(() => {});
    return this.#hasKeys;
  }

  get #hasKeys(): boolean {
    return this.#fetchedAt > Number.NEGATIVE_INFINITY;
  }

  async #fetch(): Promise<void> {
    if (isOver(this.#failedAt, this.#times.retryMs)) {
      try {
        // Concurrent calls share one request.
        await this.#keys.reload();
        this.#fetchedAt = performance.now();
        return;
      } catch (error) {
        if (isOver(this.#failedAt, this.#times.retryMs)) {
          const { origin, pathname } = this.#jwksUrl;
          this.#events.emit('jwksFetchFailed', { error, jwksUrl: origin + pathname });
        }
        this.#failedAt = performance.now();
      }
    }
    throw unavailable("the token issuer's keys cannot be fetched, try again", RETRY_AFTER_SECONDS);
  }
}

const RETRY_AFTER_SECONDS = 1;

function isOver(sinceMs: number, durationMs: number): boolean {
  return performance.now() - sinceMs >= durationMs;
}
