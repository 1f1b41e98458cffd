// The operation that `init --store` writes a handler for: its body is a row.

import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { storedOperation } from '../src/project/storeFiles.ts';

const INFO = { openapi: '3.1.0', info: { title: 'Toys', version: '1' } };
const INFO_30 = { ...INFO, openapi: '3.0.3' };
const ID = { type: 'string' };

/** @param property of the body, besides its key @param keywords of the body @param more of the operation */
function stored(property: object, keywords: object = {}, more: object = {}, info: object = INFO) {
  const schema = {
    type: 'object',
    required: ['id'],
    properties: { id: ID, property },
    ...keywords,
  };
  const content = { 'application/json': { schema } };
  const operation = {
    operationId: 'addToy',
    requestBody: { required: true, content },
    responses: { 201: { description: 'stored', content } },
    ...more,
  };
  return storedOperation(new Contract({ ...info, paths: { '/toys': { post: operation } } }));
}

describe('a body', () => {
  it.each([
    [{ type: 'string' }, 'text'],
    [{ type: 'string', format: 'date-time' }, 'text'],
    [{ type: 'boolean' }, 'boolean'],
    [{ type: 'number' }, 'float64'],
    [{ type: 'integer' }, 'integer'],
    [{ type: 'integer', format: 'int64' }, 'int64'],
    [{ allOf: [{ type: 'integer' }, { format: 'int64' }] }, 'int64'],
  ])('has a column for a property of %j: %s', (property, type) => {
    expect([...stored(property)!.columns]).toEqual([
      ['id', { type: 'text', isOptional: false }],
      ['property', { type, isOptional: true }],
    ]);
  });

  it.each([
    {},
    { type: 'array' },
    { type: 'object' },
    { type: ['string', 'null'] },
    { type: 'array', items: {} },
    { type: 'string', readOnly: true },
    { type: 'string', writeOnly: true },
    { type: 'string', oneOf: [{}] },
    { type: 'string', anyOf: [{}] },
    { type: 'string', not: { const: '' } },
    { type: 'string', if: {} },
    { type: 'string', $dynamicRef: '#toy' },
  ])('is no row with a property of %j', (property) => {
    expect(stored(property)).toBeUndefined();
  });

  it('is no row with a property that OpenAPI 3.0 allows to be null', () => {
    expect(stored({ type: 'string', nullable: true }, {}, {}, INFO_30)).toBeUndefined();
  });

  it('has its key first, and optional columns', () => {
    const { columns } = stored(
      {},
      {
        required: ['firstName', 'id'],
        properties: {
          firstName: ID,
          order: { type: 'integer' },
          id: { type: 'integer', format: 'int64' },
        },
      },
    )!;
    expect([...columns]).toEqual([
      ['id', { type: 'int64', isOptional: false }],
      ['firstName', { type: 'text', isOptional: false }],
      ['order', { type: 'integer', isOptional: true }],
    ]);
  });

  it.each<[string, object, object?]>([
    ['alternatives', { anyOf: [{ required: ['id'] }] }],
    ['a name that is no identifier', { properties: { 'a-b': ID } }],
    ['no required property', { required: [] }],
  ])('is no row with %s', (_, keywords) => {
    expect(stored(ID, keywords)).toBeUndefined();
  });

  it('is no row where it may be absent', () => {
    const content = { 'application/json': { schema: { type: 'object' } } };
    expect(stored(ID, {}, { requestBody: { content } })).toBeUndefined();
  });
});

it('a contract without an operation that stores has none', () => {
  const get = { operationId: 'listToys', responses: { 200: { description: 'toys' } } };
  expect(storedOperation(new Contract({ ...INFO, paths: { '/toys': { get } } }))).toBeUndefined();
  expect(stored(ID)).toMatchObject({
    operationId: 'addToy',
    table: 'toys',
    key: 'id',
    status: 201,
  });
});
