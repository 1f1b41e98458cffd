// Parameters, headers and sequences whose text stays the same, although they are declared in another form.
import { describe, expect, it } from '@jest/globals';
import { RESPONSES, rulesOf } from './toyContract.ts';

describe('the text of a parameter', () => {
  const parameter = (fields: object) => ({
    get: { parameters: [{ name: 'a', ...fields }], responses: RESPONSES },
  });
  const json = (schema: object) => ({ in: 'query', content: { 'application/json': { schema } } });
  const styled = (schema: object, style: string, where = 'cookie') => ({
    in: where,
    style,
    schema,
  });
  const [INTEGER, STRING] = [{ type: 'integer' }, { type: 'string' }];
  const itemsOf = (items: object, maxItems: number, explode: boolean) => ({
    in: 'query',
    explode,
    schema: { type: 'array', items, minItems: 1, maxItems },
  });

  it.each([
    ['an integer as JSON', json(INTEGER), { in: 'query', schema: INTEGER }],
    ['an integer in another style of cookies', styled(INTEGER, 'form'), styled(INTEGER, 'cookie')],
    ['one integer with explode', itemsOf(INTEGER, 1, true), itemsOf(INTEGER, 1, false)],
  ])('does not change for %s', (_what, before, after) => {
    expect(rulesOf(parameter(before), parameter(after))).toEqual([]);
    expect(rulesOf(parameter(after), parameter(before))).toEqual([]);
  });

  it.each([
    ['a string as JSON', json(STRING), { in: 'query', schema: STRING }],
    ['a string in another style of cookies', styled(STRING, 'form'), styled(STRING, 'cookie')],
    ['two integers with explode', itemsOf(INTEGER, 2, true), itemsOf(INTEGER, 2, false)],
    ['one string with explode', itemsOf(STRING, 1, true), itemsOf(STRING, 1, false)],
    ['an integer in the style label', json(INTEGER), styled(INTEGER, 'label', 'query')],
  ])('changes for %s', (_what, before, after) => {
    const rules = rulesOf(parameter(before), parameter(after));
    expect(rules).toContain('request-serialization-changed');
  });

  it('compares the values of JSON with those of a style', () => {
    const small = { in: 'query', schema: { ...INTEGER, maximum: 9 } };
    expect(rulesOf(parameter(json(INTEGER)), parameter(small))).toEqual([
      'request-maximum-narrowed',
    ]);
  });
});

describe('the text of a response header', () => {
  const reply = (header: object) => ({
    get: { responses: { 200: { description: 'a toy', headers: { 'X-A': header } } } },
  });
  const json = { content: { 'application/json': { schema: { type: 'integer' } } } };

  it('is the same for an integer and its JSON', () => {
    expect(rulesOf(reply(json), reply({ schema: { type: 'integer' } }))).toEqual([]);
    expect(rulesOf(reply(json), reply({ schema: { type: 'number' } }))).toEqual([
      'response-type-widened',
    ]);
  });
});

describe('a sequence', () => {
  const lines = (media: object) => ({
    post: { requestBody: { content: { 'application/jsonl': media } }, responses: RESPONSES },
  });
  const items = { itemSchema: { type: 'integer' } };
  const array = (rest: object) => ({
    schema: { type: 'array', items: { type: 'integer' }, ...rest },
  });

  it('has the keywords of an array that one contract declares', () => {
    expect(rulesOf(lines(items), lines(array({})))).toEqual([]);
    expect(rulesOf(lines(items), lines(array({ maxItems: 9 })))).toEqual([
      'request-max-items-narrowed',
    ]);
    expect(rulesOf(lines(array({ maxItems: 9 })), lines(items))).toEqual([
      'request-max-items-widened',
    ]);
  });
});
