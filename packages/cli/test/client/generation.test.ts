// What a generated client names, shows and leaves out.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Contract, type Node, type Operation, SchemaModel } from '@stubwright/contract';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { parse } from 'yaml';
import { type ClientOptions, clientPackage } from '../../src/client/clientPackage.ts';
import { ExampleCalls } from '../../src/client/exampleCalls.ts';
import { functionNames } from '../../src/client/names.ts';
import { TypedValues } from '../../src/client/typedValues.ts';
import { chosenTypes } from '../../src/types/valueTypes.ts';
import { runCommand } from '../support/command.ts';
import { generatedClient } from '../support/generatedClient.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const OK = { 200: { description: 'ok' } };
const INFO = { openapi: '3.1.0', info: { title: 'Toys', version: '1' } };

/** @param contract as YAML, from `paths` on; or a document */
async function filesOf(contract: string | Node): Promise<(name: string) => string> {
  const parts = typeof contract === 'string' ? parse(contract) : contract;
  const { files } = await clientPackage('a.yaml', { document: { ...INFO, ...parts } });
  return (name) => files.get(name)!;
}

describe('the types of a client', () => {
  it('have the names of components, and of operations with Request and Reply', async () => {
    const textOf = await filesOf(`
paths:
  /toys:
    post:
      operationId: createToy
      requestBody: {content: &toy {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
      responses: {200: {description: ok, content: *toy}}
components:
  schemas:
    Toy: {type: object, properties: {of: {type: array, items: {$ref: '#/components/schemas/new-toy'}}}}
    new-toy: {type: string}
`);
    const types = textOf('contract.d.ts');
    expect(types).toContain('export type Toy = {\n    of?: NewToy[];\n};\n');
    expect(types).toContain('type NewToy = string;\n');
    expect(types).toContain('        Toy: Toy;\n        "new-toy": NewToy;\n');
    expect(types).toContain('"application/json": Toy;');
    expect(textOf('index.d.ts')).toContain(
      "export type CreateToyRequest = RequestFor<operations['createToy']>;\n" +
        "export type CreateToyReply = ReplyFor<operations['createToy']>;\n",
    );
  });

  it('are a module without operations too', async () => {
    const textOf = await filesOf({ components: { schemas: { Toy: { type: 'string' } } } });
    expect(textOf('operations.d.ts')).toBe('// Generated from a.yaml; edit that.\nexport {};\n');
    expect(textOf('contract.d.ts')).toContain('export type Toy = string;\n');
  });

  it('have _ after a name that is taken: the package first, then components that are identifiers', async () => {
    const names = ['list-request', 'ListRequest', 'Client', 'Record', 'type', 'list'];
    const textOf = await filesOf({
      paths: { '/toys': { get: { operationId: 'list', responses: OK } } },
      components: { schemas: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
    });
    const types = textOf('contract.d.ts');
    expect(types).toContain('export type ListRequest = string;\n');
    expect(types).toContain('export type ListRequest_ = string;\n');
    expect(types).toContain('export type { Client as Client_ };\n');
    expect(types).toContain('export type { Record_ as Record };\n');
    expect(types).toContain('export type type_ = string;\n');
    expect(types).toContain('export type { list as list_ };\n');
    expect(textOf('index.d.ts')).toContain('export type ListRequest__ = ');
    expect(textOf('index.d.ts')).toContain('export type ListReply = ');
  });

  it.each([
    ...['CallOptions', 'Client', 'ClientOptions', 'Connection', 'ReplyFor', 'RequestFor'],
    ...['connect', 'createClient', 'ErrorReply', 'isErrorOf', 'NoResponse', 'parse', 'stringify'],
    ...['UndeclaredResponse', 'unwrap', 'withPartHeaders', 'listToys'],
  ])('have another name than %s of the package', async (name) => {
    const textOf = await filesOf({
      paths: { '/toys': { get: { operationId: 'listToys', responses: OK } } },
      components: { schemas: { [name]: { type: 'string' } } },
    });
    expect(textOf('contract.d.ts')).toContain(`export type { ${name} as ${name}_ };\n`);
  });

  it.each([
    ...['baseUrl', 'variables', 'fetch', 'middleware', 'redirect', 'validate', 'timeoutMs'],
    ...['retry', 'headers', 'idleTimeoutMs', 'credentials', 'cache', 'mode'],
  ])(
    'rename the credential of a security scheme that has the name of the option %s',
    async (name) => {
      const textOf = await filesOf({
        paths: { '/toys': { get: { security: [{ [name]: [] }], responses: OK } } },
        components: { securitySchemes: { [name]: { type: 'http', scheme: 'bearer' } } },
      });
      expect(textOf('index.d.ts')).toContain(`readonly ${name}Credential?:`);
    },
  );

  it('have the description of an operation once', async () => {
    const get = { description: 'Lists all of them.', responses: OK };
    const textOf = await filesOf({ paths: { '/toys': { get } } });
    const all = ['index.d.ts', 'operations.d.ts', 'contract.d.ts'].map(textOf).join('');
    expect(all.split('Lists all of them.')).toHaveLength(2);
  });
});

describe('the README of a client', () => {
  it('creates a client with the credentials that the calls need', async () => {
    const key = (name: string) => `{type: apiKey, in: header, name: ${name}}`;
    const textOf = await filesOf(`
servers: [{url: 'https://toys.example'}]
paths:
  /a: {get: {operationId: a, security: [{other: []}, {id: [], secret: []}], responses: &ok {200: {description: ok}}}}
  /b: {get: {operationId: b, security: [{id: [], secret: []}], responses: *ok}}
  /c: {get: {operationId: c, security: [], responses: *ok}}
components: {securitySchemes: {other: ${key('O')}, id: ${key('I')}, secret: ${key('S')}}}
`);
    expect(textOf('README.md')).toContain("createClient({ id: 'token', secret: 'token' });");
  });

  it('has no call of an operation without a valid request', async () => {
    const textOf = await filesOf(`
paths:
  /a:
    post:
      operationId: impossible
      requestBody:
        required: true
        content: {application/json: {schema: {allOf: [{type: string}, {type: integer}]}}}
      responses: {200: {description: ok}}
`);
    const readme = textOf('README.md');
    expect(readme).toContain('### impossible\n\nPOST /a\n\nNo request was found');
    expect(readme).not.toContain('client.impossible(');
    expect(textOf('operations.d.ts')).not.toContain('@example');
  });
});

describe('the example of a call', () => {
  const bodyOf = (schema: Node, more: Node = {}) => {
    const content = { 'application/json': { schema, example: more.example } };
    const requestBody = { required: true, content };
    const post = { parameters: more.parameters, requestBody, responses: OK };
    const paths = { '/a/{id}': { post } };
    const definition = new Contract({ ...INFO, paths, components: more.components });
    return new ExampleCalls(definition).of(definition.operations[0]!)?.text;
  };

  it('is a value of the generated type', () => {
    const untyped = { properties: { name: { type: 'string' } } };
    expect(bodyOf(untyped, { example: '{"name": "a"}' })).toMatch(
      /^\{ body: \{ name: '\w+' \} \}$/,
    );
    const closed = { type: 'object', properties: { a: { type: 'integer' } } };
    expect(bodyOf(closed, { example: { a: 1, b: 2 } })).toBe('{ body: { a: 1 } }');
    const either = { anyOf: [closed, { type: 'object', properties: { b: { enum: [2] } } }] };
    expect(bodyOf(either, { example: { b: 2 } })).toBe('{ body: { b: 2 } }');
  });

  it('has the property of a discriminator', () => {
    const schemas = {
      Car: { type: 'object', required: ['doors'], properties: { doors: { type: 'integer' } } },
      Train: { type: 'object', properties: { wagons: { type: 'integer' } } },
    };
    const oneOf = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const schema = { oneOf, discriminator: { propertyName: 'kind' } };
    expect(bodyOf(schema, { components: { schemas }, example: { wagons: 1 } })).toBe(
      "{ body: { wagons: 1, kind: 'Train' } }",
    );
  });

  it('has the type never if the type excludes all valid values', () => {
    const undeclared = { type: 'object', required: ['name'], properties: { Name: { enum: [1] } } };
    expect(bodyOf(undeclared, { example: { name: 1 } })).toBe('{ body: { name: 1 } as never }');
  });

  it('has a path parameter that a path can have', () => {
    const parameters = [
      { name: 'id', in: 'path', required: true, example: '..', schema: { enum: ['.', '', 'a'] } },
    ];
    expect(bodyOf({ enum: [1] }, { parameters })).toBe("{ path: { id: 'a' }, body: 1 }");
  });
});

describe('stubwright client', () => {
  const broken = `openapi: 3.0.3
info: {title: Toys, version: '1'}
paths:
  /toys:
    get: {operationId: list, responses: {'200': {description: ok}}}
    post:
      operationId: create
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Gone'}}}}
      responses: {'200': {description: ok}}
components:
  schemas:
    Broken: {type: object, properties: {of: {$ref: '#/components/schemas/Gone'}}}
`;

  it('leaves operations with errors out, and names each', async () => {
    writeFileSync(join(folder.path, 'broken.yaml'), broken);
    const { status, out, err } = await runCommand(['client', 'broken.yaml', 'broken'], {
      cwd: folder.path,
    });
    expect({ status, out }).toEqual({ status: 0, out: 'broken: toys 1.0.0, 1 operation\n' });
    expect(err).toContain('$ref cannot be resolved: #/components/schemas/Gone');
    expect(err).toMatch(/^broken\.yaml {2}the operation post \/toys is left out$/m);
  });

  it('refuses a contract without an operation that has none', async () => {
    writeFileSync(join(folder.path, 'all.yaml'), broken.replace(/^ {4}get:.*\n/m, ''));
    const { status, err } = await runCommand(['client', 'all.yaml', 'all'], { cwd: folder.path });
    expect(status).toBe(2);
    expect(err).toContain('$ref cannot be resolved: #/components/schemas/Gone');
  });
});

describe('a value with alternatives', () => {
  /** A value that only the last of so many alternatives has, each beside 100 schemas. */
  function lastOf(alternatives: number): unknown {
    const property = (type: string) => ({ required: ['a'], properties: { a: { type } } });
    const parts = Array.from({ length: 100 }, () => property('integer'));
    const others = Array.from({ length: alternatives - 1 }, () => property('string'));
    const schemas = { Toy: { allOf: parts, anyOf: [...others, property('integer')] } };
    const definition = new Contract({ ...INFO, paths: {}, components: { schemas } });
    const schema = SchemaModel.of(definition).at('/components/schemas/Toy')!;
    return new TypedValues().of(schema, { a: 1 });
  }

  it('is found in few, and given up after too many schemas', () => {
    expect(lastOf(5)).toEqual({ a: 1 });
    expect(lastOf(200)).toBeUndefined();
  });
});

describe('the function of an operation', () => {
  const MEDIA_TYPES = [
    ...['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    ...['multipart/mixed', 'text/plain', 'application/xml', 'application/jsonl', '*/*'],
    ...['text/event-stream', 'application/octet-stream'],
  ];
  const components = {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'Key' },
      basic: { type: 'http', scheme: 'basic' },
    },
  };
  const schema = {
    type: 'object',
    required: ['at'],
    properties: {
      ...{ at: { type: 'string', format: 'date-time' }, on: { type: 'string', format: 'date' } },
      id: { type: 'integer', format: 'int64' },
      of: { oneOf: [{ type: 'string' }, { type: 'object', properties: { at: {} } }] },
    },
    if: { required: ['id'] },
    then: { required: ['on'] },
  };
  const toys = Object.fromEntries(
    MEDIA_TYPES.map((type, at) => {
      const content = { [type]: type === 'text/plain' ? {} : { schema } };
      const headers = { Count: { schema: { type: 'integer' } } };
      const responses = { 200: { description: 'ok', headers, content } };
      const post = { operationId: `send${at}`, requestBody: { content }, responses };
      return [`/toys/${at}`, { post }];
    }),
  );

  it.each<[string, ClientOptions]>([
    ['by default', {}],
    ['with Date', { types: { dates: 'Date', int64: 'string' } }],
  ])('has the name of nothing that its module imports: %s', async (_, options) => {
    const { files } = await clientPackage(
      'a.yaml',
      { document: { ...INFO, security: [{ key: [] }, { basic: [] }], paths: toys, components } },
      options,
    );
    const modules = ['index.js', 'index.d.ts', 'operations.d.ts'].map((name) => files.get(name));
    const imported = modules.flatMap((text) =>
      [...text!.matchAll(/import (?:type )?\{([^}]*)\}/g)].flatMap(([, names]) =>
        names!.split(',').map((each) => each.trim().split(' as ').at(-1)!),
      ),
    );
    const operations = imported.map((operationId) => ({ operationId }) as Operation);
    const kept = [...functionNames(operations)].filter(([id, name]) => id === name);
    expect(imported).toContain('receiveForm');
    expect(kept).toEqual([]);
  });
});

describe('null in a request', () => {
  const NULLABLE = "{type: [integer, 'null']}";
  const BODY = `{schema: {type: object, required: [a], properties: {a: ${NULLABLE}, b: ${NULLABLE}}}}`;
  const wheres = ['query', 'header', 'cookie'];
  const parameters = wheres.flatMap((where) => [
    `{in: ${where}, name: ${where}-a, required: true, schema: ${NULLABLE}}`,
    `{in: ${where}, name: ${where}-b, schema: ${NULLABLE}}`,
  ]);
  const withBody = (id: string, type: string) =>
    `/${id}: {post: {operationId: ${id}, responses: *ok, requestBody: {content: {${type}: ${BODY}}}}}`;
  const document = parse(`
openapi: 3.1.0
info: {title: Toys, version: '1'}
paths:
  /find:
    post:
      operationId: find
      responses: &ok {204: {description: ok}}
      parameters: [${parameters}]
  /any:
    post:
      operationId: any
      responses: *ok
      parameters: [{in: query, name: a, required: true, schema: {}}]
  ${withBody('form', 'application/x-www-form-urlencoded')}
  ${withBody('parts', 'multipart/form-data')}
  ${withBody('json', 'application/json')}
`);

  it('is sent in JSON only: elsewhere omitted, and a TypeError where it is required', async () => {
    const requests: Request[] = [];
    const { createClient } = await generatedClient(document);
    const client = createClient({
      baseUrl: 'http://localhost',
      fetch: async (url: string, init: RequestInit) => {
        requests.push(new Request(url, init));
        return new Response(null, { status: 204 });
      },
    });
    const all = Object.fromEntries(wheres.map((each) => [each, { [`${each}-a`]: 1 }]));
    for (const each of wheres) {
      const a = { ...all, [each]: { [`${each}-a`]: null } };
      await expect(client['find']!(a)).rejects.toThrow(`find: expected the ${each} parameter`);
      await client['find']!({ ...all, [each]: { ...all[each], [`${each}-b`]: null } });
      const { url, headers } = requests.pop()!;
      expect([url, ...headers].join()).not.toMatch(/null|-b/);
    }
    await expect(client['any']!({ query: { a: null } })).rejects.toThrow(TypeError);
    for (const id of ['form', 'parts']) {
      await expect(client[id]!({ body: { a: null } })).rejects.toThrow('the property a, got null');
      await client[id]!({ body: { a: 1, b: null } });
      expect(await requests.pop()!.text()).not.toContain('null');
    }
    await client['json']!({ body: { a: null } });
    expect(await requests.pop()!.text()).toBe('{"a":null}');
    expect(requests).toEqual([]);
  });
});

describe('a schema without a valid value', () => {
  const closed = (name: string) => ({
    ...{ type: 'object', required: [name], properties: { [name]: { type: 'string' } } },
    additionalProperties: false,
  });
  const kind = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };
  const schemas = {
    Closed: { allOf: [closed('a'), closed('b')] },
    A: kind,
    B: kind,
    Overlapping: {
      oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }],
      discriminator: { propertyName: 'kind' },
    },
    Possible: kind,
  };

  it.each(['Closed', 'Overlapping', 'Possible'])(
    'is a warning of check exactly if a client finds no request: %s',
    async (name) => {
      const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
      const post = {
        ...{ operationId: 'add', requestBody: { required: true, content } },
        responses: { 204: { description: 'ok' } },
      };
      const document = { ...INFO, paths: { '/add': { post } }, components: { schemas } };
      writeFileSync(join(folder.path, 'empty.json'), JSON.stringify(document));
      const { out, err } = await runCommand(['check', 'empty.json'], { cwd: folder.path });
      const readme = (await filesOf(document))('README.md');
      const isEmpty = name !== 'Possible';
      expect((out + err).includes('no valid value was found')).toBe(isEmpty);
      expect(readme.includes('No request was found')).toBe(isEmpty);
    },
  );
});

const DATES = ['string', 'Date'] as const;
const INTEGERS = ['bigint', 'string', 'number'] as const;

it.each(DATES.flatMap((dates) => INTEGERS.map((int64) => ({ dates, int64 }))))(
  'a client keeps its types: %j',
  (types) => {
    const none = { dates: undefined, int64: undefined };
    expect(chosenTypes(none, JSON.stringify({ stubwright: types }))).toEqual(types);
    expect(chosenTypes(types, '{"stubwright": {"dates": "Date", "int64": "number"}}')).toEqual(
      types,
    );
    expect(chosenTypes(none, '{"stubwright": {"dates": 1}}')).toEqual(chosenTypes(none, undefined));
  },
);
