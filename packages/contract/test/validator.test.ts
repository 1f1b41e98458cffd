// Validation by the contract's schemas, where Ajv's own defaults would be wrong.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node } from '@stubwright/contract';
import { describeErrors, joinMessages, Validators } from '../src/schema/validator.ts';
import { KEYWORD_ERRORS, keywordErrors } from './keywordErrors.ts';

it('keywordErrors.txt has the errors of many values for each keyword; make transcripts writes it', () => {
  expect(keywordErrors()).toBe(readFileSync(KEYWORD_ERRORS, 'utf8'));
});

it('Validators.of has one instance for each direction of a contract', () => {
  const It = { required: ['a'], properties: { a: { readOnly: true } } };
  const definition = new Contract({ openapi: '3.1.0', components: { schemas: { It } } });
  const [requests, responses] = (['request', 'response'] as const).map((direction) => {
    expect(Validators.of(definition, direction)).toBe(Validators.of(definition, direction));
    return Validators.of(definition, direction).at('/components/schemas/It');
  });
  expect([requests!({}), responses!({})]).toEqual([true, false]);
});

describe('a long message', () => {
  it('is not cut inside a surrogate pair', () => {
    for (const length of [398, 399, 400, 401]) {
      const message = joinMessages(new Set([`${'a'.repeat(length)}🌱🌱`]));
      expect(message.isWellFormed()).toBe(true);
      expect(message.length).toBeLessThanOrEqual(400);
    }
  });
});

describe('schemas that refer to each other', () => {
  const leaf = {
    type: 'object',
    required: ['weight'],
    properties: { weight: { type: 'integer' } },
  };
  const branches = { type: 'array', items: { $ref: '#/components/schemas/Branch' } };
  const schemas = {
    Tree: { type: 'object', properties: { branches } },
    Branch: { oneOf: [{ $ref: '#/components/schemas/Tree' }], properties: { leaf } },
  };
  const treeOf = (document: Node) =>
    new Validators(new Contract(document), 'request').at('/components/schemas/Tree');
  const tree = treeOf({ openapi: '3.1.0', components: { schemas } });

  it('are valid to any depth', () => {
    expect(tree({ branches: [{ leaf: { weight: 1 }, branches: [{ leaf: { weight: 2 } }] }] })).toBe(
      true,
    );
  });

  it('report a fault by its place', () => {
    const value = { branches: [{}, { branches: [{ leaf: { weight: 'x' } }] }] };
    expect(tree(value)).toBe(false);
    expect(describeErrors(tree.errorsOf(value), '')).toContain(
      '/branches/1/branches/0/leaf/weight expected integer',
    );
  });

  it('keep what each other has evaluated', () => {
    const strict = {
      Tree: { ...schemas.Tree, $ref: '#/components/schemas/Named', unevaluatedProperties: false },
      Named: { properties: { name: true, inner: { $ref: '#/components/schemas/Tree' } } },
    };
    const validate = treeOf({
      openapi: '3.1.0',
      components: { schemas: { ...schemas, ...strict } },
    });
    expect(validate({ name: 'oak', inner: { name: 'twig' }, branches: [] })).toBe(true);
    expect(validate({ name: 'oak', inner: { size: 1 } })).toBe(false);
  });
});
