// Static bearer tokens: stored as digests, compared in constant time.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../request/exchange.ts';

const DIGEST = /^sha256:([0-9a-f]{64})$/i;
/** As the scope of a token: every scope of the contract. */
const EVERY_SCOPE = '*';

export class TokenSet {
  #tokens: readonly StaticToken[];
  #contractScopes: readonly string[] = [];
  #entries: readonly TokenEntry[] = [];

  /**
   * @param entries bearer tokens, or `sha256:<hex>` digests of bearer tokens; `TOKEN scope=read write`
   *   grants scopes, and `TOKEN scope=*` every scope of the contract
   */
  constructor(entries: readonly string[]) {
    this.#tokens = entries.map(staticToken);
    this.#compile();
  }

  /** Replaces all tokens. */
  replace(entries: readonly string[]): void {
    this.#tokens = entries.map(staticToken);
    this.#compile();
  }

  /** Sets the scopes that `scope=*` grants. */
  setContractScopes(scopes: readonly string[]): void {
    this.#contractScopes = scopes;
    this.#compile();
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

  /** Principals are named by position: no part of a token is exposed. */
  #compile(): void {
    this.#entries = this.#tokens.map(({ digest, scopes }, index) => ({
      digest,
      principal: {
        name: `static token ${index + 1}`,
        scopes: scopes.flatMap((scope) => (scope === EVERY_SCOPE ? this.#contractScopes : scope)),
      },
    }));
  }
}

/** @returns a token of 192 random bits */
export function generateToken(): string {
  return randomBytes(24).toString('base64url');
}

/** @returns an entry that grants a token every scope of the contract */
export function withEveryScope(token: string): string {
  return `${token} scope=${EVERY_SCOPE}`;
}

interface StaticToken {
  /** SHA-256 in hexadecimal: Node returns a string in half the time of a Buffer. */
  readonly digest: Buffer;
  /** As configured. */
  readonly scopes: readonly string[];
}

interface TokenEntry {
  readonly digest: Buffer;
  readonly principal: Principal;
}

function staticToken(entry: string): StaticToken {
  const [token = '', ...granted] = entry.split(/ +scope=/);
  const scopes = granted.flatMap((scope) => scope.split(' ')).filter((scope) => scope !== '');
  return { digest: digestOf(token), scopes };
}

function digestOf(token: string): Buffer {
  const [, hex] = DIGEST.exec(token) ?? [];
  return hex === undefined ? sha256(token) : Buffer.from(hex.toLowerCase(), 'latin1');
}

function sha256(text: string): Buffer {
  return Buffer.from(hash('sha256', text), 'latin1');
}
