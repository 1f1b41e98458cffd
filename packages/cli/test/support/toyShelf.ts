// A contract with all kinds of operations, and a service of it, for the entries of generated clients.
import { type Served, served } from './clientProject.ts';

const toy = "{$ref: '#/components/schemas/Toy'}";
const json = (schema: string) => `content: {application/json: {schema: ${schema}}}`;
const id = '{name: id, in: path, required: true, schema: {type: integer, format: int64}}';

export const SHELF = `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
paths:
  /toys:
    get:
      operationId: listToys
      summary: List toys
      parameters:
        - {name: cursor, in: query, schema: {type: integer, format: int64}}
        - {name: color, in: query, schema: {type: string}}
        - {name: owner, in: query, schema: {type: integer, format: int64}}
      x-pagination: {kind: cursor, parameter: cursor, items: /items, next: /next}
      responses:
        '200':
          description: ok
          ${json(`{type: object, required: [items], properties: {items: {type: array, items: ${toy}}, next: {type: [integer, 'null'], format: int64}}}`)}
        '500': {description: error, ${json('{type: object, required: [message], properties: {message: {type: string}}}')}}
    post:
      operationId: createToy
      parameters: [{name: Idempotency-Key, in: header, required: true, schema: {type: string}}]
      requestBody: {required: true, ${json(toy)}}
      responses:
        '201': {description: ok, ${json(toy)}}
        '409': {description: taken, ${json('{type: object, required: [message], properties: {message: {type: string}}}')}}
  /toys/{id}:
    get:
      operationId: getToy
      parameters: [${id}]
      responses:
        '200': {description: ok, ${json(toy)}}
        '404': {description: none, ${json('{type: object, required: [message], properties: {message: {type: string}}}')}}
    head:
      operationId: headToy
      parameters: [${id}]
      responses: {'200': {description: ok, headers: {X-Size: {schema: {type: integer, format: int64}}}}}
    delete:
      operationId: deleteToy
      parameters: [${id}]
      responses: {'204': {description: gone}}
  /toys/links:
    get:
      operationId: linkedToys
      parameters: [{name: page, in: query, schema: {type: integer}}]
      x-pagination: {kind: link}
      responses: {'200': {description: ok, headers: {Link: {schema: {type: string}}}, ${json(`{type: array, items: ${toy}}`)}}}
  /tagged:
    get:
      operationId: taggedToy
      responses: {'200': {description: ok, headers: {ETag: {schema: {type: string}}}, ${json(toy)}}}
  /ready: {get: {operationId: isReady, responses: {'204': {description: ok}}}}
  /shake: {post: {operationId: shake, responses: {'204': {description: ok}}}}
  /events: {get: {operationId: watchToys, responses: {'200': {description: ok, content: {text/event-stream: {schema: {type: string}}}}}}}
components:
  schemas: {Toy: {type: object, required: [id], properties: {id: {type: integer, format: int64}, name: {type: string}}}}
`;

/** Beyond the integers that a number has. */
export const FIRST = 9007199254740993n;

/** @param pages of one toy each */
export function toyShelf({ pages = 3n } = {}): Promise<Served> {
  return served((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://a');
    const reply = (status: number, body?: string, headers = {}) =>
      response
        .writeHead(status, { ...(body && { 'Content-Type': 'application/json' }), ...headers })
        .end(request.method === 'HEAD' ? undefined : body);
    if (pathname === '/ready' || pathname === '/shake' || request.method === 'DELETE') {
      return reply(204);
    }
    if (request.method === 'POST') {
      response.writeHead(201, { 'Content-Type': 'application/json' });
      return request.pipe(response);
    }
    if (pathname === '/tagged') return reply(200, `{"id":${FIRST}}`, { ETag: '"7"' });
    if (pathname === '/toys/links') {
      const page = Number(searchParams.get('page') ?? 1);
      const next = `</toys/links?page=${page + 1}>; rel="next"`;
      return reply(200, `[{"id":${FIRST}}]`, page < pages ? { Link: next } : {});
    }
    if (pathname !== '/toys') {
      const found = pathname === `/toys/${FIRST}`;
      if (!found) return reply(404, '{"message":"none"}');
      return reply(200, `{"id":${FIRST}}`, { 'X-Size': String(FIRST) });
    }
    if (searchParams.get('color') === 'none') return reply(500, '{"message":"no color"}');
    const at = BigInt(searchParams.get('cursor') ?? FIRST);
    const next = at < FIRST + pages - 1n ? at + 1n : 'null';
    return reply(200, `{"items":[{"id":${at}}],"next":${next}}`);
  });
}
