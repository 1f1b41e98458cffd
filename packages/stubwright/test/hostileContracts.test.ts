// What a contract and a client may put into a response header: the request is answered, the process stays.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { codePoint } from '@stubwright/test-support/codePoint';
import { isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { EngineOptions, EngineResponse } from '../src/internals.ts';
import { respond } from './support/engine.ts';

async function request(
  document: object,
  head: { headers?: Record<string, string>; method?: string } = {},
  options: Partial<EngineOptions<never>> = {},
): Promise<EngineResponse> {
  const definition = new Contract({ openapi: '3.1.0', ...document });
  const mocked = { definition, mock: 'all', hasMockCors: true, ...options } as const;
  const response = await respond(mocked, { url: '/toys', ...head });
  expectSendable(response);
  return response;
}

/** The constructor of a Response checks the status and the headers as Node does. */
function expectSendable({ status, headers }: EngineResponse): void {
  expect(() => new Response(null, { status, headers })).not.toThrow();
}

const get = (operation: object) => ({ paths: { '/toys': { get: operation } } });
const OK = { 200: { description: 'ok' } };

describe('a title beyond ASCII', () => {
  it.each([
    ['Toys', 'Toys'],
    ['日本のToys', 'Toys'],
    ['日本', 'api'],
    ['a "toy"\\', 'a \\"toy\\"\\\\'],
  ])('%s is the realm %s', async (title, realm) => {
    const securitySchemes = { oauth: { type: 'http', scheme: 'bearer' } };
    const { status, headers } = await request({
      info: { title, version: '1' },
      components: { securitySchemes },
      ...get({ security: [{ oauth: [] }], responses: OK }),
    });
    expect([status, headers['WWW-Authenticate']]).toEqual([401, `Bearer realm="${realm}"`]);
  });
});

describe('a challenge', () => {
  it.each([
    [{ type: 'apiKey', in: 'query', name: 'é"日\\' }, 'name="?\\"?\\\\", in="query"'],
    [{ type: 'http', scheme: 'basic' }, 'charset="UTF-8"'],
  ])('of %j can be sent', async (scheme, parameters) => {
    const { headers } = await request({
      info: { title: 'Toys', version: '1' },
      components: { securitySchemes: { scheme } },
      ...get({ security: [{ scheme: [] }], responses: OK }),
    });
    expect(headers['WWW-Authenticate']).toMatch(/ realm="Toys", /);
    expect(headers['WWW-Authenticate']).toContain(`, ${parameters}`);
  });
});

describe('a header that the server sets', () => {
  it.each([
    ...['connection', 'content-encoding', 'content-length', 'content-type', 'date', 'keep-alive'],
    ...['trailer', 'transfer-encoding', 'upgrade', 'Upgrade'],
  ])('is not sent by mocks: %s', async (name) => {
    const header = (value: string) => ({ schema: { type: 'string' }, example: value });
    const headers = { [name]: header('7'), 'x-own': header('8') };
    const response = await request(get({ responses: { 200: { description: 'ok', headers } } }));
    expect([response.status, Object.values(response.headers)]).toEqual([200, ['8']]);
  });
});

describe('an error of a media type range', () => {
  const parameters = [{ name: 'q', in: 'query', required: true, schema: {} }];

  it.each([
    ['*/*', 'application/problem+json'],
    ['application/*', 'application/problem+json'],
    ['application/json', 'application/json'],
    ['text/*', 'text/plain; charset=utf-8'],
    ['image/*', 'image/octet-stream'],
  ])('%s has the type %s', async (range, type) => {
    const responses = { ...OK, 400: { description: 'no', content: { [range]: {} } } };
    const { status, headers } = await request(get({ parameters, responses }));
    expect([status, headers['Content-Type']]).toEqual([400, type]);
  });
});

describe('the option realm', () => {
  it.each(['日本', 'a\r\nb: c', '\u0000'])('is refused at the start: %j', async (realm) => {
    await expect(request(get({ responses: OK }), {}, { realm })).rejects.toThrow(
      /realm: got .*, expected printable ASCII characters/,
    );
  });
});

describe('any contract', () => {
  it('gets a response that can be sent', async () => {
    const text = fc.oneof(
      fc.constantFrom('日本', 'a\r\nb: c', '"', '\\', '', ' ', '\u0000', '__proto__', 'a b'),
      fc.string({ unit: codePoint, maxLength: 5 }),
    );
    const schema = fc.constantFrom({ type: 'string' }, { const: '日本' }, { const: 'a\nb' }, {});
    const header = fc.record({ required: fc.constant(true), schema });
    const response = fc.record({
      description: fc.constant(''),
      headers: fc.dictionary(text, header, { maxKeys: 2 }),
      content: fc.dictionary(text, fc.record({ schema }), { maxKeys: 2 }),
    });
    const where = fc.constantFrom('query', 'header');
    const scheme = fc.oneof(
      fc.record({ type: fc.constant('apiKey'), in: where, name: text }),
      fc.record({ type: fc.constant('http'), scheme: fc.oneof(fc.constant('bearer'), text) }),
      fc.constant({ type: 'oauth2', flows: {} }),
    );
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.record({ 200: response, default: response }, { requiredKeys: [] }),
        fc.option(scheme),
        fc.array(text, { maxLength: 2 }),
        fc.constantFrom('GET', 'OPTIONS', 'POST', 'HEAD'),
        async (title, responses, own, scopes, method) => {
          const security = own === null ? [] : [{ scheme: scopes }];
          const document = {
            info: { title, version: '1' },
            components: { securitySchemes: own === null ? {} : { scheme: own } },
            ...get({ security, responses }),
          };
          await request(document, { method, headers: { origin: 'http://a', prefer: 'code=200' } });
        },
      ),
      { numRuns: isTestAll ? 1_000 : 25 },
    );
    // A slow sample starts a worker thread.
  }, 600_000);
});

describe('basePath', () => {
  const PATHS = parse('{/toys: {get: {responses: {"200": {description: ok}}}}}');
  const statusAt = async (basePath: string, url: string) => {
    const definition = new Contract({ openapi: '3.1.0', paths: PATHS });
    return (await respond({ definition, mock: 'all', basePath }, { url })).status;
  };

  it('starts the routes, or is refused at the start', async () => {
    expect(await statusAt('a/b//', '/a/b/toys')).toBe(200);
    expect(await statusAt('/', '/toys')).toBe(200);
    expect(await statusAt('/{version}', '/v2/toys')).toBe(200);
    await expect(statusAt('/a/../b', '/toys')).rejects.toThrow(
      /basePath: got .*, expected a path such as \/api/,
    );
  });
});
