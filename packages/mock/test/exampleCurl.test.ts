// The curl command of a valid request; packages/service/test/exampleCurl.test.ts runs such commands.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { exampleCurl } from '../src/index.ts';

const ok = { responses: { 200: { description: 'ok' } } };
const OPTIONS = { origin: 'http://127.0.0.1:3000', basePath: '', token: 't' };

function curlOf(paths: object, basePath?: string): string | undefined {
  const definition = new Contract({
    openapi: '3.1.0',
    servers: [{ url: '/v1' }],
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  });
  return exampleCurl(definition, { ...OPTIONS, basePath });
}

const body = (type: string, example: unknown) => ({
  requestBody: { required: true, content: { [type]: { schema: {}, example } } },
  ...ok,
});
const header = (name: string, more: object = {}) => ({
  delete: {
    parameters: [{ name, in: 'header', required: true, schema: { type: 'string' }, ...more }],
    ...ok,
  },
});
const query = (example: string) => ({
  parameters: [{ name: 'q', in: 'query', required: true, example, schema: { type: 'string' } }],
  ...ok,
});

describe('exampleCurl', () => {
  it.each<[string, object, string | undefined]>([
    ['the path of the first server', { get: ok }, 'curl http://127.0.0.1:3000/v1/a'],
    ['another method', { delete: ok }, 'curl -X DELETE http://127.0.0.1:3000/v1/a'],
    ['HEAD', { head: ok }, 'curl --head http://127.0.0.1:3000/v1/a'],
    [
      'a body',
      { post: body('text/plain', 'a b') },
      "curl http://127.0.0.1:3000/v1/a -H 'Content-Type: text/plain' -d 'a b'",
    ],
    [
      'a body with another method than POST',
      { put: body('text/plain', 'a') },
      "curl -X PUT http://127.0.0.1:3000/v1/a -H 'Content-Type: text/plain' -d a",
    ],
    [
      'a body that starts with @',
      { post: body('text/plain', '@a') },
      "curl http://127.0.0.1:3000/v1/a -H 'Content-Type: text/plain' --data-raw '@a'",
    ],
    [
      'a body that has an @',
      { post: body('text/plain', 'a@') },
      "curl http://127.0.0.1:3000/v1/a -H 'Content-Type: text/plain' -d 'a@'",
    ],
    ['a body that no command line has', { post: body('text/plain', 'a\0') }, undefined],
    ['HEAD with a body', { head: body('text/plain', 'a') }, undefined],
  ])('writes %s', (_, item, expected) => {
    expect(curlOf({ '/a': item })).toBe(expected);
  });

  it.each<[string, object, string]>([
    ['If-Match', {}, "'If-Match: *'"],
    ['if-none-match', {}, `'if-none-match: "none"'`],
    ['If-Unmodified-Since', {}, "'If-Unmodified-Since: Fri, 31 Dec 9999 23:59:59 GMT'"],
    ['If-Modified-Since', {}, "'If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT'"],
    ['If-Match', { example: '"1"' }, `'If-Match: "1"'`],
    ['If-Match', { schema: { const: '"7"' } }, `'If-Match: "7"'`],
  ])('meets the condition %s with %j', (name, more, expected) => {
    expect(curlOf({ '/a': header(name, more) }, '')).toBe(
      `curl -X DELETE http://127.0.0.1:3000/a -H ${expected}`,
    );
  });

  it('writes the given path in place of that of the server', () => {
    expect(curlOf({ '/a': { get: ok } }, '')).toBe('curl http://127.0.0.1:3000/a');
  });

  it('has curl expand nothing', () => {
    expect(curlOf({ '/a': { get: query('[1]') } })).toMatch(/^curl (?:--globoff )?'?http/);
    expect(curlOf({ '/a{b}c': { get: ok } })).toMatch(/^curl --globoff /);
  });

  const secured = { ...ok, security: [{ bearer: [] }] };
  const impossible = {
    parameters: [{ name: 'q', in: 'query', required: true, schema: { minLength: 1, const: '' } }],
    ...ok,
  };
  const created = { responses: { '4XX': { description: 'no' } } };
  it.each([
    ['needs the token', { get: ok }, { post: secured }, 'POST'],
    ['has a valid request', { get: impossible }, { post: ok }, 'POST'],
    ['declares a success', { get: created }, { post: ok }, 'POST'],
    ['is a GET', { post: ok }, { get: ok }, 'GET'],
  ])('prefers an operation that %s', (_, first, second, method) => {
    const command = curlOf({ '/a': first, '/b': second })!;
    expect(command).toContain('/v1/b');
    expect(command.includes('-X POST')).toBe(method === 'POST');
  });

  it('prefers a path without parameters', () => {
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
    const command = curlOf({ '/a/{id}': { get: { parameters, ...ok } }, '/b': { get: ok } });
    expect(command).toBe('curl http://127.0.0.1:3000/v1/b');
  });

  it('sends the token', () => {
    expect(curlOf({ '/a': { get: secured } })).toBe(
      "curl http://127.0.0.1:3000/v1/a -H 'Authorization: Bearer t'",
    );
  });
});
