// Contracts with a node of most types, for mutations.
import { parse } from 'yaml';

const json = (schema: object) => ({ 'application/json': { schema } });

const document = parse(`
info: {title: Toys, version: '1', contact: {name: A}, license: {name: MIT}}
servers: [{url: 'https://{host}/v1', variables: {host: {default: a, enum: [a, b]}}}]
tags: [{name: toys}]
security: [{key: []}, {oauth: [read]}]
externalDocs: {url: https://example.com}
paths:
  /toys/{id}:
    parameters: [{$ref: '#/components/parameters/id'}]
    servers: [{url: /v2}]
    get:
      operationId: getToy
      tags: [toys]
      parameters:
        - {name: filter, in: query, style: deepObject, schema: {type: object}}
        - {name: json, in: query, content: {application/json: {schema: {type: object}}}}
      responses:
        200:
          description: ok
          headers: {Count: {$ref: '#/components/headers/Count'}}
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Toy'}
              examples: {one: {$ref: '#/components/examples/one'}}
          links: {next: {$ref: '#/components/links/next'}}
        default: &error {$ref: '#/components/responses/Error'}
    post:
      operationId: putToy
      security: []
      servers: [{url: /v3}]
      requestBody: {$ref: '#/components/requestBodies/Toy'}
      responses: {204: {description: none}}
      callbacks: {done: {$ref: '#/components/callbacks/done'}}
    put:
      requestBody:
        content:
          multipart/form-data:
            schema: {type: object, properties: {file: {type: string, format: binary}}}
            encoding:
              file: {contentType: image/png, headers: {X-A: {schema: {type: string}}}}
          application/xml: {schema: {$ref: '#/components/schemas/Wheel'}}
      responses: {200: {description: ok}}
components:
  schemas:
    Toy:
      type: object
      required: [name]
      properties:
        name: {type: string, minLength: 1, pattern: '^[a-z]+$', default: a}
        size: {type: integer, format: int64, minimum: 0, enum: [1, 2]}
        parts: {type: array, items: {$ref: '#/components/schemas/Part'}, maxItems: 3}
        more: {type: object, additionalProperties: {type: number}}
    Part:
      oneOf: [{$ref: '#/components/schemas/Wheel'}, {$ref: '#/components/schemas/Toy'}]
      discriminator: {propertyName: kind, mapping: {wheel: '#/components/schemas/Wheel'}}
    Wheel:
      allOf: [{$ref: '#/components/schemas/Toy'}, {type: object}]
      xml: {name: wheel}
      externalDocs: {url: https://example.com}
  parameters:
    id: {name: id, in: path, required: true, schema: {type: string}, style: simple}
  headers: {Count: {schema: {type: integer}, example: 1}}
  examples: {one: {value: {name: a}, summary: One}}
  requestBodies:
    Toy: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
  responses:
    Error: {description: error, content: {application/json: {schema: {type: object}}}}
  securitySchemes:
    key: {type: apiKey, name: key, in: header}
    oauth:
      type: oauth2
      flows: {clientCredentials: {tokenUrl: https://example.com, scopes: {read: Read}}}
  links: {next: {operationId: getToy, parameters: {id: $response.body#/id}}}
  callbacks: {done: {'{$request.body#/url}': {post: {responses: {200: *error}}}}}
`) as {
  paths: Record<string, Record<string, { responses: { default: object } }>>;
  components: { schemas: object };
};
const { components } = document;
const error = document.paths['/toys/{id}']!['get']!.responses.default;

const modern = {
  ...components.schemas,
  Tuple: {
    $id: 'https://example.com/tuple',
    $anchor: 'tuple',
    $defs: { a: { const: 1 } },
    type: ['array', 'null'],
    prefixItems: [{ $ref: '#/$defs/a' }, true],
    contains: { type: 'integer' },
    unevaluatedItems: false,
    if: { minItems: 1 },
    then: { maxItems: 2 },
    else: {},
    dependentRequired: { a: ['b'] },
    dependentSchemas: { a: { type: 'object' } },
    patternProperties: { '^a': { type: 'string' } },
    propertyNames: { pattern: '^a' },
    examples: [[1]],
  },
};

const version31 = {
  ...document,
  jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
  components: {
    ...components,
    schemas: modern,
    pathItems: { a: { get: { responses: { 200: error } } } },
  },
  webhooks: { made: { post: { requestBody: { content: json({ type: 'object' }) } } } },
};

/** By version. */
export const RICH: Readonly<Record<string, object>> = {
  '3.0.3': { openapi: '3.0.3', ...document },
  '3.1.0': { openapi: '3.1.0', ...version31 },
  '3.2.0': {
    openapi: '3.2.0',
    ...version31,
    $self: 'https://example.com/openapi',
    paths: {
      ...document.paths,
      '/all': {
        query: { requestBody: { content: json({ type: 'object' }) }, responses: { 200: error } },
        additionalOperations: { COPY: { responses: { 200: error } } },
        get: {
          parameters: [{ name: 'q', in: 'querystring', content: json({ type: 'object' }) }],
          responses: {
            200: {
              content: {
                'application/jsonl': { itemSchema: { $ref: '#/components/schemas/Toy' } },
              },
            },
          },
        },
      },
    },
  },
};
