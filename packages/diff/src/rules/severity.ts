// The severities of changes, and the keywords that no client depends on.

/**
 * The effect of a change on a client that conforms to the older contract.
 *
 * - `breaking`: its request is refused or changes its meaning, the response violates the older
 *   contract, or its SDK loses the method of an operation.
 * - `converted`: breaking, but converters of a served version undo it for its clients, as a proof shows.
 * - `risky`: the contract still holds, but a client may notice, such as the new name of a type in its
 *   SDK; or the effect cannot be determined.
 * - `compatible`: existing clients are not affected.
 */
export type Severity = 'breaking' | 'converted' | 'risky' | 'compatible';

/** Most severe first. */
export const SEVERITIES: readonly Severity[] = ['breaking', 'converted', 'risky', 'compatible'];

/** Those that a policy may give a rule. */
export const RULE_SEVERITIES: readonly Severity[] = ['breaking', 'risky', 'compatible'];

/** @returns the severities that a report counts: `converted` only if it occurs */
export function countedSeverities(
  changes: readonly { readonly severity: Severity }[],
): readonly Severity[] {
  const hasConverted = changes.some(({ severity }) => severity === 'converted');
  return hasConverted ? SEVERITIES : RULE_SEVERITIES;
}

const EXAMPLES = ['example', 'examples'] as const;

/** By the object that has them. */
export const DOCUMENTATION_KEYWORDS = {
  document: ['$self', 'tags', 'externalDocs'],
  info: ['title', 'summary', 'description', 'contact', 'license', 'termsOfService'],
  operation: ['summary', 'description', 'externalDocs', 'deprecated'],
  webhook: ['summary', 'description', 'operationId', 'tags', 'deprecated'],
  parameter: ['description', ...EXAMPLES, 'deprecated'],
  requestBody: ['description'],
  mediaType: EXAMPLES,
  response: ['summary', 'description', 'links'],
  securityScheme: ['description', 'bearerFormat', 'deprecated', 'oauth2MetadataUrl'],
  schema: ['title', 'description', ...EXAMPLES, 'externalDocs', '$comment', 'deprecated'],
} as const satisfies Record<string, readonly string[]>;
