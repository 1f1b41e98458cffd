// Stateful mocks reply with the pages that `x-pagination` describes, as a service does.
import { afterEach, describe, expect, it } from '@jest/globals';
import { serveToy, type Toy } from '@stubwright/test-support/toy';

const content = (schema: string, headers = '{}') =>
  `{description: d, headers: ${headers}, content: {application/json: {schema: ${schema}}}}`;
const toy = "{$ref: '#/components/schemas/Toy'}";
const query = (name: string, schema: string) => `{name: ${name}, in: query, schema: ${schema}}`;
const limit = query('limit', '{type: integer, minimum: 1, maximum: 5, default: 2}');
const problem = content(
  '{type: object, required: [error, message], properties: {error: {type: integer}, message: {type: string}}}',
);

interface Listed {
  readonly pagination: string;
  readonly parameter: string;
  readonly properties: string;
}

const collection = (path: string, { pagination, parameter, properties }: Listed) => `
  ${path}:
    get:
      operationId: 'list ${path}'
      x-pagination: {size: limit, ${pagination}}
      parameters: [${parameter}, ${limit}, ${query('color', '{type: string}')}]
      responses:
        '200': ${content(`{type: object, required: [items, total, meta], properties: {total: {type: integer}, items: {type: array, items: ${toy}}, ${properties}}}`, '{Link: {schema: {type: string}}}')}
        '400': ${problem}
    post:
      operationId: 'create ${path}'
      requestBody: {content: {application/json: {schema: ${toy}}}}
      responses: {'201': ${content(toy)}}
  ${path}/{id}:
    delete:
      operationId: 'remove ${path}'
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'204': {description: d}}
`;

const PATHS = `
components: {schemas: {Toy: {type: object, required: [id], properties: {id: {type: integer}, color: {type: string}}}}}
paths:
${collection('/cursors', {
  pagination: 'kind: cursor, parameter: cursor, items: /items, next: /meta/next',
  parameter: query('cursor', '{type: string}'),
  properties:
    'meta: {type: object, properties: {next: {type: string}, name: {type: string, enum: [sample]}}}',
})}
${collection('/required', {
  pagination: 'kind: link, parameter: after, items: /items, next: /next',
  parameter: query('after', '{type: string}'),
  properties: "meta: {}, next: {type: [string, 'null'], minLength: 1}",
}).replace('required: [items, total, meta]', 'required: [items, next]')}
${collection('/numbers', {
  pagination: 'kind: page, parameter: page, items: /items, more: /meta/more',
  parameter: query('page', '{type: integer}'),
  properties: 'meta: {type: object, required: [more], properties: {more: {type: boolean}}}',
})}
${collection('/offsets', {
  pagination: 'kind: offset, parameter: from, items: /items',
  parameter: query('from', '{type: integer}'),
  properties: 'meta: {}',
})}
`;

let served: Toy | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

async function serve(path: string, ids: readonly number[]) {
  served = await serveToy('3.1.0', PATHS, { mock: 'all', mockOptions: { isStateful: true } });
  const send = served.fetch;
  const create = (id: number) => {
    const body = JSON.stringify({ id, color: id % 2 === 0 ? 'red' : 'blue' });
    return send(path, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
  };
  for (const id of ids) await create(id);
  const get = async (search: string) => {
    const { status, text, headers } = await send(search.startsWith('/') ? search : path + search);
    return { status, body: JSON.parse(text), link: headers.get('Link') };
  };
  return { get, create, remove: (id: number) => send(`${path}/${id}`, { method: 'DELETE' }) };
}

const idsOf = ({ body }: { body: { items: { id: number }[] } }) => body.items.map(({ id }) => id);

describe('a stateful mock', () => {
  it('replies with pages after a cursor, under inserts and deletes', async () => {
    const { get, create, remove } = await serve('/cursors', [5, 3, 9, 1, 7]);
    const first = await get('');
    expect(idsOf(first)).toEqual([5, 3]);
    expect(first.body).toMatchObject({ total: 5, meta: { name: 'sample' } });
    expect(first.link).toContain('rel="next"');
    await remove(3);
    await create(11);
    const second = await get(`?cursor=${first.body.meta.next}`);
    expect(idsOf(second)).toEqual([9, 1]);
    const third = await get(`?cursor=${second.body.meta.next}`);
    expect(idsOf(third)).toEqual([7, 11]);
    expect(third.body.meta).toEqual({ name: 'sample' });
  });

  it('filters, and rejects the cursor of another filter', async () => {
    const { get } = await serve('/cursors', [1, 2, 3, 5, 7]);
    const blue = await get('?color=blue&limit=3');
    expect([idsOf(blue), blue.body.total]).toEqual([[1, 3, 5], 4]);
    expect(idsOf(await get(`?color=blue&cursor=${blue.body.meta.next}`))).toEqual([7]);
    for (const cursor of [blue.body.meta.next, 'string']) {
      const { status, body } = await get(`?cursor=${cursor}`);
      expect([status, body.error]).toEqual([400, 40005]);
    }
  });

  it('replies with links', async () => {
    const { get } = await serve('/required', [1, 2, 3]);
    const first = await get('');
    expect(first.body.next).toMatch(/^\/required\?after=/);
    const last = await get(first.body.next);
    expect([idsOf(last), last.body.next]).toEqual([[3], null]);
  });

  it('replies with pages by their number, and at an offset', async () => {
    const pages = await serve('/numbers', [1, 2, 3]);
    const last = await pages.get('?page=2');
    expect([idsOf(last), last.body.meta.more]).toEqual([[3], false]);
    expect((await pages.get('')).body.meta.more).toBe(true);
    expect((await pages.get('?page=0')).status).toBe(400);
    await served?.close();
    const offsets = await serve('/offsets', [1, 2, 3]);
    expect(idsOf(await offsets.get('?from=1'))).toEqual([2, 3]);
  });
});
