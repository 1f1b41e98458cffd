// Rate limit for failed authentication, per client network.

import { tooManyRequests } from '../errors/problem.ts';
import { isThenable } from '../errors/thrown.ts';
import type { Principal } from '../request/exchange.ts';
import { isPrincipal, type Verifier } from '../security/security.ts';
import { clientNetwork } from './address.ts';
import type { RateLimitSettings } from './rateLimit.ts';

/** About 2 MiB. Beyond it the oldest entry is deleted. */
const MAX_NETWORKS = 10_000;

interface Failures {
  count: number;
  /** End of the window, on the clock of `performance.now()`. */
  readonly endMs: number;
}

export class AuthFailures {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #policy: string;
  /** By client network, ordered by `endMs`. */
  readonly #failures = new Map<string, Failures>();

  constructor({ requests, windowSeconds }: RateLimitSettings) {
    this.#limit = requests;
    this.#windowMs = windowSeconds * 1000;
    this.#policy = `"address";q=${requests};w=${windowSeconds}`;
  }

  /**
   * @returns a verifier that counts the credentials that `verify` rejects. Beyond the limit of a client
   *   network it throws {Problem} 42900 without verification.
   */
  guard(verify: Verifier): Verifier {
    return (credentials, request, scopes) => {
      const client = clientNetwork(request.address);
      this.#check(client);
      const verified = verify(credentials, request, scopes);
      return isThenable(verified)
        ? verified.then((principal) => this.#count(client, principal))
        : this.#count(client, verified);
    };
  }

  #check(client: string): void {
    const failures = this.#failures.get(client);
    if (failures === undefined || failures.count < this.#limit) return;
    const leftMs = failures.endMs - performance.now();
    if (leftMs <= 0) return;
    const seconds = Math.ceil(leftMs / 1000);
    throw tooManyRequests(seconds, `"address";r=0;t=${seconds}`, this.#policy);
  }

  #count(client: string, principal: Principal | undefined): Principal | undefined {
    if (isPrincipal(principal)) return principal;
    const now = performance.now();
    for (const [first, { endMs }] of this.#failures) {
      if (endMs > now && this.#failures.size < MAX_NETWORKS) break;
      this.#failures.delete(first);
    }
    const failures = this.#failures.get(client);
    if (failures === undefined)
      this.#failures.set(client, { count: 1, endMs: now + this.#windowMs });
    else failures.count++;
    return undefined;
  }
}
