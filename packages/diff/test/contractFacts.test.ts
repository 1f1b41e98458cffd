// Facts that the diff reads from the model of the contract: which servers, encodings and headers apply.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { changesBetween } from '../src/contract/changes.ts';

const RESPONSES = { 204: { description: 'done' } };

function rulesOf(before: object, after: object): string[] {
  const [was, is] = [before, after].map((item) => ({
    definition: new Contract({
      openapi: '3.2.0',
      info: { title: 'Toys', version: '1.0.0' },
      paths: { '/toys': item },
    }),
  }));
  return changesBetween(was!, is!).map(({ rule }) => rule);
}

describe('the servers of a path item', () => {
  const served = (url: string) => ({
    servers: [{ url }],
    additionalOperations: { COPY: { responses: RESPONSES } },
  });

  it('are those of its additional operations', () => {
    const rules = rulesOf(served('https://a.example'), served('https://b.example'));
    expect(rules).toEqual(['server-removed', 'server-added']);
  });
});

describe('the encoding of a property', () => {
  const form = (type: string, schema: object, encoding: object) => ({
    post: { requestBody: { content: { [type]: { schema, encoding } } }, responses: RESPONSES },
  });
  const styles = (schema: object, name: string) =>
    (['form', 'pipeDelimited'] as const).map((style) =>
      form('application/x-www-form-urlencoded', schema, { [name]: { style } }),
    ) as [object, object];

  it.each([
    ['that allOf declares', 'a', (properties: object) => ({ allOf: [{ properties }] })],
    ['with a slash in its name', 'a/b', (properties: object) => ({ properties })],
  ])('%s does not change the text of a string', (_what, name, schemaOf) => {
    const [text, texts] = [{ type: 'string' }, { type: 'array', items: { type: 'string' } }];
    expect(rulesOf(...styles(schemaOf({ [name]: text }), name))).toEqual([]);
    const changed = rulesOf(...styles(schemaOf({ [name]: texts }), name));
    expect(new Set(changed)).toEqual(new Set(['request-serialization-changed']));
  });

  it('ignores the header Content-Type', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const withHeader = (name: string) => {
      const headers = { [name]: { required: true, schema: { type: 'string' } } };
      return form('multipart/form-data', schema, { a: { headers } });
    };
    const none = form('multipart/form-data', schema, { a: {} });
    expect(rulesOf(none, withHeader('Content-Type'))).toEqual([]);
    expect(rulesOf(none, withHeader('X-Hash'))).toEqual(['request-encoding-changed']);
  });
});

describe('an additional operation', () => {
  const additional = (method: string) => ({
    additionalOperations: { [method]: { responses: RESPONSES } },
  });

  it('has a method of another case', () => {
    expect(rulesOf(additional('COPY'), additional('copy'))).toEqual([
      'operation-removed',
      'operation-added',
    ]);
  });
});

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

describe('a schema', () => {
  const sent = (schema: object, type = 'application/json') => ({
    post: { requestBody: { content: { [type]: { schema } } }, responses: RESPONSES },
  });
  const read = (schema: object, type = 'application/json') => ({
    get: { responses: { 200: { description: 'a toy', content: { [type]: { schema } } } } },
  });

  it('ignores the default of a required property in a reply', () => {
    const withDefault = (value: number, required: readonly string[]) =>
      read({ type: 'object', properties: { a: { type: 'integer', default: value } }, required });
    expect(rulesOf(withDefault(1, ['a']), withDefault(2, ['a']))).toEqual([
      'documentation-changed',
    ]);
    expect(rulesOf(withDefault(1, []), withDefault(2, []))).toEqual(['response-default-changed']);
  });

  it('keeps a property that moves to a condition, not one that moves to not', () => {
    const toy = { t: { enum: ['a', 'b'] } };
    const flat = sent({ type: 'object', properties: { ...toy, n: {} } });
    const inner = (keyword: string) =>
      sent({
        type: 'object',
        properties: toy,
        if: { properties: { t: { const: 'a' } } },
        [keyword]: { properties: { n: {} } },
      });
    expect(rulesOf(flat, inner('then'))).not.toContain('request-property-removed');
    expect(rulesOf(flat, inner('not'))).toContain('request-property-removed');
  });

  it('reports a property that one branch loses and another keeps', () => {
    const tagged = (tag: string, properties: object) => ({
      type: 'object',
      properties: { t: { const: tag }, ...properties },
      required: ['t'],
    });
    const branches = (cat: object) =>
      sent({ oneOf: [tagged('cat', cat), tagged('dog', { n: {} })] });
    expect(rulesOf(branches({ n: {} }), branches({}))).toContain('request-property-removed');
  });

  it('is wrapped in XML only if it is an array', () => {
    const toy = (schema: object) =>
      read({ type: 'object', xml: { name: 'toy' }, properties: { a: schema } }, 'application/xml');
    const wrapped = (schema: object) => toy({ ...schema, xml: { wrapped: true } });
    expect(rulesOf(toy({ type: 'string' }), wrapped({ type: 'string' }))).toEqual([
      'documentation-changed',
    ]);
    expect(rulesOf(toy({ type: 'array' }), wrapped({ type: 'array' }))).toEqual([
      'response-xml-changed',
    ]);
  });

  it('counts an item that matches contains as evaluated', () => {
    const closed = {
      type: 'array',
      contains: { type: 'integer' },
      unevaluatedItems: false,
    };
    const longer = { ...closed, maxItems: 2 };
    expect(rulesOf(sent(longer), sent(closed))).toEqual(['request-max-items-widened']);
  });
});
