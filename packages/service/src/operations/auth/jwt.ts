// Verification of JWT access tokens (RFC 9068).

import { Problem, unavailable } from '@stubwright/contract';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Principal } from 'stubwright/internals';
import type { ServiceEmitter } from '../events.ts';

export interface JwtSettings {
  readonly jwksUrl: URL;
  /** The required claim `iss`; compared exactly. */
  readonly issuer: string;
  /** A required value of the claim `aud`. */
  readonly audience: string;
}

/** Asymmetric only: `none`, and HMAC with the public key as secret, are forgeable (RFC 8725, section 2.1). */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/**
 * RFC 9068, section 4. `application/at+jwt` is equivalent (RFC 7515, section 4.1.9); letter case does not
 * matter. This rejects ID tokens of the same issuer, which have the type `JWT`.
 */
const TYPE = 'at+jwt';

/** RFC 9068, section 2.2; `iss` and `aud` are validated separately. */
const REQUIRED_CLAIMS = ['exp', 'sub', 'client_id', 'iat', 'jti'];

/** Tolerance for the issuer's clock in `exp` and `nbf`. */
const CLOCK_SKEW_SECONDS = 30;

export class JwtVerifier {
  readonly #keys: Jwks;
  readonly #settings: JwtSettings;
  readonly #events: ServiceEmitter;

  /** @param times tests may lower them */
  constructor(settings: JwtSettings, events: ServiceEmitter, times?: KeyTimes) {
    this.#keys = new Jwks(settings.jwksUrl, events, times);
    this.#settings = settings;
    this.#events = events;
  }

  /**
   * @returns the principal of a valid token, with its scopes; undefined for an invalid token
   * @throws {Problem} 50300 if the key is unknown and the keys cannot be fetched
   */
  readonly verify = async (token: string): Promise<Principal | undefined> => {
    const { issuer, audience } = this.#settings;
    try {
      const { payload } = await jwtVerify(token, this.#keys.get, {
        issuer,
        audience,
        typ: TYPE,
        algorithms: ALGORITHMS,
        requiredClaims: REQUIRED_CLAIMS,
        clockTolerance: CLOCK_SKEW_SECONDS,
      });
      return { name: subjectOf(payload), issuer, scopes: scopesOf(payload['scope']) };
    } catch (error) {
      if (error instanceof Problem) throw error;
      // For a malformed key, Node and Web Crypto throw errors that are not JOSEErrors.
      const { name, message: reason } = error as Error;
      const code = error instanceof errors.JOSEError ? error.code : name;
      this.#events.emit('tokenRejected', { code, reason });
      return undefined;
    }
  };

  /** @returns false until the keys of the issuer are fetched; starts a fetch in that case */
  isReady(): boolean {
    return this.#keys.isReady();
  }
}

/** RFC 7519, section 4.1.2. jose validates only its presence: `1` and `"1"` would be one caller. */
function subjectOf(payload: JWTPayload): string {
  const sub: unknown = payload.sub;
  if (typeof sub === 'string') return sub;
  throw new errors.JWTClaimValidationFailed('expected a string', payload, 'sub', 'invalid');
}

/** @returns the names of `scope`: separated by spaces (RFC 8693, section 4.2), or an array */
export function scopesOf(scope: unknown): readonly string[] {
  if (Array.isArray(scope)) return scope.filter((name) => typeof name === 'string');
  return typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : [];
}

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

class Jwks {
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
