// Objects in the query that become single parameters, and single parameters that become an object.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { changesBetween } from '../src/contract/changes.ts';

const RESPONSES = { 204: { description: 'done' } };
const STRING = { type: 'string' };
const CLOSED = { type: 'object', properties: { a: STRING }, additionalProperties: false };

const contract = (parameters: readonly object[]) => ({
  definition: new Contract({
    openapi: '3.2.0',
    info: { title: 'Toys', version: '1.0.0' },
    paths: { '/toys': { get: { parameters, responses: RESPONSES } } },
  }),
});

function found(before: readonly object[], after: readonly object[]): string[] {
  const changes = changesBetween(contract(before), contract(after));
  return changes.map(({ rule, severity, part }) => `${severity} ${rule} ${part}`);
}

const single = (name: string, schema: object = STRING, rest: object = {}) => ({
  name,
  in: 'query',
  schema,
  ...rest,
});
const object = (schema: object, rest: object = {}) => single('filter', schema, rest);
const querystring = (schema: object, rest: object = {}) => ({
  name: 'q',
  in: 'querystring',
  content: { 'application/x-www-form-urlencoded': { schema } },
  ...rest,
});

describe.each([
  ['query', object, 'query parameter filter'],
  ['querystring', querystring, 'querystring parameter q'],
])('an object in the %s', (_where, holder, title) => {
  const regrouped = `risky query-parameters-regrouped ${title}`;

  it('has the text of its properties as parameters', () => {
    expect(found([holder(CLOSED)], [single('a')])).toEqual([regrouped]);
    expect(found([single('a')], [holder(CLOSED)])).toEqual([regrouped]);
  });

  it('loses a property that is no parameter', () => {
    const two = { ...CLOSED, properties: { a: STRING, b: STRING } };
    const removed = 'breaking parameter-removed query parameter b';
    expect(found([holder(two)], [single('a')])).toEqual([removed, regrouped]);
    expect(found([single('a'), single('b')], [holder(CLOSED)])).toEqual([removed, regrouped]);
    const added = 'compatible optional-parameter-added query parameter b';
    expect(found([single('a')], [holder(two)])).toEqual([regrouped, added]);
  });

  it('is compared with the schemas of the parameters', () => {
    const short = { type: 'string', maxLength: 3 };
    const narrowed = 'breaking request-max-length-narrowed query parameter a';
    expect(found([holder(CLOSED)], [single('a', short)])).toEqual([narrowed, regrouped]);
    const shortOne = { ...CLOSED, properties: { a: short } };
    expect(found([single('a')], [holder(shortOne)])).toEqual([narrowed, regrouped]);
  });

  it('requires a property only if the object is required', () => {
    const needed = { ...CLOSED, required: ['a'] };
    const stricter = 'breaking parameter-became-required query parameter a';
    expect(found([single('a')], [holder(needed)])).toEqual([regrouped]);
    expect(found([single('a')], [holder(needed, { required: true })])).toEqual([
      stricter,
      regrouped,
    ]);
    expect(found([holder(CLOSED)], [single('a', STRING, { required: true })])).toEqual([
      stricter,
      regrouped,
    ]);
  });

  it.each([
    ['an open object', { ...CLOSED, additionalProperties: true }],
    ['a property with several values', { ...CLOSED, properties: { a: { type: 'array' } } }],
    ['a number of properties', { ...CLOSED, minProperties: 1 }],
    ['another name', { ...CLOSED, properties: { b: STRING } }],
  ])('is not divided with %s', (_what, schema) => {
    const rules = found([holder(schema)], [single('a')]);
    expect(rules).toContain(`breaking parameter-removed ${title}`);
  });
});

it('an object of another style is not divided', () => {
  for (const rest of [{ style: 'deepObject' }, { explode: false }]) {
    const rules = found([object(CLOSED, rest)], [single('a')]);
    expect(rules).toContain('breaking parameter-removed query parameter filter');
  }
});
