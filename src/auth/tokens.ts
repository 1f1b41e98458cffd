// Static bearer tokens: who accepts a token. Keeps digests only and compares them in constant time.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../contract/exchange.ts';

const DIGEST = /^sha256:([0-9a-f]{64})$/i;

export class TokenSet {
  #digests: readonly Buffer[];

  /** @param tokens tokens as clients send them, or `sha256:<hex>` of such a token */
  constructor(tokens: readonly string[]) {
    this.#digests = tokens.map(digestOf);
  }

  /** Takes the place of all tokens so far. */
  replace(tokens: readonly string[]): void {
    this.#digests = tokens.map(digestOf);
  }

  /** Looks at every digest, whichever fits, so that the time tells nothing. */
  readonly verify = (token: string): Principal | undefined => {
    const presented = sha256(token);
    let accepted: Principal | undefined;
    for (const digest of this.#digests) {
      if (timingSafeEqual(digest, presented)) accepted = ANY_HOLDER;
    }
    return accepted;
  };
}

/** @returns a fresh token of 192 random bits */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

const ANY_HOLDER: Principal = { name: 'token' };

function digestOf(token: string): Buffer {
  const [, hex] = DIGEST.exec(token) ?? [];
  return hex === undefined ? sha256(token) : Buffer.from(hex, 'hex');
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
