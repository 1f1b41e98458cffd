// Compiles handlers and clients against the generated types of contract.yaml.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import ts from 'typescript';
import { runChecks } from '../../src/check/runChecks.ts';
import { checkedContract } from '../../src/loading/load.ts';
import { generateTypes } from '../../src/types/generateTypes.ts';

const FOLDER = 'packages/cli/test/types';
const CONTRACT = `${FOLDER}/contract.yaml`;
const OPENAPI_32 = `${FOLDER}/openapi32.yaml`;
const IMPORTS = `
import type {
  ApiOptions, CallbackRequestOf, CallbackResponseOf, HandlersOf, ReplyOf, RequestOf, Verifier,
} from 'stubwright';
import type { CallOf, ReceivedOf } from 'stubwright/testing';
import type { callbacks, components, operations, paths, webhooks } from './contract.ts';
import type * as birds from './openapi32.ts';

type Request<Id extends keyof operations> = RequestOf<operations[Id]>;
type Reply<Id extends keyof operations> = ReplyOf<operations[Id]>;
type Schemas = components['schemas'];
declare function handle<Id extends keyof operations>(id: Id, use: (request: Request<Id>) => void): void;
`;

/** Each compiles without an error. TypeScript reports a `@ts-expect-error` without an error. */
const SOURCES: Readonly<Record<string, string>> = {
  'demands a handler for each operation under paths only': `
    export const ids: Record<keyof operations, true> = {
      listTrips: true, createTrip: true, getShared: true, putTripsIdTags: true, putPet: true,
      createAccount: true, getAccount: true, deleteAccount: true, streamTrips: true,
      importTrips: true,
    };
    declare const handlers: HandlersOf<operations, null>;
    // @ts-expect-error a webhook needs no handler
    handlers.tripCancelled;
    // @ts-expect-error a referenced webhook needs no handler
    handlers.tripMoved;
    // @ts-expect-error a callback needs no handler
    handlers.onTripStarted;
  `,
  'has the operations, querystrings and shared media types of OpenAPI 3.2': `
    declare const list: RequestOf<birds.operations['listBirds']>;
    export const since: bigint | undefined = list.query.filter.since;
    // @ts-expect-error required
    export const unfiltered: CallOf<birds.operations['listBirds']> = {};
    export const call: CallOf<birds.operations['listBirds']> = { query: { filter: { family: 'a' } } };
    declare const copy: RequestOf<birds.operations['copyBirds']>;
    export const ids: bigint[] | undefined = copy.query.selection;
    declare const query: RequestOf<birds.operations['queryBirds']>;
    export const song = query.body !== undefined && 'song' in query.body ? query.body.song : '';
    export const crow: ReplyOf<birds.operations['copyBirds']> = { status: 200, body: { kind: 'crow', song: 'a' } };
    export const none: ReplyOf<birds.operations['queryBirds']> = { status: 200, body: { song: 'a' } };
    // @ts-expect-error neither an owl nor another bird
    export const wrong: ReplyOf<birds.operations['queryBirds']> = { status: 200, body: { kind: 'owl' } };
    export const at: birds.paths['/birds']['copy'] | birds.paths['/birds']['query'] = null as never;
    export const put = (request: RequestOf<birds.operations['putOwls']>) => request.body.getReader();
    export const mark = (request: RequestOf<birds.operations['markOwls']>) => request.body.getReader();
    export const link: birds.paths['/owls']['link'] = null as never;
    export const any: ReplyOf<birds.operations['unlinkOwls']> = { status: 201, body: new Uint8Array() };
  `,
  'requires a response header behind a $ref only if it is required': `
    export const reply: Reply<'listTrips'> = { status: 200, headers: { 'X-Total': 1 }, body: [] };
    export const missing: Reply<'listTrips'> = { status: 404, body: {} };
    export const full: Reply<'listTrips'> = { status: 404, headers: { 'X-Next': '/2' }, body: {} };
    // @ts-expect-error X-Total is required
    export const incomplete: Reply<'listTrips'> = { status: 200, headers: {}, body: [] };
  `,
  'has a value for each parameter with a default': `
    handle('listTrips', ({ query, header, cookie }) => {
      const limit: number = query.limit;
      const sort: 'asc' | 'desc' = query.sort;
      const trace: string = header.trace;
      const theme: string = cookie.theme;
      const from: string | undefined = query.filter?.from;
      // @ts-expect-error without a default
      const page: number = query.page;
      // @ts-expect-error OpenAPI ignores a parameter named Authorization
      header.Authorization;
      return { limit, sort, trace, theme, from, page };
    });
    handle('listTrips', ({ query: { filter, point } }) => {
      if (filter !== undefined) {
        const from: string = filter.from;
        // @ts-expect-error without a default
        const to: string = filter.to;
        return { from, to };
      }
      return point satisfies { x: number } | undefined;
    });
  `,
  'has a value for each property with a default in a request body': `
    handle('createTrip', ({ body }) => {
      const seats: number = body.seats;
      const id: bigint = body.id;
      const sort: 'asc' | 'desc' = body.sort;
      const minutes: number[] = (body.stops ?? []).map((stop) => stop.minutes);
      const wagon: number = 'train' in body.kind ? body.kind.wagon : body.kind.deck;
      const next: number | undefined = body.next?.next?.seats;
      if (body.next !== undefined) body.next.seats satisfies number;
      // @ts-expect-error the default is invalid, so that the engine ignores it
      const note: number = body.note;
      // @ts-expect-error readOnly
      const created: string = body.created;
      // @ts-expect-error any value
      const any: string = body.any;
      const trip: Schemas['NewTrip'] = body;
      return { seats, id, sort, minutes, wagon, next, note, created, any, trip };
    });
  `,
  'allows a reply and a client to omit a property with a default': `
    export const reply: Reply<'createTrip'> = { status: 201, body: { id: 1n } };
    export const sent: Schemas['NewTrip'] = { id: 1n, kind: { bus: '9' } };
    type Query = NonNullable<paths['/trips']['get']['parameters']['query']>;
    export const query: Query = { page: 2 };
    handle('createTrip', ({ body }) => ({ status: 201, body }) satisfies Reply<'createTrip'>);
    declare const received: Schemas['Trip'];
    // @ts-expect-error a server may omit it
    received.seats satisfies number;
    // @ts-expect-error of another type
    export const wrong: Reply<'createTrip'> = { status: 201, body: { id: 1n, seats: '1' } };
  `,
  'types a bare object as Record<string, unknown>': `
    handle('putTripsIdTags', ({ body: { bare, allOf, empty, nullable, closed } }) => {
      const all: Record<string, unknown>[] = [bare, allOf, empty, nullable ?? {}];
      closed satisfies Record<string, never>;
      // @ts-expect-error unknown
      bare.size satisfies number;
      return all;
    });
    type Body = operations['putTripsIdTags']['requestBody']['content']['application/json'];
    const size = { size: 1 };
    export const sent: Body = { bare: size, allOf: size, empty: size, nullable: size, closed: {} };
    // @ts-expect-error no property is allowed
    export const wrong: Body = { bare: size, allOf: size, empty: size, closed: size };
  `,
  'types the requests and responses of callbacks and webhooks': `
    type Started = callbacks['createTrip']['tripStarted']['{$request.body#/url}']['post'];
    export const request: Pick<CallbackRequestOf<Started>, 'body'> = { body: { id: 1n } };
    // @ts-expect-error the id is missing
    export const wrong: Pick<CallbackRequestOf<Started>, 'body'> = { body: {} };
    declare const response: CallbackResponseOf<Started>;
    if (response.status === 202) {
      response.body.queue satisfies bigint;
      response.headers?.['Retry-After'] satisfies string | undefined;
    } else {
      response.status satisfies 204;
      response.body satisfies undefined;
    }
    type Ended = callbacks['createTrip']['tripEnded']['{$request.body#/url}/end']['put'];
    export const status: CallbackResponseOf<Ended>['status'] = 204;
    type Cancelled = webhooks['tripCancelled']['post'];
    export const cancelled: CallbackRequestOf<Cancelled>['body'] = { id: 1n };
    export const moved: CallbackResponseOf<webhooks['tripMoved']['post']>['status'] = 204;
  `,
  'has the properties of the schemas that a discriminator selects': `
    const lion = { kind: 'Lion', huntingSkill: 'royal', lives: 9n, mane: true } as const;
    export const reply: Reply<'putPet'> = {
      status: 200,
      body: [lion, { kind: 'Cat', huntingSkill: 'lazy' }, { kind: 'dog', packSize: 2 }, { kind: 'Fox' }],
    };
    export const nested: Reply<'putPet'> = { status: 200, body: [{ kind: 'hound', friends: [lion] }] };
    export const descendant: Reply<'putPet'> = { status: 201, body: lion };
    export const inline: Reply<'putPet'> = { status: 202, body: { kind: 'ball', size: 3 } };
    // @ts-expect-error a cat has no pack
    export const other: Reply<'putPet'> = { status: 200, body: [{ kind: 'Cat', packSize: 2 }] };
    // @ts-expect-error a dog is no cat
    export const sibling: Reply<'putPet'> = { status: 201, body: { kind: 'dog', packSize: 2 } };
    handle('putPet', ({ body }) => {
      if ('huntingSkill' in body) {
        body.huntingSkill satisfies string;
        body.lives satisfies bigint;
      } else if ('packSize' in body) {
        body.kind satisfies 'dog' | 'hound' | 'Dog';
        body.packSize satisfies number | undefined;
      }
      return body satisfies Schemas['Pet'];
    });
    declare const cat: Schemas['Cat'];
    if (cat.kind === 'Lion') cat.mane satisfies boolean | undefined;
    export const name: Schemas['PetBase'] = 'not a pet';
  `,
  'has no readOnly property in a request': `
    handle('createAccount', ({ body }) => {
      if (!('password' in body)) return;
      body.password satisfies string;
      body.limits.max satisfies number;
      // @ts-expect-error readOnly behind a $ref
      body.id;
      // @ts-expect-error readOnly in another schema of allOf
      body.owner;
      // @ts-expect-error readOnly in an object
      body.limits.used;
      // @ts-expect-error readOnly in items
      body.keys?.[0]?.hash;
      if (body.kind?.bot) body.kind.token satisfies string;
      // @ts-expect-error readOnly in an alternative
      else body.kind?.since;
    });
    type Call = CallOf<operations['createAccount']>;
    export const call: Call = { body: { name: 'a', password: 'b', limits: {}, keys: [{ text: 'c' }] } };
    // @ts-expect-error readOnly
    export const wrong: Call = { body: { name: 'a', password: 'b', limits: { used: 1 } } };
  `,
  'has no writeOnly property in a response': `
    const account = { id: 1n, name: 'a', owner: 'b', limits: { used: 1 }, keys: [{ hash: 'c' }] };
    export const reply: Reply<'createAccount'> = { status: 201, body: account };
    // @ts-expect-error writeOnly
    export const wrong: Reply<'createAccount'> = { status: 201, body: { ...account, password: 'd' } };
    // @ts-expect-error writeOnly in items
    export const inner: Reply<'createAccount'> = { status: 201, body: { ...account, keys: [{ hash: 'c', text: 'd' }] } };
    // @ts-expect-error a readOnly property is required
    export const missing: Reply<'createAccount'> = { status: 201, body: { name: 'a', owner: 'b', limits: { used: 1 } } };
    declare const schema: Schemas['Account'];
    export const whole: Reply<'createAccount'> = { status: 201, body: schema };
    declare const received: Extract<ReceivedOf<operations['createAccount']>, { status: 201 }>;
    received.body.keys?.[0]?.hash satisfies string | undefined;
    // @ts-expect-error writeOnly
    received.body.password;
  `,
  'has a file as a Blob in a form with parts, and as a string elsewhere': `
    type Bodies = operations['createAccount']['requestBody']['content'];
    type Body<Type extends keyof Bodies> = Request<'createAccount'>['body'] & RequestOf<{
      requestBody: { content: Pick<Bodies, Type> };
    }>['body'];
    declare const parts: Body<'multipart/form-data'>;
    [parts.photo, ...(parts.more ?? [])] satisfies Blob[];
    parts.meta?.raw satisfies string | undefined;
    declare const pairs: Body<'application/x-www-form-urlencoded'>;
    [pairs.photo, ...(pairs.more ?? [])] satisfies string[];
    const file = new Blob([]);
    export const form: Reply<'createAccount'> = {
      status: 202, type: 'multipart/form-data', body: { photo: file, more: [file], meta: { raw: 'a' } },
    };
    export const json: Reply<'createAccount'> = {
      status: 202, type: 'application/json', body: { photo: 'a', more: ['b'] },
    };
    // @ts-expect-error JSON has no files
    export const wrong: Reply<'createAccount'> = { status: 202, type: 'application/json', body: { photo: file } };
  `,
  'has a principal if the operation requires a scheme': `
    handle('createAccount', ({ principal, principals }) => {
      principal.name satisfies string;
      principals.key.name satisfies string;
      // @ts-expect-error only one alternative has the scheme
      principals.session.name;
      // @ts-expect-error no such scheme
      principals.other;
    });
    handle('getAccount', ({ principal, principals }) => {
      // @ts-expect-error a caller may be anonymous
      principal.name;
      principals.key?.name satisfies string | undefined;
    });
    handle('deleteAccount', ({ principal }) => principal satisfies undefined);
    handle('getShared', ({ principal }) => principal?.name);
  `,
  'accepts a verifier without type arguments for any adapter': `
    const verify: Verifier = (token, request) => ({ name: token + request.method });
    const native: Verifier<{ ip: string }> = (token, { native: { ip } }) => ({ name: token + ip });
    type Verifiers<Native> = NonNullable<ApiOptions<null, Native>['verifiers']>;
    export const any: Verifiers<{ ip: string }> = { verify, native };
    // @ts-expect-error the request of another adapter
    export const wrong: Verifiers<{ port: number }> = { native };
  `,
  'types the items of a sequence': `
    export const events: Reply<'streamTrips'> = {
      status: 200,
      body: (async function* () {
        yield { event: 'trip' as const, data: { id: 1n } };
        yield { event: 'note' as const, id: '7', data: 'text' };
      })(),
    };
    export const array: Reply<'streamTrips'> = { status: 200, body: [{ event: 'trip', data: { id: 1n } }] };
    // @ts-expect-error the data of a trip is not text
    export const text: Reply<'streamTrips'> = { status: 200, body: [{ event: 'trip', data: '{}' }] };
    // @ts-expect-error not listed
    export const other: Reply<'streamTrips'> = { status: 200, body: [{ event: 'none', data: '' }] };
    export const bytes: Reply<'streamTrips'> = { status: 200, body: new Uint8Array() };
    handle('importTrips', async ({ body, lastEventId }) => {
      for await (const trip of body) trip.id satisfies bigint;
      lastEventId satisfies string | undefined;
      // @ts-expect-error read while it arrives
      body.length;
    });
    export async function read(reply: ReceivedOf<operations['streamTrips']>) {
      if (reply.status !== 200) return;
      for await (const event of reply.body) {
        if (event.event === 'trip') event.data.id satisfies bigint;
        else event.data satisfies string;
      }
    }
    export const call: CallOf<operations['importTrips']> = { body: [{ id: 1n }] };
  `,
  'rejects an undeclared property in the literal of a handler': `
    export async function createTrip(): Promise<Reply<'createTrip'>> {
      // @ts-expect-error seats under an old name
      return { status: 201, body: { id: 1n, places: 2 } };
    }
    export function listTrips(): Reply<'listTrips'> {
      // @ts-expect-error in an item
      return { status: 200, headers: { 'X-Total': 1 }, body: [{ id: 1n, next: { id: 2n, places: 2 } }] };
    }
  `,
};

let folder: TemporaryFolder;
let program: ts.Program;

const fileOf = (name: string) => join(folder.path, `${Object.keys(SOURCES).indexOf(name)}.ts`);

beforeAll(async () => {
  folder = temporaryFolder();
  writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
  for (const [path, name] of [
    [CONTRACT, 'contract.ts'],
    [OPENAPI_32, 'openapi32.ts'],
  ] as const) {
    const { document } = await checkedContract(path);
    writeFileSync(join(folder.path, name), generateTypes(path, document));
  }
  for (const [name, source] of Object.entries(SOURCES))
    writeFileSync(fileOf(name), IMPORTS + source);
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
    ts.sys,
    resolve('.'),
  );
  program = ts.createProgram(Object.keys(SOURCES).map(fileOf), {
    ...options,
    noUnusedLocals: false,
    typeRoots: [resolve('node_modules/@types')],
    paths: {
      stubwright: [resolve('packages/stubwright/src/index.ts')],
      'stubwright/testing': [resolve('packages/stubwright/src/testing.ts')],
    },
  });
}, 60_000);
afterAll(() => folder.remove());

it.each(Object.keys(SOURCES))(
  '%s',
  (name) => {
    const file = program.getSourceFile(fileOf(name));
    const errors = ts.getPreEmitDiagnostics(program, file).map(({ messageText, start }) => {
      const line = file!.text.slice(0, start).split('\n').length;
      return `${file!.text.split('\n')[line - 1]!.trim()}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
    expect(errors).toEqual([]);
  },
  60_000,
);

it.each(['contract.ts', 'openapi32.ts'])(
  'generates types without an error of their own: %s',
  (name) => {
    const file = program.getSourceFile(join(folder.path, name));
    expect(ts.getPreEmitDiagnostics(program, file)).toEqual([]);
  },
);

it('lists int64 values exactly, as bigints', async () => {
  const int64 = { type: ['integer', 'null'], format: 'int64' };
  const properties = {
    some: { ...int64, enum: [-1, 9007199254740993n, null] },
    one: { ...int64, const: 9223372036854775807n },
    small: { type: 'integer', enum: [1, 2] },
  };
  const types = generateTypes('a.yaml', {
    openapi: '3.1.0',
    info: { title: 'Numbers', version: '1' },
    paths: {},
    components: { schemas: { Numbers: { type: 'object', properties } } },
  });
  expect(types).toMatch(/\bsome\?: -1n \| 9007199254740993n \| null;/);
  expect(types).toMatch(/\bone\?: 9223372036854775807n;/);
  expect(types).toMatch(/\bsmall\?: 1 \| 2;/);
});

describe('a contract with unusual names', () => {
  const names = [
    ...['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'example', 'default', 'enum'],
    ...['const', 'value', 'properties', 'discriminator', 'content', 'allOf'],
  ];
  const entries = (values: readonly string[], value: (name: string) => unknown) =>
    Object.fromEntries(values.map((name) => [name, value(name)]));
  const properties = entries(['$ref', ...names], () => ({ type: 'string' }));
  const schemas = {
    ...entries(names, () => ({ type: 'object', properties })),
    Booleans: { allOf: [true, { type: 'object' }], anyOf: [true, false], not: false },
  };
  const oneOf = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const content = { 'application/json': { schema: { oneOf } } };
  const post = {
    ...{ operationId: 'constructor', requestBody: { content } },
    responses: { 200: { description: 'Any', content } },
  };
  const document = {
    ...{ openapi: '3.1.0', info: { title: 'Names', version: '1.0.0' } },
    ...{ paths: { '/a': { post } }, components: { schemas } },
  };

  it('has types', () => {
    const types = generateTypes('a.yaml', document);
    for (const name of names) expect(types).toContain(`components["schemas"]["${name}"]`);
    const { diagnostics } = ts.transpileModule(types, { reportDiagnostics: true });
    expect(diagnostics).toEqual([]);
  });

  it('has no lint errors', async () => {
    const file = join(folder.path, 'names.yaml');
    writeFileSync(file, JSON.stringify(document));
    const { findings } = await runChecks('names.yaml', { cwd: folder.path });
    expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

it('has the members of a discriminator as its schemas declare them, whatever data there is', () => {
  const discriminator = { propertyName: 'kind', mapping: { x: '#/components/schemas/Toy' } };
  const oneOf = [{ $ref: '#/components/schemas/Toy' }];
  const types = (data: unknown) =>
    generateTypes('a.yaml', {
      ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1' }, paths: {} },
      components: {
        schemas: { Toy: { type: 'object', properties: { kind: { type: 'string' } } } },
        examples: { a: { value: data }, b: { dataValue: [data] } },
        parameters: { a: { name: 'a', in: 'query', schema: {}, 'x-data': data } },
      },
    });
  expect(types({ discriminator, oneOf })).toBe(types({ oneOf: [null], allOf: [1] }));
});

it('has the same types with extensions', () => {
  const types = (extensions: Readonly<Record<string, object>>) =>
    generateTypes('a.yaml', {
      ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1' } },
      paths: { '/a': { get: { responses: { 200: { description: 'ok' }, ...extensions } } } },
      components: { schemas: { Toy: { type: 'object', ...extensions } } },
    });
  const ofResponse = { description: 'none', content: { 'a/b': { schema: { type: 'string' } } } };
  const reference = { $ref: 'other.yaml#/a' };
  expect(types({ 'x-a': ofResponse, 'x-b': reference })).toBe(types({}));
});

it('has the parameters of a path item whose path has a fragment', () => {
  const parameters = [{ name: 'size', in: 'query', schema: { type: 'integer' } }];
  const get = { responses: { '204': { description: 'ok' } } };
  const types = generateTypes('a.yaml', {
    ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1.0.0' } },
    paths: { '/toys#small': { parameters, get } },
  });
  // Of the path, and of the operation.
  expect(types.match(/\bsize\?: number;/g)).toHaveLength(2);
});

it('names a schema that a reference leads to, in a contract without components', () => {
  const schema = { type: 'object', properties: { size: { enum: ['small'] } } };
  const at = '#/paths/~1toys/post/requestBody/content/application~1json/schema/properties/size';
  const of = (body: object) => ({ content: { 'application/json': { schema: body } } });
  const types = generateTypes('a.yaml', {
    ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1.0.0' } },
    paths: {
      '/toys': {
        post: {
          requestBody: of(schema),
          responses: { '200': { description: 'ok', ...of({ $ref: at }) } },
        },
      },
    },
  });
  const [, name = ''] = /^type (\w+) = "small";$/m.exec(types)!;
  expect(types.split(`: ${name};`)).toHaveLength(3);
});

it('names a part of a component after the component', () => {
  const schemas = {
    Event: { allOf: [{ type: 'object', properties: { at: { enum: ['now'] } } }] },
    Part: { $ref: '#/components/schemas/Event/allOf/0/properties/at' },
  };
  const types = generateTypes('a.yaml', {
    ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1.0.0' } },
    ...{ paths: {}, components: { schemas } },
  });
  expect(types).toContain('Part: EventAllOf0At;');
});

it.each([
  [['a'], 'number | string'],
  [[], 'number | string | undefined'],
])(
  'the index signature of an object includes its properties; %j are required',
  (required, union) => {
    const properties = { a: { type: 'string' } };
    const Toy = { type: 'object', required, properties, additionalProperties: { type: 'integer' } };
    const types = generateTypes('a.yaml', {
      ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1.0.0' } },
      ...{ paths: {}, components: { schemas: { Toy } } },
    });
    expect(types).toContain(`[key: string]: ${union};`);
  },
);
