// The scopes of a contract.

import type { Definition } from '@stubwright/contract';

/** @returns the scopes that operations require or that OAuth2 flows declare, each once */
export function scopesOf({ operations, securitySchemes }: Definition): string[] {
  const required = operations.flatMap(({ security }) =>
    security.flatMap((requirement) => Object.values(requirement).flat()),
  );
  const declared = [...securitySchemes.values()].flatMap(({ scopes }) => scopes);
  return [...new Set([...required, ...declared])];
}
