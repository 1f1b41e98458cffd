import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { loadToy, toy, withFiles } from '@stubwright/test-support/contractFiles';
import { FIGMA, GITHUB, itWith } from '@stubwright/test-support/publicContracts';
import { loadContractFiles } from '../../src/loading/load.ts';

describe('loadContract', () => {
  it.each(['3.0.3', '3.1.0'])('reads %s as YAML and as JSON with any file extension', async (v) => {
    const document = { openapi: v, info: { title: 'Toys', version: '1' }, paths: {} };
    const yaml = `openapi: ${v}\ninfo: {title: Toys, version: '1'}\npaths: {}\n`;
    for (const [name, text] of [
      ['a.yaml', yaml],
      ['a.json', yaml],
      ['a.yaml', JSON.stringify(document)],
      ['a.json', `\uFEFF${JSON.stringify(document)}`],
      ['contract', JSON.stringify(document)],
    ] as const) {
      const { definition } = await loadToy({ [name]: text });
      expect(definition.document).toEqual(document);
    }
  });

  it('keeps integers of 19 digits exact, from YAML, from JSON and from the cache', async () => {
    const schema = '{"type":"integer","enum":[9007199254740993],"maximum":9223372036854775807}';
    for (const name of ['a.yaml', 'a.json']) {
      await withFiles({ [name]: toy({ schemas: `{"Big":${schema}}` }) }, async (load) => {
        for (const { definition } of [await load(), await load()]) {
          expect(definition.at('/components/schemas/Big')?.node).toEqual({
            type: 'integer',
            enum: [9007199254740993n],
            maximum: 9223372036854775807n,
          });
        }
      });
    }
  });

  it('resolves references by $self to files of the same layout', async () => {
    const schema = (ref: string) =>
      `{get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '${ref}'}}}}}}}`;
    const root = `openapi: 3.2.0
$self: https://toys.example/api/toys.yaml
info: {title: Toys, version: '1'}
paths:
  /whole: ${schema('https://toys.example/api/toys.yaml#/components/schemas/Own')}
  /relative: ${schema('toys.yaml#/components/schemas/Own')}
  /other: ${schema('https://toys.example/api/parts/other.yaml#/Part')}
components: {schemas: {Own: {type: integer}}}
`;
    const part = 'Part: {type: object, properties: {next: {$ref: "#/Part"}}}\n';
    const { definition } = await loadToy({ 'toys.yaml': root, 'parts/other.yaml': part });
    const types = definition.operations.map(({ responses }) => {
      const { schema } = responses.get('200')!.contents.get('application/json')!;
      return [...(schema!.ref ?? schema!).types!].join();
    });
    expect(types).toEqual(['integer', 'integer', 'object']);
    const elsewhere = root.replace(
      'https://toys.example/api/parts',
      'https://else.example/api/parts',
    );
    await expect(loadToy({ 'toys.yaml': elsewhere })).rejects.toThrow('remote references');
    const outside = root.replace('api/parts/other.yaml', 'etc/other.yaml');
    await expect(loadToy({ 'toys.yaml': outside })).rejects.toThrow(/etc\/other.yaml/);
  });

  it('accepts merge keys and numeric status codes', async () => {
    const { definition } = await loadToy({
      'a.yaml': `openapi: 3.0.3
info: {title: Toys, version: '1'}
x-ok: &ok {description: ok}
paths:
  /toys:
    get:
      responses:
        200: {<<: *ok, x-more: 1}
`,
    });
    expect([...definition.operations[0]!.responses.keys()]).toEqual(['200']);
    expect(definition.at('/paths/~1toys/get/responses/200')?.node.description).toBe('ok');
  });
});

describe('a contract of several files', () => {
  it('becomes one document whose references start with #', async () => {
    const { definition } = await loadToy({
      'a.yaml': `openapi: 3.0.3
info: {title: Toys, version: '1'}
paths:
  /toys/{id}: {$ref: 'paths/all.yaml#/~1toys~1{id}'}
  /copies/{id}: {$ref: '#/paths/~1toys~1%7Bid%7D'}
components:
  schemas:
    Owner: {properties: {toy: {$ref: schemas/my%20toy.json}}}
`,
      'paths/all.yaml': `/toys/{id}:
  parameters: [{$ref: '../parts.yaml#/id'}]
  get:
    responses:
      '200': {$ref: '../parts.yaml#/answers/ok'}
`,
      'parts.yaml': `id: {name: id, in: path, required: true, schema: {type: string}}
answers:
  ok:
    description: ok
    content: {application/json: {schema: {$ref: 'schemas/my toy.json'}}}
`,
      'schemas/my toy.json':
        '{"properties":{"owner":{"$ref":"../a.yaml#/components/schemas/Owner"},"same":{"$ref":"#"}}}',
    });
    const refs = [...JSON.stringify(definition.document).matchAll(/"\$ref":"([^"]*)"/g)];
    expect(refs.length).toBeGreaterThan(3);
    for (const [, ref] of refs) {
      const target = decodeURIComponent(ref!.slice(1));
      expect([ref, definition.at(target) !== undefined]).toEqual([ref, true]);
    }
    const [first, second] = definition.operations;
    expect(first).toMatchObject({ operationId: 'getToysId', path: '/toys/{id}' });
    expect(second).toMatchObject({ operationId: 'getCopiesId', path: '/copies/{id}' });
    expect(first!.parameters.map(({ name }) => name)).toEqual(['id']);
    const schema = definition.child(
      definition.at('/components/schemas/Owner/properties')!,
      'toy',
    )!.node;
    expect(Object.keys(schema.properties)).toEqual(['owner', 'same']);
  });

  it('may have a path item with other properties next to $ref', async () => {
    const { definition } = await loadToy({
      'a.yaml': `openapi: 3.1.0
info: {title: Toys, version: '1'}
paths:
  /toys/{id}:
    $ref: '#/components/pathItems/toy'
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    delete: {responses: {'204': {description: gone}}}
components:
  pathItems:
    toy: {get: {responses: {'200': {description: ok}}}}
`,
    });
    const seen = definition.operations.map(({ operationId, parameters }) => [
      operationId,
      parameters.length,
    ]);
    expect(seen).toEqual([
      ['getToysId', 1],
      ['deleteToysId', 1],
    ]);
  });

  it('may refer to names with a slash, and to anchors', async () => {
    const { definition } = await loadToy({
      'a.json': toy({
        openapi: '3.1.0',
        schemas: '{"A":{"$ref":"b.yaml#/defs/x~1y"},"B":{"$ref":"#c"},"C":{"$anchor":"c"}}',
      }),
      'b.yaml': 'defs: {x/y: {type: string}}\n',
    });
    const schemas = definition.at('/components/schemas')!;
    expect(definition.child(schemas, 'A')?.node).toEqual({ type: 'string' });
    expect(definition.child(schemas, 'B')?.pointer).toBe('/components/schemas/C');
  });

  it('leaves a $ref in an example alone', async () => {
    const { definition } = await loadToy({
      'a.json': toy({ schemas: '{"A":{"type":"object","example":{"$ref":"nowhere.yaml"}}}' }),
    });
    expect(definition.at('/components/schemas/A')?.node.example).toEqual({ $ref: 'nowhere.yaml' });
  });
});

it('has no references of extensions that lead out of the document', async () => {
  const [lost, inside, example] = [
    { $ref: 'gone.yaml' },
    { $ref: '#/components/schemas/A' },
    { $ref: 'a.png' },
  ];
  const A = { 'x-note': lost, 'x-list': [lost, { a: lost }, inside, lost, 1], example };
  const schemas = JSON.stringify({ A, B: { 'x-none': { $ref: '#/nowhere' } } });
  const { definition } = await loadToy({ 'a.json': toy({ schemas }) });
  expect(definition.document.components.schemas).toEqual({
    A: { 'x-list': [{}, inside, 1], example },
    B: {},
  });
});

describe('an operation without operationId', () => {
  it('gets a unique one', async () => {
    const { definition } = await loadToy({
      'a.yaml': `openapi: 3.1.0
info: {title: Toys, version: '1'}
paths:
  /toys/all: {get: {responses: {'200': {description: ok}}}}
  /toys-all: {get: {responses: {'200': {description: ok}}}}
  /other: {get: {operationId: getToysAll, responses: {'200': {description: ok}}}}
`,
    });
    expect(definition.operations.map(({ operationId }) => operationId)).toEqual([
      'getToysAll_2',
      'getToysAll_3',
      'getToysAll',
    ]);
  });
});

it('finds this package from where @stubwright/contract is installed', () => {
  const module = pathToFileURL(resolve('packages/contract/src/index.ts')).href;
  const script = `import { developmentPath } from '${module}'; console.log(developmentPath('@stubwright/cli/loader'));`;
  // Neither the folder nor the script of the process leads to it.
  const args = ['--input-type=module', '--eval', script];
  const out = execFileSync(process.execPath, args, { cwd: tmpdir(), encoding: 'utf8' });
  expect(out.trim()).toBe(resolve('packages/cli/src/loader.ts'));
});

describe.each([
  ['GitHub', GITHUB, 1223, { 'unambiguous paths': 42, 'null in enum': 71 }],
  ['Figma', FIGMA, 54, {}],
])('the contract of %s', (_, path, operations, warnings) => {
  itWith(path)('loads', async () => {
    const loaded = await loadContractFiles(path);
    expect(loaded.definition.operations).toHaveLength(operations);
    const expected = Object.groupBy(
      loaded.warnings,
      ({ message }) => message.split('  expected ')[1]!,
    );
    const counts = Object.entries(expected).map(([text, found]) => [text, found!.length]);
    expect(Object.fromEntries(counts)).toEqual(warnings);
    const again = await loadContractFiles(path);
    expect(again.definition.document).toEqual(loaded.definition.document);
  });
});
