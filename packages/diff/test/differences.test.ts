// The differences of two schemas: their paths, and the values that they concern.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { changesBetween } from '../src/contract/changes.ts';

type Json = Readonly<Record<string, unknown>>;
type Direction = 'request' | 'response';

const RESPONSE = { description: 'a toy' };

/** Sends or returns the schema. */
function contract(schema: Json, direction: Direction, schemas: Json = {}) {
  const content = { 'application/json': { schema } };
  const operation =
    direction === 'request'
      ? { post: { requestBody: { content }, responses: { 204: RESPONSE } } }
      : { get: { responses: { 200: { ...RESPONSE, content } } } };
  const info = { title: 'Toys', version: '1' };
  const paths = { '/toys': operation };
  return { definition: new Contract({ openapi: '3.1.0', info, paths, components: { schemas } }) };
}

function changes(direction: Direction, before: Json, after: Json): string[] {
  return changesBetween(contract(before, direction), contract(after, direction)).map(
    ({ severity, rule, part }) => `${severity} ${rule} ${part}`,
  );
}

const limited = (maximum: number) => ({ a: { type: 'integer', maximum } });

it('the first of two ways of the same length leads to a difference', () => {
  const toy = { $ref: '#/components/schemas/Toy' };
  const withLimit = (maximum: number) => {
    const Toy = { type: 'object', properties: limited(maximum) };
    return contract({ type: 'object', properties: { b: toy, a: toy } }, 'request', { Toy });
  };
  const [change, ...others] = changesBetween(withLimit(9), withLimit(5));
  expect([change?.part, others]).toEqual(['request body /b/a', []]);
});

describe('a difference below not', () => {
  const excluding = (maximum: number) => ({
    type: 'object',
    not: { required: ['a'], properties: limited(maximum) },
  });

  it('concerns the object: more values of the property are fewer objects', () => {
    expect(changes('request', excluding(5), excluding(9))).toEqual([
      'breaking request-maximum-widened request body (not)/a',
    ]);
    expect(changes('response', excluding(9), excluding(5))).toEqual([
      'breaking response-maximum-narrowed response 200 (not)/a',
    ]);
  });

  it('is compatible in the other order', () => {
    expect(changes('request', excluding(9), excluding(5))).toEqual([
      'compatible request-maximum-narrowed request body (not)/a',
    ]);
    expect(changes('response', excluding(5), excluding(9))).toEqual([
      'compatible response-maximum-widened response 200 (not)/a',
    ]);
  });
});

it('a narrowed contentSchema is breaking, although no value is refused', () => {
  const text = (maximum: number) => {
    const contentSchema = { type: 'integer', maximum };
    return { type: 'string', contentMediaType: 'application/json', contentSchema };
  };
  expect(changes('request', text(9), text(5))).toEqual([
    'breaking request-maximum-narrowed request body (contentSchema)',
  ]);
});

describe('a property removed from a subschema for the same value', () => {
  const conditional = (properties: Json) => ({
    type: 'object',
    if: { properties: { kind: { const: 1 } } },
    then: { properties },
  });
  const dependent = (properties: Json) => ({
    type: 'object',
    dependentSchemas: { kind: { properties } },
  });
  const negated = (properties: Json) => ({
    type: 'object',
    not: { required: ['n'], properties: { n: { type: 'string' }, ...properties } },
  });

  it.each([
    ['then', conditional, '(then)'],
    ['dependentSchemas', dependent, '(dependentSchemas)/kind'],
    ['not', negated, '(not)'],
  ] as const)('is compatible if the same requests are valid: %s', (_, schema, path) => {
    expect(changes('request', schema({ m: {} }), schema({}))).toEqual([
      `compatible request-property-removed request body ${path}`,
    ]);
  });
});

describe('a limit that moves between a property and a condition for its object', () => {
  const object = (own: Json, inner: Json) => ({
    type: 'object',
    properties: { a: { type: 'string', ...own } },
    dependentSchemas: { a: { properties: { a: inner } } },
  });
  const [five, seven] = [{ maxLength: 5 }, { maxLength: 7 }];

  it('is compatible in a request', () => {
    expect(changes('request', object({}, five), object(five, seven))).toEqual([
      'compatible request-max-length-narrowed request body /a',
      'compatible request-max-length-widened request body (dependentSchemas)/a/a',
    ]);
  });

  it('is compatible in a response', () => {
    expect(changes('response', object(five, seven), object({}, five))).toEqual([
      'compatible response-max-length-widened response 200 /a',
      'compatible response-max-length-narrowed response 200 (dependentSchemas)/a/a',
    ]);
  });
});
