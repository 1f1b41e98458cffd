// An API whose operations reply with pages of orders: by cursor, number, offset and link.
import { Contract, type LoadedContract } from '@stubwright/contract';
import { type ApiOptions, createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { parse } from 'yaml';

export const SECRET = 'a secret of at least 32 characters';

const order = "{$ref: '#/components/schemas/Order'}";
const problem = '{description: no, content: {application/problem+json: {schema: {type: object}}}}';
const link = '{Link: {schema: {type: string}}}';

interface Listed {
  readonly path?: string;
  readonly pagination: string;
  readonly parameters?: string;
  readonly headers?: string;
  readonly body: string;
}

function operation(id: string, { path = `/${id}`, ...own }: Listed): string {
  return `
  ${path}:
    get:
      operationId: ${id}
      x-pagination: ${own.pagination}
      parameters: [${own.parameters ?? ''}]
      responses:
        '200': {description: ok, headers: ${own.headers ?? '{}'}, content: {application/json: {schema: ${own.body}}}}
        '400': ${problem}
        '500': ${problem}`;
}

const query = (name: string, schema: string) => `{name: ${name}, in: query, schema: ${schema}}`;
const limit = query('limit', '{type: integer, minimum: 1, maximum: 5, default: 3}');
const list = (properties: string, required = 'orders') =>
  `{type: object, required: [${required}], properties: {orders: {type: array, items: ${order}}, ${properties}}}`;

export const CONTRACT = `
openapi: 3.1.0
info: {title: Orders, version: '1'}
servers: [{url: 'https://orders.example/v1'}]
paths:${[
  operation('byCursor', {
    path: '/shops/{shop}/orders',
    pagination: '{kind: cursor, parameter: cursor, size: limit, items: /orders, next: /meta/next}',
    parameters: [
      '{name: shop, in: path, required: true, schema: {type: integer, format: int64}}',
      query('cursor', '{type: string}'),
      limit,
      query('status', '{type: string}'),
      query('sort', '{type: string, default: newest}'),
    ].join(),
    headers: link,
    body: list('meta: {type: object, properties: {next: {type: string}, more: {type: boolean}}}'),
  }),
  operation('byPage', {
    pagination: '{kind: page, parameter: page, size: limit, items: /orders, more: /more}',
    parameters: [query('page', '{type: integer}'), query('limit', '{type: integer}')].join(),
    headers: link,
    body: list('more: {type: boolean}', 'orders, more'),
  }),
  operation('byOffset', {
    pagination: '{kind: offset, parameter: from, size: limit, items: "", next: null}'.replace(
      ', next: null',
      '',
    ),
    parameters: [query('from', '{type: integer, format: int64, default: 1}'), limit].join(),
    headers: link,
    body: `{type: array, maxItems: 4, items: ${order}}`,
  }),
  operation('byLink', {
    pagination: '{kind: link, parameter: after, items: /orders, next: /next}',
    parameters: [query('after', '{type: string}'), query('token', '{type: string}')].join(),
    body: list("next: {type: [string, 'null']}", 'orders, next'),
  }),
  operation('byRequired', {
    pagination: '{kind: cursor, parameter: cursor, items: /orders, next: /next}',
    parameters: query('cursor', '{type: string}'),
    body: list('next: {type: string}', 'orders, next'),
  }),
].join('')}
components:
  securitySchemes: {key: {type: apiKey, in: query, name: token}}
  schemas:
    Order:
      type: object
      required: [id, total]
      properties: {id: {type: integer, format: int64}, total: {type: integer}, status: {type: string}}
`;

export interface Order {
  readonly id: bigint;
  readonly total: number;
  readonly status?: string;
}

export function loaded(text = CONTRACT): LoadedContract {
  return {
    definition: new Contract(parse(text)),
    warnings: [],
    files: [],
    publish: () => Promise.resolve({ text: '', servers: [0, 0] as const }),
  };
}

/** A reply with a page. */
export interface Received {
  readonly status: number;
  readonly link: string | null;
  /** JSON.parse rounds. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any operation
  readonly body: any;
}

// biome-ignore lint/suspicious/noExplicitAny: the contract of these tests has no generated types
export type AnyHandlers = Record<string, (request: any) => unknown>;

/** @returns a function that sends a GET to a path; other operations are mocked */
export async function pageApi(
  handlers: AnyHandlers,
  options: Partial<ApiOptions> = {},
): Promise<(path: string) => Promise<Received>> {
  const api = await createApi({
    contract: loaded(),
    cursorSecrets: [SECRET],
    mock: 'missing',
    handlers: handlers as never,
    ...options,
  });
  const respond = fetchHandler(api as never);
  return async (path) => {
    const response = await respond(new Request(`http://localhost${path}`));
    const text = await response.text();
    return {
      status: response.status,
      link: response.headers.get('link'),
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
}
