// `--msw`: handlers of Mock Service Worker, with its server for Node and the generated client.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setupServer } from 'msw/node';
import { type ClientProject, clientProject } from '../support/clientProject.ts';

const ok = (more = '') => `responses: {'200': {description: ok${more}}}`;
const json = (schema: string, example?: string) =>
  `, content: {application/json: {schema: ${schema}${example ? `, example: ${example}` : ''}}}`;
const id = '{name: id, in: path, required: true, schema: {type: string}}';
const get = (operationId: string, more = ok(), parameters = '') =>
  `{get: {operationId: ${operationId}, parameters: [${parameters}], ${more}}}`;

const CONTRACT = `openapi: 3.2.0
info: {title: Toys, version: 1.0.0}
servers: [{url: 'https://{region}.Toys.example/v1/', variables: {region: {default: eu}}}, {url: 'https://TOYS.example:443/v2'}]
paths:
  /toys:
    get:
      operationId: listToys
      responses:
        '200': {description: ok, headers: {X-Total: {required: true, schema: {type: integer, format: int64}, example: 9007199254740993}}${json("{type: array, items: {$ref: '#/components/schemas/Toy'}}", '[{id: 9007199254740993, name: Bear}]')}}
        4XX: {description: error${json('{type: object, required: [message], properties: {message: {type: string}}}', '{message: no}')}}
    post:
      operationId: createToy
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
      responses:
        '201': {description: ok, headers: {Location: {schema: {type: string}}}${json("{$ref: '#/components/schemas/Toy'}")}}
        '409': {description: taken${json('{type: object, required: [holder], properties: {holder: {type: integer, format: int64}}}')}}
        default: {description: error}
    query: {operationId: findToys, ${ok(json("{$ref: '#/components/schemas/Toy'}", '{id: 5}'))}}
  /toys/{id}: ${get('getToy', ok(json('{type: string}', 'toy')), id)}
  /toys/mine: ${get('mine', ok(json('{type: string}', 'mine')))}
  /toys/{id}.json: ${get('jsonToy', ok(json('{type: string}', 'json')), id)}
  /toys/{id}:activate: ${get('activate', ok(json('{type: string}', 'activated')), id)}
  /toys/a+b(c)*: ${get('odd', ok(json('{type: string}', 'odd')))}
  /größe a/{id}: ${get('size', ok(json('{type: string}', 'size')), id)}
  /photo:
    get: {operationId: getPhoto, ${ok(', content: {image/png: {schema: {type: string, format: binary}}}')}}
    head: {operationId: hasPhoto, ${ok(', headers: {X-Size: {schema: {type: integer}, example: 7}}')}}
    delete: {operationId: deletePhoto, responses: {'204': {description: gone, headers: {Set-Cookie: {schema: {type: array, items: {type: string}}, example: [a=1, b=2]}}}}}
  /events: {get: {operationId: watch, ${ok(', content: {text/event-stream: {itemSchema: {type: object, properties: {data: {type: string}}}, example: [{data: a}, {data: b}]}}')}}}
  /parts: {get: {operationId: parts, ${ok(', content: {application/jsonl: {itemSchema: {type: object, properties: {id: {type: integer, format: int64}}}, example: [{id: 9007199254740993}]}}')}}}
  /text: {get: {operationId: readText, responses: {'200': {description: ok, content: {text/plain: {schema: {type: string}, example: hello}}}}}}
  /handlers: {servers: [{url: 'https://other.example'}], get: {operationId: handlers, ${ok()}}}
components:
  schemas: {Toy: {type: object, required: [id], properties: {id: {type: integer, format: int64}, name: {type: string}}}}
`;

const MAIN = `import { setupServer } from 'msw/node';
import { createToy, findToys, handlers, handlers_, handlersAt, listToys, readText, getPhoto, watch } from 'toys/msw';
const server = setupServer(...handlers, ...handlersAt('http://localhost'));
server.use(createToy({ status: 201, body: { id: 1n } }), createToy({ status: 409, body: { holder: 1n } }), createToy());
server.use(listToys({ status: 404, body: { message: 'none' } }, { baseUrl: 'http://localhost' }), findToys({ status: 200 }));
server.use(listToys({ status: 200, headers: { 'X-Total': 1n } }), handlers_(), readText({ status: 200, body: 'a' }));
server.use(listToys(async (request) => ({ status: 200, body: [{ id: BigInt(request.url.length) }] })));
server.use(getPhoto({ status: 200, body: new Uint8Array(1) }), watch({ status: 200, body: 'data: a\\n\\n' }));
`;
const WRONG = [
  ['body: { id: 1n } })', 'body: { id: 1 } })', '4: TS2345'],
  ["body: { message: 'none' }", 'body: { id: 1n }', '5: TS2345'],
  ["'X-Total': 1n", "'X-Total': '1'", '6: TS2345'],
  ['status: 200, body: [', 'status: 201, body: [', '7: TS2345'],
  ['new Uint8Array(1)', '1', '8: TS2322'],
] as const;

/** The status for an error of a handler. */
const UNHANDLED = 500;

function onUnhandledRequest({ url }: Request): void {
  throw new Error(`no handler for ${url}`);
}

describe('a client with --msw', () => {
  let project: ClientProject;
  // biome-ignore lint/suspicious/noExplicitAny: without generated types
  let mocks: any;
  // biome-ignore lint/suspicious/noExplicitAny: without generated types
  let toys: any;
  const server = setupServer();

  beforeAll(async () => {
    project = await clientProject(CONTRACT, { flags: ['--msw'], packages: ['msw'] });
    mocks = await project.load('msw.js');
    toys = (await project.load()).createClient({ retry: false });
    server.listen({ onUnhandledRequest });
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => {
    server.close();
    project.remove();
  });

  it('has types of replies', () => {
    expect(project.errorsOf(MAIN)).toEqual([]);
    const wrong = WRONG.reduce((text, [right, other]) => {
      expect(text).toContain(right);
      return text.replace(right, other);
    }, MAIN);
    const codes = project.errorsOf(wrong).map((each) => each.replace(/(TS\d+).*/s, '$1'));
    expect(new Set(codes)).toEqual(new Set(WRONG.map(([, , code]) => code)));
  });

  it('prints the output of its page', async () => {
    const page = readFileSync('docs/stubwright/client.md', 'utf8');
    const [, example = ''] = /^## Mocks$.*?^```ts\n(.*?)^```$/ms.exec(page)!;
    const source = example.replaceAll('@acme/toys', 'toys');
    expect(project.errorsOf(source)).toEqual([]);
    writeFileSync(join(project.path, 'try.js'), source);
    const printed: string[] = [];
    const log = jest.spyOn(console, 'log').mockImplementation((...values) => {
      printed.push(format(...values));
    });
    server.close();
    await import(join(project.path, 'try.js'));
    log.mockRestore();
    server.listen({ onUnhandledRequest });
    expect(printed.length).toBeGreaterThan(0);
    expect(printed).toEqual([...example.matchAll(/; \/\/ (.*)$/gm)].map(([, output]) => output));
  });

  it('replies with the examples, to the last digit', async () => {
    server.use(...mocks.handlers);
    expect(await toys.listToys()).toMatchObject({
      status: 200,
      headers: { 'X-Total': 9007199254740993n },
      body: [{ id: 9007199254740993n, name: 'Bear' }],
    });
    expect((await toys.createToy({ body: { id: 1n } })).status).toBe(201);
    expect((await toys.findToys()).body).toEqual({ id: 5n });
    expect((await toys.readText()).body).toBe('hello');
    expect(ArrayBuffer.isView((await toys.getPhoto()).body)).toBe(true);
    expect((await toys.hasPhoto()).headers).toEqual({ 'X-Size': 7 });
    expect(await toys.deletePhoto()).toMatchObject({
      ...{ status: 204, headers: { 'Set-Cookie': ['a=1', 'b=2'] } },
    });
    expect((await toys.handlers()).status).toBe(200);
    const events: string[] = [];
    for await (const { data } of (await toys.watch()).body) events.push(data);
    expect(events).toEqual(['a', 'b']);
    const parts: unknown[] = [];
    for await (const each of (await toys.parts()).body) parts.push(each);
    expect(parts).toEqual([{ id: 9007199254740993n }]);
  });

  it.each([
    ['/toys/1', 'toy'],
    ['/toys/mine', 'mine'],
    ['/toys/mine2?a=/b', 'toy'],
    ['/toys/1.json', 'json'],
    ['/toys/1xjson', 'toy'],
    ['/toys/1:activate', 'activated'],
    ['/toys/a+b(c)*', 'odd'],
    ['/toys/aab(c)*', 'toy'],
    ['/größe a/1', 'size'],
    ['/gr%C3%B6%C3%9Fe%20a/1', 'size'],
  ])('serves %s as %s, in any order of the handlers', async (path, body) => {
    for (const all of [mocks.handlers, mocks.handlers.toReversed()]) {
      server.use(...all);
      for (const base of ['https://eu.toys.example/v1', 'https://toys.example/v2']) {
        expect(await (await fetch(base + path)).json()).toBe(body);
      }
    }
  });

  it.each([
    'https://toys.example/v1/toys/mine',
    'https://toys.example/v2/toys/',
    'https://toys.example/v2/toys/1/2',
    'https://toys.example/v2x/toys',
    'https://toys.example/toys',
    'https://other.example/toys',
  ])('does not serve %s', async (url) => {
    server.use(...mocks.handlers);
    expect((await fetch(url)).status).toBe(UNHANDLED);
  });

  it('replies with chosen statuses, headers and bodies', async () => {
    server.use(...mocks.handlers);
    server.use(mocks.createToy({ status: 409, body: { holder: 9007199254740993n } }));
    expect(await toys.createToy({ body: { id: 1n } })).toMatchObject({
      status: 409,
      body: { holder: 9007199254740993n },
    });
    server.use(mocks.createToy({ status: 201, headers: { Location: '/toys/1' } }));
    const created = await toys.createToy({ body: { id: 1n } });
    expect(created).toMatchObject({ status: 201, headers: { Location: '/toys/1' } });
    expect(typeof created.body.id).toBe('bigint');
    server.use(mocks.createToy({ status: 503 }), mocks.listToys({ status: 418 }));
    expect((await toys.createToy({ body: { id: 1n } })).status).toBe(503);
    expect(await toys.listToys()).toMatchObject({ status: 418, body: { message: 'no' } });
    expect(() => mocks.getToy({ status: 404 })).toThrow('getToy: status 404 is not declared');
  });

  it('replies to one operation alone, and with a function of the request', async () => {
    server.use(...mocks.handlers);
    server.use(mocks.getToy({ status: 200, body: 'other' }));
    const read = async (path: string) => (await fetch(`https://toys.example/v2${path}`)).json();
    expect([await read('/toys/mine'), await read('/toys/7')]).toEqual(['mine', 'other']);
    server.use(mocks.getToy(({ url }: Request) => ({ status: 200, body: url.slice(-1) })));
    expect(await read('/toys/7')).toBe('7');
    server.use(
      mocks.createToy(async (request: Request) => ({ status: 201, body: await request.json() })),
    );
    expect((await toys.createToy({ body: { id: 3n } })).body).toEqual({ id: 3n });
  });

  it('serves another server', async () => {
    server.use(...mocks.handlersAt('http://localhost:4000/api/?a=b'));
    const { createClient } = await project.load();
    const client = createClient({ baseUrl: 'http://localhost:4000/api', retry: false });
    expect((await client.readText()).body).toBe('hello');
    server.use(
      mocks.readText({ status: 200, body: 'own' }, { baseUrl: 'http://localhost:4000/api' }),
    );
    expect((await client.readText()).body).toBe('own');
    await expect(toys.readText()).rejects.toMatchObject({ status: UNHANDLED });
  });

  it('serves any origin without a server in the contract', async () => {
    const other = await clientProject(CONTRACT.replace(/^servers:.*/m, ''), {
      flags: ['--msw'],
      packages: ['msw'],
    });
    server.use(...(await other.load('msw.js')).handlers);
    expect(await (await fetch('http://a.example:81/text')).text()).toBe('hello');
    other.remove();
  });

  it('is the same each time', async () => {
    const again = await clientProject(CONTRACT, { flags: ['--msw'] });
    const read = ({ path }: ClientProject) =>
      readFileSync(`${path}/node_modules/toys/msw.js`, 'utf8');
    expect(read(again)).toBe(read(project));
    again.remove();
  });
});

describe('a client with --msw, --dates and --int64', () => {
  const contract = `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
servers: [{url: 'https://toys.example'}]
paths:
  /toys:
    get:
      operationId: getToy
      responses:
        '200':
          description: ok
          headers: {X-Id: {required: true, schema: {type: integer, format: int64}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}, example: {id: 9007199254740993, made: '2024-01-02T03:04:05Z'}}}
  /day: {get: {operationId: getDay, responses: {'200': {description: ok, content: {text/plain: {schema: {type: string, format: date}}}}}}}
  /name: {get: {operationId: getName, responses: {'200': {description: ok, content: {application/json: {schema: {type: string}}}}}}}
components:
  schemas: {Toy: {type: object, required: [id, made], properties: {id: {type: integer, format: int64}, made: {type: string, format: date-time}}}}
`;
  let project: ClientProject;
  const server = setupServer();

  beforeAll(async () => {
    const flags = ['--msw', '--dates', 'Date', '--int64', 'string'];
    project = await clientProject(contract, { flags, packages: ['msw'] });
    server.listen({ onUnhandledRequest });
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => {
    server.close();
    project.remove();
  });

  it('replies with the types of the client, which the contract has on the wire', async () => {
    const mocks = await project.load('msw.js');
    const toys = (await project.load()).createClient({ retry: false });
    const body = { id: '9007199254740993', made: new Date('2024-01-02T03:04:05Z') };
    server.use(...mocks.handlers);
    expect((await toys.getToy()).body).toEqual(body);
    const made = new Date('2030-01-01T00:00:00Z');
    const other = { id: '9223372036854775807', made };
    server.use(
      mocks.getToy({ status: 200, headers: { 'X-Id': '9007199254740993' }, body: other }),
      mocks.getDay({ status: 200, body: new Date('2030-01-01') }),
      mocks.getName({ status: 200, body: 'bear' }),
    );
    const reply = await toys.getToy();
    expect([reply.body, reply.headers['X-Id']]).toEqual([other, '9007199254740993']);
    expect((await toys.getDay()).body).toEqual(new Date('2030-01-01'));
    expect((await toys.getName()).body).toBe('bear');
    expect(await (await fetch('https://toys.example/toys')).text()).toBe(
      '{"id":9223372036854775807,"made":"2030-01-01T00:00:00.000Z"}',
    );
  });

  it('refuses other values', async () => {
    const error = jest.spyOn(console, 'error').mockImplementation(() => {});
    const mocks = await project.load('msw.js');
    server.use(mocks.getToy({ status: 200, body: { id: '1.5', made: new Date() } }));
    expect((await fetch('https://toys.example/toys')).status).toBe(UNHANDLED);
    const expected = 'getToy: body/id: got "1.5", expected the digits of an integer of 64 bits';
    expect(format(...error.mock.calls[0]!)).toContain(expected);
    error.mockRestore();
  });

  it('has their types', () => {
    const use = (body: string) =>
      `import { getToy } from 'toys/msw';\ngetToy({ status: 200, body: ${body} });\n`;
    expect(project.errorsOf(use("{ id: '1', made: new Date() }"))).toEqual([]);
    expect(project.errorsOf(use("{ id: 1n, made: '2024-01-02T03:04:05Z' }"))).toHaveLength(2);
  });
});
