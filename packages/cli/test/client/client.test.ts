// `stubwright client`: the files of a generated package.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as runtime from '@stubwright/client';
import { Contract, type Node } from '@stubwright/contract';
import { type TemporaryFolder, temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { clientValidation } from 'stubwright/client-validation';
import ts from 'typescript';
import { parse } from 'yaml';
import { clientPackage, packageName, packageVersion } from '../../src/client/clientPackage.ts';
import { functionNames } from '../../src/client/names.ts';
import { runCommand } from '../support/command.ts';
import { fetchOf, generatedClient } from '../support/generatedClient.ts';

const CONTRACT = `openapi: 3.1.0
info: {title: "Acme's Toys", version: v2.1, description: "Toys */ of all kinds."}
servers: [{url: 'https://{region}.toys.example/v1', variables: {region: {default: eu}}}]
security: [{basic: []}, {headers: []}]
paths:
  /toys:
    get:
      operationId: list-toys
      summary: List toys
      description: All of them. */ Really.
      deprecated: true
      externalDocs: {url: 'https://toys.example/docs'}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: array}}}}}
    post:
      operationId: delete
      x-idempotent: true
      requestBody:
        required: true
        content:
          application/json:
            schema: {type: object, properties: {id: {type: integer, format: int64}}}
            example: {id: 9007199254740993}
      responses: {'204': {description: ok}}
  /files:
    servers: [{url: 'https://files.example'}]
    get: {operationId: listToys, security: [], responses: {'204': {description: ok}}}
components:
  securitySchemes:
    basic: {type: http, scheme: basic}
    headers: {type: apiKey, in: header, name: X-Key}
`;

describe('stubwright client', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = temporaryFolder();
    writeFileSync(join(folder.path, 'openapi.yaml'), CONTRACT);
    await client('openapi.yaml', 'sdk');
  });
  afterAll(() => folder.remove());
  const client = (...args: string[]) => runCommand(['client', ...args], { cwd: folder.path });
  const text = (path: string) => readFileSync(join(folder.path, path), 'utf8');

  it('writes a package, the same each time, and reports a stale one', async () => {
    expect(await client()).toEqual({
      ...{ status: 0, err: '' },
      out: 'client: acme-s-toys 2.1.0, 3 operations\n',
    });
    const files = readdirSync(join(folder.path, 'client')).sort();
    expect(files).toEqual([
      ...['README.md', 'contract.d.ts', 'index.cjs', 'index.d.cts', 'index.d.ts', 'index.js'],
      ...['operations.d.ts', 'package.json'],
    ]);
    const before = files.map((file) => text(`client/${file}`));
    await client();
    expect(files.map((file) => text(`client/${file}`))).toEqual(before);
    expect(await client('--check')).toEqual({ status: 0, out: '', err: '' });
    writeFileSync(join(folder.path, 'client/index.js'), '');
    expect(await client('--check')).toEqual({
      ...{ status: 1, out: '' },
      err: 'client/index.js is stale: generate it again\n',
    });
  });

  it('takes a folder and a name', async () => {
    const { out } = await client('openapi.yaml', 'sdk', '--name', '@acme/toys');
    expect(out).toBe('sdk: @acme/toys 2.1.0, 3 operations\n');
    const manifest = JSON.parse(text('sdk/package.json'));
    const { version } = JSON.parse(readFileSync('packages/client/package.json', 'utf8'));
    expect(manifest).toMatchObject({
      ...{ name: '@acme/toys', version: '2.1.0', description: "A client of Acme's Toys" },
      ...{ type: 'module', sideEffects: false },
      dependencies: { '@stubwright/client': `^${version}` },
    });
    expect(text('sdk/README.md')).toContain("import { createClient, unwrap } from '@acme/toys';");
  });

  it('sends to the servers of a path item behind a reference', async () => {
    const servers = [{ url: 'https://files.example' }];
    const get = { responses: { '204': { description: 'ok' } } };
    const { files } = await clientPackage('a.yaml', {
      document: {
        ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1.0.0' } },
        paths: { '/files': { $ref: '#/components/pathItems/Files' } },
        components: { pathItems: { Files: { servers, get } } },
      },
    });
    expect(files.get('index.js')).toContain("server: { url: 'https://files.example' }");
  });

  it.each([
    ['/', 'http://127.0.0.1:3000'],
    ["'/{base}/', variables: {base: {default: v1}}", 'http://127.0.0.1:3000/v1'],
    ['//toys.example/v2', 'http://toys.example/v2'],
  ])('shows the server %s in its README', async (server, url) => {
    const relative = CONTRACT.replace(/^servers:.*/m, `servers: [{url: ${server}}]`);
    writeFileSync(join(folder.path, 'relative.yaml'), relative);
    await client('relative.yaml', 'relative');
    expect(text('relative/README.md')).toContain(`createClient({ baseUrl: '${url}', basic: { `);
  });

  it('documents operations with their descriptions, deprecations and examples', () => {
    expect(text('sdk/operations.d.ts')).toContain(`
/**
 * List toys
 *
 * All of them. *\\/ Really.
 *
 * @deprecated
 *
 * @see https://toys.example/docs
 *
 * @example
 * await client.listToys_();
 */
`);
    expect(text('sdk/operations.d.ts')).toContain(
      ' * await client.delete_({ body: { id: 9007199254740993n } });\n',
    );
    expect(text('sdk/README.md')).toContain(
      'const reply = await client.delete_({ body: { id: 9007199254740993n } });\n',
    );
  });

  it('has replies without a body for HEAD', async () => {
    const head = CONTRACT.replace(
      '    get: {operationId: listToys',
      '    head: {operationId: checkToys',
    );
    writeFileSync(join(folder.path, 'head.yaml'), head);
    await client('head.yaml', 'head');
    const type = "HeadOf<operations['checkToys']>";
    expect(text('head/operations.d.ts')).toContain(`OperationFunction<${type}>`);
    expect(text('head/index.d.ts')).toContain(`CheckToysReply = ReplyFor<${type}>`);
    expect(text('head/index.d.ts')).toMatch(/import type \{[^}]*\bHeadOf,/);
    expect(text('sdk/index.d.ts')).not.toContain('HeadOf');
  });

  it('has an option for each security scheme, besides the others', async () => {
    expect(text('sdk/index.d.ts')).toMatch(
      /readonly basic\?: Credential<BasicCredential> \| undefined;[\s\S]*readonly headersCredential\?: Credential \| undefined;/,
    );
    const sent: string[] = [];
    const { createClient } = await generatedClient(parse(CONTRACT));
    const { listToys, delete_ } = createClient(
      {
        variables: { region: 'us' },
        async fetch(url, init) {
          sent.push(`${init.method} ${url} ${new Headers(init.headers).get('X-Key')}`);
          return new Response(null, { status: sent.length === 1 ? 503 : 204 });
        },
        retry: { baseDelayMs: 0 },
      },
      { headersCredential: 'key' },
    );
    await delete_!({ body: { id: 1n } });
    await listToys!();
    const url = 'POST https://us.toys.example/v1/toys key';
    expect(sent).toEqual([url, url, 'GET https://files.example/files null']);
  });

  it.each([
    ['1.0.0-rc.1+b', '1.0.0-rc.1+b'],
    ['v3', '3.0.0'],
    ['2025-01-31', '2025.1.31'],
    ['latest', '0.0.0'],
    [undefined, '0.0.0'],
    ['1.2.3-', '1.2.3'],
  ])('has the version of %s', (version, expected) => {
    expect(packageVersion(version)).toBe(expected);
  });

  it.each([
    ['Plaid API (2020)', 'plaid-api-2020'],
    ['Café', 'cafe'],
    ['图书馆', 'client'],
  ])('has the name of %s', (title, expected) => {
    expect(packageName(title)).toBe(expected);
  });
});

describe('the name of a function', () => {
  const { FirstReservedWord, LastFutureReservedWord } = ts.SyntaxKind;
  const RESERVED = Array.from(
    { length: LastFutureReservedWord - FirstReservedWord + 1 },
    (_, at) => ts.tokenToString(FirstReservedWord + at)!,
  );
  const nameOf = (operationId: string) =>
    functionNames([{ operationId }] as never).get(operationId);

  it.each([
    ...Object.keys(runtime),
    ...[
      'Connection',
      'CallOptions',
      'ReplyFor',
      'Credential',
      'HeadOf',
      ...['String', 'Date', 'options', 'then', 'esm', 'AnyReply', 'BasicCredential'],
      ...['api', 'functions', 'operation', 'operations', 'createClient', 'connect', 'undefined'],
      ...['bindOperations', 'clientConnection', 'openConnection', 'MethodsOf', 'WithoutHeader'],
      ...['OperationFunction', 'OperationMethod', 'PagedFunction', 'PagedMethod'],
      ...['arguments', 'await', 'eval'],
      ...RESERVED,
    ],
  ])('is not %s, which a generated module uses', (taken) => {
    expect(nameOf(taken)).toBe(`${taken}_`);
  });

  it.each(['exactToy', 'xmlToy', 'constructor', '__proto__', 'toString', 'connection', 'Promise'])(
    'may be %s',
    async (operationId) => {
      const schema = { $ref: '#/components/schemas/Toy' };
      const content = { 'application/json': { schema }, 'application/xml': { schema } };
      const Toy = { type: 'object', properties: { id: int64 } };
      const responses = { '200': { description: 'ok', content } };
      const { createClient } = await generatedClient({
        openapi: '3.1.0',
        info: { title: 't', version: '1' },
        paths: { '/toys': { get: { operationId, responses } } },
        components: { schemas: { Toy } },
      });
      const fetch = async () => Response.json({ id: 1 });
      const call = Object.entries(createClient({ baseUrl: 'http://localhost', fetch }))[0]!;
      expect([call[0], await call[1]()]).toMatchObject([operationId, { body: { id: 1n } }]);
    },
  );
});

it('writes text of the contract as text', async () => {
  const example = 'a```\n`````\n# b */ `1`';
  const content = { 'application/json': { schema: { type: 'string' }, example } };
  const requestBody = { required: true, content };
  const responses = { '204': { description: '*/ x' } };
  const act = { operationId: 'act', summary: 'a **// b\n# c', requestBody, responses };
  const info = { title: 'T **// export const a = 1; /*\n# b', version: '1' };
  const paths = { '/things': { post: act } };
  const { files } = await clientPackage('openapi.yaml', {
    document: { openapi: '3.1.0', info, paths },
  });
  for (const name of ['index.d.ts', 'contract.d.ts']) {
    const code = files
      .get(name)!
      .replaceAll(/\/\*.*?\*\//gs, '')
      .replaceAll(/'[^'\n]*'/g, '');
    expect(code).not.toMatch(/const a =|\/ b|\*\/|# /);
  }
  const readme = files.get('README.md')!;
  expect(readme.match(/^# .*/gm)).toEqual(['# t-export-const-a-1-b']);
  expect(readme).toContain(`\`\`\`\`\`\`ts\nconst reply = await client.act({ body: 'a\`\`\`\\n`);
});

/** Serves a contract of one operation, and calls it. */
async function exchange(
  operation: Node,
  {
    schemas = {},
    request,
    reply,
    isValidated = false,
  }: { schemas?: Node; request?: object; reply?: object; isValidated?: boolean },
) {
  const document = {
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths: { '/things': { post: { operationId: 'act', ...operation } } },
    components: { schemas },
  };
  let received: unknown;
  const act = async ({ body }: { body: unknown }) => {
    received = body;
    return reply ?? { status: 204 };
  };
  const fetch = await fetchOf(document, { handlers: { act } });
  const { createClient, source } = await generatedClient(document);
  const client = createClient({
    ...{ baseUrl: 'http://localhost', fetch },
    ...(isValidated && { validate: await validationOf(structuredClone(document)) }),
  });
  return { returned: await client['act']!(request), received, source };
}

function validationOf(document: Node) {
  const definition = new Contract(document);
  return clientValidation({ definition, warnings: [], files: [] } as never);
}

const INT64 = '{type: integer, format: int64}';
const NUMBER = '{type: number}';
const int64: Node = parse(INT64);
const replyOf = (schema: Node) => ({
  responses: { '200': { description: 'ok', content: { 'application/json': { schema } } } },
});

describe('alternatives with different numbers', () => {
  const kind = (name: string, value: string) =>
    `{type: object, required: [kind, value], properties: {kind: {const: ${name}}, value: ${value}}}`;
  const [A, B] = [kind('a', INT64), kind('b', NUMBER)];
  const OTHERS = `{required: [kind], properties: {kind: {const: b}}, unevaluatedProperties: ${NUMBER}}`;
  const SMALL = '{type: integer, format: int64, maximum: 5}';
  const IS_EXACT = '{required: [exact], properties: {exact: {const: true}}}';
  const withN = (value: string) => `{properties: {n: ${value}}}`;

  it.each<[string, string, unknown]>([
    ['oneOf', `{oneOf: [${A}, ${B}]}`, { kind: 'b', value: 1 }],
    ['oneOf', `{oneOf: [${A}, ${B}]}`, { kind: 'a', value: 1n }],
    [
      'anyOf in a map',
      `{additionalProperties: {anyOf: [${SMALL}, {type: number, minimum: 6}]}}`,
      { x: 5n, y: 6, z: 7.5 },
    ],
    [
      'if and else',
      `{properties: {exact: {}}, if: ${IS_EXACT}, then: ${withN(INT64)}, else: ${withN(NUMBER)}}`,
      { exact: false, n: 3 },
    ],
    [
      'dependentSchemas',
      `{properties: {a: {}}, dependentSchemas: {a: ${withN(INT64)}}}`,
      { a: 1, n: 2n },
    ],
    ['prefixItems', `{prefixItems: [${INT64}, ${NUMBER}], items: ${INT64}}`, [1n, 2, 3n]],
    [
      'patternProperties',
      `{patternProperties: {^x-: ${INT64}}, properties: {y: {}}}`,
      { 'x-a': 1n },
    ],
    ['a free-form alternative', `{anyOf: [${A}, {type: object}]}`, { value: 1 }],
    ['unevaluatedProperties', `{oneOf: [${A}, ${OTHERS}]}`, { kind: 'b', value: 1 }],
    [
      'allOf',
      `{allOf: [{properties: {a: ${INT64}}}, {properties: {b: ${INT64}}}]}`,
      { a: 1n, b: 2n },
    ],
  ])('returns those of the valid alternative: %s', async (_, schema, body) => {
    const { returned } = await exchange(replyOf(parse(schema)), { reply: { status: 200, body } });
    expect(returned.body).toEqual(body);
  });

  it('are not tested where the others have no such property', async () => {
    const schema = parse(`
      oneOf:
        - {type: object, required: [a], properties: {a: ${INT64}}}
        - {type: object, properties: {b: {}}, additionalProperties: false}`);
    const body = { a: 1n };
    const { returned, source } = await exchange(replyOf(schema), { reply: { status: 200, body } });
    expect(returned.body).toEqual(body);
    expect(source).not.toContain('either');
  });

  it('returns those of the schema that a discriminator selects', async () => {
    const schemas = parse(`
      Base:
        type: object
        required: [type]
        properties: {type: {type: string}}
        discriminator: {propertyName: type, mapping: {big: Exact}}
      Exact: {allOf: [{$ref: '#/components/schemas/Base'}, ${withN(INT64)}]}
      Double: {allOf: [{$ref: '#/components/schemas/Base'}, ${withN(NUMBER)}]}`);
    const schema = { type: 'array', items: { $ref: '#/components/schemas/Base' } };
    const body = [
      { type: 'big', n: 9007199254740993n },
      { type: 'Double', n: 2 },
      { type: 'Exact', n: 2n },
    ];
    const { returned } = await exchange(replyOf(schema), { schemas, reply: { status: 200, body } });
    expect(returned.body).toEqual(body);
  });

  it('needs no test of alternatives that agree', async () => {
    const schema = parse(`{oneOf: [${A}, ${kind('b', '{type: string}')}, {type: 'null'}]}`);
    const { source } = await exchange(replyOf(schema), { reply: { status: 200, body: null } });
    expect(source).toContain('receiveJson({ properties: { value: 1 } })');
  });
});

describe('forms', () => {
  const properties = parse(`
    id: ${INT64}
    ids: {type: array, items: ${INT64}}
    filter: {type: object, properties: {from: ${INT64}, to: {type: string}}}
    note: {type: object, properties: {text: {type: string}}}
    file: {type: string, contentMediaType: image/png}
    files: {type: array, items: {type: string, contentMediaType: image/png}}`);
  const encoding = parse(`
    ids: {style: pipeDelimited, explode: false}
    filter: {style: deepObject, explode: true}
    note: {contentType: application/json}`);
  const value = {
    id: 9007199254740993n,
    ids: [1n, 9007199254740993n],
    filter: { from: 2n, to: 'a&b=c é' },
    note: { text: 'line\nbreak "quoted"' },
  };
  const form = (type: string) => ({
    requestBody: {
      required: true,
      content: { [type]: { schema: { type: 'object', properties }, encoding } },
    },
    responses: { '204': { description: 'ok' } },
  });

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data'])(
    'sends each property as its encoding has it: %s',
    async (type) => {
      const { received } = await exchange(form(type), { request: { body: value } });
      expect(received).toEqual(value);
    },
  );

  it('sends files as Blobs, bytes and streams', async () => {
    const bytes = new Uint8Array([0, 255, 10]);
    const named = new File(['one'], 'a "b".png', { type: 'image/png' });
    const body = { ...value, file: named, files: [bytes, new Blob([bytes]).stream()] };
    const { received } = await exchange(form('multipart/form-data'), { request: { body } });
    const { file, files, ...rest } = received as Record<string, unknown>;
    expect(rest).toEqual(value);
    const [first, second] = files as File[];
    expect((file as File).type).toBe('image/png');
    expect(await (file as File).text()).toBe('one');
    expect(new Uint8Array(await first!.arrayBuffer())).toEqual(bytes);
    expect(new Uint8Array(await second!.arrayBuffer())).toEqual(bytes);
  });

  it('sends the headers that a part requires', async () => {
    const header = (type: string) => ({ required: true, schema: { type } });
    const own = form('multipart/form-data');
    const [media] = Object.values(own.requestBody.content);
    const headers = { 'X-Size': header('integer'), 'X-Name': header('string') };
    const encoded = { ...encoding, file: { headers }, files: { headers } };
    media!.encoding = encoded as never;
    const given = { 'X-Size': 3, 'X-Name': 'Bär' };
    const file = new Blob(['one']);
    const send = (body: object) => exchange(own, { request: { body: { ...value, ...body } } });
    const { received } = await send({
      file: runtime.withPartHeaders(file, given),
      files: runtime.withPartHeaders([file, file], given),
    });
    expect((received as { files: File[] }).files).toHaveLength(2);
    await send({
      files: [runtime.withPartHeaders(file, given), runtime.withPartHeaders(file, given)],
    });
    for (const body of [
      { file },
      { files: [file] },
      { file: runtime.withPartHeaders(file, { ...given, 'X-Size': 'x' }) },
    ]) {
      await expect(send(body)).rejects.toThrow();
    }
    for (const bad of [{ 'X-A': 'a\r\nX-B: b' }, { 'X A': 'a' }, { 'X-A\r\n': 'a' }, { '': 'a' }]) {
      expect(() => runtime.withPartHeaders(file, bad as never)).toThrow(TypeError);
    }
  });

  it('are read from replies', async () => {
    const schema = { type: 'object', properties: { id: int64, ids: properties.ids } };
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
      const responses = { '200': { description: 'ok', content: { [type]: { schema } } } };
      const body = { id: 9007199254740993n, ids: [1n] };
      const { returned } = await exchange({ responses }, { reply: { status: 200, body } });
      expect({ ...(returned.body as object) }).toEqual(body);
    }
  });
});

describe('sequences', () => {
  const json = `{contentMediaType: application/json, contentSchema: {properties: {id: ${INT64}}}}`;
  const event = parse(`
    required: [event, data]
    properties: {event: {type: string}, id: {type: string}, data: {type: string}}
    oneOf:
      - {properties: {event: {const: toy}, data: ${json}}}
      - {properties: {event: {enum: [text, constructor]}}}`);
  const id = 9007199254740993n;
  const events = (schema: Node) => ({
    responses: {
      '200': { description: 'ok', content: { 'text/event-stream': { 'x-item-schema': schema } } },
    },
  });
  const read = async (operation: Node, body: unknown) => {
    const { returned } = await exchange(operation, { reply: { status: 200, body } });
    const items: unknown[] = [];
    for await (const each of returned.body as AsyncIterable<unknown>) items.push(each);
    return items;
  };

  it('have the data of each event', async () => {
    const sent = [
      { event: 'toy', id: '1', data: { id } },
      { event: 'text', data: '{"id": 1}' },
      { event: 'constructor', data: 'a\nb' },
    ];
    expect(await read(events(event), sent)).toEqual([
      { event: 'toy', id: '1', data: { id }, retry: undefined },
      { event: 'text', id: '1', data: '{"id": 1}', retry: undefined },
      { event: 'constructor', id: '1', data: 'a\nb', retry: undefined },
    ]);
    const always = parse(`{properties: {data: ${json}}}`);
    expect(await read(events(always), [{ data: { id } }])).toEqual([
      { event: undefined, id: undefined, data: { id }, retry: undefined },
    ]);
  });
});

it('takes default for errors only, where a success is declared', async () => {
  const text = (description: string) => ({ description, content: { 'text/plain': {} } });
  const success = { '200': text('ok'), default: text('no') };
  const { returned } = await exchange(
    { responses: success },
    { reply: { status: 404, body: 'no' } },
  );
  expect(returned).toMatchObject({ status: 404, body: 'no' });
  const other = exchange({ responses: success }, { reply: { status: 201, body: 'other' } });
  await expect(other).rejects.toThrow('got status 201');
  const only = { responses: { default: text('any') } };
  const any = await exchange(only, { reply: { status: 201, body: 'any' } });
  expect(any.returned).toMatchObject({ status: 201, body: 'any' });
});

describe('with validation', () => {
  const TOY = `{type: object, required: [id], properties: {id: ${INT64}, name: {type: string, maxLength: 3}}}`;
  const operation = parse(`
    parameters:
      - {name: limit, in: query, schema: {type: integer, maximum: 10}}
      - {name: X-Trace, in: header, required: true, schema: {type: string}}
    requestBody: {required: true, content: {application/json: {schema: ${TOY}}}}
    responses:
      '200':
        description: ok
        headers: {X-Total: {schema: {type: integer, minimum: 1}}}
        content: {application/json: {schema: {}}}`);
  const id = 9007199254740993n;
  const valid = { query: { limit: 10 }, header: { 'X-Trace': 'a' }, body: { id, name: 'abc' } };
  const act = (request: object, reply: object = { body: 1 }) =>
    exchange(operation, {
      ...{ request, reply: { status: 200, ...reply }, isValidated: true },
    });

  it('passes what the contract allows', async () => {
    const { received, returned } = await act(valid, { body: 7, headers: { 'X-Total': 1 } });
    expect([received, returned.body]).toEqual([valid.body, 7]);
  });

  it.each([
    [{ query: { limit: 11 } }, 'act request: query limit expected to be <= 10'],
    [{ header: {} }, 'act request: header X-Trace is required'],
    [
      { body: { id, name: 'abcd' } },
      'act request: /name expected to NOT have more than 3 characters',
    ],
    [{ body: { name: 'abc' } }, 'act request: /id is required'],
    [{ body: undefined }, 'act request: expected a body'],
  ])('throws for a request with %j', async (part, message) => {
    await expect(act({ ...valid, ...part })).rejects.toThrow(message);
  });

  it('compares the request as it is sent', async () => {
    const [bytes, lines] = ['application/octet-stream', 'application/jsonl'];
    const file = '{type: object, properties: {size: {type: integer, maximum: 3}}}';
    const { before, after } = await validationOf(
      parse(`
openapi: 3.2.0
info: {title: t, version: '1'}
security: [{key: []}]
components: {securitySchemes: {key: {type: apiKey, in: query, name: key}}}
paths:
  /things/{id}:
    post:
      operationId: act
      parameters: [{name: id, in: path, required: true, schema: ${INT64}}]
      requestBody:
        required: true
        content: {multipart/form-data: {schema: ${file}}, ${lines}: {itemSchema: ${file}}, ${bytes}: {}}
      responses: {'200': {description: ok, content: {text/event-stream: {itemSchema: {}}}}}
`),
    );
    const sent = { operationId: 'act', method: 'POST', headers: new Headers(), body: undefined };
    const form = (size: string) => {
      const data = new FormData();
      data.set('size', size);
      return data;
    };
    const url = 'https://things.example/api/v2/things/7';
    const ofType = (type: string) => new Headers({ 'Content-Type': type });
    await before({ ...sent, url, body: form('3') });
    await before({ ...sent, url: `${url}?key=secret`, body: form('3') });
    await before({ ...sent, url, headers: ofType(bytes), body: new Blob(['x']) });
    const stream = new Blob(['{"size":9}']).stream();
    await before({ ...sent, url, headers: ofType(lines), body: stream });
    expect(await new Response(stream).text()).toBe('{"size":9}');
    const endless = new Response(new ReadableStream(), { headers: ofType('text/event-stream') });
    await after(endless, { ...sent, url });
    expect(endless.bodyUsed).toBe(false);
    for (const [part, message] of [
      [{ body: form('4') }, 'act request: /size expected to be <= 3'],
      [{ url: `${url}x`, body: form('3') }, 'act request: path id expected an int64 integer'],
      [{ url: `${url}?a=1`, body: form('3') }, 'act request: query a is not declared'],
      [{ headers: ofType('text/plain'), body: 'a' }, 'act request: expected Content-Type'],
      [{ headers: ofType(lines), body: '{"size":9}' }, 'act request: /0/size expected'],
      [{}, 'act request: expected a'],
    ] as const) {
      await expect(before({ ...sent, url, ...part })).rejects.toThrow(message);
    }
  });

  it('throws for a reply that the contract does not allow', async () => {
    const { after } = await validationOf(
      parse(`
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /things:
    get:
      operationId: act
      responses:
        '200':
          description: ok
          headers: {X-Total: {schema: {type: integer, minimum: 1}}}
          content: {application/json: {schema: ${TOY}}}
`),
    );
    const request = {
      ...{ operationId: 'act', method: 'GET', url: 'http://localhost/api/things' },
      ...{ headers: new Headers(), body: undefined },
    };
    const check = (body: string, headers: object = {}) =>
      after(
        new Response(body, { headers: { 'Content-Type': 'application/json', ...headers } }),
        request,
      );
    await expect(check('{"id":1,"name":"abcd"}')).rejects.toThrow(
      'act reply 200: /name expected to NOT have',
    );
    await expect(check('{"id":1}', { 'X-Total': '0' })).rejects.toThrow('header X-Total');
    await expect(check('{"id":')).rejects.toThrow('act reply 200: ');
    await check('{"id":9007199254740993}', { 'X-Total': '1' });
  });
});
