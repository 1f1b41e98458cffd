// The keywords that no client depends on.

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
