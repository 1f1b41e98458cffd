// Verification of JWT access tokens (RFC 9068).
import { Problem } from '@stubwright/contract';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Principal } from 'stubwright/internals';
import type { ServiceEmitter } from '../events.ts';
import { Jwks, type KeyTimes } from './jwks.ts';
import { scopesOf } from './scopes.ts';

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
