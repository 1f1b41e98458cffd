// Authenticates requests by the security requirements of the contract.

import { randomBytes } from 'node:crypto';
import { isNativeError } from 'node:util/types';
import {
  type Contract,
  credentialsInvalid,
  credentialsMissing,
  isThenable,
  type MaybePromise,
  NameMap,
  type Operation,
  type SecurityScheme,
  scopesMissing,
  shown,
} from '@stubwright/contract';
import type { ContextRequest, Exchange, Outcome, Principal } from '../request/exchange.ts';

/**
 * Validates credentials.
 *
 * @param credentials a bearer token, an API key, or `user:password` for HTTP basic; not empty. For
 *   other HTTP schemes the parameters of `Authorization`, or an empty string without them. For
 *   `mutualTLS` an empty string: the verifier reads the certificate from `request.native`
 * @param scopes the scopes of the scheme in the security requirements of the operation; a returned
 *   principal without a required one gets a 403
 * @returns the principal, an object with a string `name`; anything else stands for invalid credentials
 * @throws {Problem} if the validation is temporarily impossible; any other error is a 500
 */
export type Verifier<Native = unknown> = (
  credentials: string,
  request: ContextRequest<Native>,
  scopes: readonly string[],
) => Principal | undefined | Promise<Principal | undefined>;

export interface SecurityOptions {
  /** Verifiers by name of the security scheme. */
  readonly verifiers: Readonly<Record<string, Verifier<never>>>;
  /** The protection space in `WWW-Authenticate` (RFC 9110, section 11.5). */
  readonly realm: string;
}

const ABSENT: Outcome = { kind: 'absent' };
const INVALID: Outcome = { kind: 'invalid' };
const PRESENT: Outcome = { kind: 'authenticated', principal: undefined };

/** The schemes of one security requirement. */
type Requirement = readonly RequiredScheme[];

interface RequiredScheme {
  readonly name: string;
  readonly scopes: readonly string[];
  /** The index of the outcome of the scheme. */
  readonly at: number;
}

interface Failure {
  readonly kind: 'failed';
  readonly error: unknown;
}

/** The result of one security requirement. */
type Result =
  | { readonly kind: 'passed' | 'rejected' }
  | Failure
  | { readonly kind: 'scopes'; readonly missing: ReadonlyMap<string, readonly string[]> };

const PASSED: Result = { kind: 'passed' };
const REJECTED: Result = { kind: 'rejected' };

/** The security of one operation. */
interface Access {
  readonly requirements: readonly Requirement[];
  /** One for each scheme of the requirements. */
  readonly checks: readonly Check[];
}

type Check = (exchange: Exchange) => Outcome | Promise<Outcome>;

/**
 * The security schemes and requirements of one contract. openapi-backend's own evaluation mixes the schemes
 * of different requirements and ignores scopes.
 */
export class Security {
  readonly #schemes = new Map<string, Scheme>();
  readonly #access: ReadonlyMap<Operation, Access>;
  readonly #realm: string;

  constructor(
    definition: Contract,
    { verifiers, realm }: SecurityOptions,
    isMocked: (operation: Operation) => boolean,
  ) {
    this.#realm = realm;
    const verifierOf = verifierBy(verifiers);
    for (const [name, scheme] of definition.securitySchemes) {
      const found = schemeOf(scheme);
      if (found !== undefined) this.#schemes.set(name, found);
    }
    const checkOf = (name: string, operation: Operation): Check => {
      const scheme = this.#schemes.get(name);
      if (isMocked(operation)) return (exchange) => presenceOf(scheme, exchange);
      return verifying(scheme!, verifierOf(name)!, scopesOf(name, operation));
    };
    this.#access = new Map(
      definition.operations.map((operation) => {
        const names = [...new Set(operation.security.flatMap(Object.keys))];
        const checks = names.map((name) => checkOf(name, operation));
        return [operation, { requirements: requirementsOf(operation.security, names), checks }];
      }),
    );
  }

  /**
   * Returns a function that calls each verifier once, then sets the principals of the first requirement
   * that passes; the anonymous requirement is tried last. It returns undefined if there is nothing to wait
   * for.
   *
   * @returns undefined for an operation without security requirements
   * @throws the error of a verifier, if a requirement could pass without that error
   * @throws {Problem} 40300 (missing scopes), 40101 (invalid credentials) or 40100 (no credentials)
   */
  authorizer(operation: Operation): ((exchange: Exchange) => MaybePromise<void>) | undefined {
    const { requirements, checks } = this.#access.get(operation)!;
    if (requirements.length === 0) return undefined;
    return (exchange) => {
      const outcomes: (Outcome | Promise<Outcome>)[] = [];
      let isPending = false;
      for (const check of checks) {
        const outcome = check(exchange);
        isPending ||= outcome instanceof Promise;
        outcomes.push(outcome);
      }
      if (!isPending) return this.#evaluate(requirements, outcomes as Outcome[], exchange);
      return Promise.all(outcomes).then((known) => this.#evaluate(requirements, known, exchange));
    };
  }

  #evaluate(requirements: readonly Requirement[], outcomes: Outcomes, exchange: Exchange): void {
    let best: Result = REJECTED;
    for (const requirement of requirements) {
      const result = evaluate(requirement, outcomes);
      if (result.kind === 'passed') {
        setPrincipals(requirement, outcomes, exchange);
        return;
      }
      if (RANK[result.kind] > RANK[best.kind]) best = result;
    }
    if (best.kind === 'failed') throw best.error;
    if (best.kind === 'scopes') {
      const refusals = [...best.missing].map(([name, missingScopes]) => ({ name, missingScopes }));
      throw scopesMissing(this.#challenge(refusals));
    }
    const refusals = requirements
      .flat()
      .map(({ name, at }) => ({ name, isInvalid: outcomes[at]!.kind === 'invalid' }));
    const challenge = this.#challenge(refusals);
    const hasInvalid = refusals.some(({ isInvalid }) => isInvalid);
    throw hasInvalid ? credentialsInvalid(challenge) : credentialsMissing(challenge);
  }

  /** @param refusals by name of the scheme */
  #challenge(refusals: readonly (Refusal & { readonly name: string })[]): string {
    const challenges = refusals.map((refusal) =>
      this.#schemes.get(refusal.name)?.challenge(this.#realm, refusal),
    );
    return [...new Set(challenges)].filter((each) => each !== undefined).join(', ');
  }
}

/** @returns a function that does not find inherited properties */
export function verifierBy(verifiers: SecurityOptions['verifiers']) {
  return (name: string) => (Object.hasOwn(verifiers, name) ? verifiers[name] : undefined);
}

type Outcomes = readonly Outcome[];

/** The higher rank is the more useful error: retry, then other scopes, then credentials. */
const RANK = { rejected: 0, scopes: 1, failed: 2, passed: 3 } as const;

/** @param names the schemes, in the order of their outcomes */
function requirementsOf(security: Operation['security'], names: readonly string[]): Requirement[] {
  const requirements = security.map(
    (each): Requirement =>
      Object.entries(each).map(([name, scopes]) => ({ name, scopes, at: names.indexOf(name) })),
  );
  // With optional security, credentials take precedence over anonymous access in any order.
  const isAnonymous = (requirement: Requirement) => requirement.length === 0;
  return [
    ...requirements.filter((requirement) => !isAnonymous(requirement)),
    ...requirements.filter(isAnonymous).slice(0, 1),
  ];
}

/** @returns the scopes of a scheme in all requirements of an operation */
function scopesOf(scheme: string, { security }: Operation): readonly string[] {
  const all = security.flatMap((each) => (Object.hasOwn(each, scheme) ? each[scheme]! : []));
  return Object.freeze([...new Set(all)]);
}

function presenceOf(scheme: Scheme | undefined, exchange: Exchange): Outcome {
  if (scheme === undefined || scheme.isInvisible) return PRESENT;
  const credentials = scheme.credentialsIn(exchange);
  if (credentials === undefined) return ABSENT;
  return credentials === MALFORMED ? INVALID : PRESENT;
}

/** Synchronous for a synchronous verifier: a promise costs time in each request. */
function verifying(scheme: Scheme, verifier: Verifier<never>, scopes: readonly string[]): Check {
  return (exchange) => {
    const sent = scheme.credentialsIn(exchange);
    const credentials = sent ?? (scheme.isVerifiedAlways ? '' : undefined);
    if (credentials === undefined) return ABSENT;
    if (credentials === MALFORMED) return INVALID;
    try {
      const result = verifier(credentials, exchange as Exchange<never>, scopes);
      const rejected = credentials === '' ? ABSENT : INVALID;
      return isThenable(result)
        ? Promise.resolve(result)
            .then((settled) => outcomeFor(settled, rejected))
            .catch(failed)
        : outcomeFor(result, rejected);
    } catch (error) {
      return failed(error);
    }
  };
}

/** Fails closed: a verifier without types may return anything, such as `{ active: false }`. */
function outcomeFor(result: unknown, rejected: Outcome): Outcome {
  return isPrincipal(result) ? { kind: 'authenticated', principal: result } : rejected;
}

/** An Error has a name, and is no principal. */
export function isPrincipal(result: unknown): result is Principal {
  return (
    typeof result === 'object' &&
    result !== null &&
    typeof (result as Partial<Principal>).name === 'string' &&
    !(result instanceof Error || isNativeError(result))
  );
}

function failed(error: unknown): Failure {
  return { kind: 'failed', error };
}

/** The error of a verifier counts only if no other scheme of the requirement is rejected. */
function evaluate(requirement: Requirement, outcomes: Outcomes): Result {
  let missing: Map<string, readonly string[]> | undefined;
  let failure: Failure | undefined;
  for (const { name, scopes, at } of requirement) {
    const outcome = outcomes[at]!;
    if (outcome.kind === 'absent' || outcome.kind === 'invalid') return REJECTED;
    if (outcome.kind === 'failed') failure ??= outcome;
    else if (outcome.principal !== undefined && scopes.length > 0) {
      const lacking = missingScopes(scopes, outcome.principal);
      if (!Array.isArray(lacking)) failure ??= lacking;
      else if (lacking.length > 0) {
        missing ??= new Map();
        missing.set(name, lacking);
      }
    }
  }
  return missing === undefined ? (failure ?? PASSED) : { kind: 'scopes', missing };
}

/** @returns a failure for scopes that are not an array: `'readonly'.includes('read')` is true */
function missingScopes(required: readonly string[], principal: Principal): string[] | Failure {
  try {
    const { scopes = [] } = principal;
    if (Array.isArray(scopes)) return required.filter((text) => !scopes.includes(text));
    return failed(new TypeError(`a verifier returned scopes ${shown(scopes)}, expected an array`));
  } catch (error) {
    return failed(error);
  }
}

function setPrincipals(requirement: Requirement, outcomes: Outcomes, exchange: Exchange): void {
  const principals = new NameMap<Principal>();
  for (const { name, at } of requirement) {
    const outcome = outcomes[at]!;
    if (outcome.kind !== 'authenticated' || outcome.principal === undefined) continue;
    exchange.principal ??= outcome.principal;
    principals[name] = outcome.principal;
  }
  exchange.principals = principals;
}

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
interface Refusal {
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
const MALFORMED = '\0';

function cookieOf(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(/; */) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined;
}

/** @returns a quoted string (RFC 9110, section 5.6.4), with `?` for characters beyond ASCII */
function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}
