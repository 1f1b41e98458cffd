// Names of Object.prototype are names like any other, in contracts and in requests.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serveToy, type Toy } from '@stubwright/test-support/toy';

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];
const OK = "{'204': {description: ok}}";

let toy: Toy;
beforeAll(async () => {
  const properties = NAMES.map((name) => `'${name}': {type: string}`).join(', ');
  const parameters = ['query', 'header', 'cookie'].map((where) =>
    NAMES.map((name) => `{name: '${name}', in: ${where}, schema: {type: string}}`).join(', '),
  );
  const form = `{type: object, properties: {name: {type: string}}}`;
  toy = await serveToy(
    '3.1.0',
    `
paths:
  /optional:
    post: {operationId: optional, requestBody: {content: {application/json: {schema: {type: object, properties: {${properties}}}}}}, responses: ${OK}}
  /required:
    post: {operationId: required, requestBody: {content: {application/json: {schema: {type: object, required: [constructor, __proto__]}}}}, responses: ${OK}}
  /closed:
    post: {operationId: closed, requestBody: {content: {application/json: {schema: {type: object, additionalProperties: false}}}}, responses: ${OK}}
  /form:
    post: {operationId: form, requestBody: {content: {application/x-www-form-urlencoded: {schema: ${form}}, multipart/form-data: {schema: ${form}}}}, responses: ${OK}}
  /defaults:
    post: {operationId: defaults, requestBody: {content: {application/json: {schema: {type: object, properties: {constructor: {type: string, default: d}}}}}}, responses: ${OK}}
  /parameters:
    get: {operationId: parameters, parameters: [${parameters.join(', ')}], responses: ${OK}}
  /deep:
    get: {operationId: deep, parameters: [{name: f, in: query, style: deepObject, schema: {type: object}}], responses: ${OK}}
  /paths/{constructor}/{__proto__}:
    get: {operationId: paths, parameters: [{name: constructor, in: path, required: true, schema: {type: string}}, {name: __proto__, in: path, required: true, schema: {type: string}}], responses: ${OK}}
`,
  );
});
afterAll(() => toy.close());

async function post(path: string, body: NonNullable<RequestInit['body']>, type?: string) {
  const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
  const { status } = await toy.fetch(path, { method: 'POST', body, headers });
  return { status, body: toy.got[0]?.['body'] as Record<string, unknown> };
}

describe('a property named like one of Object.prototype', () => {
  it.each([
    ['/optional', '{}', 204],
    ['/optional', '{"constructor":"x","__proto__":"y"}', 204],
    ['/optional', '{"constructor":1}', 400],
    ['/required', '{}', 400],
    ['/required', '{"constructor":1}', 400],
    ['/required', '{"constructor":1,"__proto__":2}', 204],
    ['/closed', '{}', 204],
    ['/closed', '{"__proto__":1}', 400],
    ['/closed', '{"toString":1}', 400],
  ])('of %s: %s is %i', async (path, body, status) => {
    expect((await post(path, body, 'application/json')).status).toBe(status);
  });

  it('has its default', async () => {
    const { body } = await post('/defaults', '{}', 'application/json');
    expect(Object.entries(body)).toEqual([['constructor', 'd']]);
  });
});

describe('a field named like one of Object.prototype', () => {
  it.each([['__proto__=role'], ['__proto__=a&__proto__=b'], ['constructor=x&toString=y&name=n']])(
    'of the form %s is an own property',
    async (text) => {
      const { status, body } = await post('/form', text, 'application/x-www-form-urlencoded');
      const sent = new URLSearchParams(text);
      expect(status).toBe(204);
      expect(Object.keys(body).sort()).toEqual([...new Set(sent.keys())].sort());
      for (const name of sent.keys()) expect([body[name]].flat()).toEqual(sent.getAll(name));
    },
  );

  it('of a multipart form is an own property', async () => {
    const form = new FormData();
    form.append('__proto__', '{"role":"admin"}');
    form.append('constructor', 'x');
    const { status, body } = await post('/form', form);
    expect(status).toBe(204);
    expect(Object.keys(body).sort()).toEqual(['__proto__', 'constructor']);
    expect(body['role']).toBeUndefined();
  });
});

describe('a parameter named like one of Object.prototype', () => {
  it('is absent where it is not sent', async () => {
    expect((await toy.fetch('/parameters')).status).toBe(204);
    for (const where of ['query', 'header', 'cookie']) {
      const values = toy.got[0]![where] as Record<string, unknown>;
      for (const name of NAMES)
        expect([where, name, values[name]]).toEqual([where, name, undefined]);
    }
  });

  it('has the value that is sent', async () => {
    const query = NAMES.map((name) => `${name}=q`).join('&');
    const cookie = NAMES.map((name) => `${name}=c`).join('; ');
    const headers = { cookie, constructor: 'h' };
    expect((await toy.fetch(`/parameters?${query}`, { headers })).status).toBe(204);
    const { query: sent, header, cookie: cookies } = toy.got[0] as Record<string, object>;
    expect(Object.entries(sent!)).toEqual(NAMES.map((name) => [name, 'q']));
    expect(Object.entries(cookies!)).toEqual(NAMES.map((name) => [name, 'c']));
    expect(Object.entries(header!)).toEqual([['constructor', 'h']]);
  });

  it('may be in a path', async () => {
    expect((await toy.fetch('/paths/a/b')).status).toBe(204);
    expect(Object.entries(toy.got[0]!['path'] as object)).toEqual([
      ['constructor', 'a'],
      ['__proto__', 'b'],
    ]);
  });

  it('may be a key of an object', async () => {
    expect((await toy.fetch('/deep?f[__proto__][role]=admin&f[x]=1')).status).toBe(204);
    const { f } = toy.got[0]!['query'] as { f: Record<string, unknown> };
    expect(Object.keys(f)).toEqual(['__proto__', 'x']);
    expect(f['role']).toBeUndefined();
  });
});
