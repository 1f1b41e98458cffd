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
import { clientNetwork } from '../authFailures.ts';
import type { ServiceEmitter } from '../events.ts';
import { scopesOf } from './jwt.ts';

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
  /** Minimum wait before a token is asked about again that the issuer failed to answer for. */
  retryMs: 1_000,
  /** Different tokens that fail one after the other, after which no token is asked about for that time. */
  maxFailures: 3,
  /** Remembered tokens; the least recently used is forgotten. */
  maxTokens: 10_000,
  /** Requests to the issuer at a time: forged tokens must not overload it. */
  maxPending: 64,
  /** Of one client network: the others keep room. */
  maxPendingPerCaller: 16,
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
  /** By client network. */
  readonly #pendingOf = new Map<string, number>();
  /** When a token failed, by digest, on the monotonic clock; the oldest first. */
  readonly #failures = new Map<string, number>();
  /** The tokens that failed since the last answer, while it seems to be the issuer that fails. */
  readonly #failing = new Set<string>();
  /** Until when no token is asked about, on the monotonic clock. */
  #closedUntilMs = Number.NEGATIVE_INFINITY;
  #reportedAtMs = Number.NEGATIVE_INFINITY;

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
   * @param address of the caller, which may not take all room
   * @returns the principal of an active token, with its scopes; undefined for another token
   * @throws {Problem} 50300 if the issuer cannot be asked
   */
  readonly verify = async (token: string, address?: string): Promise<Principal | undefined> => {
    const digest = hash('sha256', token);
    const principal = this.#activePrincipal(digest);
    if (principal !== undefined) return principal;
    const pending = this.#pending.get(digest);
    if (pending !== undefined) return pending;
    const caller = clientNetwork(address);
    if (!this.#mayAsk(digest, caller)) throw notAsked();
    const left = () => this.#pendingOf.get(caller) ?? 0;
    this.#pendingOf.set(caller, left() + 1);
    const asked = this.#ask(token, digest).finally(() => {
      this.#pending.delete(digest);
      if (left() > 1) this.#pendingOf.set(caller, left() - 1);
      else this.#pendingOf.delete(caller);
    });
    this.#pending.set(digest, asked);
    return asked;
  };

  #mayAsk(digest: string, caller: string): boolean {
    const { maxPending, maxPendingPerCaller, retryMs } = this.#limits;
    const now = performance.now();
    const failedAtMs = this.#failures.get(digest) ?? Number.NEGATIVE_INFINITY;
    return (
      this.#pending.size < maxPending &&
      (this.#pendingOf.get(caller) ?? 0) < maxPendingPerCaller &&
      now >= this.#closedUntilMs &&
      now - failedAtMs >= retryMs
    );
  }

  #activePrincipal(digest: string): Principal | undefined {
    const active = this.#active.get(digest);
    if (active === undefined) return undefined;
    this.#active.delete(digest);
    if (active.untilMs <= performance.now()) return undefined;
    this.#active.set(digest, active);
    return active.principal;
  }

  async #ask(token: string, digest: string): Promise<Principal | undefined> {
    const response = await this.#introspect(token, digest);
    const reason = this.#refusalOf(response);
    if (reason !== undefined) {
      this.#events.emit('tokenRejected', { code: 'INTROSPECTION', reason });
      return undefined;
    }
    const principal = this.#principalOf(response);
    this.#remember(digest, principal, response.exp);
    return principal;
  }

  async #introspect(token: string, digest: string): Promise<IntrospectionResponse> {
    const { clientId, clientSecret, introspectionUrl } = this.#settings;
    const client = { client_id: clientId };
    let response: Response | undefined;
    try {
      response = await introspectionRequest(
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
      const answer = await processIntrospectionResponse(this.#issuer, client, response);
      this.#failing.clear();
      return answer;
    } catch (error) {
      this.#fail(digest, error, response?.status);
      throw notAsked();
    }
  }

  /**
   * One token may fail for itself, such as one that the issuer cannot parse. An issuer that cannot be
   * connected to, or that fails for different tokens, is not asked for a while.
   *
   * @param status undefined without a response
   */
  #fail(digest: string, error: unknown, status: number | undefined): void {
    const now = performance.now();
    const { retryMs, maxFailures, maxTokens } = this.#limits;
    this.#failures.delete(digest);
    for (const [oldest, failedAtMs] of this.#failures) {
      if (this.#failures.size < maxTokens && now - failedAtMs < retryMs) break;
      this.#failures.delete(oldest);
    }
    this.#failures.set(digest, now);
    const isTimeout = (error as Partial<Error>).name === 'TimeoutError';
    const isUnreachable = status === undefined && !isTimeout;
    if (isUnreachable || isTimeout || isFailureOfIssuer(status!)) this.#failing.add(digest);
    if (isUnreachable || this.#failing.size >= maxFailures) this.#closedUntilMs = now + retryMs;
    if (now - this.#reportedAtMs < retryMs) return;
    this.#reportedAtMs = now;
    const { origin, pathname } = this.#settings.introspectionUrl;
    this.#events.emit('introspectionFailed', { error, introspectionUrl: origin + pathname });
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
      scopes: scopesOf(scope),
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

/**
 * RFC 7662, section 2.2: each of them is optional, and they are not one set of names.
 *
 * @returns an unchanged `sub`, unless it could be taken for another claim; `client_id:web` for a client
 */
function nameOf(claims: Partial<IntrospectionResponse>): string | undefined {
  for (const claim of ['sub', 'username', 'client_id'] as const) {
    const name: unknown = claims[claim];
    if (typeof name !== 'string' || name === '') continue;
    const isPlain = claim === 'sub' && !/^(?:sub|username|client_id):/.test(name);
    return isPlain ? name : `${claim}:${name}`;
  }
  return undefined;
}

/** Also without the credentials of the service, or too often: no token can cause that. */
function isFailureOfIssuer(status: number): boolean {
  return status >= 500 || [401, 403, 429].includes(status);
}

function notAsked(): Problem {
  return unavailable('the token issuer cannot be asked, try again', RETRY_AFTER_SECONDS);
}
