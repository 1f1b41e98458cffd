import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { errorsOf, toy, warningsOf, withFiles } from '@stubwright/test-support/contractFiles';
import { compileErrors, ignoredPatterns } from '../../src/check/runChecks.ts';
import { runCommand } from '../support/command.ts';

const TEN_ERRORS = `openapi: 3.0.3
info: {title: Toys, version: '1'}
paths:
  /toys/{id}:
    get:
      operationId: getToy
      security: [{apiKye: []}]
      responses:
        '200':
          description: ok
          content: {application/json: {schema: {$ref: '#/components/schemas/Toyy'}}}
    delete:
      operationId: getToy
      parameters:
        - {name: id, in: path, required: true, schema: {type: strnig}}
      responses: []
    put:
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {in: query, schema: {type: string}}
        - {name: a, in: body, schema: {type: string}}
  toys:
    get: {responses: {'200': {description: ok}}}
components:
  schemas:
    Toy: [1]
  securitySchemes:
    apiKey: {type: apiKey, name: key, in: header}
`;

const NOWHERE = 'expected a location in this or another file';

describe('a contract with ten errors', () => {
  const lines = [
    'a.yaml:7:19  the security scheme apiKye is unknown  expected apiKey',
    `a.yaml:11:55  $ref cannot be resolved: #/components/schemas/Toyy (target not found)  ${NOWHERE}`,
    'a.yaml:13:20  operationId getToy belongs to GET /toys/{id} already  expected an operationId of its own',
    'a.yaml:15:63  type is strnig  expected one of string, number, integer, boolean, array, object, null',
    'a.yaml:16:18  got an array  expected a map of Response objects',
    'a.yaml:17:5  responses is missing  expected it here',
    'a.yaml:20:11  name is missing  expected a name',
    'a.yaml:21:25  in is body  expected one of query, header, cookie, path',
    'a.yaml:22:3  the path toys  expected a path that starts with /',
    'a.yaml:26:10  got an array  expected a Schema object',
  ];

  it('reports all of them with their locations', async () => {
    expect(await errorsOf({ 'a.yaml': TEN_ERRORS })).toEqual(lines);
  });

  it('ends the service with these lines and exit code 1', async () => {
    await withFiles({ 'a.yaml': TEN_ERRORS }, async (_, folder) => {
      const { status, stderr } = spawnSync(process.execPath, ['src/main.ts'], {
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          CONTRACT: `${folder}/a.yaml`,
          PORT: '0',
        },
        encoding: 'utf8',
      });
      expect(stderr.replaceAll(`${folder}/`, '').trimEnd().split('\n')).toEqual(lines);
      expect(status).toBe(1);
    });
  });
});

describe('a file that is not a contract', () => {
  const expected = 'expected openapi: 3.0.x, 3.1.x or 3.2.x';
  it.each([
    ['empty', 'a.yaml', '', `a.yaml:1:1  the file is empty  ${expected}`],
    ['a text', 'a.txt', 'hello', `a.txt:1:1  the file holds no object  ${expected}`],
    [
      'Swagger',
      'a.yaml',
      `x: 1\nswagger: "2.0"`,
      `a.yaml:2:10  swagger is 2.0  ${expected}; the npm package swagger2openapi converts it`,
    ],
    ['OpenAPI 4', 'a.json', '{"openapi":"4.0.0"}', `a.json:1:12  openapi is 4.0.0  ${expected}`],
    ['not said', 'a.yaml', 'info: {}', `a.yaml:1:1  openapi is missing  ${expected}`],
    ['YAML cut off', 'a.yaml', 'a: 1\nb: [', /^a\.yaml:2:5 {2}.* {2}expected YAML$/],
    [
      'YAML with two errors',
      'a.yaml',
      'a: "b\nc: {d\ne: [',
      /^a\.yaml:3:5 {2}.* {2}expected YAML$/,
    ],
    ['JSON cut off', 'a.json', '{"a":\n', /^a\.json:2:1 {2}.* {2}expected JSON$/],
    ['JSON with a comma', 'a.json', '{"a":1,\n}', /^a\.json:2:1 {2}.* {2}expected JSON$/],
    ['an unknown alias', 'a.yaml', 'a: 1\nb: *c', /^a\.yaml:2:4 {2}.*alias.* {2}expected YAML$/],
    ['a key twice', 'a.yaml', 'a: 1\na: 2', /^a\.yaml:2:1 {2}the key is a duplicate/],
    ['a JSON key twice', 'a.json', '{"a":1,\n"a":2}', /^a\.json:2:1 {2}the key is a duplicate/],
  ])('is reported with its location: %s', async (_, name, text, line) => {
    expect(await errorsOf({ [name]: text })).toEqual([
      typeof line === 'string' ? line : expect.stringMatching(line),
    ]);
  });

  it.each([
    ['a folder', 'a/b.yaml', 'a', /^stubwright: a: it is a folder, expected a file/],
    ['missing', 'a.yaml', 'b.yaml', /^stubwright: b\.yaml: there is no such file/],
  ])('is reported when it is %s', async (_, name, path, line) => {
    await withFiles({ [name]: '' }, async (_load, folder) => {
      const { err } = await runCommand(['generate', `${folder}/${path}`]);
      expect(err.replaceAll(`${folder}/`, '')).toMatch(line);
    });
  });
});

describe('compileErrors', () => {
  it('compiles the validators of parameters, bodies and headers', () => {
    const [one, two, three] = ['one', 'two', 'three'].map((name) => ({
      schema: { $ref: `#/${name}` },
    }));
    const responses = { default: { headers: { a: two }, content: { 'text/x': three } } };
    const definition = new Contract({
      openapi: '3.1.0',
      paths: { '/a': { get: { parameters: [{ name: 'a', in: 'query', ...one }], responses } } },
    });
    const refs = compileErrors(definition).map(
      ({ message }) => /#\/\w+(?= {2}expected)/.exec(message)?.[0],
    );
    expect(refs).toEqual(['#/one', '#/two', '#/three']);
  });
});

describe('a pattern that only backtracking can test', () => {
  it.each([
    ['of strings', String.raw`"type":"string","pattern":"^(a+)\\1+(?!b)$"`, '^(a+)\\1+(?!b)$'],
    ['of property names', String.raw`"patternProperties":{"(a+)\\1b":{}}`, '(a+)\\1b'],
    [
      'of many states',
      '"type":"string","pattern":"^((a|b){1,60}){1,60}$"',
      '^((a|b){1,60}){1,60}$',
    ],
  ])('%s is refused', async (_, schema, pattern) => {
    const errors = await errorsOf({
      'a.yaml': toy({ schemas: `{"A":{${schema}}}`, openapi: '3.1.0' }),
    });
    expect(errors).toEqual([expect.stringMatching(/^a\.yaml:3:\d+ {2}/)]);
    expect(errors[0]).toContain(
      `${pattern} may take exponential time  expected no back reference to a repetition, and at most 1,000 characters and repetitions`,
    );
  });
});

it('a default is tested in linear time', async () => {
  const schema = { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(60)}!` };
  const paths = { '/a': { get: { parameters: [{ name: 'a', in: 'query', schema }] } } };
  const file = toy({ openapi: '3.1.0', paths: JSON.stringify(paths) });
  expect(await warningsOf({ 'a.json': file })).toContainEqual(
    expect.stringContaining('is ignored  expected to match pattern'),
  );
});

describe('a $ref without a target', () => {
  it.each([
    ['to the network', 'https://example.com/a.yaml', 'remote references are not supported'],
    ['to a file that is missing', 'b.yaml#/A', 'there is no such file'],
    ['to a folder', '.', 'it is a folder'],
    ['past a bad percent-escape', '#/%zz', 'target not found'],
  ])('is an error: %s', async (_, ref, reason) => {
    const file = toy({ schemas: `{"A":{"$ref":"${ref}"}}` });
    expect(await errorsOf({ 'a.json': file })).toEqual([
      `a.json:3:38  $ref cannot be resolved: ${ref} (${reason})  ${NOWHERE}`,
    ]);
  });

  it('is an error in a cycle of references', async () => {
    const circle = '{"A":{"$ref":"#/components/schemas/B"},"B":{"$ref":"#/components/schemas/A"}}';
    expect(await errorsOf({ 'a.json': toy({ schemas: circle }) })).toHaveLength(2);
  });

  it('is reported once, in the invalid file', async () => {
    const file = toy({ schemas: '{"A":{"$ref":"b.yaml"},"B":{"$ref":"b.yaml"}}' });
    expect(await errorsOf({ 'a.json': file, 'b.yaml': 'a: 1\na: 2' })).toEqual([
      'b.yaml:2:1  the key is a duplicate  expected unique keys',
    ]);
  });
});

it('a pattern of another dialect is ignored, and reported once', () => {
  const definition = new Contract({
    ...{ openapi: '3.1.0', info: {}, components: { schemas: { A: { pattern: '(?>a)' } } } },
    paths: {
      '/a': {
        post: {
          operationId: 'a',
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } },
          },
          responses: {
            200: { content: { 'application/json': { schema: { items: { pattern: '^a$' } } } } },
          },
        },
      },
    },
  });
  expect(ignoredPatterns(definition)).toEqual([
    {
      pointer: '/components/schemas/A/pattern',
      message: 'pattern (?>a) is ignored  expected a regular expression of ECMAScript',
    },
  ]);
});
