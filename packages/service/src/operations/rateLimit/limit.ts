// One limit, and its state as draft-ietf-httpapi-ratelimit-headers-10 describes it.
import type { RequestRate } from '@stubwright/contract';
import type { Principal } from 'stubwright/internals';
import type { Counter } from './counters.ts';

/** A limit after a request. */
export interface LimitState {
  readonly isExceeded: boolean;
  /** Until the end of the window, at least 1. */
  readonly seconds: number;
  /** An item of the header `RateLimit`. */
  readonly text: string;
}

export class Limit {
  /** An item of the header `RateLimit-Policy`. */
  readonly policy: string;
  readonly #name: string;
  readonly #counter: Counter;

  /** @param name of the policy */
  constructor(name: string, { requests, windowSeconds }: RequestRate, counter: Counter) {
    this.#name = quoted(name);
    this.#counter = counter;
    this.policy = `${this.#name};q=${requests};w=${windowSeconds}`;
  }

  /**
   * Counts a request of a caller.
   *
   * @returns undefined if it could not be counted, and is allowed
   * @throws {Problem} 50300 if it could not be counted, and is not allowed
   */
  async count({ issuer, name }: Principal): Promise<LimitState | undefined> {
    const count = await this.#counter.count([issuer, name]);
    if (count === undefined) return undefined;
    const { isExceeded, remaining, windowEndMs } = count;
    const seconds = Math.max(1, Math.ceil(windowEndMs / 1000));
    return { isExceeded, seconds, text: `${this.#name};r=${remaining};t=${seconds}` };
  }
}

/** A String of Structured Fields (RFC 9651, section 3.3.3), without characters that it cannot have. */
function quoted(name: string): string {
  return `"${name.replace(/[^\x20-\x7e]/g, '').replace(/["\\]/g, '\\$&')}"`;
}
