// Authenticates requests by the security requirements of the contract.
import type { HandlerMap } from 'openapi-backend';
import type { Definition, Operation } from '../document/definition.ts';
import { credentialsInvalid, credentialsMissing, scopesMissing } from '../errors/problem.ts';
import type { ContextRequest, Exchange, Outcome, Principal } from '../request/exchange.ts';
import { MALFORMED, type Refusal, type Scheme, schemeOf } from './credentials.ts';

/**
 * Validates credentials.
 *
 * @param credentials a bearer token, an API key, or `user:password` for HTTP basic; not empty
 * @param scopes the scopes of the scheme in the security requirements of the operation; a returned
 *   principal without a required one gets a 403
 * @returns the principal; undefined for invalid credentials
 * @throws {Problem} if the validation is temporarily impossible
 */
export type Verifier<Native = never> = (
  credentials: string,
  request: ContextRequest<Native>,
  scopes: readonly string[],
) => Principal | undefined | Promise<Principal | undefined>;

export interface SecurityOptions {
  /** Verifiers by name of the security scheme. */
  readonly verifiers: Readonly<Record<string, Verifier>>;
  /** The protection space in `WWW-Authenticate` (RFC 9110, section 11.5). */
  readonly realm: string;
}

const ABSENT: Outcome = { kind: 'absent' };
const INVALID: Outcome = { kind: 'invalid' };
const PRESENT: Outcome = { kind: 'authenticated', principal: undefined };

type Requirement = readonly (readonly [scheme: string, scopes: readonly string[]])[];

/** The result of one security requirement. */
type Result =
  | { readonly kind: 'passed' | 'rejected' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'scopes'; readonly missing: ReadonlyMap<string, readonly string[]> };

const PASSED: Result = { kind: 'passed' };
const REJECTED: Result = { kind: 'rejected' };

/** The security schemes and requirements of one contract. */
export class Security {
  /**
   * One per scheme, called by openapi-backend. They only store outcomes: openapi-backend's evaluation
   * mixes the schemes of different requirements and ignores scopes.
   */
  readonly handlers: HandlerMap = Object.create(null);
  /** One message per scheme that an operation with a handler requires and that cannot be validated. */
  readonly errors: readonly string[];
  readonly #schemes = new Map<string, Scheme>();
  readonly #requirements: ReadonlyMap<Operation, readonly Requirement[]>;
  readonly #scopes = new Map<Operation, Map<string, readonly string[]>>();
  readonly #realm: string;

  constructor(
    definition: Definition,
    { verifiers, realm }: SecurityOptions,
    isMocked: (operation: Operation) => boolean,
  ) {
    this.#realm = realm;
    this.#requirements = new Map(
      definition.operations.map((each) => [each, requirementsOf(each.security)]),
    );
    const schemesOf = ({ security }: Operation) => security.flatMap(Object.keys);
    const checked = new Set(
      definition.operations.filter((each) => !isMocked(each)).flatMap(schemesOf),
    );
    const declared = definition.securitySchemes;
    const errors: string[] = [];
    for (const name of new Set(definition.operations.flatMap(schemesOf))) {
      const location = declared.get(name);
      const scheme = location && schemeOf(location);
      const verifier = Object.hasOwn(verifiers, name) ? verifiers[name] : undefined;
      if (checked.has(name))
        errors.push(...schemeErrors(name, location !== undefined, scheme, verifier));
      if (scheme !== undefined) this.#schemes.set(name, scheme);
      this.handlers[name] = (_context, exchange: Exchange) => {
        const outcome = isMocked(exchange.operation!)
          ? presenceOf(scheme, exchange)
          : outcomeOf(scheme!, verifier!, exchange, this.#scopesOf(name, exchange.operation!));
        if (!(outcome instanceof Promise)) exchange.outcomes.set(name, outcome);
        else return outcome.then((each) => exchange.outcomes.set(name, each));
        return true;
      };
    }
    this.errors = errors;
  }

  /**
   * Sets the principals of the first requirement that passes; the anonymous requirement is tried last.
   *
   * @throws the error of a verifier, if a requirement could pass without that error
   * @throws {Problem} 40300 (missing scopes), 40101 (invalid credentials) or 40100 (no credentials)
   */
  authorize(exchange: Exchange): void {
    const requirements = this.#requirements.get(exchange.operation!)!;
    if (requirements.length === 0) return;
    let best: Result = REJECTED;
    for (const requirement of requirements) {
      const result = evaluate(requirement, exchange.outcomes);
      if (result.kind === 'passed') {
        setPrincipals(requirement, exchange);
        return;
      }
      if (RANK[result.kind] > RANK[best.kind]) best = result;
    }
    if (best.kind === 'failed') throw best.error;
    if (best.kind === 'scopes') throw scopesMissing(this.#challengeForScopes(best.missing));
    throw this.#refusal(requirements, exchange.outcomes);
  }

  #scopesOf(scheme: string, operation: Operation): readonly string[] {
    const known = this.#scopes.get(operation)?.get(scheme);
    if (known !== undefined) return known;
    const all = operation.security.flatMap((each) =>
      Object.hasOwn(each, scheme) ? each[scheme]! : [],
    );
    const scopes = Object.freeze([...new Set(all)]);
    const ofOperation = this.#scopes.get(operation) ?? new Map<string, readonly string[]>();
    this.#scopes.set(operation, ofOperation.set(scheme, scopes));
    return scopes;
  }

  #challengeForScopes(missing: ReadonlyMap<string, readonly string[]>): string {
    const refusals = [...missing].map(
      ([name, missingScopes]) => [name, { missingScopes }] as const,
    );
    return this.#challenge(refusals);
  }

  #refusal(requirements: readonly Requirement[], outcomes: Outcomes): Error {
    const names = requirements.flatMap((requirement) => requirement.map(([name]) => name));
    const isInvalid = (name: string) => outcomes.get(name)?.kind === 'invalid';
    const challenge = this.#challenge(
      names.map((name) => [name, { isInvalid: isInvalid(name) }] as const),
    );
    return names.some(isInvalid) ? credentialsInvalid(challenge) : credentialsMissing(challenge);
  }

  #challenge(refusals: readonly (readonly [scheme: string, refusal: Refusal])[]): string {
    const challenges = refusals.map(([name, refusal]) =>
      this.#schemes.get(name)?.challenge(this.#realm, refusal),
    );
    return [...new Set(challenges)].filter((each) => each !== undefined).join(', ');
  }
}

type Outcomes = ReadonlyMap<string, Outcome>;

/** The higher rank is the more useful error: retry, then other scopes, then credentials. */
const RANK = { rejected: 0, scopes: 1, failed: 2, passed: 3 } as const;

function requirementsOf(security: Operation['security']): Requirement[] {
  const requirements = security.map((each): Requirement => Object.entries(each));
  // With optional security, credentials take precedence over anonymous access in any order.
  const isAnonymous = (each: Requirement) => each.length === 0;
  return [
    ...requirements.filter((each) => !isAnonymous(each)),
    ...requirements.filter(isAnonymous).slice(0, 1),
  ];
}

function schemeErrors(
  name: string,
  isDeclared: boolean,
  scheme: Scheme | undefined,
  verifier: Verifier | undefined,
): string[] {
  if (!isDeclared) return [`security scheme ${name} is not declared`];
  if (scheme === undefined) return [`security scheme ${name} is of a kind that cannot be checked`];
  return verifier === undefined ? [`security scheme ${name} has no verifier`] : [];
}

function presenceOf(scheme: Scheme | undefined, exchange: Exchange): Outcome {
  if (scheme === undefined) return PRESENT;
  const credentials = scheme.credentialsIn(exchange);
  if (credentials === undefined) return ABSENT;
  return credentials === MALFORMED ? INVALID : PRESENT;
}

/** Synchronous for a synchronous verifier: a promise costs time in each request. */
function outcomeOf(
  scheme: Scheme,
  verifier: Verifier,
  exchange: Exchange,
  scopes: readonly string[],
): Outcome | Promise<Outcome> {
  const credentials = scheme.credentialsIn(exchange);
  if (credentials === undefined) return ABSENT;
  if (credentials === MALFORMED) return INVALID;
  try {
    const principal = verifier(credentials, exchange as Exchange<never>, scopes);
    // A promise of another realm is not an instance of Promise.
    return principal !== undefined && 'then' in principal
      ? Promise.resolve(principal).then(outcomeFor, failed)
      : outcomeFor(principal);
  } catch (error) {
    return failed(error);
  }
}

function outcomeFor(principal: Principal | undefined): Outcome {
  return principal === undefined ? INVALID : { kind: 'authenticated', principal };
}

function failed(error: unknown): Outcome {
  return { kind: 'failed', error };
}

/** The error of a verifier counts only if no other scheme of the requirement is rejected. */
function evaluate(requirement: Requirement, outcomes: Outcomes): Result {
  const missing = new Map<string, readonly string[]>();
  let failure: Result | undefined;
  for (const [name, scopes] of requirement) {
    const outcome = outcomes.get(name) ?? ABSENT;
    if (outcome.kind === 'absent' || outcome.kind === 'invalid') return REJECTED;
    if (outcome.kind === 'failed') failure ??= outcome;
    else if (outcome.principal !== undefined) {
      const missingOfScheme = missingScopes(scopes, outcome.principal);
      if (missingOfScheme.length > 0) missing.set(name, missingOfScheme);
    }
  }
  return missing.size > 0 ? { kind: 'scopes', missing } : (failure ?? PASSED);
}

function missingScopes(required: readonly string[], { scopes = [] }: Principal): readonly string[] {
  return required.length === 0 ? required : required.filter((each) => !scopes.includes(each));
}

function setPrincipals(requirement: Requirement, exchange: Exchange): void {
  for (const [name] of requirement) {
    const outcome = exchange.outcomes.get(name);
    if (outcome?.kind !== 'authenticated' || outcome.principal === undefined) continue;
    exchange.principal ??= outcome.principal;
    exchange.principals[name] = outcome.principal;
  }
}
