// Extracts credentials from requests and creates challenges, by type of security scheme.

import { randomBytes } from 'node:crypto';
import type { SecurityScheme } from '@stubwright/contract';
import type { Exchange } from '../request/exchange.ts';

/** A security scheme of the contract. */
export interface Scheme {
  /** @returns the credentials for this scheme; undefined without credentials, or MALFORMED */
  readonly credentialsIn: (exchange: Exchange) => string | undefined;
  /** The `WWW-Authenticate` challenge (RFC 9110, section 11.6.1). */
  readonly challenge: (realm: string, refusal: Refusal) => string;
  /** What a verifier receives or reads, for an error message. */
  readonly credentials: string;
  /**
   * True if the verifier is called also without credentials, with an empty string: it reads the native
   * request, or throws a Problem with a challenge of its own.
   */
  readonly isVerifiedAlways?: boolean;
  /** True if a mock cannot see whether there are credentials. */
  readonly isInvisible?: boolean;
}

/** The reason why a scheme rejects a request. */
export interface Refusal {
  /** True for invalid credentials, false for missing ones. */
  readonly isInvalid?: boolean;
  /** The scopes that are missing from valid credentials. */
  readonly missingScopes?: readonly string[];
}

// RFC 6750, section 2.1; the scheme is case-insensitive.
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** @returns undefined for a type that OpenAPI does not define */
export function schemeOf({
  type,
  scheme,
  schemeName,
  in: where,
  name,
}: SecurityScheme): Scheme | undefined {
  switch (type) {
    case 'oauth2':
    case 'openIdConnect':
      return bearer;
    case 'apiKey':
      return apiKey(name, String(where));
    case 'http':
      if (scheme === 'bearer') return bearer;
      if (scheme === 'basic') return basic;
      return TOKEN.test(schemeName) ? otherHttp(schemeName) : undefined;
    case 'mutualTLS':
      return clientCertificate;
    default:
      return undefined;
  }
}

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

const bearer: Scheme = {
  credentials: 'the token',
  credentialsIn: ({ headers }) => credentialsOf(headers.authorization, BEARER, 'bearer'),
  // RFC 6750, section 3.1.
  challenge(realm, { missingScopes = [], isInvalid = false }) {
    const challenge = `Bearer realm=${quoted(realm)}`;
    if (missingScopes.length > 0) {
      return `${challenge}, error="insufficient_scope", scope=${quoted(missingScopes.join(' '))}`;
    }
    return isInvalid ? `${challenge}, error="invalid_token"` : challenge;
  },
};

const basic: Scheme = {
  credentials: '`user:password`',
  credentialsIn({ headers }) {
    const encoded = credentialsOf(headers.authorization, BASIC, 'basic');
    const text = encoded && Buffer.from(encoded, 'base64').toString();
    return text?.includes(':') === false ? MALFORMED : text;
  },
  challenge: (realm) => `Basic realm=${quoted(realm)}, charset="UTF-8"`,
};

function apiKey(name: string, where: string): Scheme {
  return {
    credentials: 'the API key',
    credentialsIn({ headers, searchParams }) {
      if (where === 'query') return searchParams.get(name) || undefined;
      if (where === 'cookie') return cookieOf(headers.cookie, name);
      return [headers[name.toLowerCase()]].flat()[0] || undefined;
    },
    challenge: (realm) =>
      `ApiKey realm=${quoted(realm)}, name=${quoted(name)}, in=${quoted(where)}`,
  };
}

/** Digest, HOBA, …: a verifier receives the parameters, which only it can check. */
function otherHttp(name: string): Scheme {
  const lowerCase = name.toLowerCase();
  return {
    credentials: `the parameters of \`Authorization: ${name}\``,
    isVerifiedAlways: true,
    credentialsIn({ headers: { authorization = '' } }) {
      const [start = ''] = authorization.split(/[ \t]/, 1);
      if (start.toLowerCase() !== lowerCase) return undefined;
      return authorization.slice(start.length).trim() || MALFORMED;
    },
    challenge(realm) {
      const challenge = `${name} realm=${quoted(realm)}`;
      if (lowerCase !== 'digest') return challenge;
      // RFC 7616, section 3.3.
      return `${challenge}, qop="auth", algorithm=SHA-256, nonce="${randomBytes(16).toString('hex')}"`;
    },
  };
}

const clientCertificate: Scheme = {
  credentials: 'the client certificate, which it reads from `request.native`',
  isVerifiedAlways: true,
  isInvisible: true,
  credentialsIn: () => undefined,
  challenge: (realm) => `MutualTLS realm=${quoted(realm)}`,
};

/** A malformed header of the right scheme counts as invalid credentials, not as missing ones. */
function credentialsOf(header: string | undefined, form: RegExp, scheme: string) {
  if (header === undefined) return undefined;
  const found = form.exec(header)?.[1];
  if (found !== undefined) return found;
  const [start] = header.toLowerCase().split(/\s/);
  return start === scheme ? MALFORMED : undefined;
}

/** Credentials that are not a b64token, not base64, or without a colon (RFC 7617, section 2). */
export const MALFORMED = '\0';

function cookieOf(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(/; */) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined;
}

/** @returns a quoted string (RFC 9110, section 5.6.4), with `?` for characters beyond ASCII */
function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}
