// Rate limit for failed authentication, per client network.

import type { Socket } from 'node:net';
import { isThenable, type RequestRate, tooManyRequests } from '@stubwright/contract';
import { isPrincipal, type Principal, type Verifier } from 'stubwright/internals';

/** About 2 MiB. Beyond it the oldest entry is deleted. */
const MAX_NETWORKS = 10_000;

interface Failures {
  count: number;
  /** End of the window, on the clock of `performance.now()`. */
  readonly endMs: number;
}

/** The verifications of a client network that are in progress. */
interface Verifications {
  running: number;
  /** Called when a verification may start, or is to be rejected. */
  readonly waiting: (() => void)[];
}

export class AuthFailures {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #policy: string;
  /** By client network, ordered by `endMs`. */
  readonly #failures = new Map<string, Failures>();
  /** By client network. */
  readonly #verifications = new Map<string, Verifications>();

  constructor({ requests, windowSeconds }: RequestRate) {
    this.#limit = requests;
    this.#windowMs = windowSeconds * 1000;
    this.#policy = `"address";q=${requests};w=${windowSeconds}`;
  }

  /**
   * @returns a verifier that counts the credentials that `verify` rejects. Beyond the limit of a client
   *   network it throws {Problem} 42900 without verification. A verification in progress counts as a
   *   failure: the next one waits for its result if the limit could be exceeded.
   */
  guard(verify: Verifier): Verifier {
    return (credentials, request, scopes) => {
      const client = clientNetwork(request.address);
      const run = () => verify(credentials, request, scopes);
      return this.#mayStart(client) ? this.#verify(client, run) : this.#verifyLater(client, run);
    };
  }

  /**
   * @returns false if the limit could be exceeded by the verifications in progress
   * @throws {Problem} 42900 beyond the limit
   */
  #mayStart(client: string): boolean {
    const count = this.#countOf(client);
    if (count < this.#limit) return count + this.#runningOf(client) < this.#limit;
    const leftMs = this.#failures.get(client)!.endMs - performance.now();
    const seconds = Math.max(1, Math.ceil(leftMs / 1000));
    throw tooManyRequests(seconds, `"address";r=0;t=${seconds}`, this.#policy);
  }

  #verify(client: string, run: () => ReturnType<Verifier>): ReturnType<Verifier> {
    const verified = run();
    return isThenable(verified) ? this.#settle(client, verified) : this.#count(client, verified);
  }

  async #settle(client: string, verified: PromiseLike<Principal | undefined>) {
    const verifications = this.#verifications.get(client) ?? { running: 0, waiting: [] };
    this.#verifications.set(client, verifications);
    verifications.running++;
    try {
      return this.#count(client, await verified);
    } finally {
      verifications.running--;
      this.#wakeNext(client);
    }
  }

  async #verifyLater(client: string, run: () => ReturnType<Verifier>) {
    for (;;) {
      const { waiting } = this.#verifications.get(client)!;
      await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        if (this.#mayStart(client)) return this.#verify(client, run);
      } finally {
        this.#wakeNext(client);
      }
    }
  }

  /** Wakes one verification, which wakes the next when it has started or is rejected. */
  #wakeNext(client: string): void {
    const verifications = this.#verifications.get(client);
    if (verifications === undefined) return;
    const { running, waiting } = verifications;
    const count = this.#countOf(client);
    if (count >= this.#limit || count + running < this.#limit) waiting.shift()?.();
    if (running === 0 && waiting.length === 0) this.#verifications.delete(client);
  }

  #runningOf(client: string): number {
    return this.#verifications.get(client)?.running ?? 0;
  }

  /** @returns the failures in the current window */
  #countOf(client: string): number {
    const failures = this.#failures.get(client);
    return failures !== undefined && failures.endMs > performance.now() ? failures.count : 0;
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

/**
 * @param address the value of `socket.remoteAddress`
 * @returns an IPv4 address, or the /64 network of an IPv6 address, the smallest assignment to a site
 *   (RFC 6177); `''` for undefined
 */
export function clientNetwork(address: string | undefined): string {
  if (address === undefined || !address.includes(':')) return address ?? '';
  // A dual-stack socket reports IPv4 clients in this form (RFC 4291, section 2.5.5.2).
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = [], tail = []] = address
    .replace(/%.*$/, '')
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = new Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}

/**
 * @param limit maximum number of open connections of a client network
 * @returns a function that counts a connection until it closes, and returns false beyond the limit
 */
export function limitPerAddress(limit = Number.POSITIVE_INFINITY): (socket: Socket) => boolean {
  const counts = new Map<string, number>();
  return (socket) => {
    if (limit === Number.POSITIVE_INFINITY) return true;
    const network = clientNetwork(socket.remoteAddress);
    const count = counts.get(network) ?? 0;
    if (count >= limit) return false;
    counts.set(network, count + 1);
    socket.on('close', () => {
      const left = counts.get(network)! - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    });
    return true;
  };
}
