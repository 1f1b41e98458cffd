// Static bearer tokens: who accepts a token. Keeps digests only and compares them in constant time.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../request/exchange.ts';

const DIGEST = /^sha256:([0-9a-f]{64})$/i;

export class TokenSet {
  #holders: readonly Holder[];

  /** @param tokens tokens as clients send them, or `sha256:<hex>` of such a token */
  constructor(tokens: readonly string[]) {
    this.#holders = tokens.map(holderOf);
  }

  /** Takes the place of all tokens so far. */
  replace(tokens: readonly string[]): void {
    this.#holders = tokens.map(holderOf);
  }

  /** Compares every digest, so that the time does not depend on which one matches. */
  readonly verify = (token: string): Principal | undefined => {
    const presented = sha256(token);
    let accepted: Principal | undefined;
    for (const { digest, principal } of this.#holders) {
      if (timingSafeEqual(digest, presented)) accepted = principal;
    }
    return accepted;
  };
}

/** @returns a fresh token of 192 random bits */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

interface Holder {
  /** SHA-256 in hexadecimal digits: Node makes those in half the time of a buffer of its bytes. */
  readonly digest: Buffer;
  readonly principal: Principal;
}

/** Named by the token's place: nothing of the token itself goes further. */
function holderOf(token: string, index: number): Holder {
  return { digest: digestOf(token), principal: { name: `static token ${index + 1}` } };
}

function digestOf(token: string): Buffer {
  const [, hex] = DIGEST.exec(token) ?? [];
  return hex === undefined ? sha256(token) : Buffer.from(hex.toLowerCase(), 'latin1');
}

function sha256(text: string): Buffer {
  return Buffer.from(hash('sha256', text), 'latin1');
}
