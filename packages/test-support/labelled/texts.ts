// Parts of contracts that several sets of labelled pairs have, as YAML.
import { contractOf } from './pair.ts';

export const at30 = (parts: string) => contractOf(parts, '3.0.3');
export const at32 = (parts: string) => contractOf(parts, '3.2.0');

export const CLOSED = 'additionalProperties: false';
export const KIND = ', discriminator: {propertyName: kind}';
export const POINT = '{type: object, properties: {x: {type: integer}, y: {type: integer}}}';
export const STRINGS = '{type: array, items: {type: string}}';

export const ref = (name: string) => `{$ref: '#/components/schemas/${name}'}`;
export const array = (rest: string) => `{type: array, ${rest}}`;
export const object = (rest: string) => `{type: object, ${rest}}`;
export const string = (rest: string) => `{type: string, ${rest}}`;
export const pattern = (source: string, rest = '') => string(`pattern: '${source}'${rest}`);
export const open = (names: string, rest = '') => object(`properties: {${names}}${rest}`);
export const closed = (names: string, rest = '') =>
  object(`properties: {${names}}, ${CLOSED}${rest}`);

export const OK = 'responses: {"204": {description: none}}';
export const REQUIRED = ', required: true';
export const SCOPES = 'scopes: {read: r, write: w}';

export const get = (rest: string) => `paths: {/toys: {get: {operationId: getToys, ${rest}}}}`;
export const post = (rest: string) => `paths: {/toys: {post: {operationId: postToys, ${rest}}}}`;
export const getOrders = (rest: string) =>
  `paths: {/orders: {get: {operationId: listOrders, ${rest}}}}`;
export const hook = (operation: string, method = 'post') =>
  `paths: {}\nwebhooks: {sold: {${method}: {operationId: sold, ${operation}}}}`;

/** The parameters of an operation of `/toys`. */
export const parameters = (...texts: readonly string[]) =>
  get(`parameters: [${texts.join(', ')}], ${OK}`);
export const query = (schema: string, rest = '') =>
  parameters(`{name: a, in: query, schema: ${schema}${rest}}`);

/** One parameter. */
export const parameterIn = (where: string, name: string, schema: string, rest = '') =>
  `{name: ${name}, in: ${where}, schema: ${schema}${rest}}`;
export const queryParameter = (name: string, schema: string, rest = '') =>
  parameterIn('query', name, schema, rest);
export const jsonParameter = (where: string, schema: string) =>
  `{name: X, in: ${where}, content: {${json(schema)}}}`;

export const json = (schema: string) => `application/json: {schema: ${schema}}`;
export const xml = (schema: string) => `application/xml: {schema: ${schema}}`;
export const sent = (content: string, rest = '') =>
  post(`requestBody: {${rest}content: {${content}}}, ${OK}`);

export const jsonReply = (schema: string) =>
  `responses: {"200": {description: a, content: {${json(schema)}}}}`;
export const response = (text: string) => get(`responses: {${text}}`);
export const read = (content: string) => response(`"200": {description: a, content: {${content}}}`);
export const header = (text: string) =>
  response(`"200": {description: a, headers: {X-A: {${text}}}}`);

export const oauth = (flows: string) => `auth: {type: oauth2, flows: {${flows}}}`;
export const withRef = (text: string, components: string) => `${text}\ncomponents: {${components}}`;
