// Schemas whose keywords move to another place, or have no effect.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { changesBetween } from '../src/contract/changes.ts';
import { RESPONSES, rulesOf, toyContract } from './toyContract.ts';

describe('a schema', () => {
  const sent = (schema: object, type = 'application/json') => ({
    post: { requestBody: { content: { [type]: { schema } } }, responses: RESPONSES },
  });
  const read = (schema: object, type = 'application/json') => ({
    get: { responses: { 200: { description: 'a toy', content: { [type]: { schema } } } } },
  });

  it.each([
    ['response', read, ['a'], ['a'], false],
    ['response', read, [], [], true],
    ['response', read, [], ['a'], false],
    ['response', read, ['a'], [], true],
    ['request', sent, [], ['a'], true],
    ['request', sent, ['a'], [], false],
  ])('of a %s has a default unless its senders require the property', (...row) => {
    const [direction, operation, before, after, isReported] = row;
    const withDefault = (value: number, required: readonly string[]) =>
      operation({
        type: 'object',
        properties: { a: { type: 'integer', default: value } },
        required,
      });
    const rules = rulesOf(withDefault(1, before), withDefault(2, after));
    expect(rules.includes(`${direction}-default-changed`)).toBe(isReported);
    expect(rules.includes('documentation-changed')).toBe(!isReported);
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

  it('closes a tuple that another part of it declares', () => {
    const tuple = { allOf: [{ prefixItems: [{ type: 'string' }] }], unevaluatedItems: false };
    const plain = { prefixItems: [{ type: 'string' }], items: false };
    const of = (schema: object) => sent({ type: 'array', ...schema });
    expect(rulesOf(of(tuple), of(plain))).toEqual([]);
    expect(rulesOf(of(plain), of(tuple))).toEqual([]);
    expect(rulesOf(of(tuple), of({ maxItems: 0 }))).toContain('request-max-items-narrowed');
  });

  it('loses nothing with a property that had no value', () => {
    const toys = (rest: object) => read({ type: 'object', properties: { a: rest } });
    const impossible = { type: 'array', maxItems: 0, contains: { const: 1 } };
    expect(rulesOf(toys(impossible), toys({ not: {} }))).toEqual([]);
    expect(rulesOf(toys({ type: 'array' }), toys({ not: {} }))).toEqual([
      'response-property-removed',
    ]);
  });

  it.each<[string, object]>([
    ['propertyNames', { propertyNames: { enum: ['b'] } }],
    ['unevaluatedProperties', { allOf: [{ unevaluatedProperties: false }] }],
    ['patternProperties', { patternProperties: { '^a$': false } }],
    ['maxProperties', { maxProperties: 0 }],
    ['const', { const: {} }],
    ['enum', { enum: [{}, { b: 1 }] }],
    ['not', { not: { required: ['a'] } }],
    ['if', { if: true, then: { not: { required: ['a'] } } }],
    ['anyOf', { anyOf: [{ not: { required: ['a'] } }, { maxProperties: 0 }] }],
    ['oneOf', { oneOf: [{ not: { required: ['a'] } }, { const: 1 }] }],
    ['dependentSchemas', { dependentSchemas: { a: false } }],
    ['dependentRequired', { dependentRequired: { a: ['b'] }, properties: { b: false } }],
  ])('loses nothing with a property that %s never allowed', (_, rest) => {
    const of = (properties: object) => {
      const own = (rest as { properties?: object }).properties;
      return toyContract(read({ type: 'object', ...rest, properties: { ...own, ...properties } }));
    };
    const changes = changesBetween(of({ a: { type: 'string' } }), of({}));
    expect(changes.filter(({ severity }) => severity !== 'compatible')).toEqual([]);
  });

  it('refuses a value although a condition loses its property', () => {
    const b = { properties: { b: { type: 'integer' } } };
    const a = { a: { type: 'string' } };
    const of = (schema: object) => toyContract(sent({ type: 'object', ...schema }));
    const conditional = of({ properties: a, dependentSchemas: { a: b } });
    const [first] = changesBetween(conditional, of({ properties: { ...a, ...b.properties } }));
    expect([first?.severity, first?.rule]).toEqual(['breaking', 'request-property-removed']);
    expect(first?.example?.error).toBe('/b expected integer');
  });

  it('ignores the name of a list in XML without an element of its own', () => {
    const list = (name: string, items: object, rest: object = {}) =>
      read(
        {
          type: 'object',
          xml: { name: 'toy' },
          properties: { a: { type: 'array', items, xml: { name, ...rest } } },
        },
        'application/xml',
      );
    const named = { type: 'string', xml: { name: 'x' } };
    const renamed = (items: object, rest?: object) =>
      rulesOf(list('b', items, rest), list('c', items, rest));
    expect(renamed(named)).toEqual(['documentation-changed']);
    expect(renamed(named, { wrapped: true })).toEqual(['response-xml-changed']);
    expect(renamed({ type: 'string' })).toEqual(['response-xml-changed']);
  });
});

describe('nullable beside an enum without null', () => {
  const list = (openapi: string, schema: object) => {
    const content = { 'application/json': { schema } };
    const get = { responses: { 200: { description: 'a toy', content } } };
    const info = { title: 'Toys', version: '1' };
    return { definition: new Contract({ openapi, info, paths: { '/toys': { get } } }) };
  };
  const nullable = list('3.0.3', { type: 'string', nullable: true, enum: ['a'] });
  const severityOf = (before: typeof nullable, after: typeof nullable) =>
    changesBetween(before, after)[0]?.severity;

  it('allows null', () => {
    const listed = list('3.0.3', { type: 'string', nullable: true, enum: ['a', null] });
    expect(severityOf(nullable, listed)).toBeUndefined();
    expect(severityOf(list('3.0.3', { type: 'string', enum: ['a'] }), nullable)).toBe('breaking');
  });

  it('is kept by an upgrade that lists null twice', () => {
    const upgraded = (values: unknown[]) =>
      list('3.1.0', { type: ['string', 'null'], enum: values });
    expect(severityOf(nullable, upgraded(['a', null]))).toBe('compatible');
    expect(severityOf(upgraded(['a']), nullable)).toBe('breaking');
  });
});
