// Authenticates requests by the security requirements of the contract.

import { isNativeError } from 'node:util/types';
import {
  type Contract,
  credentialsInvalid,
  credentialsMissing,
  isThenable,
  type MaybePromise,
  NameMap,
  type Operation,
  scopesMissing,
  shown,
} from '@stubwright/contract';
import type { ContextRequest, Exchange, Outcome, Principal } from '../request/exchange.ts';
import { MALFORMED, type Refusal, type Scheme, schemeOf } from './credentials.ts';

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
  /** One message per scheme that an operation with a handler requires and that cannot be validated, or bypassed. */
  readonly errors: readonly string[];
  readonly #schemes = new Map<string, Scheme>();
  readonly #access: ReadonlyMap<Operation, Access>;
  readonly #realm: string;

  constructor(
    definition: Contract,
    { verifiers, realm }: SecurityOptions,
    isMocked: (operation: Operation) => boolean,
  ) {
    this.#realm = realm;
    const schemesOf = ({ security }: Operation) => security.flatMap(Object.keys);
    const checked = new Set(
      definition.operations.filter((operation) => !isMocked(operation)).flatMap(schemesOf),
    );
    const declared = definition.securitySchemes;
    const errors: string[] = [];
    const verifierOf = (name: string) =>
      Object.hasOwn(verifiers, name) ? verifiers[name] : undefined;
    for (const name of new Set(definition.operations.flatMap(schemesOf))) {
      const location = declared.get(name);
      const scheme = location && schemeOf(location);
      const error = schemeError(name, location !== undefined, scheme, verifierOf(name));
      if (checked.has(name) && error !== undefined) errors.push(error);
      if (scheme !== undefined) this.#schemes.set(name, scheme);
    }
    this.errors = [...errors, ...bypasses(definition, verifierOf, isMocked)];
    const checkOf = (name: string, operation: Operation): Check => {
      const scheme = this.#schemes.get(name);
      if (isMocked(operation)) return (exchange) => presenceOf(scheme, exchange);
      return verifying(scheme!, verifierOf(name)!, scopesOf(name, operation));
    };
    this.#access = new Map(
      definition.operations.map((operation) => {
        const names = [...new Set(schemesOf(operation))];
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

function schemeError(
  name: string,
  isDeclared: boolean,
  scheme: Scheme | undefined,
  verifier: Verifier<never> | undefined,
): string | undefined {
  if (!isDeclared) return `security scheme ${name} is not declared`;
  if (scheme === undefined) {
    return `security scheme ${name} has an unknown type, expected apiKey, http, mutualTLS, oauth2 or openIdConnect`;
  }
  if (typeof verifier === 'function') return undefined;
  return `security scheme ${name} has no verifier, expected verifiers.${name}: a function of ${scheme.credentials}`;
}

/**
 * With one verifier for two schemes, the credentials of one are accepted for the other: an alternative that
 * requires fewer scopes admits what the other refuses.
 *
 * @returns one message for each pair of schemes
 */
function bypasses(
  { operations }: Contract,
  verifierOf: (name: string) => Verifier<never> | undefined,
  isMocked: (operation: Operation) => boolean,
): string[] {
  const found = new Map<string, string>();
  for (const operation of operations.filter((operation) => !isMocked(operation))) {
    const required = operation.security.flatMap((requirement) =>
      Object.entries(requirement).map(([name, scopes]) => ({ name, scopes, requirement })),
    );
    for (const strong of required) {
      const verifier = verifierOf(strong.name);
      const weak = required.find(
        ({ name, scopes, requirement }) =>
          name !== strong.name &&
          requirement !== strong.requirement &&
          verifierOf(name) === verifier &&
          strong.scopes.some((scope) => !scopes.includes(scope)),
      );
      if (weak === undefined || verifier === undefined) continue;
      const pair = `${strong.name} and ${weak.name}`;
      found.set(
        pair,
        found.get(pair) ??
          `security schemes ${pair} have one verifier, and operation ${operation.operationId} requires scopes (${strong.scopes.join(', ')}) of ${strong.name} alone: expected a verifier for each, with credentials of its own`,
      );
    }
  }
  return [...found.values()];
}

/** @returns one warning for each security scheme whose credentials a mock cannot see */
export function mockWarnings(
  { operations, securitySchemes }: Contract,
  isMocked: (operation: Operation) => boolean,
): string[] {
  const required = new Set(
    operations.filter(isMocked).flatMap(({ security }) => security.flatMap(Object.keys)),
  );
  return [...required].flatMap((name) => {
    const location = securitySchemes.get(name);
    const scheme = location && schemeOf(location);
    if (scheme !== undefined && scheme.isInvisible !== true) return [];
    const type = location?.type ?? 'undeclared';
    return [`mocks do not check the security scheme ${name} (${type})`];
  });
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
