// An example of each rule: two contracts in YAML that differ by this change only. docs/stubwright/diff-rules.md shows them.
import type { RuleId } from '../src/rules/rules.ts';
import type { SchemaRuleId } from '../src/rules/schemaRules.ts';

type Examples<Id extends string> = Readonly<Record<Id, readonly [before: string, after: string]>>;

/** Schemas in a request and in a response, except XML. */
export const SCHEMA_EXAMPLES: Examples<Exclude<SchemaRuleId, 'xml-changed'>> = {
  'type-narrowed': ['{type: [string, integer]}', '{type: string}'],
  'type-widened': ['{type: string}', '{type: [string, integer]}'],
  'type-changed': ['{type: string}', '{type: integer}'],
  'enum-set': ['{type: string}', '{type: string, enum: [a, b]}'],
  'enum-removed': ['{type: string, enum: [a, b]}', '{type: string}'],
  'enum-value-added': ['{enum: [a]}', '{enum: [a, b]}'],
  'enum-value-removed': ['{enum: [a, b]}', '{enum: [a]}'],
  'extensible-enum-set': ['{type: string}', '{type: string, x-extensible-enum: [a]}'],
  'extensible-enum-removed': ['{type: string, x-extensible-enum: [a]}', '{type: string}'],
  'extensible-enum-value-added': [
    '{type: string, x-extensible-enum: [a]}',
    '{type: string, x-extensible-enum: [a, b]}',
  ],
  'extensible-enum-value-removed': [
    '{type: string, x-extensible-enum: [a, b]}',
    '{type: string, x-extensible-enum: [a]}',
  ],
  'format-narrowed': ['{type: string}', '{type: string, format: date}'],
  'format-widened': ['{type: string, format: date}', '{type: string}'],
  'format-changed': ['{type: string, format: date}', '{type: string, format: time}'],
  'format-annotation-changed': ['{type: string}', '{type: string, format: color}'],
  'pattern-set': ['{type: string}', "{type: string, pattern: '^a'}"],
  'pattern-removed': ["{type: string, pattern: '^a'}", '{type: string}'],
  'pattern-changed': ["{type: string, pattern: '^a+$'}", "{type: string, pattern: '^b+$'}"],
  'minimum-narrowed': ['{type: integer, minimum: 1}', '{type: integer, minimum: 2}'],
  'minimum-widened': ['{type: integer, minimum: 2}', '{type: integer, minimum: 1}'],
  'maximum-narrowed': ['{type: integer, maximum: 2}', '{type: integer, maximum: 1}'],
  'maximum-widened': ['{type: integer, maximum: 1}', '{type: integer, maximum: 2}'],
  'multiple-of-narrowed': ['{type: integer, multipleOf: 5}', '{type: integer, multipleOf: 10}'],
  'multiple-of-widened': ['{type: integer, multipleOf: 10}', '{type: integer, multipleOf: 5}'],
  'multiple-of-changed': ['{type: integer, multipleOf: 5}', '{type: integer, multipleOf: 7}'],
  'min-length-narrowed': ['{type: string, minLength: 1}', '{type: string, minLength: 2}'],
  'min-length-widened': ['{type: string, minLength: 2}', '{type: string, minLength: 1}'],
  'max-length-narrowed': ['{type: string, maxLength: 2}', '{type: string, maxLength: 1}'],
  'max-length-widened': ['{type: string, maxLength: 1}', '{type: string, maxLength: 2}'],
  'min-items-narrowed': ['{type: array, minItems: 1}', '{type: array, minItems: 2}'],
  'min-items-widened': ['{type: array, minItems: 2}', '{type: array, minItems: 1}'],
  'max-items-narrowed': ['{type: array, maxItems: 2}', '{type: array, maxItems: 1}'],
  'max-items-widened': ['{type: array, maxItems: 1}', '{type: array, maxItems: 2}'],
  'min-properties-narrowed': [
    '{type: object, minProperties: 1}',
    '{type: object, minProperties: 2}',
  ],
  'min-properties-widened': [
    '{type: object, minProperties: 2}',
    '{type: object, minProperties: 1}',
  ],
  'max-properties-narrowed': [
    '{type: object, maxProperties: 2}',
    '{type: object, maxProperties: 1}',
  ],
  'max-properties-widened': [
    '{type: object, maxProperties: 1}',
    '{type: object, maxProperties: 2}',
  ],
  'unique-items-set': ['{type: array}', '{type: array, uniqueItems: true}'],
  'unique-items-removed': ['{type: array, uniqueItems: true}', '{type: array}'],
  'content-encoding-changed': [
    '{type: string, contentEncoding: base64}',
    '{type: string, contentEncoding: base64url}',
  ],
  'content-media-type-changed': [
    '{type: string, contentMediaType: text/csv}',
    '{type: string, contentMediaType: text/html}',
  ],
  'property-added': [
    '{properties: {a: {type: string}}}',
    '{properties: {a: {type: string}, b: {type: string}}}',
  ],
  'required-property-added': [
    '{properties: {a: {type: string}}}',
    '{properties: {a: {type: string}, b: {type: string}}, required: [b]}',
  ],
  'property-removed': [
    '{properties: {a: {type: string}, b: {type: string}}}',
    '{properties: {a: {type: string}}}',
  ],
  'property-disallowed': [
    '{properties: {b: {type: string}}}',
    '{properties: {a: false, b: {type: string}}}',
  ],
  'property-became-required': [
    '{properties: {a: {type: string}}}',
    '{properties: {a: {type: string}}, required: [a]}',
  ],
  'property-became-optional': [
    '{properties: {a: {type: string}}, required: [a]}',
    '{properties: {a: {type: string}}}',
  ],
  'additional-properties-disallowed': [
    '{type: object}',
    '{type: object, additionalProperties: false}',
  ],
  'additional-properties-allowed': [
    '{type: object, additionalProperties: false}',
    '{type: object}',
  ],
  'dependent-required-added': ['{type: object}', '{type: object, dependentRequired: {a: [b]}}'],
  'dependent-required-removed': ['{type: object, dependentRequired: {a: [b]}}', '{type: object}'],
  'pattern-property-added': [
    '{patternProperties: {^a: {}}, additionalProperties: false}',
    '{patternProperties: {^a: {}, ^b: {}}, additionalProperties: false}',
  ],
  'pattern-property-removed': [
    '{patternProperties: {^a: {}, ^b: {}}, additionalProperties: false}',
    '{patternProperties: {^a: {}}, additionalProperties: false}',
  ],
  'not-set': ['{}', '{not: {const: a}}'],
  'not-removed': ['{not: {const: a}}', '{}'],
  'condition-set': ['{type: object}', '{type: object, if: {required: [a]}, then: {required: [b]}}'],
  'condition-removed': [
    '{type: object, if: {required: [a]}, then: {required: [b]}}',
    '{type: object}',
  ],
  'contains-set': ['{type: array}', '{type: array, contains: {const: 1}}'],
  'contains-removed': ['{type: array, contains: {const: 1}}', '{type: array}'],
  'min-contains-narrowed': [
    '{type: array, contains: {const: 1}}',
    '{type: array, contains: {const: 1}, minContains: 2}',
  ],
  'min-contains-widened': [
    '{type: array, contains: {const: 1}, minContains: 2}',
    '{type: array, contains: {const: 1}}',
  ],
  'max-contains-narrowed': [
    '{type: array, contains: {const: 1}}',
    '{type: array, contains: {const: 1}, maxContains: 2}',
  ],
  'max-contains-widened': [
    '{type: array, contains: {const: 1}, maxContains: 2}',
    '{type: array, contains: {const: 1}}',
  ],
  'discriminator-added': ['{type: object}', '{type: object, discriminator: {propertyName: a}}'],
  'discriminator-removed': ['{type: object, discriminator: {propertyName: a}}', '{type: object}'],
  'discriminator-changed': [
    '{type: object, discriminator: {propertyName: a}}',
    '{type: object, discriminator: {propertyName: b}}',
  ],
  'discriminator-mapping-added': [
    '{discriminator: {propertyName: a, mapping: {}}}',
    "{discriminator: {propertyName: a, mapping: {c: '#/components/schemas/Toy'}}}",
  ],
  'discriminator-mapping-removed': [
    "{discriminator: {propertyName: a, mapping: {c: '#/components/schemas/Toy'}}}",
    '{discriminator: {propertyName: a, mapping: {}}}',
  ],
  'discriminator-mapping-changed': [
    "{discriminator: {propertyName: a, mapping: {c: '#/components/schemas/Toy'}}}",
    "{discriminator: {propertyName: a, mapping: {c: '#/components/schemas/Game'}}}",
  ],
  'alternative-added': [
    '{oneOf: [{type: string}, {type: boolean}]}',
    '{oneOf: [{type: string}, {type: boolean}, {type: array}]}',
  ],
  'alternative-removed': [
    '{oneOf: [{type: string}, {type: boolean}, {type: array}]}',
    '{oneOf: [{type: string}, {type: boolean}]}',
  ],
  'alternatives-overlap': [
    '{anyOf: [{minimum: 1}, {maximum: 9}]}',
    '{oneOf: [{minimum: 1}, {maximum: 9}]}',
  ],
  'default-changed': ['{type: integer, default: 1}', '{type: integer, default: 2}'],
  'too-complex': [
    '{allOf: [&a {anyOf: [{minimum: 1}, {maximum: 9}]}, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a]}',
    '{allOf: [&a {anyOf: [{minimum: 2}, {maximum: 9}]}, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a]}',
  ],
  'sunset-earlier': [
    "{deprecated: true, x-sunset: '2999-01-01'}",
    "{deprecated: true, x-sunset: '2998-01-01'}",
  ],
};

/** Schemas whose keywords show no breaking change. */
export const VALUE_EXAMPLES: Examples<'request-values-changed' | 'response-values-changed'> = {
  'request-values-changed': [
    '{oneOf: [{const: a}, {type: array}]}',
    '{oneOf: [{}, {type: array}]}',
  ],
  'response-values-changed': [
    '{oneOf: [{}, {type: array}]}',
    '{oneOf: [{const: a}, {type: array}]}',
  ],
};

/** A list with a parameter. */
const PAGED =
  'parameters: [{name: n, in: query}], responses: {200: {content: {application/json: {schema: {type: array}}}}}';

/** Operations. */
export const OPERATION_EXAMPLES: Partial<Examples<RuleId>> = {
  'operation-id-added': ['{}', '{operationId: storeToy}'],
  'operation-id-changed': ['{operationId: storeToy}', '{operationId: addToy}'],
  'operation-id-removed': ['{operationId: storeToy}', '{}'],
  'tags-changed': ['{tags: [toys]}', '{tags: [games]}'],
  'pagination-added': [`{${PAGED}}`, `{${PAGED}, x-pagination: {kind: page, parameter: n}}`],
  'pagination-removed': [`{${PAGED}, x-pagination: {kind: page, parameter: n}}`, `{${PAGED}}`],
  'pagination-changed': [
    `{${PAGED}, x-pagination: {kind: page, parameter: n}}`,
    `{${PAGED}, x-pagination: {kind: offset, parameter: n}}`,
  ],
  'rate-limit-set': [
    '{security: [{one: []}]}',
    '{security: [{one: []}], x-rate-limit: {requests: 9, window: 1m}}',
  ],
  'rate-limit-removed': [
    '{security: [{one: []}], x-rate-limit: {requests: 9, window: 1m}}',
    '{security: [{one: []}]}',
  ],
  'rate-limit-lowered': [
    '{security: [{one: []}], x-rate-limit: {requests: 9, window: 1m}}',
    '{security: [{one: []}], x-rate-limit: {requests: 8, window: 1m}}',
  ],
  'rate-limit-raised': [
    '{security: [{one: []}], x-rate-limit: {requests: 8, window: 1m}}',
    '{security: [{one: []}], x-rate-limit: {requests: 9, window: 1m}}',
  ],
  'parameter-removed': ['{parameters: [{name: q, in: query}]}', '{}'],
  'required-parameter-added': ['{}', '{parameters: [{name: q, in: query, required: true}]}'],
  'optional-parameter-added': ['{}', '{parameters: [{name: q, in: query}]}'],
  'parameter-became-required': [
    '{parameters: [{name: q, in: query}]}',
    '{parameters: [{name: q, in: query, required: true}]}',
  ],
  'parameter-became-optional': [
    '{parameters: [{name: q, in: query, required: true}]}',
    '{parameters: [{name: q, in: query}]}',
  ],
  'allow-empty-value-set': [
    '{parameters: [{name: q, in: query}]}',
    '{parameters: [{name: q, in: query, allowEmptyValue: true}]}',
  ],
  'allow-empty-value-removed': [
    '{parameters: [{name: q, in: query, allowEmptyValue: true}]}',
    '{parameters: [{name: q, in: query}]}',
  ],
  'parameter-became-array': [
    '{parameters: [{name: q, in: query, schema: {type: string}}]}',
    '{parameters: [{name: q, in: query, schema: {type: array, items: {type: string}}}]}',
  ],
  'query-parameters-regrouped': [
    '{parameters: [{name: filter, in: query, schema: {type: object, properties: {q: {type: string}}, additionalProperties: false}}]}',
    '{parameters: [{name: q, in: query, schema: {type: string}}]}',
  ],
  'request-serialization-changed': [
    '{parameters: [{name: q, in: query, schema: {type: array}}]}',
    '{parameters: [{name: q, in: query, explode: false, schema: {type: array}}]}',
  ],
  'request-body-removed': ['{requestBody: {content: {application/json: {}}}}', '{}'],
  'request-required-body-added': [
    '{}',
    '{requestBody: {required: true, content: {application/json: {}}}}',
  ],
  'request-optional-body-added': ['{}', '{requestBody: {content: {application/json: {}}}}'],
  'request-body-became-required': [
    '{requestBody: {content: {application/json: {}}}}',
    '{requestBody: {required: true, content: {application/json: {}}}}',
  ],
  'request-body-became-optional': [
    '{requestBody: {required: true, content: {application/json: {}}}}',
    '{requestBody: {content: {application/json: {}}}}',
  ],
  'request-media-type-added': [
    '{requestBody: {content: {application/json: {}}}}',
    '{requestBody: {content: {application/json: {}, text/csv: {}}}}',
  ],
  'request-media-type-removed': [
    '{requestBody: {content: {application/json: {}, text/csv: {}}}}',
    '{requestBody: {content: {application/json: {}}}}',
  ],
  'request-charset-changed': [
    '{requestBody: {content: {text/plain: {}}}}',
    '{requestBody: {content: {text/plain; charset=utf-16: {}}}}',
  ],
  'response-charset-changed': [
    '{responses: {200: {content: {text/plain: {}}}}}',
    '{responses: {200: {content: {text/plain; charset=utf-16: {}}}}}',
  ],
  'request-encoding-changed': [
    '{requestBody: {content: {multipart/form-data: {schema: {properties: {a: {type: string}}}, encoding: {a: {contentType: text/csv}}}}}}',
    '{requestBody: {content: {multipart/form-data: {schema: {properties: {a: {type: string}}}, encoding: {a: {contentType: text/html}}}}}}',
  ],
  'request-xml-changed': [
    '{requestBody: {content: {application/xml: {schema: {type: object, xml: {name: a}}}}}}',
    '{requestBody: {content: {application/xml: {schema: {type: object, xml: {name: b}}}}}}',
  ],
  'idempotency-added': [
    '{parameters: [{name: Key, in: header}]}',
    '{parameters: [{name: Key, in: header, x-idempotency: {ttl: 24h}}]}',
  ],
  'idempotency-removed': [
    '{parameters: [{name: Key, in: header, x-idempotency: {ttl: 24h}}]}',
    '{parameters: [{name: Key, in: header}]}',
  ],
  'idempotency-shortened': [
    '{parameters: [{name: Key, in: header, x-idempotency: {ttl: 24h}}]}',
    '{parameters: [{name: Key, in: header, x-idempotency: {ttl: 1h}}]}',
  ],
  'idempotency-lengthened': [
    '{parameters: [{name: Key, in: header, x-idempotency: {ttl: 1h}}]}',
    '{parameters: [{name: Key, in: header, x-idempotency: {ttl: 24h}}]}',
  ],
  'response-status-added': ['{responses: {200: {}}}', '{responses: {200: {}, 409: {}}}'],
  'response-status-removed': ['{responses: {200: {}, 202: {}}}', '{responses: {200: {}}}'],
  'response-error-removed': ['{responses: {200: {}, 404: {}}}', '{responses: {200: {}}}'],
  'response-range-narrowed': ['{responses: {200: {}, 4XX: {}}}', '{responses: {200: {}, 404: {}}}'],
  'response-header-added': ['{responses: {200: {}}}', '{responses: {200: {headers: {X: {}}}}}'],
  'response-header-removed': ['{responses: {200: {headers: {X: {}}}}}', '{responses: {200: {}}}'],
  'response-header-became-required': [
    '{responses: {200: {headers: {X: {}}}}}',
    '{responses: {200: {headers: {X: {required: true}}}}}',
  ],
  'response-header-became-optional': [
    '{responses: {200: {headers: {X: {required: true}}}}}',
    '{responses: {200: {headers: {X: {}}}}}',
  ],
  'response-serialization-changed': [
    '{responses: {200: {headers: {X: {schema: {type: object}}}}}}',
    '{responses: {200: {headers: {X: {explode: true, schema: {type: object}}}}}}',
  ],
  'response-media-type-added': [
    '{responses: {200: {content: {application/json: {}}}}}',
    '{responses: {200: {content: {application/json: {}, text/csv: {}}}}}',
  ],
  'response-media-type-removed': [
    '{responses: {200: {content: {application/json: {}, text/csv: {}}}}}',
    '{responses: {200: {content: {application/json: {}}}}}',
  ],
  'response-encoding-changed': [
    '{responses: {200: {content: {multipart/form-data: {schema: {properties: {a: {type: string}}}, encoding: {a: {contentType: text/csv}}}}}}}',
    '{responses: {200: {content: {multipart/form-data: {schema: {properties: {a: {type: string}}}, encoding: {a: {contentType: text/html}}}}}}}',
  ],
  'response-xml-changed': [
    '{responses: {200: {content: {application/xml: {schema: {type: object, xml: {name: a}}}}}}}',
    '{responses: {200: {content: {application/xml: {schema: {type: object, xml: {name: b}}}}}}}',
  ],
  'response-media-range-narrowed': [
    '{responses: {200: {content: {application/*: {}}}}}',
    '{responses: {200: {content: {application/json: {}}}}}',
  ],
  'security-requirement-added': ['{security: [{one: []}]}', '{security: [{one: []}, {two: []}]}'],
  'security-requirement-removed': ['{security: [{one: []}, {two: []}]}', '{security: [{one: []}]}'],
  'documentation-changed': ['{summary: Store a toy}', '{summary: Add a toy}'],
};

/** Documents. */
/** Further examples of rules whose severity depends on the change. */
export const OPERATION_VARIANTS: readonly (readonly [RuleId, before: string, after: string])[] = [
  ['parameter-removed', '{parameters: [{name: X-Q, in: header}]}', '{}'],
  ['parameter-removed', '{parameters: [{name: X-Q, in: header, required: true}]}', '{}'],
  ['response-status-removed', '{responses: {200: {}, 301: {}}}', '{responses: {200: {}}}'],
  [
    'request-charset-changed',
    '{requestBody: {content: {text/plain; charset=us-ascii: {}}}}',
    '{requestBody: {content: {text/plain: {}}}}',
  ],
];

export const DOCUMENT_EXAMPLES: Partial<Examples<RuleId>> = {
  'operation-added': ['{}', '{paths: {/toys: {get: {}}}}'],
  'operation-hides-another': [
    "{paths: {'/toys/{name}': {get: {}}}}",
    "{paths: {'/toys/{name}': {get: {}}, /toys/latest: {get: {}}}}",
  ],
  'operation-removed': ['{paths: {/toys: {get: {}}}}', '{}'],
  'operation-moved': [
    '{paths: {/toys: {get: {operationId: a}}}}',
    '{paths: {/games: {get: {operationId: a}}}}',
  ],
  'path-parameter-renamed': [
    "{paths: {'/toys/{id}': {get: {parameters: [{name: id, in: path, required: true}]}}}}",
    "{paths: {'/toys/{toy}': {get: {parameters: [{name: toy, in: path, required: true}]}}}}",
  ],
  'security-scheme-renamed': [
    '{components: {securitySchemes: {a: {type: http, scheme: bearer}}}}',
    '{components: {securitySchemes: {b: {type: http, scheme: bearer}}}}',
  ],
  'security-scope-added': [
    "{components: {securitySchemes: {a: {type: oauth2, flows: {clientCredentials: {tokenUrl: /t, scopes: {read: ''}}}}}}}",
    "{components: {securitySchemes: {a: {type: oauth2, flows: {clientCredentials: {tokenUrl: /t, scopes: {read: '', write: ''}}}}}}}",
  ],
  'security-scope-removed': [
    "{components: {securitySchemes: {a: {type: oauth2, flows: {clientCredentials: {tokenUrl: /t, scopes: {read: '', write: ''}}}}}}}",
    "{components: {securitySchemes: {a: {type: oauth2, flows: {clientCredentials: {tokenUrl: /t, scopes: {read: ''}}}}}}}",
  ],
  'server-added': [
    '{servers: [{url: https://a.example}]}',
    '{servers: [{url: https://a.example}, {url: https://b.example}]}',
  ],
  'server-removed': [
    '{servers: [{url: https://a.example}, {url: https://b.example}]}',
    '{servers: [{url: https://a.example}]}',
  ],
  'sunset-earlier': [
    "{paths: {/toys: {get: {deprecated: true, x-sunset: '2999-01-01'}}}}",
    "{paths: {/toys: {get: {deprecated: true, x-sunset: '2998-01-01'}}}}",
  ],
  'server-default-changed': [
    "{servers: [{url: 'https://{at}.example', variables: {at: {enum: [a, b], default: a}}}]}",
    "{servers: [{url: 'https://{at}.example', variables: {at: {enum: [a, b], default: b}}}]}",
  ],
  'schema-added': ['{}', '{components: {schemas: {Toy: {}}}}'],
  'schema-removed': ['{components: {schemas: {Toy: {}}}}', '{}'],
  'schema-renamed': [
    '{components: {schemas: {Toy: {type: object}}}}',
    '{components: {schemas: {Game: {type: object}}}}',
  ],
  'webhook-added': ['{}', '{webhooks: {sold: {post: {}}}}'],
  'webhook-removed': ['{webhooks: {sold: {post: {}}}}', '{}'],
  'response-body-removed': [
    '{webhooks: {sold: {post: {requestBody: {content: {application/json: {}}}}}}}',
    '{webhooks: {sold: {post: {}}}}',
  ],
  'response-required-body-added': [
    '{webhooks: {sold: {post: {}}}}',
    '{webhooks: {sold: {post: {requestBody: {required: true, content: {application/json: {}}}}}}}',
  ],
  'response-optional-body-added': [
    '{webhooks: {sold: {post: {}}}}',
    '{webhooks: {sold: {post: {requestBody: {content: {application/json: {}}}}}}}',
  ],
  'response-body-became-required': [
    '{webhooks: {sold: {post: {requestBody: {content: {application/json: {}}}}}}}',
    '{webhooks: {sold: {post: {requestBody: {required: true, content: {application/json: {}}}}}}}',
  ],
  'response-body-became-optional': [
    '{webhooks: {sold: {post: {requestBody: {required: true, content: {application/json: {}}}}}}}',
    '{webhooks: {sold: {post: {requestBody: {content: {application/json: {}}}}}}}',
  ],
  'info-version-changed': [
    "{info: {title: Toys, version: '1'}}",
    "{info: {title: Toys, version: '2'}}",
  ],
  'operation-not-compared': [
    "{paths: {/toys: {get: {parameters: [{$ref: '#/none'}]}}}}",
    '{paths: {/toys: {get: {}}}}',
  ],
  'dialect-changed': ['{}', '{jsonSchemaDialect: http://json-schema.org/draft-07/schema#}'],
  'openapi-version-changed': ['{openapi: 3.0.3}', '{openapi: 3.1.0}'],
};
