// The earlier responses whose values replace those of the requests of a release.
import { describe, expect, it } from '@jest/globals';
import { Contract, templateNames } from '@stubwright/contract';
import type { ReleasedRequest } from '@stubwright/traffic';
import { ValueSources } from '../src/release/documentedRequests.ts';

describe('the sources of the values of a request', () => {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const withId = (...names: string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  });
  const created = (schema: object, more: object = {}) => ({
    responses: { 201: { description: 'ok', ...json(schema), ...more } },
  });
  const read = (operationId: string, ...names: string[]) => ({
    operationId,
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: {} })),
    responses: { 200: { description: 'ok' } },
  });
  const location = { headers: { location: { schema: {} } } };
  const links = {
    invoice: {
      operationId: 'getInvoice',
      parameters: { number: '$response.body#/no', 'query.page': '$response.body#/page' },
    },
    gone: { operationId: 'none', parameters: { number: '$response.body#/id' } },
  };
  const definition = new Contract({
    ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1' } },
    paths: {
      '/orders': {
        post: { operationId: 'createOrder', ...created(withId('name', 'id'), { links }) },
      },
      '/orders/{orderId}': { get: read('getOrder', 'orderId'), put: read('putOrder', 'orderId') },
      '/customers/{id}/items': { post: { operationId: 'createItem', ...created({}, location) } },
      '/items/{itemId}': { get: read('getItem', 'itemId') },
      '/boxes': {
        post: { operationId: 'createBox', ...created({ properties: { 'a/b': withId('boxId') } }) },
      },
      '/boxes/{boxId}': { get: read('getBox', 'boxId') },
      '/codes': {
        post: {
          operationId: 'createCode',
          requestBody: json(withId('code')),
          responses: { 204: { description: 'ok' } },
        },
      },
      '/codes/{code}': { get: read('getCode', 'code') },
      '/parts': { post: { operationId: 'createPart', responses: { 204: { description: 'ok' } } } },
      '/parts/{partId}': { get: read('getPart', 'partId') },
      '/others': { post: { operationId: 'createOther', ...created(withId('tagId')) } },
      '/tags/{tagId}': { get: read('getTag', 'tagId') },
      '/invoices/{number}': { get: read('getInvoice', 'number') },
      '/search': { post: read('search') },
    },
  });
  const sources = new ValueSources(definition);
  const sourcesOf = (operationId: string, parts: Partial<ReleasedRequest> = {}) => {
    const operation = definition.operations.find((each) => each.operationId === operationId)!;
    const names = templateNames(operation.path).map((name) => [name, '1']);
    const request: ReleasedRequest = {
      ...{ operationId, method: operation.method, path: operation.path, headers: {}, status: 200 },
      params: { path: Object.fromEntries(names) },
      ...parts,
    };
    return Object.entries(sources.of(operation, request)).map(
      ([target, { operationId: of, expression }]) => `${target} ${of} ${expression}`,
    );
  };

  it.each<[operationId: string, sources: string[]]>([
    ['getOrder', ['$request.path.orderId createOrder $response.body#/id']],
    ['putOrder', ['$request.path.orderId createOrder $response.body#/id']],
    ['getItem', ['$request.path.itemId createItem $response.header.Location']],
    ['getBox', ['$request.path.boxId createBox $response.body#/a~1b/boxId']],
    ['getCode', ['$request.path.code createCode $request.body#/code']],
    ['getPart', ['$request.path.partId createPart $response.header.Location']],
    ['getTag', ['$request.path.tagId createOther $response.body#/tagId']],
    [
      'getInvoice',
      [
        '$request.path.number createOrder $response.body#/no',
        '$request.query.page createOrder $response.body#/page',
      ],
    ],
    ['createItem', []],
    ['search', []],
  ])('of %s', (operationId, expected) => {
    expect(sourcesOf(operationId)).toEqual(expected);
  });

  const ORDER = 'createOrder $response.body#/id';
  it.each<[Partial<ReleasedRequest>, string[]]>([
    [{ path: '/search?orderId=1&code=2&Id=3' }, [`$request.query.orderId ${ORDER}`]],
    [
      { body: ['{"orderId":1,"list":[{"a/b":{"orderId":2}}],"code":3}'] },
      [`$request.body#/orderId ${ORDER}`, `$request.body#/list/0/a~1b/orderId ${ORDER}`],
    ],
    [{ body: ['{"orderId":', '1}'] }, []],
    [{ body: ['{"orderId":1}'], headers: { 'Content-Type': 'text/plain' } }, []],
  ])('of a reference in %j', (parts, expected) => {
    const headers = { 'content-type': 'application/json' };
    expect(sourcesOf('search', { headers, ...parts })).toEqual(expected);
  });
});
