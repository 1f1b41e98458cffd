// The operation that `init --store` writes a handler for: its body is a row.

import { expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { storedOperation } from '../src/project/storeFiles.ts';

const contractOf = (operations: object, openapi = '3.1.0') =>
  new Contract({ openapi, info: { title: 'Toys', version: '1' }, paths: { '/toys': operations } });

/** @param keywords of the body, whose key is its id @param more of the operation */
function stored(keywords: object, more: object = {}, openapi?: string) {
  const schema = { type: 'object', required: ['id'], ...keywords };
  const content = { 'application/json': { schema } };
  const post = {
    operationId: 'addToy',
    requestBody: { required: true, content },
    responses: { 201: { description: 'stored', content } },
    ...more,
  };
  return storedOperation(contractOf({ post }, openapi));
}

const ID = { id: { type: 'string' } };

it.each<[property: object, type: string | undefined]>([
  [{ type: 'string' }, 'text'],
  [{ type: 'string', format: 'date-time' }, 'text'],
  [{ type: 'boolean' }, 'boolean'],
  [{ type: 'number' }, 'float64'],
  [{ type: 'integer' }, 'integer'],
  [{ type: 'integer', format: 'int64' }, 'int64'],
  [{ allOf: [{ type: 'integer' }, { format: 'int64' }] }, 'int64'],
  ...[{}, { type: 'array' }, { type: 'object' }, { type: 'array', items: {} }].map(
    (property): [object, undefined] => [property, undefined],
  ),
  [{ type: ['string', 'null'] }, undefined],
  [{ type: 'string', readOnly: true }, undefined],
  [{ type: 'string', writeOnly: true }, undefined],
  [{ type: 'string', oneOf: [{}] }, undefined],
  [{ type: 'string', anyOf: [{}] }, undefined],
  [{ type: 'string', not: { const: '' } }, undefined],
  [{ type: 'string', if: {} }, undefined],
  [{ type: 'string', $dynamicRef: '#toy' }, undefined],
])('a property of %j has a column of type %s', (property, type) => {
  const { columns } = stored({ properties: { ...ID, property } }) ?? {};
  const expected = [
    ['id', { type: 'text', isOptional: false }],
    ['property', { type, isOptional: true }],
  ];
  expect(columns && [...columns]).toEqual(type && expected);
});

it('a body has its key first, and optional columns', () => {
  const firstName = { type: 'string' };
  const id = { type: 'integer', format: 'int64' };
  const properties = { firstName, order: { type: 'integer' }, id };
  expect([...stored({ required: ['firstName', 'id'], properties })!.columns]).toEqual([
    ['id', { type: 'int64', isOptional: false }],
    ['firstName', { type: 'text', isOptional: false }],
    ['order', { type: 'integer', isOptional: true }],
  ]);
});

const NULLABLE = { ...ID, name: { type: 'string', nullable: true } };
const OPTIONAL = { content: { 'application/json': { schema: { type: 'object' } } } };

it.each([
  ['alternatives', stored({ properties: ID, anyOf: [{ required: ['id'] }] })],
  ['a name that is no identifier', stored({ properties: { ...ID, 'a-b': ID.id } })],
  ['no required property', stored({ properties: ID, required: [] })],
  ['a property that OpenAPI 3.0 allows to be null', stored({ properties: NULLABLE }, {}, '3.0.3')],
  ['an optional body', stored({ properties: ID }, { requestBody: OPTIONAL })],
])('a body is no row with %s', (_, row) => expect(row).toBeUndefined());

it.each<[string, schema: object | undefined, repliesBody: boolean | undefined]>([
  ['of other optional properties', { properties: { made: { type: 'integer' } } }, true],
  ['none', undefined, false],
  ['without type', { type: undefined, properties: ID }, undefined],
  ['of a property with another type', { properties: { id: { type: 'integer' } } }, undefined],
  ['of a required property that a row lacks', { properties: ID, required: ['made'] }, undefined],
  ['of a property that a row may lack', { properties: ID, required: ['name'] }, undefined],
])('a reply %s', (_, schema, repliesBody) => {
  const content = schema && { 'application/json': { schema: { type: 'object', ...schema } } };
  const responses = { 200: { description: 'stored', content } };
  const properties = { ...ID, name: { type: 'string' } };
  expect(stored({ properties }, { responses })?.repliesBody).toBe(repliesBody);
});

it('a contract without an operation that stores has none', () => {
  const get = { operationId: 'listToys', responses: { 200: { description: 'toys' } } };
  expect(storedOperation(contractOf({ get }))).toBeUndefined();
  expect(stored({ properties: ID })).toMatchObject({
    ...{ operationId: 'addToy', table: 'toys', key: 'id', status: 201 },
  });
});
