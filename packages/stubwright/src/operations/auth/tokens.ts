// Static bearer tokens: stored as digests, compared in constant time.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../request/exchange.ts';

const DIGEST = /^sha256:([0-9a-f]{64})$/i;

export class TokenSet {
  #entries: readonly TokenEntry[];

  /** @param tokens bearer tokens, or `sha256:<hex>` digests of bearer tokens */
  constructor(tokens: readonly string[]) {
    this.#entries = tokens.map(entryOf);
  }

  /** Replaces all tokens. */
  replace(tokens: readonly string[]): void {
    this.#entries = tokens.map(entryOf);
  }

  /** Compares against every digest: constant time. */
  readonly verify = (token: string): Principal | undefined => {
    const presented = sha256(token);
    let accepted: Principal | undefined;
    for (const { digest, principal } of this.#entries) {
      if (timingSafeEqual(digest, presented)) accepted = principal;
    }
    return accepted;
  };
}

/** @returns a token of 192 random bits */
export function generateToken(): string {
  return randomBytes(24).toString('base64url');
}

interface TokenEntry {
  /** SHA-256 in hexadecimal: Node returns a string in half the time of a Buffer. */
  readonly digest: Buffer;
  readonly principal: Principal;
}

/** The principal is named by position: no part of the token is exposed. */
function entryOf(token: string, index: number): TokenEntry {
  return { digest: digestOf(token), principal: { name: `static token ${index + 1}` } };
}

function digestOf(token: string): Buffer {
  const [, hex] = DIGEST.exec(token) ?? [];
  return hex === undefined ? sha256(token) : Buffer.from(hex.toLowerCase(), 'latin1');
}

function sha256(text: string): Buffer {
  return Buffer.from(hash('sha256', text), 'latin1');
}
