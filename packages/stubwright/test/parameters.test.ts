// styleReadings.txt in packages/contract has the texts of each style.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serveToy, type Toy } from '@stubwright/test-support/toy';

const INTEGERS = '{type: array, items: {type: integer}}';
const COLOR = '{type: object, properties: {R: {type: integer}, G: {type: integer}}}';

/** One operation with one parameter; @returns what a request to it brings the handler, or the 400. */
async function read(parameter: string, path: string, init?: RequestInit, version = '3.0.3') {
  const inPath = parameter.includes('in: path');
  const toy = await serveToy(
    version,
    `paths: {"/x${inPath ? '/{p}' : ''}": {get: {operationId: get, parameters: [${parameter}], responses: {'204': {description: ok}}}}}`,
  );
  const { status, text } = await toy.fetch(path, init);
  await toy.close();
  const where = /in: (\w+)/.exec(parameter)![1]!;
  return status === 204
    ? (toy.got[0]![where] as Record<string, unknown>)['p']
    : `${status} ${text}`;
}

/** @param more fields of the parameter */
const inPath = (schema: string, text: string, more = '') =>
  read(`{name: p, in: path, required: true, ${more} schema: ${schema}}`, `/x/${text}`);
/** @param more fields of the parameter */
const inQuery = (schema: string, query: string, more = '') =>
  read(`{name: p, in: query, ${more} schema: ${schema}}`, `/x?${query}`);

describe('a path parameter', () => {
  it.each([
    ['{type: string}', 'a%2Fb%20%C3%A9', 'a/b é'],
    ['{type: string}', '5', '5'],
    ['{type: integer, format: int64}', '9007199254740993', 9007199254740993n],
    ['{type: integer, format: int64}', '7', 7n],
    ['{type: integer}', '9007199254740993', 9007199254740993n],
    ['{type: number}', '1.5', 1.5],
    ['{type: boolean}', 'true', true],
    ['{type: array, items: {type: string}}', 'a%2Cb,c', ['a,b', 'c']],
  ])('of %s coerces %s to the declared type', async (schema, text, value) => {
    expect(await inPath(schema, text)).toEqual(value);
  });

  it.each<[schema: string, text: string, more?: string]>([
    ['{type: integer, format: int64}', '9223372036854775808'],
    ['{type: integer, maximum: 3}', '4'],
    ['{type: string}', '%E0%A4%A'],
    ['{type: string}', '%ff'],
    ['{type: string, minLength: 3}', 'ab'],
    [INTEGERS, '3.4', 'style: label,'],
    [INTEGERS, '3', 'style: matrix,'],
    [INTEGERS, ';q=3', 'style: matrix,'],
  ])('of %s rejects %s with 400', async (schema, text, ...[more]) => {
    expect(await inPath(schema, text, more)).toMatch(/^400 .*path parameter p /);
  });
});

const STRINGS = '{type: array, items: {type: string}}';
const PREFIXED = '{oneOf: [{type: integer}, {type: string, pattern: "^a"}]}';
const LARGE = '{oneOf: [{type: integer, minimum: 10}, {type: string}]}';
const OR_ALL = `{oneOf: [{type: string, enum: [all]}, ${STRINGS}]}`;
const OR_STRING = `{oneOf: [{type: string}, ${STRINGS}]}`;

describe('the whole query as one parameter', () => {
  let toy: Toy;

  beforeAll(async () => {
    const schema =
      '{type: object, required: [n], properties: {n: {type: integer, format: int64}}, additionalProperties: false}';
    const path = (type: string, operationId: string) => `
    get:
      operationId: ${operationId}
      security: [{key: []}]
      parameters: [{name: q, in: querystring, required: true, content: {${type}: {schema: ${schema}}}}]
      responses: {'204': {description: ok}}`;
    toy = await serveToy(
      '3.2.0',
      `paths:
  /form:${path('application/x-www-form-urlencoded', 'form')}
  /json:${path('application/json', 'json')}
components: {securitySchemes: {key: {type: apiKey, in: query, name: key}}}`,
      { verifiers: { key: () => ({ name: 'caller' }) } },
    );
  });
  afterAll(() => toy.close());

  it.each([
    ['/form?n=9007199254740993&key=k', { n: 9007199254740993n }],
    ['/json?%7B%22n%22%3A5%7D&key=k', { n: 5n }],
  ])('is read from %s', async (path, q) => {
    expect((await toy.fetch(path)).status).toBe(204);
    expect(toy.got[0]!['query']).toEqual({ q });
  });

  it.each([
    ['/form?key=k', /querystring parameter q is required/],
    ['/form?n=x&key=k', /querystring parameter q \/n expected an int64/],
    ['/form?n=1&m=2&key=k', /must not|additional|not declared|unexpected/i],
    ['/form?n=%zz&key=k', /percent-encoded/],
    ['/json?n=1&key=k', /JSON/],
  ])('is validated: %s', async (path, message) => {
    const answer = await toy.fetch(path);
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(message);
  });
});

describe('a query parameter', () => {
  const NESTED = `{type: object, properties: {a: {type: object, properties: {b: ${INTEGERS}}}}}`;
  it.each([
    ['form', 'true', '{type: string, properties: {p: {type: string}}}', 'p=x', 'x'],
    ['form', 'false', INTEGERS, 'p=', []],
    ['deepObject', 'true', NESTED, 'p[a][b]=1&p[a][b]=2', { a: { b: [1, 2] } }],
    ['deepObject', 'true', NESTED, 'p[a][b][]=1&p[a][b][]=2', { a: { b: [1, 2] } }],
    ['deepObject', 'true', NESTED, 'p[a][b][0]=1&p[a][b][1]=2', { a: { b: [1, 2] } }],
    ['deepObject', 'true', '{additionalProperties: {type: integer}}', 'p[x]=1', { x: 1 }],
  ])('in style %s, explode %s, of %s is read from %s', async (...row) => {
    const [style, explode, schema, query, value] = row;
    expect(await inQuery(schema, query, `style: ${style}, explode: ${explode},`)).toEqual(value);
  });

  it.each<[schema: string, query: string, value: unknown]>([
    ['{type: string}', 'p=a+b', 'a b'],
    ['{type: string}', 'p=a%2Bb', 'a+b'],
    ['{type: integer, format: int64, default: 3}', '', 3n],
    ['{type: integer}', '', undefined],
    // It violates its schema.
    ['{type: string, format: date, default: today}', '', undefined],
    ['{type: integer, nullable: true}', 'p=null', null],
    // A schema may allow several types.
    [PREFIXED, 'p=5', 5],
    [PREFIXED, 'p=ab', 'ab'],
    [OR_STRING, 'p=a', 'a'],
    [OR_STRING, 'p=a,b', 'a,b'],
    [OR_STRING, 'p=a&p=b', ['a', 'b']],
    [OR_ALL, 'p=a', ['a']],
    [OR_ALL, 'p=all', 'all'],
    [LARGE, 'p=5', '5'],
    [LARGE, 'p=50', 50],
    ['{anyOf: [{type: string}, {type: object, required: [a]}]}', 'p=x', 'x'],
  ])('of %s has for %s the value %j', async (schema, query, value) => {
    expect(await inQuery(schema, query)).toEqual(value);
  });

  it.each<[schema: string, query: string, value: unknown]>([
    ['{type: integer}', 'p', undefined],
    ['{type: boolean}', 'p=', undefined],
    ['{type: integer, format: int64, default: 3}', 'p', 3n],
    [INTEGERS, 'p=', undefined],
    ['{type: array, items: {type: integer}, default: [3]}', 'p', [3]],
    ['{type: string, minLength: 1, default: d}', 'p', 'd'],
    ['{type: string}', 'p', ''],
    [STRINGS, 'p=', ['']],
    ['{}', 'p', ''],
  ])('of %s that may be empty has for %s the value %j', async (schema, query, value) => {
    expect(await inQuery(schema, query, 'allowEmptyValue: true,')).toEqual(value);
  });

  it('of JSON is coerced', async () => {
    const schema = '{type: object, properties: {a: {type: integer, format: int64}}}';
    const parameter = `{name: p, in: query, content: {application/json: {schema: ${schema}}}}`;
    expect(await read(parameter, '/x?p=%7B%22a%22:1%7D')).toEqual({ a: 1n });
    expect(await read(parameter, '/x?p=%7B')).toMatch(/^400 .*expected JSON/);
  });

  const DEEP = 'style: deepObject,';
  it.each<[query: string, message: string, schema?: string, more?: string]>([
    ['', 'is required', '{type: string}', 'required: true,'],
    ['', 'is required', '{type: string, default: a}', 'required: true,'],
    ['p=1&p=2', 'expected one value'],
    ['q=1', 'q is not declared'],
    ['p=%zz', 'percent-encoded'],
    ['%zz=1', 'percent-encoded'],
    ['p[R]=x', '/R expected integer', COLOR, DEEP],
    [`p${'[a]'.repeat(3_000)}=1`, 'p expected at most 256 keys', '{type: object}', DEEP],
    [`p${'[]'.repeat(7_000)}=1`, 'p expected at most 256 keys', '{type: object}', DEEP],
    ['p[R=1', 'p expected names like name.key.', COLOR, DEEP],
    ['p[R]=1&p[R]=2', 'p expected one value', COLOR, DEEP],
    ['p[R]=1&p[R][x]=2', 'p expected one value at .R.', COLOR, DEEP],
    ['p[R][x]=1&p[R]=2', 'p expected one value at .R.', COLOR, DEEP],
  ])('gets 400 for %.20s: %s', async (query, message, ...[schema = '{type: string}', more]) => {
    expect(await inQuery(schema, query, more)).toMatch(new RegExp(`^400 .*${message}`));
  });
});

describe('a header parameter', () => {
  it.each([
    ['{type: integer}', '5', 5],
    [INTEGERS, '3, 4,5', [3, 4, 5]],
    ['{type: string}', '100%', '100%'],
    ['{type: string}', 'a, b', 'a, b'],
    ['{type: array, items: {type: string}}', 'a \t, b\u00a0,c', ['a', 'b\u00a0', 'c']],
  ])('of %s is read from %s, its name in any case', async (schema, text, value) => {
    const headers = { P: text };
    expect(await read(`{name: p, in: header, schema: ${schema}}`, '/x', { headers })).toEqual(
      value,
    );
  });

  it('that is required and missing gets 400', async () => {
    const parameter = '{name: p, in: header, required: true, schema: {type: string}}';
    expect(await read(parameter, '/x')).toMatch(/^400 .*header parameter p is required/);
  });
});

describe('a cookie parameter', () => {
  it.each([
    ['{type: integer}', 'a=1; p=5', 5],
    ['{type: string}', 'p=a%20b', 'a b'],
    ['{type: string}', 'p=a=b', 'a=b'],
  ])('of %s is read from %s', async (schema, cookie, value) => {
    const headers = { cookie };
    expect(await read(`{name: p, in: cookie, schema: ${schema}}`, '/x', { headers })).toEqual(
      value,
    );
  });
});

describe('parameters of a path and of its operation', () => {
  let toy: Toy;
  beforeAll(async () => {
    toy = await serveToy(
      '3.1.0',
      `
paths:
  /x/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: integer}}
      - {name: limit, in: query, schema: {type: integer, maximum: 5}}
    get:
      operationId: get
      parameters: [{name: limit, in: query, schema: {type: integer, maximum: 50}}]
      responses: {'204': {description: ok}}
    put:
      operationId: put
      responses: {'204': {description: ok}}
`,
    );
  });
  afterAll(() => toy.close());

  it('apply together, and the operation overrides its path', async () => {
    expect((await toy.fetch('/x/1?limit=50')).status).toBe(204);
    expect(toy.got[0]).toMatchObject({ path: { id: 1 }, query: { limit: 50 } });
    expect((await toy.fetch('/x/1?limit=50', { method: 'PUT' })).status).toBe(400);
  });

  it('report all violations at once', async () => {
    const { text } = await toy.fetch('/x/a?limit=99&other=1');
    expect(JSON.parse(text).message).toBe(
      'query parameter limit expected to be <= 50; path parameter id expected integer; query parameter other is not declared',
    );
  });
});
