// JWT access tokens (RFC 9068): who accepts a token that an issuer signed.
// Knows no HTTP; where the keys come from is issuerKeys.ts.
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { Problem } from '../../errors/problem.ts';
import type { Principal } from '../../request/exchange.ts';
import type { ServiceEmitter } from '../events.ts';
import { Jwks, type KeyTimes } from './jwks.ts';

/** Whose tokens are accepted, and for whom they must have been issued. */
export interface JwtSettings {
  readonly jwksUrl: URL;
  /** The claim `iss`, character by character. */
  readonly issuer: string;
  /** What the claim `aud` must hold. */
  readonly audience: string;
}

/**
 * Signatures that only the holder of a private key can make. `none` is none, and an HMAC over a
 * public key is one that anybody can make (RFC 8725, section 2.1).
 */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/**
 * RFC 9068, section 4: `at+jwt`, or `application/at+jwt`, which means the same (RFC 7515, section
 * 4.1.9), in any case. Nothing else: an ID token of the same issuer has the type `JWT`.
 */
const TYPE = 'at+jwt';

/** RFC 9068, section 2.2; `iss` and `aud` are compared. */
const REQUIRED_CLAIMS = ['exp', 'sub', 'client_id', 'iat', 'jti'];

/** How far the issuer's clock may be off, for `exp` and `nbf`. */
const CLOCK_SKEW_SECONDS = 30;

export class JwtVerifier {
  readonly #keys: Jwks;
  readonly #settings: JwtSettings;
  readonly #events: ServiceEmitter;

  /** @param times a test may tighten them */
  constructor(settings: JwtSettings, events: ServiceEmitter, times?: KeyTimes) {
    this.#keys = new Jwks(settings.jwksUrl, events, times);
    this.#settings = settings;
    this.#events = events;
  }

  /**
   * @returns who the token speaks for, with its scopes; undefined refuses it
   * @throws {Problem} 50300 when its key is unknown and the issuer cannot be asked
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
      return { name: String(payload.sub), issuer, scopes: scopesOf(payload) };
    } catch (error) {
      if (error instanceof Problem) throw error;
      // Of a malformed key, Node and Web Crypto throw errors of their own.
      const { name, message: reason } = error as Error;
      const code = error instanceof errors.JOSEError ? error.code : name;
      this.#events.emit('tokenRejected', { code, reason });
      return undefined;
    }
  };

  /** @returns false as long as the issuer's keys were never fetched; asking has them fetched */
  isReady(): boolean {
    return this.#keys.isReady();
  }
}

/** RFC 9068, section 2.2.3: names with spaces between. */
function scopesOf({ scope }: JWTPayload): readonly string[] {
  return typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : [];
}
