// Which properties a converter must pass: those of both contracts that are equal, or that differ in limits alone.
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node } from '@stubwright/contract';
import { SchemaModel } from '../../../contract/src/index.ts';
import { ProofValues } from '../../src/proof/proofValues.ts';
import { sharedParts } from '../../src/proof/sharedParts.ts';

function sharedBy(older: Node, newer: Node): readonly string[] {
  const [was, is] = [older, newer].map((schema) => {
    const properties = { part: schema };
    const schemas = { Toy: { type: 'object', properties } };
    return new Contract({ openapi: '3.1.0', paths: {}, components: { schemas } });
  }) as [Contract, Contract];
  const [one, other] = [was, is].map((each) => SchemaModel.of(each).at('/components/schemas/Toy')!);
  const values = new ProofValues(was, is);
  const options = { direction: 'request', values, isConverted: () => false } as const;
  return sharedParts(one!, other!, options).map(({ name, isEqual }) => `${name} ${isEqual}`);
}

describe('a property', () => {
  it.each([
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'],
    ...['minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ])('is shared by two schemas that differ in %s', (keyword) => {
    expect(sharedBy({ [keyword]: 1 }, { [keyword]: 2 })).toEqual(['part false']);
    expect(sharedBy({}, { [keyword]: 2 })).toEqual(['part false']);
  });

  it('is shared by two schemas that differ in the values of an enum, or not', () => {
    expect(sharedBy({ enum: ['a'] }, { enum: ['b'] })).toEqual(['part false']);
    expect(sharedBy({ enum: ['a'] }, { enum: ['a'] })).toEqual(['part true']);
  });

  it.each<[string, Node, Node]>([
    ['type', { type: 'string' }, { type: 'integer' }],
    ['pattern', { pattern: 'a' }, { pattern: 'b' }],
    ['format', { format: 'date' }, { format: 'uuid' }],
    ['multipleOf', { multipleOf: 2 }, { multipleOf: 3 }],
    ['items', { items: { type: 'string' } }, { items: { type: 'integer' } }],
  ])('is not shared by two schemas that differ in %s', (_, older, newer) => {
    expect(sharedBy(older, newer)).toEqual([]);
  });
});
