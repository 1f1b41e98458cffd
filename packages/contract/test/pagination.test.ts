// The pages of an operation: declared, and recognized by the usual names.
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node, paginationErrors } from '@stubwright/contract';
import { pageRulesOf } from '../src/operations/pagination.ts';

const text = { type: 'string' };
const list = { type: 'array', items: text };

function operationWith(
  query: readonly string[],
  body: Node,
  { method = 'get', headers = {}, ...fields }: Node = {},
) {
  const schema = body['type'] ? body : { type: 'object', properties: body };
  const operation = {
    parameters: query.map((name) => ({ name, in: 'query', schema: text })),
    responses: { 200: { headers, content: { 'application/json': { schema } } } },
    ...fields,
  };
  const paths = { '/toys': { [method]: operation } };
  return new Contract({ openapi: '3.1.0', info: {}, paths }).operations[0]!;
}

describe('the pages of an operation', () => {
  it.each<[string[], Node, Node | undefined]>([
    [
      ['cursor', 'limit'],
      { data: list, next_cursor: text },
      { kind: 'cursor', parameter: 'cursor', size: 'limit', items: '/data', next: '/next_cursor' },
    ],
    [
      ['pageToken'],
      { toys: list, nextPageToken: text },
      { kind: 'cursor', parameter: 'pageToken', items: '/toys', next: '/nextPageToken' },
    ],
    [
      ['after'],
      { items: list, tags: list, meta: { type: 'object', properties: { nextCursor: text } } },
      { kind: 'cursor', parameter: 'after', items: '/items', next: '/meta/nextCursor' },
    ],
    [
      ['page'],
      { items: list, links: { allOf: [{ properties: { next: text } }] } },
      { kind: 'link', items: '/items', next: '/links/next' },
    ],
    [
      ['page', 'per_page'],
      { items: list, has_more: { type: 'boolean' } },
      { kind: 'page', parameter: 'page', size: 'per_page', items: '/items', more: '/has_more' },
    ],
    [['skip', 'top'], list, { kind: 'offset', parameter: 'skip', size: 'top', items: '' }],
    [['cursor'], { data: list }, undefined],
    [['page'], { a: list, b: list }, undefined],
    [['page'], { name: text }, undefined],
    [['q'], { items: list }, undefined],
  ])('with %j and %j are %j', (query, body, expected) => {
    expect(operationWith(query, body).pagination).toEqual(expected);
  });

  it('are those of a Link header', () => {
    const headers = { link: { schema: text } };
    const expected = { kind: 'link', items: '' };
    expect(operationWith([], list, { headers }).pagination).toEqual(expected);
  });

  it('are recognized in GET alone, and not if x-pagination is false', () => {
    expect(operationWith(['page'], list, { method: 'post' }).pagination).toBeUndefined();
    expect(operationWith(['page'], list, { 'x-pagination': false }).pagination).toBeUndefined();
  });

  it('are those that it declares', () => {
    const declared = { kind: 'page', parameter: 'p', items: '/b' };
    const body = { a: list, b: list };
    const options = { method: 'post', 'x-pagination': declared };
    expect(operationWith(['p', 'page'], body, options).pagination).toEqual(declared);
    const whole = { kind: 'offset', parameter: 'p' };
    expect(operationWith(['p'], list, { 'x-pagination': whole }).pagination).toEqual({
      ...whole,
      items: '',
    });
  });
});

describe('x-pagination', () => {
  const body = { items: list, next: text, more: { type: 'boolean' }, none: { type: 'object' } };
  const errorsOf = (described: unknown) =>
    paginationErrors(operationWith(['cursor', 'limit'], body), described).map(
      ({ field, message }) => `${field} ${message}`,
    );
  const valid = { kind: 'cursor', parameter: 'cursor', items: '/items', next: '/next' };

  it.each([
    [false],
    [valid],
    [{ ...valid, size: 'limit', more: '/more' }],
    [{ kind: 'link', items: '/items' }],
    [{ kind: 'link', parameter: 'cursor', items: '/items' }],
    [{ kind: 'page', parameter: 'cursor', items: '/items' }],
  ])('may be %j', (described) => {
    expect(errorsOf(described)).toEqual([]);
  });

  it.each<[unknown, RegExp[]]>([
    [true, [/^ expected an object, or false$/]],
    [
      { ...valid, kind: 'pages' },
      [/^\/kind kind: got "pages", expected cursor, page, offset, link$/],
    ],
    [
      { ...valid, parameter: 'after' },
      [/^\/parameter parameter: got "after", expected the name of/],
    ],
    [{ ...valid, parameter: undefined }, [/^\/parameter parameter: got nothing/]],
    [{ kind: 'link', parameter: 'after', items: '/items' }, [/^\/parameter .* expected the name/]],
    [{ ...valid, size: 'x' }, [/^\/size /]],
    [{ ...valid, items: '/none' }, [/^\/items /]],
    [{ ...valid, items: 'items' }, [/^\/items /]],
    [{ kind: 'cursor', parameter: 'cursor' }, [/^\/items /, /^\/next next: got nothing/]],
    [{ ...valid, next: '/none' }, [/^\/next /]],
    [{ ...valid, more: '/next' }, [/^\/more /]],
    [{ ...valid, total: '/total' }, [/^\/total total: got "\/total", expected one of kind, /]],
  ])('is not %j', (described, expected) => {
    expect(errorsOf(described)).toEqual(expected.map((each) => expect.stringMatching(each)));
    const declared = operationWith(['cursor', 'limit'], body, { 'x-pagination': described });
    expect(declared.pagination).toBeUndefined();
  });
});

it.each([
  [0, 1000],
  [1, 1],
  [2.5, 2],
  [2000, 1000],
  [undefined, 1000],
])('a page of an array with at most %s items has at most %i', (maxItems, size) => {
  const pages = { kind: 'page', parameter: 'page', items: '' };
  const described = operationWith(['page'], { ...list, maxItems }, { 'x-pagination': pages });
  expect(pageRulesOf(described)!.maxSize).toBe(size);
});
