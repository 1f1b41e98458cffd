// `allowReserved`, `style` and `explode` matter only for some texts.
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

/** One value has no delimiter. */
it.each<[schema: object, isReported: boolean]>([
  [{ items: { type: 'integer' }, minItems: 1, maxItems: 1 }, false],
  [{ items: { type: 'boolean' }, minItems: 1, maxItems: 1 }, false],
  [{ items: { type: 'string' }, minItems: 1, maxItems: 1 }, true],
  [{ items: { type: 'integer' }, maxItems: 1 }, true],
  [{ items: { type: 'integer' }, minItems: 1, maxItems: 2 }, true],
  [{ items: { type: 'integer' }, minItems: 1 }, true],
])('another delimiter of an array of %j is reported: %s', (keywords, isReported) => {
  const listed = (style: string) => {
    const schema = { type: 'array', ...keywords };
    return {
      get: {
        parameters: [{ name: 'q', in: 'query', style, explode: false, schema }],
        responses: RESPONSES,
      },
    };
  };
  const rules = rulesOf(listed('form'), listed('pipeDelimited'));
  expect(rules).toEqual(isReported ? ['request-serialization-changed'] : []);
});
