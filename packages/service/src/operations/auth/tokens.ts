// Static bearer tokens: stored as digests, compared in constant time.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Principal, Verifier } from 'stubwright/internals';

/** RFC 6749, section 3.3. A name belongs before the scopes. */
const SCOPE = String.raw`(?!name=|scheme=)[\x21\x23-\x5B\x5D-\x7E]+`;
/** A b64token (RFC 6750, section 2.1) or a digest, perhaps with a name, a security scheme and scopes. */
const ENTRY = new RegExp(
  String.raw`^(?:sha256:(?<digest>[0-9a-fA-F]{64})|(?<token>[A-Za-z0-9\-._~+/]+=*))` +
    `(?: +name=(?<name>[A-Za-z0-9][A-Za-z0-9._-]{0,63}))?` +
    // The key of a component, percent-encoded if a contract has other characters than OpenAPI permits.
    String.raw`(?: +scheme=(?<scheme>(?:[\w.!'()*~-]|%[0-9a-fA-F]{2})+))?` +
    `(?: +scope=(?<scopes>${SCOPE}(?: +${SCOPE})*))?$`,
);
/** As the scope of a token: every scope of the contract. */
const EVERY_SCOPE = '*';
/** Fewer characters can be guessed. */
const MIN_TOKEN_LENGTH = 16;
/** Hexadecimal digits of the digest in the name of a token without a name. */
const NAME_DIGITS = 16;

export const TOKEN_EXPECTATION =
  'bearer tokens (letters, digits and -._~+/=) or sha256:<64 hex digits>, each perhaps with a name and a security scheme (percent-encoded) and scopes, like TOKEN name=web scheme=apiKey scope=read write';

export class TokenSet {
  #tokens: readonly StaticToken[] = [];
  #names: ReadonlySet<string> = new Set();
  #contractScopes: readonly string[] = [];
  #entries: readonly TokenEntry[] = [];

  /**
   * @param entries bearer tokens, or `sha256:<hex>` digests of bearer tokens; `TOKEN name=web` names the
   *   caller, `TOKEN scheme=apiKey` makes it a credential of that security scheme only, `TOKEN scope=read
   *   write` grants scopes, and `TOKEN scope=*` every scope of the contract
   * @throws {TypeError} for another entry
   */
  constructor(entries: readonly string[]) {
    this.replace(entries);
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

  /**
   * Compares against every digest: constant time.
   *
   * @param scheme the security scheme that the tokens name; undefined for those that name none
   */
  verify(token: string, scheme?: string): Principal | undefined {
    const presented = sha256(token);
    let accepted: Principal | undefined;
    for (const entry of this.#entries) {
      if (timingSafeEqual(entry.digest, presented) && entry.scheme === scheme) {
        accepted = entry.principal;
      }
    }
    return accepted;
  }

  /**
   * @param scheme as of {@link verify}
   * @param verifyOther called for a token that is not one of these
   * @returns a verifier of credentials
   */
  verifier(
    scheme?: string,
    verifyOther?: (token: string, address: string | undefined) => ReturnType<Verifier>,
  ): Verifier {
    return (credentials, { address }) => {
      // The password of HTTP basic credentials is the token; other tokens have no colon.
      const token = credentials.slice(credentials.indexOf(':') + 1);
      return this.verify(token, scheme) ?? verifyOther?.(token, address);
    };
  }

  /** @returns the name of a principal if it is configured; undefined for all others */
  readonly callerOf = (principal: Principal | undefined): string | undefined => {
    if (principal === undefined || principal.issuer !== undefined) return undefined;
    return this.#names.has(principal.name) ? principal.name : undefined;
  };

  /** Without a name, a principal is named by its digest: a position would belong to another token after a rotation. */
  #compile(): void {
    this.#names = new Set(this.#tokens.flatMap(({ name }) => name ?? []));
    this.#entries = this.#tokens.map(({ digest, name, scheme, scopes }) => ({
      digest,
      scheme,
      principal: {
        name: name ?? `static token ${digest.toString('latin1', 0, NAME_DIGITS)}`,
        scopes: scopes.flatMap((scope) => (scope === EVERY_SCOPE ? this.#contractScopes : scope)),
      },
    }));
  }
}

/** @returns a token of 192 random bits */
export function generateToken(): string {
  return randomBytes(24).toString('base64url');
}

/** @returns true for an entry of {@link TokenSet} */
export function isTokenEntry(entry: string): boolean {
  return ENTRY.test(entry);
}

/** @returns the names or, without, the positions of tokens that are short enough to be guessed */
export function shortTokens(entries: readonly string[]): (string | number)[] {
  return entries.flatMap((entry, index) => {
    const { token, name } = ENTRY.exec(entry)?.groups ?? {};
    return token !== undefined && token.length < MIN_TOKEN_LENGTH ? (name ?? index + 1) : [];
  });
}

/** @returns an entry that grants a token every scope of the contract */
export function withEveryScope(token: string): string {
  return `${token} scope=${EVERY_SCOPE}`;
}

interface StaticToken {
  /** SHA-256 in hexadecimal: Node returns a string in half the time of a Buffer. */
  readonly digest: Buffer;
  readonly name: string | undefined;
  readonly scheme: string | undefined;
  /** As configured. */
  readonly scopes: readonly string[];
}

interface TokenEntry {
  readonly digest: Buffer;
  readonly scheme: string | undefined;
  readonly principal: Principal;
}

function staticToken(entry: string, index: number): StaticToken {
  const groups = ENTRY.exec(entry)?.groups;
  if (groups === undefined) {
    throw new TypeError(`tokens: got a bad entry ${index + 1}, expected ${TOKEN_EXPECTATION}`);
  }
  const { digest: hex, token = '', name, scheme, scopes } = groups;
  return {
    digest: hex === undefined ? sha256(token) : Buffer.from(hex.toLowerCase(), 'latin1'),
    name,
    scheme: scheme === undefined ? undefined : decoded(scheme),
    scopes: scopes?.split(/ +/) ?? [],
  };
}

function decoded(scheme: string): string {
  try {
    return decodeURIComponent(scheme);
  } catch {
    // No UTF-8: the name of no scheme.
    return scheme;
  }
}

function sha256(text: string): Buffer {
  return Buffer.from(hash('sha256', text), 'latin1');
}
