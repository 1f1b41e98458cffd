// Text of queries and forms whose types depend on alternatives and conditions.
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { fetchHandler } from '../src/fetch.ts';
import { createApi } from '../src/index.ts';
import { loadedContract } from './support/contract.ts';

const FORM = 'application/x-www-form-urlencoded';
type Values = Readonly<Record<string, unknown>>;
type Location = 'query' | 'deepObject' | 'pipe' | 'cookie' | 'querystring' | 'form' | 'multipart';

const inQuery = (fields: Node): Node => ({ parameters: [{ name: 'o', in: 'query', ...fields }] });
const LOCATIONS: Readonly<Record<Location, (schema: Node) => Node>> = {
  query: (schema) => inQuery({ schema }),
  deepObject: (schema) => inQuery({ style: 'deepObject', schema }),
  pipe: (schema) => inQuery({ style: 'pipeDelimited', explode: false, schema }),
  cookie: (schema) => inQuery({ in: 'cookie', schema }),
  querystring: (schema) => inQuery({ in: 'querystring', content: { [FORM]: { schema } } }),
  form: (schema) => ({ requestBody: { content: { [FORM]: { schema } } } }),
  multipart: (schema) => ({ requestBody: { content: { 'multipart/form-data': { schema } } } }),
};

/** @returns the value that the handler receives, or the status of an error */
async function received(schema: Node, location: Location, value: Values): Promise<unknown> {
  const post = { operationId: 'a', ...LOCATIONS[location](schema), responses: { 204: {} } };
  let got: unknown;
  const a = ({ query, cookie, body }: Node) => {
    got = body ?? query['o'] ?? cookie['o'];
    return { status: 204 };
  };
  const contract = loadedContract({ openapi: '3.2.0', paths: { '/a': { post } } });
  const api = await createApi({ contract, handlers: { a } });
  const pairs = Object.entries(value).map(([name, each]) => [name, String(each)] as const);
  const text = pairs.map(([name, each]) => `${name}=${encodeURIComponent(each)}`).join('&');
  const query: Partial<Record<Location, string>> = {
    ...{ query: text, querystring: text },
    deepObject: pairs.map(([name, each]) => `o[${name}]=${encodeURIComponent(each)}`).join('&'),
    pipe: `o=${pairs.flat().map(encodeURIComponent).join('%7C')}`,
  };
  const form = new FormData();
  for (const [name, each] of pairs) form.append(name, each);
  const init: Partial<Record<Location, RequestInit>> = {
    cookie: { headers: { Cookie: text.replaceAll('&', '; ') } },
    form: { headers: { 'Content-Type': FORM }, body: text },
    multipart: { body: form },
  };
  const url = `http://a.test/a?${query[location] ?? ''}`;
  const { status } = await fetchHandler(api)(
    new Request(url, { method: 'POST', ...init[location] }),
  );
  return status === 204 ? { ...(got as object) } : status;
}

const all = Object.keys(LOCATIONS) as Location[];
const whole = all.filter((each) => each !== 'multipart');
const K = { properties: { k: { type: 'string' } }, required: ['k'] };
const is = (k: string) => ({ properties: { k: { const: k } }, required: ['k'] });
const n = (type: string) => ({ properties: { n: { type } } });
const both = (k: string, type: string) => ({
  ...is(k),
  properties: { ...is(k).properties, ...n(type).properties },
});
const NESTED = { allOf: [n('integer')] };
const UNEVALUATED = {
  properties: { k: { type: 'string' } },
  unevaluatedProperties: { type: 'integer' },
};

describe.each(all)('in %s', (location) => {
  it.each<[string, Node, Values]>([
    ['`then`', { ...K, if: is('a'), then: n('integer') }, { k: 'a', n: 5 }],
    ['`else`', { ...K, if: is('a'), else: n('boolean') }, { k: 'b', n: true }],
    ['a dependent schema', { ...K, dependentSchemas: { k: n('number') } }, { k: 'a', n: 1.5 }],
    ['a nested `then`', { ...K, allOf: [{ if: is('a'), then: NESTED }] }, { k: 'a', n: 5 }],
    ['`if`', { ...K, if: both('a', 'integer') }, { k: 'a', n: 5 }],
    ['unevaluated properties', UNEVALUATED, { k: '1', n: 5 }],
  ])('a property has the type of %s', async (_, schema, value) => {
    expect(await received({ type: 'object', ...schema }, location, value)).toEqual(value);
  });
});

describe.each(whole)('in %s', (location) => {
  it.each<[string, Node, Values]>([
    ['`else`', { ...K, if: is('a'), then: n('integer'), else: n('string') }, { k: 'b', n: '5' }],
    ['`then`', { ...K, if: is('a'), then: n('string'), else: n('integer') }, { k: 'a', n: '5' }],
    ['an alternative', { oneOf: [both('a', 'integer'), both('b', 'string')] }, { k: 'b', n: '5' }],
  ])('a property with several types has that of %s', async (_, schema, value) => {
    expect(await received({ type: 'object', ...schema }, location, value)).toEqual(value);
  });
});

const NAMES = ['p', 'q', 'r'];
const typed = fc.constantFrom<Node>(
  { type: 'integer' },
  { type: 'string' },
  { type: 'integer' },
  { type: 'boolean' },
  { type: 'number', maximum: 6 },
  { type: 'string', maxLength: 1 },
  { type: ['integer', 'string'] },
  { type: ['integer', 'string'] },
);
const properties = fc
  .dictionary(fc.constantFrom(...NAMES), typed, { minKeys: 1, noNullPrototype: true })
  .map((each): Node => ({ properties: each }));
const condition = fc.oneof(
  fc.constantFrom('a', 'b').map(is),
  fc.constantFrom(...NAMES).map((name): Node => ({ required: [name] })),
);
const applicator = fc.oneof(
  fc.record({ if: condition, then: properties, else: properties }),
  fc.record({ if: condition, then: properties }),
  fc
    .tuple(fc.constantFrom('k', ...NAMES), properties)
    .map(([name, each]): Node => ({ dependentSchemas: { [name]: each } })),
  fc.tuple(properties, properties).map(([a, b]): Node => {
    const branch = (k: string, { properties: own }: Node) => ({
      properties: { ...own, k: { const: k } },
    });
    return { oneOf: [branch('a', a), branch('b', b)] };
  }),
);
const schemas = fc.tuple(applicator, fc.option(properties, { nil: undefined })).map(
  ([own, base]): Node => ({
    type: 'object',
    required: ['k'],
    properties: { k: { type: 'string' } },
    allOf: [own, ...(base === undefined ? [] : [base])],
  }),
);
const texts = fc
  .record({ k: fc.constantFrom('a', 'b'), p: text(), q: text(), r: text() })
  .map((each) => {
    const sent = Object.entries(each).filter(([, value]) => value !== undefined);
    return Object.fromEntries(sent) as Record<string, string>;
  });

function text() {
  return fc.option(fc.constantFrom('5', '5', '5', '7', 'true', 'x'), { nil: undefined });
}

/** @returns all values whose text this is: each property as each type */
function readings(sent: Readonly<Record<string, string>>): Values[] {
  return Object.entries(sent).reduce<Values[]>(
    (values, [name, each]) => {
      const typed: unknown[] = [each];
      if (name !== 'k' && /^[\d.]+$/.test(each)) typed.push(Number(each));
      if (name !== 'k' && each === 'true') typed.push(true);
      return values.flatMap((value) => typed.map((own) => ({ ...value, [name]: own })));
    },
    [{}],
  );
}

describe('any text', () => {
  it.each(whole)('in %s is read as a valid value if it has one', async (location) => {
    let [valid, unique] = [0, 0];
    await fc.assert(
      fc.asyncProperty(schemas, texts, async (schema, all) => {
        // A query has no undeclared parameters.
        const isDeclared = ([name]: [string, string]) =>
          JSON.stringify(schema).includes(`"${name}":{"type"`);
        const sent = Object.fromEntries(Object.entries(all).filter(isDeclared));
        const definition = new Contract({
          openapi: '3.1.0',
          components: { schemas: { S: schema } },
        });
        const validate = new Validators(definition, 'request').at('/components/schemas/S');
        const possible = readings(sent).filter((each) => validate(each));
        const got = await received(schema, location, sent);
        if (possible.length === 0) expect(got).toBe(400);
        else expect(possible).toContainEqual(got);
        valid += Number(possible.length > 0);
        unique += Number(possible.length === 1);
      }),
      { numRuns: runs(600) },
    );
    expect(valid).toBeGreaterThan(8);
    expect(unique).toBeGreaterThan(0);
  });
});
