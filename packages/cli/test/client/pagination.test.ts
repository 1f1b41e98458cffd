// Pages of a generated client, described by the contract and by a table of the project.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientProject, clientProject, served } from '../support/clientProject.ts';
import { runCommand } from '../support/command.ts';

const toys = "{type: array, items: {$ref: '#/components/schemas/Toy'}}";
const list = (id: string, query: string, properties: string, more = '') => `
  /${id}:
    get:
      operationId: ${id}
      tags: [Toys]${more}
      parameters: [{name: ${query}, in: query, schema: {type: integer, format: int64, default: 0}}]
      responses:
        '200': {description: ok, content: {application/json: {schema: {type: object, required: [items], properties: {${properties}}}}}}
        '404': {description: none}`;

const CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
paths:${[
  list(
    'listToys',
    'cursor',
    `items: ${toys}, next_cursor: {type: [integer, 'null'], format: int64}`,
    `
      x-pagination: {kind: cursor, parameter: cursor, items: /items, next: /next_cursor}`,
  ),
  list('findToys', 'page', `items: ${toys}`),
  list('allToys', 'from', `items: ${toys}`),
].join('')}
components:
  schemas: {Toy: {type: object, required: [id], properties: {id: {type: integer, format: int64}}}}
`;

const MAIN = `import { connect, createClient, listToys } from 'toys';
const client = createClient({ baseUrl: 'http://localhost' });
for await (const toy of client.listToys.items({ query: { cursor: 1n } }, { limit: 3 })) toy.id satisfies bigint;
for await (const page of client.findToys.pages()) page.body.items[0]?.id satisfies bigint | undefined;
for await (const toy of listToys.items(connect({ baseUrl: '' }))) toy.id satisfies bigint;
const reply = await client.listToys();
if (reply.status === 200) reply.body.items satisfies { id: bigint }[];
`;

const FIRST = 9007199254740993n;

describe('the pages of a generated client', () => {
  let project: ClientProject;
  beforeAll(async () => {
    project = await clientProject(CONTRACT);
  });
  afterAll(() => project.remove());

  const cursors = () =>
    served((request, response) => {
      const cursor = BigInt(new URL(request.url!, 'http://a').searchParams.get('cursor') ?? FIRST);
      const next = cursor < FIRST + 2n ? cursor + 1n : 'null';
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(`{"items":[{"id":${cursor}}],"next_cursor":${next}}`);
    });

  it('have exact items and cursors, also as methods and in groups', async () => {
    const { url, close } = await cursors();
    const { createClient, connect, listToys } = await project.load();
    const ids = [FIRST, FIRST + 1n, FIRST + 2n];
    const idsOf = async (items: AsyncIterable<{ id: bigint }>) => {
      const all: bigint[] = [];
      for await (const { id } of items) all.push(id);
      return all;
    };
    const client = createClient({ baseUrl: url });
    expect(await idsOf(client.listToys.items())).toEqual(ids);
    expect(await idsOf(listToys.items(connect({ baseUrl: url }), {}, { limit: 2 }))).toEqual(
      ids.slice(0, 2),
    );
    expect((await client.listToys()).body.items).toEqual([{ id: FIRST }]);
    const grouped = await clientProject(CONTRACT, { flags: ['--group', 'tags'] });
    const { createClient: createGroups } = await grouped.load();
    expect(await idsOf(createGroups({ baseUrl: url }).toys.list.items())).toEqual(ids);
    grouped.remove();
    close();
  });

  it('have types', () => {
    expect(project.errorsOf(MAIN)).toEqual([]);
    const wrong = MAIN.replaceAll('satisfies bigint;', 'satisfies string;');
    expect(project.errorsOf(wrong).map((each) => each.slice(0, 9))).toEqual([
      '3: TS1360',
      '5: TS1360',
    ]);
    expect(project.errorsOf(MAIN.replace('limit: 3', "limit: '3'"))).toHaveLength(1);
    expect(project.errorsOf(MAIN.replace('findToys.pages', 'allToys.pages'))).toHaveLength(1);
  });

  it('start at the default of the parameter', async () => {
    const { url, seen, close } = await served((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(seen.length > 1 ? '{"items":[]}' : '{"items":[{"id":1}]}');
    });
    const { createClient } = await project.load();
    for await (const _ of createClient({ baseUrl: url }).findToys.pages());
    close();
    expect(seen.map((each) => each.url)).toEqual(['/findToys', '/findToys?page=1']);
  });

  it('are those of a table of the project', async () => {
    writeFileSync(
      join(project.path, 'pagination.yaml'),
      'allToys: {kind: offset, parameter: from, items: /items}\nfindToys: false\n',
    );
    const args = ['client', 'openapi.yaml', 'node_modules/toys', '--name', 'toys'];
    const write = () =>
      runCommand([...args, '--pagination', 'pagination.yaml'], { cwd: project.path });
    expect(await write()).toMatchObject({ status: 0, err: '' });
    const offsets = MAIN.replace('findToys.pages', 'allToys.pages');
    expect(project.errorsOf(offsets)).toEqual([]);
    expect(project.errorsOf(MAIN)).toHaveLength(1);
    writeFileSync(
      join(project.path, 'pagination.yaml'),
      'allToys: {kind: offset, parameter: x}\nnoToys: false\n',
    );
    const { status, err } = await write();
    expect([status, err]).toEqual([
      2,
      'stubwright: pagination.yaml: allToys: parameter: got "x", expected the name of a query parameter of the operation\n' +
        'stubwright: pagination.yaml: allToys: items: got nothing, expected the JSON pointer of an array in the JSON body of a success\n' +
        'stubwright: pagination.yaml: noToys: expected the operationId of an operation\n',
    ]);
  });

  it('are checked in the contract', async () => {
    const wrong = CONTRACT.replace('next: /next_cursor', 'next: /after');
    writeFileSync(join(project.path, 'wrong.yaml'), wrong);
    const { status, out } = await runCommand(['check', 'wrong.yaml'], { cwd: project.path });
    expect(status).toBe(1);
    expect(out).toMatch(
      /wrong\.yaml:8:\d+ .*x-pagination: next: got "\/after", expected the JSON pointer/,
    );
  });
});
