// Keywords before JSON Schema 2020-12: read as those of today, at the places where they are written.
import { expect, it } from '@jest/globals';
import { Contract, type Node } from '@stubwright/contract';
import { SchemaModel } from '../src/schema/model.ts';

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';

function schemaOf(schema: Node) {
  const contract = new Contract({
    ...{ openapi: '3.1.0', jsonSchemaDialect: DRAFT_7, paths: {} },
    components: { schemas: { T: schema } },
  });
  return SchemaModel.of(contract).at('/components/schemas/T')!;
}

it('an array under items is a tuple, and additionalItems its rest', () => {
  const tuple = schemaOf({ items: [{ type: 'string' }, true], additionalItems: { type: 'null' } });
  expect(tuple.list('prefixItems').map(({ pointer }) => pointer)).toEqual([
    '/components/schemas/T/items/0',
    '/components/schemas/T/items/1',
  ]);
  expect(tuple.child('items')?.pointer).toBe('/components/schemas/T/additionalItems');
  expect(schemaOf({ items: { type: 'string' } }).child('items')?.pointer).toBe(
    '/components/schemas/T/items',
  );
});

it('dependencies with a schema are dependentSchemas', () => {
  const schema = schemaOf({ dependencies: { a: { required: ['b'] }, c: ['d'] } });
  expect([...schema.map('dependentSchemas')].map(([name, { pointer }]) => [name, pointer])).toEqual(
    [['a', '/components/schemas/T/dependencies/a']],
  );
  const now = schemaOf({ dependentSchemas: { a: {} } });
  expect(now.map('dependentSchemas').get('a')?.pointer).toBe(
    '/components/schemas/T/dependentSchemas/a',
  );
});
