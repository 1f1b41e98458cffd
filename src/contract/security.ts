// Who is calling: the credentials for the contract's security schemes, handed to the verifier that was
// registered for each. Knows no token and no user.
import type { Context, HandlerMap } from 'openapi-backend';
import { MALFORMED, type Scheme, schemeOf } from './credentials.ts';
import type { Definition, Operation } from './definition/definition.ts';
import type { Exchange, HttpRequest, Principal } from './exchange.ts';
import { credentialsInvalid, credentialsMissing, scopesMissing } from './problem.ts';

/**
 * Decides whether credentials are good. They are never empty: a bearer token, an API key, or
 * `user:password` for HTTP basic.
 *
 * @returns who they belong to; undefined refuses them
 * @throws {Problem} when it cannot decide now
 */
export type Verifier = (
  credentials: string,
  request: HttpRequest,
) => Principal | undefined | Promise<Principal | undefined>;

export interface SecurityOptions {
  /** By name of the security scheme. */
  readonly verifiers: Readonly<Record<string, Verifier>>;
  /** The protection space that challenges name (RFC 9110, section 11.5). */
  readonly realm: string;
}

/** The security of one contract: its schemes, each with its verifier. */
export class Security {
  /** What openapi-backend calls for each scheme of an operation's requirements. */
  readonly handlers: HandlerMap = {};
  /** A scheme in use that cannot be checked: an open door, so no service starts with it. */
  readonly faults: readonly string[];
  readonly #schemes = new Map<string, Scheme>();
  readonly #realm: string;

  constructor(
    definition: Definition,
    { verifiers, realm }: SecurityOptions,
    isMocked: (operation: Operation) => boolean,
  ) {
    this.#realm = realm;
    const schemesOf = ({ security }: Operation) => security.flatMap(Object.keys);
    const checked = new Set(
      definition.operations.filter((each) => !isMocked(each)).flatMap(schemesOf),
    );
    const faults: string[] = [];
    for (const name of new Set(definition.operations.flatMap(schemesOf))) {
      const place = definition.securitySchemes.get(name);
      const scheme = place && schemeOf(place);
      const verifier = Object.hasOwn(verifiers, name) ? verifiers[name] : undefined;
      if (place === undefined) faults.push(`security scheme ${name} is not declared`);
      else if (checked.has(name) && scheme === undefined) {
        faults.push(`security scheme ${name} is of a kind that cannot be checked`);
      } else if (checked.has(name) && verifier === undefined) {
        faults.push(`security scheme ${name} has no verifier`);
      }
      if (scheme !== undefined) this.#schemes.set(name, scheme);
      this.handlers[name] = (_context, exchange: Exchange) =>
        isMocked(exchange.operation!)
          ? isPresent(scheme, exchange)
          : verify(name, scheme!, verifier!, exchange);
    }
    this.faults = faults;
  }

  /** True when the request may go on: it met a requirement, or there is none. */
  isPassed({ security, operation }: Context): boolean {
    return security['authorized'] === true || (operation.security ?? []).length === 0;
  }

  /** @returns why the request may not go on: what a verifier threw, else a 401 with one challenge */
  refusal({ security, operation }: Context, exchange: Exchange): Error {
    const names = (operation.security ?? []).flatMap(Object.keys);
    for (const name of names) {
      const error: unknown = security[name]?.error;
      if (error instanceof Error) return error;
    }
    const schemes = new Set(names.flatMap((name) => this.#schemes.get(name) ?? []));
    const challenges = [...schemes].map((each) => each.challenge(this.#realm, exchange));
    const challenge = [...new Set(challenges)].join(', ');
    if (exchange.missingScopes.length > 0) return scopesMissing(challenge);
    return exchange.hasInvalidCredentials
      ? credentialsInvalid(challenge)
      : credentialsMissing(challenge);
  }
}

/** Before a mock, credentials are looked at for presence and form only. */
function isPresent(scheme: Scheme | undefined, exchange: Exchange): boolean {
  const credentials = scheme?.credentialsIn(exchange);
  if (credentials === MALFORMED) exchange.hasInvalidCredentials = true;
  return scheme === undefined || (credentials !== undefined && credentials !== MALFORMED);
}

/** What a verifier knows at once is not waited for: a promise more costs each request its time. */
function verify(name: string, scheme: Scheme, verifier: Verifier, exchange: Exchange) {
  const credentials = scheme.credentialsIn(exchange);
  if (credentials === undefined) return undefined;
  const verdict = verifier(credentials, exchange.request);
  // A promise of another realm is no instance of this one's Promise.
  return verdict !== undefined && 'then' in verdict
    ? verdict.then((principal) => accept(name, principal, exchange))
    : accept(name, verdict, exchange);
}

function accept(name: string, principal: Principal | undefined, exchange: Exchange) {
  if (principal === undefined) {
    exchange.hasInvalidCredentials = true;
    return undefined;
  }
  exchange.missingScopes = missingScopes(name, exchange.operation!, principal);
  if (exchange.missingScopes.length > 0) return undefined;
  exchange.principal = principal;
  return principal;
}

/** Of the requirements that name the scheme, one whose scopes the caller has suffices. */
function missingScopes(
  name: string,
  { security }: Operation,
  { scopes = [] }: Principal,
): readonly string[] {
  const lacking = security
    .filter((requirement) => requirement[name] !== undefined)
    .map((requirement) => requirement[name]!.filter((scope) => !scopes.includes(scope)));
  return lacking.find((each) => each.length === 0) ?? lacking[0] ?? [];
}
