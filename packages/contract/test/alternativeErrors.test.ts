// The errors of oneOf and anyOf: the expected values of the property that selects an alternative.
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node } from '@stubwright/contract';
import fc from 'fast-check';
import { describeErrors, Validators } from '../src/schema/validator.ts';

const pet = (name: string, kind: Node = { type: 'string' }): Node => ({
  type: 'object',
  required: ['kind', name],
  properties: { kind, [name]: { type: 'string' } },
});
const refs = (...names: string[]) =>
  names.map((name) => ({ $ref: `#/components/schemas/${name}` }));

function errorsOf(schema: Node, value: unknown, schemas: Node = PETS): string {
  const definition = new Contract({
    openapi: '3.2.0',
    components: { schemas: { ...schemas, Root: schema } },
  });
  const validate = new Validators(definition, 'request').at('/components/schemas/Root');
  return validate(value) ? 'valid' : describeErrors(validate.errorsOf(value), '');
}

const PETS = {
  Cat: pet('claws'),
  Dog: pet('bark'),
  Hen: pet('eggs', { const: 'hen' }),
  Cow: pet('milk', { enum: ['cow', 'bull'] }),
};
const discriminator = { propertyName: 'kind' };

describe('a discriminator', () => {
  const byName = { oneOf: refs('Cat', 'Dog'), discriminator };
  const mapped = {
    anyOf: refs('Cat', 'Dog'),
    discriminator: { ...discriminator, mapping: { cat: 'Cat', lion: '#/components/schemas/Cat' } },
  };
  const constants = { oneOf: refs('Hen', 'Cow', 'Dog'), discriminator };
  const withDefault = {
    oneOf: refs('Cat', 'Dog'),
    discriminator: { ...discriminator, defaultMapping: 'Dog' },
  };
  it.each<[string, Node, unknown, string]>([
    ['no value', byName, {}, '/kind expected one of ["Cat","Dog"]'],
    ['another value', byName, { kind: 'Bird' }, '/kind expected one of ["Cat","Dog"]'],
    ['another type', byName, { kind: 1 }, '/kind expected one of ["Cat","Dog"]'],
    ['a known value', byName, { kind: 'Dog' }, '/bark is required'],
    ['no object', byName, 'Dog', 'expected object; expected to match exactly one schema in oneOf'],
    ['a value of the mapping', mapped, { kind: 'lion' }, '/claws is required'],
    ['none of the mapping', mapped, {}, '/kind expected one of ["cat","lion","Dog"]'],
    ['none of enum and const', constants, {}, '/kind expected one of ["hen","cow","bull","Dog"]'],
    ['a value of defaultMapping', withDefault, { kind: 'Bird' }, '/bark is required'],
    ['a valid value', byName, { kind: 'Bird', bark: 'loud' }, 'valid'],
  ])('reports one error of %s', (_, schema, value, message) => {
    expect(errorsOf(schema, value)).toBe(message);
  });

  it('never changes the outcome of a validation', () => {
    const kind = fc.option(fc.constantFrom<unknown>('Cat', 'Dog', 'hen', 'Bird', 1, '__proto__'));
    const value = fc.record({ kind, claws: fc.string(), bark: fc.string() }, { requiredKeys: [] });
    fc.assert(
      fc.property(value, fc.constantFrom('oneOf', 'anyOf'), (pet, keyword) => {
        const plain = { [keyword]: refs('Cat', 'Dog', 'Hen') };
        const isValid = errorsOf(plain, pet) === 'valid';
        expect(errorsOf({ ...plain, discriminator }, pet) === 'valid').toBe(isValid);
      }),
      { numRuns: 200 },
    );
  });
});

describe('without a discriminator, a property with enum or const', () => {
  const schema = { oneOf: refs('Hen', 'Cow') };
  it.each([
    [{}, '/kind expected one of ["hen","cow","bull"]'],
    [{ kind: 'cat' }, '/kind expected one of ["hen","cow","bull"]'],
    [{ kind: 'bull' }, '/milk is required'],
  ])('reports one error of %j', (value, message) => {
    expect(errorsOf(schema, value)).toBe(message);
  });
});
