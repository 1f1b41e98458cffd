import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  errorsOf,
  loadToy,
  toy,
  warningsOf,
  withFiles,
} from '@stubwright/test-support/contractFiles';
import { spawnService, TOKEN } from '@stubwright/test-support/service';
import { CONTRACT } from '../support/toyProject.ts';

const OK = '"responses":{"200":{"description":"ok"}}';

describe('names of OpenAPI 3.2', () => {
  const head = "openapi: 3.2.0\ninfo: {title: a, version: '1'}\npaths: {}\n";

  it('are unique for servers; parents of tags exist, and form no circle', async () => {
    const warnings = await warningsOf({
      'a.yaml': `${head}servers: [{url: /a, name: x}, {url: /b}, {url: /c, name: x}]
tags:
  - {name: a, parent: gone}
  - {name: b, parent: c}
  - {name: c, parent: b}
  - {name: d, parent: b}
  - {name: e, parent: e}
`,
    });
    expect(warnings).toEqual([
      'a.yaml:4:52  two servers have the name x  expected a name of its own',
      'a.yaml:6:15  the tag gone is unknown  expected a name in tags',
      'a.yaml:7:15  the tag b is its own ancestor  expected another parent',
      'a.yaml:8:15  the tag c is its own ancestor  expected another parent',
      'a.yaml:10:15  the tag e is its own ancestor  expected another parent',
    ]);
  });

  it('are checked in a long chain', async () => {
    const chain = Array.from({ length: 2_000 }, (_, at) => ({
      name: `t${at}`,
      parent: `t${at + 1}`,
    }));
    const warnings = await warningsOf({ 'a.yaml': `${head}tags: ${JSON.stringify(chain)}` });
    expect(warnings.map((each) => each.replace(/^a.yaml:\d+:\d+/, ''))).toEqual([
      '  the tag t2000 is unknown  expected a name in tags',
    ]);
  });
});

it('an itemSchema of a body that is not read as a sequence is reported', async () => {
  const types = ['application/jsonl', 'text/event-stream', 'application/*', 'application/json-seq'];
  const content = [...types, 'multipart/mixed'].map((type) => `${type}: {itemSchema: {}}`).join();
  const operation = `{requestBody: {content: {${content}}}, responses: {'200': {content: {${content}}}}}`;
  const warnings = await warningsOf({
    'a.yaml': `openapi: 3.2.0\ninfo: {title: a, version: '1'}\npaths: {/a: {post: ${operation}}}`,
  });
  const ignored = (type: string) =>
    `itemSchema has no effect in ${type}  expected application/jsonl, application/x-ndjson or text/event-stream`;
  expect(warnings.map((text) => text.replace(/^a.yaml:3:\d+ {2}/, ''))).toEqual([
    ...[ignored('application/json-seq'), ignored('multipart/mixed')],
    ...[ignored('application/json-seq'), ignored('multipart/mixed')],
  ]);
});

describe('a violation of the specification with a clear meaning', () => {
  it.each<[string, Parameters<typeof toy>[0], RegExp]>([
    ['an unknown field', { schemas: '{"A":{"tpe":"string"}}' }, /tpe is unknown here and ignored/],
    [
      'a keyword of 2019-09',
      { schemas: '{"A":{"$recursiveAnchor":true,"properties":{"a":{"$recursiveRef":"#"}}}}' },
      /\$recursiveRef is not a keyword of this version, but is enforced/,
    ],
    [
      'a number in quotes',
      { schemas: '{"A":{"maximum":"5"}}' },
      /maximum is a string and read as 5 {2}expected a number without quotes/,
    ],
    [
      'required as a flag',
      { schemas: '{"A":{"required":true}}' },
      /required is not an array and is ignored {2}expected the names/,
    ],
    ['nothing for a list', { paths: `{"/a":{"parameters":null}}` }, /read as absent/],
    [
      'nothing for an operation',
      { paths: '{"/a":{"get":null}}' },
      /get is null and read as absent/,
    ],
    [
      'a response that is null',
      { paths: '{"/a":{"get":{"responses":{"204":null}}}}' },
      /read as {}/,
    ],
    [
      'a response without description',
      { paths: '{"/a":{"get":{"responses":{"204":{}}}}}' },
      /description is missing/,
    ],
    ['a version without patch level', { openapi: '3.1' }, /openapi is 3\.1 and read as 3\.1\.0/],
    [
      'paths that differ by a name',
      { paths: `{"/{a}":{"parameters":[${path('a')}]},"/{b}":{"parameters":[${path('b')}]}}` },
      /\/\{b\} is ambiguous with \/\{a\}, which takes precedence/,
    ],
    [
      'a path parameter that the path does not name',
      { paths: `{"/a":{"get":{"parameters":[${path('id')}],${OK}}}}` },
      /the path parameter id is ignored/,
    ],
    [
      'a default that violates its schema',
      {
        paths: `{"/a":{"get":{"parameters":[{"name":"n","in":"query","schema":{"type":"integer","maximum":9,"default":10}}],${OK}}}}`,
      },
      /the default 10 is ignored {2}expected to be <= 9/,
    ],
    [
      'a parameter twice, the same',
      { paths: `{"/{a}":{"get":{"parameters":[${path('a')},${path('a')}],${OK}}}}` },
      /the path parameter a is declared twice/,
    ],
    ...['type', 'minimum', 'enum', 'items'].map(
      (field): [string, Parameters<typeof toy>[0], RegExp] => [
        `the keyword ${field} of a schema in a parameter`,
        {
          paths: `{"/a":{"get":{"parameters":[{"name":"a","in":"query","schema":{},"${field}":{}}],${OK}}}}`,
        },
        new RegExp(`${field} is unknown here and ignored`),
      ],
    ),
  ])('is a warning: %s', async (_, parts, warning) => {
    const warnings = await warningsOf({ 'a.json': toy(parts) });
    expect(warnings.every((each) => /^a\.json:\d+:\d+ {2}\S.* {2}expected \S/.test(each))).toBe(
      true,
    );
    expect(warnings.join('\n')).toMatch(warning);
  });

  it.each<[string, string, unknown, string[]]>([
    [
      'a boolean',
      'true',
      true,
      [
        ...['deprecated', 'nullable', 'readOnly', 'writeOnly', 'uniqueItems'],
        ...['exclusiveMinimum', 'exclusiveMaximum', 'additionalProperties'],
      ],
    ],
    ['a number', '-2.5', -2.5, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']],
    [
      'a number',
      '2',
      2,
      [
        ...['multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems'],
        ...['minProperties', 'maxProperties', 'minContains', 'maxContains'],
      ],
    ],
  ])('is %s in quotes: %s', async (_, text, value, keywords) => {
    const openapi = typeof value === 'boolean' ? '3.0.3' : '3.1.0';
    const read = Object.fromEntries(keywords.map((each) => [each, value]));
    const schemas = keywords.map((each) => [each, { type: 'object', [each]: text }]);
    const file = toy({ openapi, schemas: JSON.stringify(Object.fromEntries(schemas)) });
    const { definition } = await loadToy({ 'a.json': file });
    for (const each of keywords) {
      expect(definition.document.components.schemas[each]).toEqual({
        type: 'object',
        [each]: read[each],
      });
    }
  });

  it.each(['required', 'deprecated', 'explode', 'allowReserved'])(
    'is a boolean of a parameter in quotes: %s',
    async (field) => {
      const parameter = { name: 'a', in: 'query', schema: {}, [field]: 'true' };
      const paths = `{"/a":{"get":{"parameters":[${JSON.stringify(parameter)}],${OK}}}}`;
      const { definition } = await loadToy({ 'a.json': toy({ paths }) });
      expect(definition.operations[0]?.parameters[0]?.field(field)).toBe(true);
    },
  );

  it.each([
    ['int', { type: 'integer' }],
    ['long', { type: 'integer', format: 'int64' }],
    ['int32', { type: 'integer', format: 'int32' }],
    ['int64', { type: 'integer', format: 'int64' }],
    ['float', { type: 'number', format: 'float' }],
    ['double', { type: 'number', format: 'double' }],
    ['bool', { type: 'boolean' }],
    ['date', { type: 'string', format: 'date' }],
    ['date-time', { type: 'string', format: 'date-time' }],
    ['uuid', { type: 'string', format: 'uuid' }],
    ['uri', { type: 'string', format: 'uri' }],
    ['file', { type: 'string', format: 'binary' }],
    ['any', {}],
  ])('is the type %s', async (type, schema) => {
    const schemas = JSON.stringify({ A: { type, title: 'a' } });
    const { definition } = await loadToy({ 'a.json': toy({ schemas }) });
    expect(definition.document.components.schemas.A).toEqual({ title: 'a', ...schema });
    const found = await warningsOf({ 'a.json': toy({ schemas }) });
    expect(found).toEqual([
      expect.stringMatching(/ is \S+ and read as .* {2}expected a type of JSON Schema$/),
    ]);
  });

  it.each(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE', 'QUERY'])(
    'is the method %s as an additional operation',
    async (method) => {
      const paths = `{"/a":{"additionalOperations":{"LINK":{${OK}},"${method}":{${OK}}}}}`;
      const file = toy({ openapi: '3.2.0', paths });
      expect(await warningsOf({ 'a.json': file })).toEqual([
        expect.stringContaining(
          `${method} is not an additional operation  expected the property ${method.toLowerCase()}`,
        ),
      ]);
    },
  );

  it.each([
    'implicit',
    'password',
    'clientCredentials',
    'authorizationCode',
    'deviceAuthorization',
  ])('is a scope without description in the flow %s', async (flow) => {
    const url = 'https://a.example';
    const urls = { authorizationUrl: url, tokenUrl: url, deviceAuthorizationUrl: url };
    const file = JSON.parse(toy({ openapi: '3.2.0' }));
    file.components.securitySchemes = {
      a: { type: 'oauth2', flows: { [flow]: { ...urls, scopes: { read: null, write: 'w' } } } },
    };
    const warnings = await warningsOf({ 'a.json': JSON.stringify(file) });
    expect(warnings.filter((each) => each.includes('scope'))).toEqual([
      expect.stringContaining('the scope read has no description  expected a string'),
    ]);
  });

  it.each(['type', 'allOf', 'anyOf', 'oneOf'])('is an empty %s', async (keyword) => {
    const file = toy({ openapi: '3.1.0', schemas: JSON.stringify({ A: { [keyword]: [] } }) });
    expect(await warningsOf({ 'a.json': file })).toEqual([
      expect.stringContaining(`${keyword} is empty  expected at least one item`),
    ]);
  });

  it.each([
    ['{"nullable":true,"enum":["a"]}', true],
    ['{"nullable":true,"enum":["a",null]}', false],
    ['{"enum":["a"]}', false],
  ])('is nullable beside an enum without null: %s', async (schema, isWarned) => {
    const file = toy({ openapi: '3.0.3', schemas: `{"A":${schema}}` });
    const warning = expect.stringContaining('nullable allows null, which enum does not list');
    expect(await warningsOf({ 'a.json': file })).toEqual(isWarned ? [warning] : []);
  });

  it('is an error when two parameters of the same name differ', async () => {
    const other = '{"name":"a","in":"path","required":true,"schema":{"type":"integer"}}';
    const paths = `{"/{a}":{"get":{"parameters":[${path('a')},${other}],${OK}}}}`;
    expect(await errorsOf({ 'a.json': toy({ paths }) })).toEqual([
      expect.stringMatching(
        /the path parameter a is declared twice {2}expected each parameter once/,
      ),
    ]);
  });

  it('is normalized in memory', async () => {
    const { definition } = await loadToy({
      'a.json': toy({ schemas: '{"A":{"maximum":"5","nullable":"true","required":false}}' }),
    });
    expect(definition.at('/components/schemas/A')?.node).toEqual({ maximum: 5, nullable: true });
  });

  it('is logged at start: the first 20 and the number of others', async () => {
    const text = readFileSync(CONTRACT, 'utf8');
    const unknown = Array.from({ length: 25 }, (_, at) => `  odd${at}: 1\n`).join('');
    const odd = text.replace(/^info:\n/m, `info:\n${unknown}`);
    await withFiles({ 'openapi.yaml': odd }, async (_, folder) => {
      const { url, output, child, exited } = spawnService({
        API_TOKENS: TOKEN,
        CONTRACT: `${folder}/openapi.yaml`,
      });
      await url;
      child.kill('SIGKILL');
      await exited;
      expect(output().match(/odd\d+ is unknown here and ignored/g)).toHaveLength(20);
      expect(output()).toContain('"msg":"and 5 more"');
    });
  });
});

function path(name: string): string {
  return `{"name":"${name}","in":"path","required":true,"schema":{"type":"string"}}`;
}

it('dependencies are names of properties or schemas, as before JSON Schema 2019-09', async () => {
  const schema = (dependencies: string) => `openapi: 3.1.0
info: {title: a, version: '1'}
paths: {}
components: {schemas: {Toy: {type: object, dependencies: ${dependencies}}}}
`;
  expect(await warningsOf({ 'a.yaml': schema('{a: [b], c: {required: [d]}}') })).toEqual([]);
  const [found] = await errorsOf({ 'a.yaml': schema('{c: {type: 7}}') });
  expect(found).toContain('a.yaml:4:69  ');
  const [name] = await errorsOf({ 'a.yaml': schema('{a: [5]}') });
  expect(name).toContain('dependencies is an object  expected lists of names or schemas by name');
});
