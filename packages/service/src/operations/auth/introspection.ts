// Token introspection (RFC 7662): asks the issuer about opaque access tokens, and remembers active ones.
import { hash } from 'node:crypto';
import { type Problem, unavailable } from '@stubwright/contract';
import {
  type AuthorizationServer,
  allowInsecureRequests,
  ClientSecretBasic,
  type IntrospectionResponse,
  introspectionRequest,
  processIntrospectionResponse,
} from 'oauth4webapi';
import type { Principal } from 'stubwright/internals';
import type { ServiceEmitter } from '../events.ts';

export interface IntrospectionSettings {
  readonly introspectionUrl: URL;
  /** The credentials of the service at the issuer (RFC 6749, section 2.3.1). */
  readonly clientId: string;
  readonly clientSecret: string;
  /** A required value of `aud`; undefined to trust the issuer. */
  readonly audience: string | undefined;
  /** The longest time after which a revoked token is rejected. */
  readonly cacheSeconds: number;
}

/** Tests may lower these. */
export const introspectionLimits = {
  /** Maximum wait of a request for the issuer. */
  timeoutMs: 3_000,
  /** Minimum wait after a failed request. */
  retryMs: 1_000,
  /** Remembered tokens; the least recently used is forgotten. */
  maxTokens: 10_000,
  /** Requests to the issuer at a time: forged tokens must not overload it. */
  maxPending: 64,
};

export type IntrospectionLimits = Readonly<typeof introspectionLimits>;

/** Tolerance for the issuer's clock in `exp` and `nbf`. */
const CLOCK_SKEW_SECONDS = 30;
const RETRY_AFTER_SECONDS = 1;

interface ActiveToken {
  readonly principal: Principal;
  /** Of the monotonic clock. */
  readonly untilMs: number;
}

export class IntrospectionVerifier {
  readonly #settings: IntrospectionSettings;
  readonly #events: ServiceEmitter;
  readonly #limits: IntrospectionLimits;
  readonly #issuer: AuthorizationServer;
  /** By digest, so that a dump of the memory has no token; the least recently used first. */
  readonly #active = new Map<string, ActiveToken>();
  readonly #pending = new Map<string, Promise<Principal | undefined>>();
  #failedAt = Number.NEGATIVE_INFINITY;

  /** @param limits tests may lower them */
  constructor(
    settings: IntrospectionSettings,
    events: ServiceEmitter,
    limits: IntrospectionLimits = introspectionLimits,
  ) {
    this.#settings = settings;
    this.#events = events;
    this.#limits = limits;
    const { href, origin } = settings.introspectionUrl;
    this.#issuer = { issuer: origin, introspection_endpoint: href };
  }

  /**
   * @returns the principal of an active token, with its scopes; undefined for another token
   * @throws {Problem} 50300 if the issuer cannot be asked
   */
  readonly verify = async (token: string): Promise<Principal | undefined> => {
    const digest = hash('sha256', token);
    const known = this.#known(digest);
    if (known !== undefined) return known;
    const pending = this.#pending.get(digest);
    if (pending !== undefined) return pending;
    if (this.#pending.size >= this.#limits.maxPending || this.#hasJustFailed) throw notAsked();
    const asked = this.#ask(token, digest).finally(() => this.#pending.delete(digest));
    this.#pending.set(digest, asked);
    return asked;
  };

  get #hasJustFailed(): boolean {
    return performance.now() - this.#failedAt < this.#limits.retryMs;
  }

  #known(digest: string): Principal | undefined {
    const known = this.#active.get(digest);
    if (known === undefined) return undefined;
    this.#active.delete(digest);
    if (known.untilMs <= performance.now()) return undefined;
    this.#active.set(digest, known);
    return known.principal;
  }

  async #ask(token: string, digest: string): Promise<Principal | undefined> {
    const response = await this.#introspect(token);
    const reason = this.#refusalOf(response);
    if (reason !== undefined) {
      this.#events.emit('tokenRejected', { code: 'INTROSPECTION', reason });
      return undefined;
    }
    const principal = this.#principalOf(response);
    this.#remember(digest, principal, response.exp);
    return principal;
  }

  async #introspect(token: string): Promise<IntrospectionResponse> {
    const { clientId, clientSecret, introspectionUrl } = this.#settings;
    const client = { client_id: clientId };
    try {
      const response = await introspectionRequest(
        this.#issuer,
        client,
        ClientSecretBasic(clientSecret),
        token,
        {
          additionalParameters: { token_type_hint: 'access_token' },
          // The setting permits http on a loopback host only.
          [allowInsecureRequests]: introspectionUrl.protocol === 'http:',
          signal: AbortSignal.timeout(this.#limits.timeoutMs),
        },
      );
      return await processIntrospectionResponse(this.#issuer, client, response);
    } catch (error) {
      const { origin, pathname } = introspectionUrl;
      if (!this.#hasJustFailed) {
        this.#events.emit('introspectionFailed', { error, introspectionUrl: origin + pathname });
      }
      this.#failedAt = performance.now();
      throw notAsked();
    }
  }

  /** @returns why a token is not accepted; undefined for an accepted one */
  #refusalOf({ active, exp, nbf, aud, ...claims }: IntrospectionResponse): string | undefined {
    const { audience } = this.#settings;
    const now = Date.now() / 1000;
    if (!active) return 'not active';
    if (exp !== undefined && exp + CLOCK_SKEW_SECONDS <= now) return 'expired';
    if (nbf !== undefined && nbf - CLOCK_SKEW_SECONDS > now) return 'not valid yet';
    if (audience !== undefined && ![aud].flat().includes(audience)) return 'another audience';
    return nameOf(claims) === undefined ? 'no sub, username or client_id' : undefined;
  }

  #principalOf({ iss, scope, ...claims }: IntrospectionResponse): Principal {
    return {
      name: nameOf(claims)!,
      issuer: iss ?? this.#issuer.issuer,
      scopes: scope?.split(' ').filter((name) => name !== '') ?? [],
    };
  }

  #remember(digest: string, principal: Principal, exp: number | undefined): void {
    const expiresInSeconds = exp === undefined ? Number.POSITIVE_INFINITY : exp - Date.now() / 1000;
    const seconds = Math.min(this.#settings.cacheSeconds, expiresInSeconds);
    if (seconds <= 0) return;
    this.#active.set(digest, { principal, untilMs: performance.now() + seconds * 1000 });
    if (this.#active.size <= this.#limits.maxTokens) return;
    const [leastRecent] = this.#active.keys();
    this.#active.delete(leastRecent!);
  }
}

/** RFC 7662, section 2.2: each of them is optional. */
function nameOf({
  sub,
  username,
  client_id: client,
}: Partial<IntrospectionResponse>): string | undefined {
  return [sub, username, client].find((name) => typeof name === 'string' && name !== '');
}

function notAsked(): Problem {
  return unavailable('the token issuer cannot be asked, try again', RETRY_AFTER_SECONDS);
}
