// A contract with an operation for each feature, an older version of it, its converters and its service: test/matrix.test.ts.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readSettings, type ServiceOptions, type Settings } from '@stubwright/service';
import { etag } from 'stubwright/conditional';
import { memoryIdempotency } from 'stubwright/idempotency';
import { page } from 'stubwright/pages';
import { applyPatch } from 'stubwright/patch';
import { createWebhooks, sqliteOutbox } from 'stubwright/webhooks';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const toy = "{$ref: '#/components/schemas/Toy'}";
const json = (schema: string) => `{application/json: {schema: ${schema}}}`;
const ID = '{name: id, in: path, required: true, schema: {type: string}, example: bear}';
const IF_MATCH = `{name: If-Match, in: header, required: true, schema: {type: string}, example: '"1"'}`;
const KEY =
  '{name: Idempotency-Key, in: header, required: true, x-idempotency: {ttl: 1h}, schema: {type: string}}';
const ERROR = "{$ref: '#/components/responses/Error'}";
const reply = (status: number, content: string, headers = '{}') =>
  `{${status}: {description: ok, headers: ${headers}, content: ${content}}, 428: ${ERROR}, default: ${ERROR}}`;
const nothing = (status: number) => `{${status}: {description: ok}, default: ${ERROR}}`;
const ETAG = '{ETag: {required: true, schema: {type: string}}}';
const body = (content: string) => `{required: true, content: ${content}}`;

/** @param prefix of the paths; `Old` operations have other names, and exist in the older contract alone */
function paths(property: string, prefix: string, id = (name: string) => name): string {
  const isOld = prefix !== '';
  return `
  ${prefix}/toys:
    post:
      operationId: ${id('addToy')}
      parameters: [${KEY}]
      requestBody: ${body(json(toy))}
      responses: ${reply(201, json(toy), '{Idempotency-Replayed: {schema: {type: boolean}}}')}
    get:
      operationId: ${id('listToys')}
      ${isOld ? '' : 'x-pagination: {kind: cursor, parameter: cursor, size: limit, items: /toys, next: /next}'}
      parameters:
        - {name: cursor, in: query, schema: {type: string}}
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 9, default: 2}}
      responses: ${reply(200, json(`{type: object, required: [toys], properties: {toys: {type: array, items: ${toy}}, next: {type: string}}}`))}
  ${prefix}/toys/{id}:
    parameters: [${ID.replace('bear', isOld ? 'robot' : 'bear')}]
    ${isOld ? '' : `get: {operationId: getToy, responses: ${reply(200, json(toy), ETAG)}}`}
    put:
      operationId: ${id('putToy')}
      parameters: [${IF_MATCH}]
      requestBody: ${body(json(toy))}
      responses: ${reply(200, json(toy), ETAG)}
    patch:
      operationId: ${id('patchToy')}
      requestBody: ${body(`{application/merge-patch+json: {schema: {type: object}, x-patch-of: ${toy}, example: {${property}: y}}}`)}
      responses: ${reply(200, json(toy))}
    delete:
      operationId: ${id('removeToy')}
      ${isOld ? '' : 'security: [{oauth: [write]}]'}
      responses: ${nothing(204)}
  ${prefix}/count:
    get:
      operationId: ${id('countToys')}
      ${isOld ? '' : 'x-rate-limit: {requests: 2, window: 1h}'}
      responses: ${reply(200, json('{type: integer}'))}
  ${prefix}/import:
    post:
      operationId: ${id('importToy')}
      requestBody: ${body(`{multipart/form-data: {schema: {type: object, required: [toy, picture], properties: {toy: ${toy}, picture: {type: string, format: binary}}}}}`)}
      responses: ${reply(200, json(toy))}
  ${prefix}/events:
    get:
      operationId: ${id('watchToys')}
      responses: ${reply(200, `{text/event-stream: {itemSchema: {type: object, required: [data], properties: {data: {type: string, contentMediaType: application/json, contentSchema: ${toy}}}}}}`)}
  ${prefix}/sales:
    post:
      operationId: ${id('sellToy')}
      requestBody: ${body(`{application/json: {schema: {type: object, required: [toy, notify], properties: {toy: ${toy}, notify: {type: string, format: uri}}}, example: {toy: {${property}: x}, notify: 'http://127.0.0.1:9/'}}}`)}
      responses: ${nothing(204)}
`;
}

/** The property of a toy that has another name in the older contract. */
export const PROPERTIES = { '1.0.0': 'name', '2.0.0': 'title' } as const;

/** @param isCalling with the operations of the older version that call others */
export function contractOf(version: keyof typeof PROPERTIES, isCalling = true): string {
  const property = PROPERTIES[version];
  const isOld = version === '1.0.0' && isCalling;
  return `openapi: 3.2.0
info: {title: Toys, version: ${version}}
security: [{oauth: []}]
paths:${paths(property, '')}${isOld ? paths(property, '/old', (name) => `${name}Once`) : ''}
webhooks:
  toySold:
    post:
      operationId: toySold
      requestBody: ${body(json(toy))}
      responses: {204: {description: received}}
components:
  securitySchemes:
    oauth: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://issuer.example/token', scopes: {write: to remove}}}}
  schemas:
    Toy:
      type: object
      required: [${property}]
      properties: {${property}: {type: string}, count: {type: integer}}
      example: {${property}: x}
  responses:
    Error: {description: no, content: {application/problem+json: {}}}
`;
}

type Value = Readonly<Record<string, unknown>>;
type Call = (request: object) => Promise<{ readonly status: number; readonly body: never }>;
type Calls = Readonly<Record<string, Call>>;

const renamed = (from: string, to: string) => (value: Value) => {
  if (!(from in value)) return value;
  const { [from]: found, ...rest } = value;
  return { ...rest, [to]: found };
};
const toNew = renamed('name', 'title');
const toOld = renamed('title', 'name');

interface Called {
  readonly header: Value;
  readonly path: Value;
  readonly query: Value;
  readonly body: Value & { readonly toy: Value };
}

/** Calls the operation of the current contract that has the name without `Once`. */
const calling = (name: string, bodyOf?: (body: Called['body']) => Value) => ({
  async call({ body, ...request }: Called, calls: Calls) {
    const reply = await calls[name]!({ ...request, ...(bodyOf && { body: bodyOf(body) }) });
    return { ...reply, body: reply.body && convertedReply(reply.body) };
  },
});

function convertedReply(body: Value | number): unknown {
  if (typeof body !== 'object') return body;
  if (Symbol.asyncIterator in body) return convertedItems(body as unknown as AsyncIterable<Value>);
  const { toys } = body as { toys?: Value[] };
  return toys ? { ...body, toys: toys.map(toOld) } : toOld(body);
}

async function* convertedItems(items: AsyncIterable<Value>) {
  for await (const item of items) yield { ...item, data: toOld(item['data'] as Value) };
}

const ofToy = (body: Called['body']) => ({ ...body, toy: toNew(body.toy) });

/** Of 1.0.0, to the current contract. */
export const converters = () => ({
  schemas: { Toy: { toNew, toOld } },
  operations: {
    patchToy: { request: ({ body }: { body: Value }) => ({ body: toNew(body) }) },
    addToyOnce: calling('addToy', toNew),
    listToysOnce: calling('listToys'),
    putToyOnce: calling('putToy', toNew),
    patchToyOnce: calling('patchToy', toNew),
    removeToyOnce: calling('removeToy'),
    countToysOnce: calling('countToys'),
    importToyOnce: calling('importToy', ofToy),
    watchToysOnce: calling('watchToys'),
    sellToyOnce: calling('sellToy', ofToy),
  },
});

/** As a module of converters exports them. */
export const versionConverters = converters();

type Toy = { readonly title: string; readonly count?: bigint | number };
type Of<Body> = {
  readonly body: Body;
  readonly path: { readonly id: string };
  readonly preconditions: { check(version: number): void };
};
type Webhooks = Awaited<ReturnType<typeof webhooksOf>>;

function handlersOf() {
  const stored = new Map<string, { version: number; toy: Toy }>();
  const find = (id: string) => stored.get(id) ?? { version: 1, toy: { title: 'bear', count: 7 } };
  return {
    addToy: ({ body }: Of<Toy>) => ({ status: 201, body }),
    listToys: async (request: never) => {
      const { body } = await page(request, {
        order: ['count'],
        fetch: ({ after, limit }: { after?: readonly unknown[]; limit: number }) =>
          ['a', 'b', 'c']
            .map((title, at) => ({ title, count: at + 1 }))
            .filter(({ count }) => count > Number(after?.[0] ?? 0))
            .slice(0, limit),
      } as never);
      return { status: 200, body };
    },
    getToy: ({ path }: Of<never>) => {
      const { version, toy } = find(path.id);
      return { status: 200, headers: { ETag: etag(version) }, body: toy };
    },
    putToy: ({ path, body, preconditions }: Of<Toy>) => {
      const { version } = find(path.id);
      preconditions.check(version);
      stored.set(path.id, { version: version + 1, toy: body });
      return { status: 200, headers: { ETag: etag(version + 1) }, body };
    },
    patchToy: ({ path, body }: Of<never>) => {
      const { version, toy } = find(path.id);
      const patched = applyPatch(toy, body);
      stored.set(path.id, { version: version + 1, toy: patched });
      return { status: 200, body: patched };
    },
    removeToy: () => ({ status: 204 }),
    countToys: () => ({ status: 200, body: 3 }),
    importToy: ({ body: { toy, picture } }: Of<{ toy: Toy; picture: Blob }>) => ({
      ...{ status: 200, body: { ...toy, count: picture.size } },
    }),
    watchToys: () => ({
      status: 200,
      body: (async function* () {
        yield { data: { title: 'x' } };
      })(),
    }),
    async sellToy(
      { body: { toy, notify } }: Of<{ toy: Toy; notify: string }>,
      { webhooks }: { webhooks: Webhooks },
    ) {
      await webhooks.send('toySold', notify, toy as never);
      return { status: 204 };
    },
  };
}

function webhooksOf(folder: string) {
  return createWebhooks<never, DatabaseSync>({
    contract: join(folder, 'generated/contract.json'),
    outbox: sqliteOutbox(new DatabaseSync(':memory:')),
    secrets: () => [SECRET],
    ...{ addresses: 'any', pollMs: 5 },
  });
}

/** @param folder of the project */
export const serviceIn = (folder: string) =>
  ({
    handlers: handlersOf() as never,
    verifiers: (verify) => ({ oauth: verify }),
    readSettings,
    async open() {
      const webhooks = await webhooksOf(folder);
      webhooks.start();
      const store = { isReady: async () => true, waiting: 0, close: () => webhooks.stop() };
      return { store, services: { webhooks, stored: memoryIdempotency() } };
    },
    idempotency: ({ stored }) => stored,
  }) satisfies ServiceOptions<
    { webhooks: Webhooks; stored: ReturnType<typeof memoryIdempotency> },
    Settings
  >;
