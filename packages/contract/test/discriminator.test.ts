// The schemas that a discriminator selects for a value.
import { expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { selectableBy, selectedBy } from '../src/schema/discriminator.ts';
import { SchemaModel } from '../src/schema/model.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const extending = (name: string, rest: object = {}) => ({ allOf: [ref(name), rest] });
const contract = new Contract({
  openapi: '3.1.0',
  paths: {},
  components: {
    schemas: {
      Toy: {
        properties: { kind: { type: 'string' }, size: { type: 'string' } },
        discriminator: { propertyName: 'kind', mapping: { ball: '#/components/schemas/Ball' } },
      },
      Ball: extending('Toy', { discriminator: { propertyName: 'size' } }),
      Large: extending('Ball'),
      Round: ref('Ball'),
      Bear: extending('Toy'),
    },
  },
});
const schemaOf = (name: string) => SchemaModel.of(contract).at(`/components/schemas/${name}`)!;
const names = (schemas: readonly { pointer: string }[]) =>
  schemas.map(({ pointer }) => pointer.split('/')[3]);

it.each<[string, unknown, string[]]>([
  ['Toy', { kind: 'Bear' }, ['Bear']],
  ['Toy', { kind: 'ball' }, ['Ball']],
  ['Toy', { kind: 'ball', size: 'Large' }, ['Ball', 'Large']],
  ['Toy', { kind: 'none' }, []],
  ['Toy', 'Bear', []],
  ['Toy', [], []],
  ['Bear', { kind: 'Bear' }, []],
  ['Bear', { kind: 'ball' }, []],
  ['Ball', { kind: 'ball', size: 'Large' }, ['Large']],
])('%s selects for %j, besides the schemas that always apply: %j', (name, value, expected) => {
  expect(names(selectedBy(schemaOf(name), value))).toEqual(expected);
});

it('selectableBy has all schemas that a value may select', () => {
  expect(names(selectableBy(schemaOf('Toy'))).sort()).toEqual(['Ball', 'Bear', 'Large']);
  expect(selectableBy(SchemaModel.of(contract).synthetic({}))).toEqual([]);
});
