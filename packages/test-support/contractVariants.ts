// Variants of one part of a contract, each compared with the next one: combinations that labelled pairs do not have.

type Variants = readonly string[];

/** The body of a request and of a response. */
export const SCHEMA_VARIANTS: Variants = [
  '{type: number}',
  '{type: number, format: float}',
  '{type: number, format: double}',
  '{type: integer, format: int32}',
  '{type: integer, format: int64}',
  '{type: integer, format: uint8, minimum: 3}',
  '{type: integer, exclusiveMinimum: 2, maximum: 200}',
  '{enum: [9007199254740993, 1.5, a, true, null]}',
  '{enum: [9007199254740993, 2], type: integer}',
  '{const: 2}',
  "{type: [integer, 'null']}",
  "{oneOf: [{type: 'null'}, {type: integer}]}",
  "{anyOf: [{type: 'null'}, {type: string, maxLength: 3}, {type: array, items: {type: integer}}]}",
  '{type: string, contentMediaType: image/png}',
  '{type: string, contentEncoding: base64, contentMediaType: image/png}',
  '{type: string, format: uuid}',
  "{type: string, pattern: '^[0-9]{3}$'}",
  "{type: string, pattern: '^[0-9]{2,4}$', minLength: 3}",
  '{type: string, minLength: 3, maxLength: 3}',
  '{type: array, items: {type: string}, uniqueItems: true, minItems: 1}',
  '{type: array, prefixItems: [{type: string}], items: false}',
  '{type: array, prefixItems: [{type: string}, {type: integer}]}',
  '{type: array, contains: {type: integer}, minContains: 2, maxContains: 4}',
  '{type: array, contains: {type: integer}, maxContains: 3}',
  '{type: object, properties: {a: {type: string}}, required: [a], minProperties: 1}',
  '{type: object, properties: {a: {type: string, readOnly: true}, b: {writeOnly: true}}, required: [a, b]}',
  '{type: object, patternProperties: {^a: {type: string}}, additionalProperties: false}',
  '{type: object, propertyNames: {maxLength: 2}, maxProperties: 3}',
  '{type: object, dependentRequired: {a: [b]}, dependentSchemas: {c: {required: [d]}}}',
  '{type: object, if: {required: [a]}, then: {required: [b]}, else: {required: [c]}}',
  '{type: object, if: {required: [a]}, then: {required: [c]}}',
  '{anyOf: [{const: 2}, {const: ab}, {type: boolean}]}',
  '{anyOf: [{type: number, exclusiveMinimum: 2}, {type: string, minLength: 3}, {type: boolean}]}',
  '{anyOf: [{enum: [2, 3]}, {enum: [ab, abc]}]}',
  '{anyOf: [{type: number, minimum: 2}, {type: string, minLength: 2}, {type: boolean}]}',
  '{anyOf: [{enum: [2]}, {const: a}, {const: []}]}',
  '{anyOf: [{type: number, exclusiveMaximum: 2}, {type: string, maxLength: 1}, {type: array, maxItems: 0}]}',
  '{anyOf: [{enum: [2, 1]}, {enum: [ab, a]}, {const: [1]}]}',
  '{anyOf: [{type: number, maximum: 2}, {type: string, maxLength: 2}, {type: array, minItems: 1}]}',
  '{not: {type: string}}',
  '{allOf: [{type: object}, {properties: {a: {default: 1}}}], unevaluatedProperties: false}',
  '{type: object, properties: {a: {default: 2, deprecated: true, xml: {name: b}}}}',
  "{$ref: '#/components/schemas/Toy', title: own}",
  "{$ref: '#/components/schemas/Game'}",
];

/** A parameter of an operation. */
export const PARAMETER_VARIANTS: Variants = [
  '{name: q, in: query, schema: {type: string}}',
  '{name: q, in: query, allowReserved: true, schema: {type: string}}',
  '{name: q, in: query, schema: {type: array, items: {type: string}}}',
  '{name: q, in: query, explode: false, schema: {type: array, items: {type: string}}}',
  '{name: q, in: query, style: pipeDelimited, explode: false, schema: {type: array, items: {type: integer}}}',
  '{name: q, in: query, style: spaceDelimited, schema: {type: array, items: {enum: [a, b]}}}',
  '{name: q, in: query, explode: false, schema: {enum: [a, b]}}',
  '{name: q, in: query, explode: false, schema: {enum: ["a,b"]}}',
  '{name: q, in: query, style: deepObject, schema: {type: object, properties: {a: {type: integer}}}}',
  '{name: q, in: query, style: form, schema: {type: object, properties: {a: {type: integer}}}}',
  '{name: q, in: query, explode: false, schema: {type: object, properties: {a: {type: integer}}}}',
  '{name: q, in: query, content: {application/json: {schema: {type: object}}}}',
  '{name: q, in: query, content: {application/xml: {schema: {type: object}}}}',
  '{name: q, in: query, required: true, deprecated: true, schema: {type: boolean}}',
  '{name: q, in: query, allowEmptyValue: true, schema: {type: [boolean, "null"]}}',
  '{name: q, in: header, schema: {type: array, items: {type: string}}}',
  '{name: Q, in: header, explode: true, schema: {type: array, items: {type: string}}}',
  '{name: q, in: header, explode: true, schema: {type: object}}',
  '{name: q, in: header, schema: {type: object}}',
  '{name: q, in: cookie, schema: {type: object}}',
  '{name: q, in: cookie, explode: false, schema: {type: object}}',
  '{name: Accept, in: header, schema: {type: string}}',
  '{name: Key, in: header, x-idempotency: {ttl: 24h}, schema: {type: string}}',
  '',
];

/** The encoding of the property `a` of a form; the property is a string, an object, a file or an array. */
export const ENCODING_VARIANTS: Variants = [
  '{}',
  '{contentType: text/plain}',
  '{contentType: "text/plain, image/*"}',
  '{contentType: image/png}',
  '{contentType: "*/*"}',
  '{contentType: application/json}',
  '{style: form, explode: false}',
  '{style: form, explode: true}',
  '{style: deepObject, explode: true}',
  '{allowReserved: true}',
  '{headers: {X-A: {schema: {type: string}}}}',
  '{headers: {X-A: {required: true, schema: {type: string}}}}',
  '{headers: {X-B: {required: true, schema: {type: string}}}}',
  '{headers: {X-B: {required: false, schema: {type: string}}, X-A: {schema: {type: integer}}}}',
];
export const ENCODED_SCHEMAS: Variants = [
  '{type: string}',
  '{type: object}',
  '{type: string, contentMediaType: image/png}',
  '{type: array, items: {type: [string, object]}}',
];

/** The whole contract. */
export const DOCUMENT_VARIANTS: Variants = [
  '{servers: [{url: /}]}',
  '{servers: [{url: /v1/}]}',
  '{servers: [{url: "https://a.test/v1"}]}',
  '{servers: [{url: "HTTPS://A.test:443/v1/", description: d}]}',
  '{servers: [{url: "//a.test/v1"}, {url: "http://b.test:80"}]}',
  '{servers: [{url: "http://b.test"}, {url: "//a.test/v1"}]}',
  '{servers: [{url: "https://{h}.test/{v}", variables: {h: {default: a, enum: [a, b]}, v: {default: v1}}}]}',
  '{servers: [{url: "https://{h}.test/{v}", variables: {h: {default: b, enum: [b, a]}, v: {default: v1}}}]}',
  '{webhooks: {sold: {post: {requestBody: {content: {a/b: {}}}}}}}',
  '{webhooks: {sold: {put: {requestBody: {content: {a/b: {}}}}}}}',
  '{paths: {/a: {get: {operationId: a, responses: {default: {description: d}}}}}}',
  '{paths: {/a: {get: {operationId: a, responses: {200: {description: d}, default: {description: d}}}}}}',
  '{paths: {/a: {get: {operationId: a, responses: {2XX: {description: d}, 4XX: {description: d}}}}}}',
  '{paths: {/a: {get: {operationId: a, responses: {201: {description: d}, 404: {description: e}}}}}}',
  '{paths: {/a: {post: {operationId: a, responses: {201: {headers: {X: {required: true}}}}}}}}',
  '{paths: {/b: {post: {operationId: a, responses: {201: {headers: {X: {schema: {type: integer}}}}}}}}}',
  '{paths: {"/b/{id}": {get: {operationId: a, parameters: [{name: id, in: path, required: true}]}}}}',
  '{paths: {"/b/{name}": {get: {operationId: a, parameters: [{name: name, in: path, required: true}]}, delete: {}}}}',
  '{paths: {/b/fixed: {get: {operationId: b, tags: [t]}}, "/b/{name}": {get: {operationId: a}}}}',
  '{tags: [{name: t}], externalDocs: {url: u}}',
];

const flow = (text: string, scope = 'r') =>
  `{security: [{s: [${scope}]}], components: {securitySchemes: {s: ${text}}}, paths: {/a: {get: {}}}}`;

/** The security of an operation. */
export const SECURITY_VARIANTS: Variants = [
  '{paths: {/a: {get: {}}}}',
  flow('{type: http, scheme: bearer}'),
  flow('{type: http, scheme: Basic, description: d}'),
  flow('{type: apiKey, in: header, name: X-Key}'),
  flow('{type: apiKey, in: query, name: key}'),
  flow('{type: openIdConnect, openIdConnectUrl: u}'),
  flow('{type: oauth2, flows: {clientCredentials: {tokenUrl: t, scopes: {r: read}}}}'),
  flow(
    '{type: oauth2, flows: {clientCredentials: {tokenUrl: t, refreshUrl: f, scopes: {r: reads, w: w}}}}',
  ),
  flow('{type: oauth2, flows: {clientCredentials: {tokenUrl: t, scopes: {r: reads}}}}', 'r, w'),
  flow('{type: oauth2, flows: {clientCredentials: {tokenUrl: v, scopes: {w: w}}}}', 'w'),
  flow(
    '{type: oauth2, flows: {authorizationCode: {authorizationUrl: a, tokenUrl: v, scopes: {}}}}',
    'w',
  ),
  flow(
    '{type: oauth2, flows: {authorizationCode: {authorizationUrl: b, tokenUrl: v, scopes: {}}}}',
    'w',
  ),
  '{security: [{}, {s: []}], components: {securitySchemes: {s: {type: mutualTLS}}}, paths: {/a: {get: {}}}}',
  '{security: [{s: [], t: []}], components: {securitySchemes: {s: {type: mutualTLS}, t: {type: http, scheme: basic}}}, paths: {/a: {get: {}}}}',
  '{security: [{u: [], t: []}], components: {securitySchemes: {u: {type: mutualTLS}, t: {type: http, scheme: basic}}}, paths: {/a: {get: {}}}}',
];

/** @returns each variant with the next one, in both directions */
export function* neighbours(variants: Variants): Generator<readonly [string, string]> {
  for (const [at, each] of variants.entries()) {
    const next = variants[(at + 1) % variants.length]!;
    yield [each, next];
    yield [next, each];
  }
}
