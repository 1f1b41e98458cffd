// `remotes` in stubwright.yaml: copies of the documents that a contract refers to by address.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { embedRemotes } from '../../src/loading/files.ts';
import { loadContractFiles } from '../../src/loading/load.ts';
import { runCommand } from '../support/command.ts';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function contractWith(schema: string, openapi = '3.0.3'): string {
  return `openapi: ${openapi}
info: {title: Toys, version: 1.0.0}
paths:
  /toys:
    get:
      operationId: listToys
      responses:
        '200': {description: ok, content: {application/json: {schema: ${schema}}}}
`;
}

async function schemaOf(path = 'openapi.yaml') {
  const { definition, files } = await loadContractFiles(path, { cwd: folder.path });
  const content = definition.operations[0]!.responses.get('200')!.contents.get('application/json')!;
  return {
    schema: content.schema!,
    files: files.map((each) => each.slice(folder.path.length + 1)),
  };
}

const ADDRESS = 'https://toys.example/v1/common.yaml';

describe('remotes', () => {
  it('map an address to a copy, and what the copy refers to by its address', async () => {
    write({
      'openapi.yaml': contractWith(`{$ref: '${ADDRESS}#/components/schemas/Toy'}`),
      'stubwright.yaml': `remotes:\n  ${ADDRESS}: copies/toys.yaml\n  https://toys.example/parts/: copies/all/\n`,
      'copies/toys.yaml': "components: {schemas: {Toy: {$ref: '../parts/wheel.yaml#/Wheel'}}}",
      'copies/all/wheel.yaml': "Wheel: {type: object, properties: {of: {$ref: 'rim.yaml'}}}",
      'copies/all/rim.yaml': 'type: string\nmaxLength: 3\n',
    });
    const { schema, files } = await schemaOf();
    const wheel = schema.conjuncts.find((each) => each.map('properties').has('of'))!;
    const rim = wheel.map('properties').get('of')!.conjuncts;
    expect(rim.map(({ keywords }) => keywords['maxLength']).find(Boolean)).toBe(3);
    expect(files.sort()).toEqual([
      ...['copies/all/rim.yaml', 'copies/all/wheel.yaml', 'copies/toys.yaml', 'openapi.yaml'],
      'stubwright.yaml',
    ]);
  });

  it('resolve references by $id and anchor since OpenAPI 3.1', async () => {
    const schema = `{$id: 'https://toys.example/v1/list', properties: {a: {$ref: 'toy.json#named'}}}`;
    write({
      'openapi.yaml': contractWith(schema, '3.1.0'),
      'stubwright.yaml': 'remotes: {https://toys.example/v1/: copies}',
      'copies/toy.json': JSON.stringify({
        $defs: { name: { $anchor: 'named', allOf: [{ $ref: 'size.json' }] } },
      }),
      'copies/size.json': '{"maxLength": 3}',
    });
    const found = (await schemaOf()).schema.map('properties').get('a')!.conjuncts;
    expect(found.map(({ keywords }) => keywords['maxLength']).find(Boolean)).toBe(3);
  });

  it('are those of the nearest folder up to the repository, for every command', async () => {
    write({
      '.git/HEAD': '',
      'stubwright.yaml': `remotes: {'${ADDRESS}': copies/toys.yaml}`,
      'copies/toys.yaml': 'Toy: {type: string}',
      'api/openapi.yaml': contractWith(`{$ref: '${ADDRESS}#/Toy'}`),
    });
    for (const args of [['check'], ['bundle'], ['generate'], ['client']]) {
      const { status, err } = await runCommand([...args, 'api/openapi.yaml'], {
        cwd: folder.path,
      });
      expect({ args, status, err }).toMatchObject({ args, status: 0 });
    }
    write({ 'api/stubwright.yaml': 'remotes: {}' });
    const { status, out, err } = await runCommand(['check', 'api/openapi.yaml'], {
      cwd: folder.path,
    });
    expect(status).not.toBe(0);
    expect(out + err).toContain('remote references are not supported');
  });

  it('lead to files of the folder or repository only', async () => {
    write({
      'api/openapi.yaml': contractWith(`{$ref: '${ADDRESS}'}`),
      'api/stubwright.yaml': `remotes: {'${ADDRESS}': ../toys.yaml}`,
      'toys.yaml': 'type: string',
    });
    await expect(schemaOf('api/openapi.yaml')).rejects.toThrow("outside of the contract's folder");
    write({ 'api/stubwright.yaml': "remotes: {'https://toys.example/': 'copies/'}" });
    const outside = "{$ref: 'https://toys.example/..%2F..%2Ftoys.yaml'}";
    write({ 'api/openapi.yaml': contractWith(outside) });
    await expect(schemaOf('api/openapi.yaml')).rejects.toThrow("outside of the contract's folder");
  });

  it.each([
    ['remotes: [a]', 'stubwright.yaml:1:1  got no map  expected remotes, a map'],
    ['? {a: b}\n: c\n', 'stubwright.yaml:1:3  a key is a map or an array  expected a string'],
    ['1: 2\nnull: 3', 'stubwright.yaml:1:1  got 1  expected remotes'],
    ['remotes: {? [a] : b}', 'stubwright.yaml:1:13  a key is a map or an array  expected a string'],
    [
      'remotes: {1: b}',
      'stubwright.yaml:1:11  got 1  expected an address, and the path of its copy',
    ],
    ['a: 1\nremotes: {}', 'stubwright.yaml:1:1  got a  expected remotes'],
    [
      'remotes:\n  toys.yaml: copies/toys.yaml',
      'stubwright.yaml:2:3  got toys.yaml  expected an address, and the path of its copy',
    ],
    ['remotes:\n  https://a.b: 1', 'stubwright.yaml:2:3  got https://a.b  expected an address'],
    ['remotes: {', 'stubwright.yaml:1:11  '],
  ])('have errors with a position: %j', async (table, message) => {
    write({ 'openapi.yaml': contractWith('{type: string}'), 'stubwright.yaml': table });
    await expect(schemaOf()).rejects.toThrow(message);
  });
});

it.each([
  ['a schema', { type: 'string' }, true],
  ['an OpenAPI document', { openapi: '3.1.0' }, false],
  ['a Swagger document', { swagger: '2.0' }, false],
  ['a document with components', { components: {} }, false],
  ['a document with paths', { paths: {} }, false],
])('a remote that is %s is embedded: %j', async (_, copy, isEmbedded) => {
  const contract = {
    ...{ openapi: '3.1.0', components: { schemas: { Toy: { $ref: `${ADDRESS}#/x` } } } },
  };
  await embedRemotes(contract, async () => copy);
  expect(Object.keys(contract.components.schemas)).toEqual(
    isEmbedded ? ['Toy', 'common'] : ['Toy'],
  );
});
