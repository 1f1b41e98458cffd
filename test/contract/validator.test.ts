// Validation by the contract's schemas, where Ajv's own defaults would be wrong.
import { describe, expect, it } from '@jest/globals';
import { Definition, type Node } from '../../src/contract/definition/definition.ts';
import { joinFaults, Validators } from '../../src/contract/schema/validator.ts';

function validatorOf(schema: Node) {
  const document = { openapi: '3.1.0', components: { schemas: { It: schema } } };
  return new Validators(new Definition(document), 'request').at('/components/schemas/It');
}

describe('multipleOf', () => {
  it.each([0.57, 0.58, 0.59, 19.99, -1.1])('takes %d as a multiple of 0.01', (value) => {
    expect(validatorOf({ multipleOf: 0.01 })(value)).toBe(true);
  });

  it.each([0.575, 1.001])('refuses %d as a multiple of 0.01', (value) => {
    expect(validatorOf({ multipleOf: 0.01 })(value)).toBe(false);
  });
});

describe('a long message', () => {
  it('is not cut inside a surrogate pair', () => {
    for (const length of [398, 399, 400, 401]) {
      const message = joinFaults(new Set([`${'a'.repeat(length)}🌱🌱`]));
      expect(message.isWellFormed()).toBe(true);
      expect(message.length).toBeLessThanOrEqual(400);
    }
  });
});
