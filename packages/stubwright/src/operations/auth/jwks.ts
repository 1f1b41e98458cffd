// The keys that an issuer publishes (RFC 7517), cached: an issuer that is away stops no token whose
// key is known. Knows no token's claims.
import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { unavailable } from '../../errors/problem.ts';
import type { ServiceEmitter } from '../events.ts';

/** Milliseconds; a test may tighten them. */
export const keyTimes = {
  /** How long a request waits for keys at most. */
  timeoutMs: 3_000,
  /** From this age on keys are fetched again beside the requests, so that a withdrawn one goes. */
  staleMs: 600_000,
  /** An unknown key asks the issuer again at most this often: forged key ids are no load for it. */
  cooldownMs: 5_000,
  /** After a failure nobody asks the issuer for this long. */
  retryMs: 1_000,
};

export type KeyTimes = Readonly<typeof keyTimes>;

export class Jwks {
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  readonly #times: KeyTimes;
  readonly #events: ServiceEmitter;
  readonly #jwksUrl: URL;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(jwksUrl: URL, events: ServiceEmitter, times: KeyTimes = keyTimes) {
    // jose asks again when the keys have aged, and then fails though it has them: so it is never
    // to find them old, and this class decides when to ask.
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
   * The key that a token names.
   *
   * @throws {errors.JOSEError} when the issuer has no such key
   * @throws {Problem} 50300 when that is unknown, since the issuer cannot be asked
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

  /** @returns false as long as no keys were ever fetched; asking has them fetched */
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
        // Those who ask meanwhile share the answer.
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
