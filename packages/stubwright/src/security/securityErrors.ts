// Reports verifiers that are missing or can be bypassed, before the first request.

import type { Contract, Operation } from '@stubwright/contract';
import {
  type Scheme,
  type SecurityOptions,
  schemeOf,
  type Verifier,
  verifierBy,
} from './security.ts';

/** @returns one message per scheme that an operation with a handler requires and that cannot be validated, or bypassed */
export function securityErrors(
  { operations, securitySchemes }: Contract,
  verifiers: SecurityOptions['verifiers'],
  isMocked: (operation: Operation) => boolean,
): string[] {
  const handled = operations.filter((operation) => !isMocked(operation));
  const required = new Set(handled.flatMap(({ security }) => security.flatMap(Object.keys)));
  const verifierOf = verifierBy(verifiers);
  const errors = [...required].flatMap((name) => {
    const declared = securitySchemes.get(name);
    const scheme = declared && schemeOf(declared);
    return schemeError(name, declared !== undefined, scheme, verifierOf(name)) ?? [];
  });
  return [...errors, ...bypasses(handled, verifierOf)];
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
  operations: readonly Operation[],
  verifierOf: (name: string) => Verifier<never> | undefined,
): string[] {
  const found = new Map<string, string>();
  for (const operation of operations) {
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
