// `allowReserved` changes a text only if the text may have a character that a URL escapes.
import { expect, it } from '@jest/globals';
import { RESPONSES, rulesOf } from './toyContract.ts';

const operation = (schema: object, allowReserved: boolean) => ({
  get: { parameters: [{ name: 'q', in: 'query', allowReserved, schema }], responses: RESPONSES },
});

it.each<[schema: object, isReported: boolean]>([
  [{ type: 'string' }, true],
  [{ type: 'string', pattern: '^[a-z]+$' }, false],
  [{ type: 'string', pattern: '^[A-Za-z0-9._~-]*$' }, false],
  [{ type: 'string', pattern: '^[a-z/]+$' }, true],
  [{ type: 'string', pattern: '[a-z]' }, true],
  [{ type: 'string', format: 'uuid' }, false],
  [{ type: 'string', format: 'uri' }, true],
  [{ enum: ['a', 'b~c'] }, false],
  [{ enum: ['a', 'b/c'] }, true],
  [{ type: 'integer' }, false],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, false],
  [{ type: 'array', items: { enum: ['a', 'b:c'] } }, true],
  [{ type: 'array', prefixItems: [{ enum: ['a'] }] }, true],
  [{ type: 'object', properties: { a: { type: 'integer' } } }, true],
])('a parameter of %j is reported: %s', (schema, isReported) => {
  const rules = rulesOf(operation(schema, true), operation(schema, false));
  expect(rules).toEqual(isReported ? ['request-serialization-changed'] : []);
});
