// Contracts whose data has the form of a reference.

import { unescapeToken } from '@stubwright/contract';
import { parse } from 'yaml';

const OPERATION = '/paths/~1toys/post';
const RESPONSE = `${OPERATION}/responses/200`;
const JSON_TYPE = 'application~1json';
const TOY = '/components/schemas/Toy';

/** JSON pointers. */
export const DATA_LOCATIONS = [
  ...['/x-data', '/info/x-data', '/paths/x-data', '/components/x-data', `${OPERATION}/x-data`],
  ...[`${TOY}/example`, `${TOY}/examples/0`, `${TOY}/x-data/deep/0`],
  ...[`${TOY}/properties/a/default`, `${TOY}/properties/b/const`, `${TOY}/properties/c/enum/0`],
  ...[`${TOY}/properties/d/items/example`, `${TOY}/properties/e/x-data`],
  ...[`${TOY}/properties/example/default`, `${TOY}/properties/enum/example`],
  ...[`${OPERATION}/parameters/0/example`, `${OPERATION}/parameters/0/x-data`],
  ...[`${OPERATION}/parameters/1/examples/a/value`, `${OPERATION}/parameters/1/schema/default`],
  ...[`${OPERATION}/requestBody/content/${JSON_TYPE}/example/a`],
  ...[`${RESPONSE}/content/${JSON_TYPE}/examples/a/value/a`, `${RESPONSE}/x-data`],
  ...[`${RESPONSE}/headers/X-Toy/example`, `${RESPONSE}/headers/X-Toy/schema/default`],
  ...[`${RESPONSE}/links/again/requestBody/a`, `${RESPONSE}/links/again/parameters/first`],
  ...['/components/examples/Toy/value/a', '/webhooks/stored/post/x-data'],
  ...[`${OPERATION}/responses/x-data`, `${OPERATION}/callbacks/done/x-data`],
];

/** Names of properties that are keywords, or members of each object in JavaScript. */
const NAMES = [
  ...['$ref', 'example', 'examples', 'default', 'enum', 'const', 'value', 'discriminator'],
  ...['hasOwnProperty', '__proto__', 'constructor', 'toString', 'x-name'],
];

/** Nothing listens there. */
export const URL_OF_NOTHING = 'http://127.0.0.1:49151/a.yaml';

const RESPONSE_OK = '{204: {description: Seen}}';
const CONTRACT = `
openapi: 3.1.0
jsonSchemaDialect: ${URL_OF_NOTHING}
externalDocs: {url: ${URL_OF_NOTHING}}
info: {title: Toys, version: 1.0.0, license: {name: MIT, identifier: MIT}}
servers: [{url: https://example.com}]
security: []
paths:
  /toys:
    post:
      operationId: storeToy
      summary: Stores a toy
      parameters:
        - {name: first, in: query, style: deepObject, explode: true, schema: {type: object}}
        - {name: second, in: query, style: deepObject, explode: true, schema: {type: object}}
      callbacks: {done: {'{$request.body#/a}': {post: {responses: ${RESPONSE_OK}}}}}
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
      responses:
        200:
          description: Stored
          headers: {X-Toy: {schema: {type: object}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}
          links: {again: {operationId: storeToy, parameters: {}}}
        400: {description: Invalid}
webhooks: {stored: {post: {operationId: toyStored, responses: ${RESPONSE_OK}}}}
components:
  schemas: {Toy: {type: object}}
  examples: {Toy: {value: {}}, Other: {externalValue: ${URL_OF_NOTHING}}}
  securitySchemes: {id: {type: openIdConnect, openIdConnectUrl: ${URL_OF_NOTHING}}}
`;

/** @param dataAt returns the data of a location, by its index */
export function contractWithData(dataAt: (index: number) => unknown): object {
  const properties = [...'abcde', ...NAMES].map((name) => [
    name,
    name === 'd' ? { items: {} } : {},
  ]);
  const document = parse(CONTRACT);
  document.components.schemas.Toy.properties = Object.fromEntries(properties);
  for (const [at, pointer] of DATA_LOCATIONS.entries()) setAt(document, pointer, dataAt(at));
  return document;
}

function setAt(document: object, pointer: string, value: unknown): void {
  const tokens = pointer.split('/').slice(1).map(unescapeToken);
  let at = document as Record<string, unknown>;
  for (const [depth, token] of tokens.slice(0, -1).entries()) {
    at[token] ??= /^\d+$/.test(tokens[depth + 1]!) ? [] : {};
    at = at[token] as Record<string, unknown>;
  }
  at[tokens.at(-1)!] = value;
}
