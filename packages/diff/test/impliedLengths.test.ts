// The lengths that a schema implies: stating them is no change, stating stricter ones is a breaking one.
import { expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { changesBetween } from '../src/contract/changes.ts';
import { contractOf, type Json } from './generatedSchemas.ts';

const loaded = (schema: Json) => ({ definition: new Contract(contractOf(schema)) });
const severityOf = (before: Json, after: Json) =>
  changesBetween(loaded(before), loaded(after)).find(({ part }) => part.startsWith('request'))
    ?.severity;

const tuple = { type: 'array', prefixItems: [{}, {}], items: false };

it.each<[Json, string, number]>([
  [{ type: 'string', format: 'date' }, 'minLength', 10],
  [{ type: 'string', format: 'date' }, 'maxLength', 10],
  [{ type: 'string', format: 'uuid' }, 'minLength', 36],
  [{ type: 'string', format: 'uuid' }, 'maxLength', 36],
  [{ type: 'string', pattern: '^ab?c$' }, 'minLength', 2],
  [{ type: 'string', pattern: '^ab?c$' }, 'maxLength', 3],
  [{ type: 'array', contains: { type: 'string' }, minContains: 2 }, 'minItems', 2],
  [{ type: 'array', uniqueItems: true, items: { type: 'boolean' } }, 'maxItems', 2],
  [{ type: 'array', uniqueItems: true, items: { enum: [1, 2, 3] } }, 'maxItems', 3],
  [tuple, 'maxItems', 2],
  [{ type: 'object', required: ['a', 'b'] }, 'minProperties', 2],
  [
    { type: 'object', properties: { a: {}, b: {} }, additionalProperties: false },
    'maxProperties',
    2,
  ],
])('%j implies %s: %d', (schema, keyword, limit) => {
  const stricter = keyword.startsWith('min') ? limit + 1 : limit - 1;
  expect(severityOf(schema, { ...schema, [keyword]: limit })).toBeUndefined();
  expect(severityOf(schema, { ...schema, [keyword]: stricter })).toBe('breaking');
});
