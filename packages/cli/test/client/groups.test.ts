// `--group tags`: operations as methods of their tag.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { memberNames } from '../../src/client/clientPackage.ts';
import { type ClientProject, clientProject, served } from '../support/clientProject.ts';

const get = (operationId: string, ...tags: string[]) =>
  `get: {operationId: ${operationId}, tags: [${tags.join(', ')}], responses: {'204': {description: ok}}}`;
const CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
paths:
  /toys:
    ${get('listToys', 'Toys', 'Other')}
    post:
      operationId: createToy
      tags: [Toys]
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
  /health: {${get('checkHealth')}}
components:
  schemas: {Toy: {type: object, required: [id], properties: {id: {type: integer, format: int64}}}}
`;

const MAIN = `import { connect, createClient, createToy, isErrorOf, unwrap, type Client } from 'toys';
const client: Client = createClient({ baseUrl: 'http://localhost' });
const toy = await unwrap(client.toys.create({ body: { id: 1n } }));
toy.id satisfies bigint;
await client.toys.list();
await client.checkHealth();
await createToy(connect({ baseUrl: 'http://localhost' }), { body: { id: 1n } });
const { toys }: Pick<Client, 'toys'> = client;
void [toys, isErrorOf];
`;

describe('a client with --group tags', () => {
  let project: ClientProject;
  beforeAll(async () => {
    project = await clientProject(CONTRACT, { flags: ['--group', 'tags'] });
  });
  afterAll(() => project.remove());

  it('has the operations of a tag as its methods, with names that drop the tag', async () => {
    const { url, seen, close } = await served((request, response) => {
      if (request.method === 'GET') response.writeHead(204).end();
      else {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        request.pipe(response);
      }
    });
    const { createClient, createToy, connect } = await project.load();
    const client = createClient({ baseUrl: url });
    expect(Object.keys(client)).toEqual(['toys', 'checkHealth']);
    expect(Object.keys(client.toys)).toEqual(['list', 'create']);
    const body = { id: 9007199254740993n };
    expect((await client.toys.create({ body })).body).toEqual(body);
    expect((await createToy(connect({ baseUrl: url }), { body })).body).toEqual(body);
    await client.toys.list();
    await client.checkHealth();
    close();
    expect(seen.map(({ url: path }) => path)).toEqual(['/toys', '/toys', '/toys', '/health']);
  });

  it('compiles, and its operations are those of the groups alone', () => {
    expect(project.errorsOf(MAIN)).toEqual([]);
    expect(project.errorsOf(MAIN.replace('toys.list()', 'listToys()'))).toEqual([
      expect.stringMatching(/^5: TS2339 Property 'listToys' /),
    ]);
  });

  it('is tree-shaken by its functions', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: "import { connect, checkHealth } from 'toys'; checkHealth(connect({}))",
        resolveDir: project.path,
      },
      ...{ bundle: true, write: false, format: 'esm', platform: 'neutral' },
    });
    const { text } = outputFiles[0]!;
    expect(text).toContain('checkHealth');
    expect(text).not.toContain('createToy');
  });

  it('shows its calls in the README and in its declarations', () => {
    const read = (file: string) =>
      readFileSync(`${project.path}/node_modules/toys/${file}`, 'utf8');
    expect(read('README.md')).toMatch(/await client\.toys\.create\(\{ body: \{ id: \d+n \} \}\);/);
    expect(read('index.d.ts')).toMatch(/\* await client\.toys\.create\(\{ body: /);
  });
});

describe('the members of a grouped client', () => {
  const membersOf = (...operations: [operationId: string, tag?: string | undefined][]) =>
    operations.map(([id]) =>
      memberNames(operations.map(([operationId, tag]) => ({ operationId, tag, name: operationId })))
        .get(id)!
        .join('.'),
    );

  it.each([
    ['createToy', 'toys', 'toys.create'],
    ['toys_create', 'toys', 'toys.create'],
    ['ToysController_list', 'Toys', 'toys.controllerList'],
    ['getToyPhoto', 'Toys', 'toys.getPhoto'],
    ['listPotToys', 'Pot toys', 'potToys.list'],
    ['getCategory', 'categories', 'categories.get'],
    ['deleteBox', 'boxes', 'boxes.delete'],
    ['toys', 'toys', 'toys.toys'],
    ['toy', 'toys', 'toys.toy'],
    ['transtoy', 'toys', 'toys.transtoy'],
    ['getStatus', 'status', 'status.get'],
    ['thenToy', 'toys', 'toys.thenToy'],
    ['getV2Toy', 'toys', 'toys.getV2'],
    ['2Toys', 'toys', 'toys.2Toys'],
    ['createToy', '植物', '植物.createToy'],
    ['createToy', '!', '_.createToy'],
    ['createToy', undefined, 'createToy'],
  ])('of %s with the tag %s is %s', (operationId, tag, member) => {
    expect(membersOf([operationId, tag])).toEqual([member]);
  });

  it('keep their whole names where the shorter ones are the same', () => {
    expect(membersOf(['getToy', 'toys'], ['getToys', 'toys'], ['cutToy', 'toys'])).toEqual([
      'toys.getToy',
      'toys.getToys',
      'toys.cut',
    ]);
    expect(membersOf(['get', 'toys'], ['getToys', 'toys'])).toEqual(['toys.get', 'toys.getToys']);
  });

  it('are apart from operations without a tag, and tags with one name are one group', () => {
    expect(membersOf(['toys'], ['getToy', 'toys'], ['cut', 'Toys'])).toEqual([
      'toys',
      'toys_.get',
      'toys_.cut',
    ]);
  });

  it('are in groups of their own where a tag has the name that another one gets', () => {
    expect(membersOf(['toys'], ['getToy', 'toys'], ['cut', 'toys_'])).toEqual([
      'toys',
      'toys_.get',
      'toys__.cut',
    ]);
  });
});
