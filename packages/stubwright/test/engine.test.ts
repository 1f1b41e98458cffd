import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { serveToy } from '@stubwright/test-support/toy';
import { parse } from 'yaml';
import type { Principal } from '../src/index.ts';
import { createEngine, Router } from '../src/internals.ts';

const OK = "responses: {'204': {description: ok}}";

describe('routing', () => {
  const PATHS = `
servers: [{url: 'https://a.b/v1/'}, {url: '{root}', variables: {root: {default: /v2}}}]
paths:
  /a/{x}: {get: {operationId: templated, ${OK}}, put: {operationId: putTemplated, ${OK}}}
  /a/b: {get: {operationId: concrete, ${OK}}}
  /a/{x}.json: {get: {operationId: suffix, ${OK}}}
  /a/{y}: {get: {operationId: ambiguous, ${OK}}, delete: {operationId: other, ${OK}}}
  /{x}/b/{z}: {post: {operationId: two, ${OK}}}
  /a/{x}/{z}: {get: {operationId: three, ${OK}}}
  /own: {servers: [{url: /elsewhere}], get: {operationId: own, ${OK}}}
`;
  const definition = new Contract(parse(`openapi: 3.0.3\n${PATHS}`));
  const router = new Router(definition.operations, undefined);
  const idOf = (method: string, path: string) => router.match(method, path)?.operation.operationId;

  it.each([
    ['GET', '/v1/a/b', 'concrete'],
    ['GET', '/v2/a/b', 'concrete'],
    ['GET', '/v1/a/c', 'templated'],
    ['HEAD', '/v1/a/c', 'templated'],
    ['GET', '/v1/a/%62', 'concrete'],
    ['PUT', '/v1/a/c', 'putTemplated'],
    ['PUT', '/v1/a/b', undefined],
    ['PUT', '/v1/a/c.json', 'putTemplated'],
    ['GET', '/v1/a/c.json', 'suffix'],
    ['GET', '/v1/a/.json', 'templated'],
    ['GET', '*', undefined],
    ['DELETE', '/v1/a/c', 'other'],
    ['POST', '/v1/a/b/c', 'two'],
    ['GET', '/v1/a/b/c', 'three'],
    ['GET', '/elsewhere/own', 'own'],
    ['GET', '/v1/own', undefined],
    ['GET', '/a/b', undefined],
    ['GET', '/v1/a/', undefined],
    ['GET', '/v1/A/b', undefined],
    ['POST', '/v1/a/b', undefined],
  ])('%s %s means %s', (method, path, id) => {
    expect(idOf(method, path)).toBe(id);
  });

  it('matches one segment for a server variable without enum, and each value of an enum', () => {
    const variables = `{a: {default: x}, b: {default: v1, enum: [v1, v2]}, c: {default: two/parts}}`;
    const own = new Router(
      new Contract(
        parse(`openapi: 3.0.3
servers: [{url: 'https://{a}.b/of/{a}/{b}', variables: ${variables}}, {url: '/{c}', variables: ${variables}}]
paths: {'/toys/{id}': {get: {${OK}}}}`),
      ).operations,
      undefined,
    );
    const matched = ['/of/x/v1', '/of/y/v2', '/two/parts'].map((base) =>
      own.match('GET', `${base}/toys/7`),
    );
    expect(matched.map((match) => match?.params['id'])).toEqual(['7', '7', '7']);
    const others = ['/of/x/v3', '/of/x/y/v1', '/of//v1', '/one'];
    expect(others.flatMap((base) => own.allowed(`${base}/toys/7`))).toEqual([]);
  });

  it('returns the methods of a concrete path, else those of every template that matches', () => {
    expect(router.allowed('/v1/a/b').sort()).toEqual(['GET', 'HEAD', 'OPTIONS']);
    expect(router.allowed('/v1/a/c').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT']);
    expect(router.allowed('/v1/nowhere')).toEqual([]);
  });

  it('uses BASE_URL instead of the servers', () => {
    const own = new Router(definition.operations, '/base');
    expect(own.match('GET', '/base/a/b')?.operation.operationId).toBe('concrete');
    expect(own.match('GET', '/v1/a/b')).toBeUndefined();
  });

  it('derives a missing operationId', () => {
    const { operations } = new Contract(
      parse(`openapi: 3.0.3\npaths:\n  /a/{id}/b: {get: {${OK}}}`),
    );
    expect(operations[0]!.operationId).toBe('getAIdB');
  });

  it('accepts an operationId that the engine uses internally', async () => {
    const ids = [
      'notFound',
      '404',
      'validationFail',
      'constructor',
      '__proto__',
      'postSecurityHandler',
    ];
    const paths = ids.map((id, at) => `  /${at}: {get: {operationId: '${id}', ${OK}}}`).join('\n');
    const toy = await serveToy('3.0.3', `paths:\n${paths}`);
    for (const at of ids.keys()) expect((await toy.fetch(`/${at}`)).status).toBe(204);
    expect((await toy.fetch('/x')).status).toBe(404);
    await toy.close();
  });
});

describe('security', () => {
  const SCHEMES = `
components:
  securitySchemes:
    bearer: {type: http, scheme: bearer}
    basic: {type: http, scheme: basic}
    header: {type: apiKey, in: header, name: X-Key}
    query: {type: apiKey, in: query, name: key}
    cookie: {type: apiKey, in: cookie, name: sid}
    oauth: {type: oauth2, flows: {}}
    oidc: {type: openIdConnect, openIdConnectUrl: https://a.b}
security: [{bearer: []}]
paths:
  /bearer: {get: {operationId: bearer, ${OK}}}
  /basic: {get: {operationId: basic, security: [{basic: []}], ${OK}}}
  /header: {get: {operationId: header, security: [{header: []}], ${OK}}}
  /query: {get: {operationId: query, security: [{query: []}], ${OK}}}
  /cookie: {get: {operationId: cookie, security: [{cookie: []}], ${OK}}}
  /oauth: {get: {operationId: oauth, security: [{oauth: [read]}], ${OK}}}
  /oidc: {get: {operationId: oidc, security: [{oidc: []}], ${OK}}}
  /open: {get: {operationId: open, security: [], ${OK}}}
`;
  const verify = (expected: string) => (credentials: string) =>
    credentials === expected ? { name: expected } : undefined;
  const verifiers = {
    bearer: verify('tok'),
    basic: verify('user:pass'),
    header: verify('h'),
    query: verify('q'),
    cookie: verify('c'),
    oauth: (token: string) =>
      token === 'none' ? { name: 'x' } : { name: 'tok', scopes: ['read'] },
    oidc: verify('tok'),
  };
  const Authorization = 'Bearer tok';
  const basic = `Basic ${Buffer.from('user:pass').toString('base64')}`;

  it.each<[string, Record<string, string>, number, string?]>([
    ['/bearer', { Authorization }, 204],
    ['/bearer', { Authorization: 'Bearer x' }, 401, 'Bearer realm="toys", error="invalid_token"'],
    ['/bearer', {}, 401],
    ['/basic', { Authorization: basic }, 204],
    ['/basic', { Authorization }, 401, 'Basic realm="toys", charset="UTF-8"'],
    ['/header', { 'x-key': 'h' }, 204],
    ['/header', { 'x-key': 'x' }, 401],
    ['/query?key=q', {}, 204],
    ['/query?key=x', {}, 401],
    ['/query', {}, 401],
    ['/cookie', { Cookie: 'a=1; sid=c' }, 204],
    ['/cookie', { Cookie: 'sid=x' }, 401],
    ['/oauth', { Authorization }, 204],
    ['/oauth', { Authorization: 'Bearer none' }, 403],
    ['/oidc', { Authorization }, 204],
    ['/open', {}, 204],
  ])('%s with %j is %i', async (path, headers, status, ...[challenge]) => {
    const toy = await serveToy('3.0.3', SCHEMES, { verifiers });
    const response = await toy.fetch(path, { headers });
    expect(response.status).toBe(status);
    if (challenge) expect(response.headers.get('www-authenticate')).toBe(challenge);
    await toy.close();
  });

  it('awaits the promise of another realm, and passes its principal to the handler', async () => {
    const promise = runInNewContext("Promise.resolve({ name: 'x' })");
    const bearer = () => promise as Promise<Principal>;
    const toy = await serveToy('3.0.3', SCHEMES, { verifiers: { ...verifiers, bearer } });
    await toy.fetch('/bearer', { headers: { Authorization } });
    expect(toy.got[0]!['principal']).toEqual({ name: 'x' });
    await toy.close();
  });

  it.each([
    [
      'nobody registered',
      '{type: http, scheme: bearer}',
      /security scheme s has no verifier, expected verifiers.s: a function of the token/,
    ],
    [
      'only a verifier can check',
      '{type: mutualTLS}',
      /expected verifiers.s: a function of the client certificate, which it reads from `request.native`/,
    ],
    [
      'needs the parameters of a header',
      '{type: http, scheme: digest}',
      /expected verifiers.s: a function of the parameters of `Authorization: digest`/,
    ],
    ['OpenAPI does not define', '{type: magic}', /security scheme s has an unknown type/],
  ])('refuses to start with a scheme that %s', async (_, scheme, message) => {
    const contract = `components: {securitySchemes: {s: ${scheme}}}\nsecurity: [{s: []}]\npaths: {/: {get: {operationId: get, ${OK}}}}`;
    await expect(serveToy('3.1.0', contract)).rejects.toThrow(message);
  });

  it.each<[string, object, string]>([
    ['a missing handler', {}, 'operation get has no handler'],
    [
      'a handler without an operation',
      { get: () => ({}), put: () => ({}) },
      'handler put belongs to no operation',
    ],
  ])('refuses to start with %s', async (_, handlers, message) => {
    const definition = new Contract(
      parse(`openapi: 3.0.3\npaths: {/: {get: {operationId: get, ${OK}}}}`),
    );
    await expect(createEngine({ definition, handlers: { ...handlers } })).rejects.toThrow(message);
  });

  it('refuses to start with a scheme that is not declared', async () => {
    await expect(
      serveToy('3.1.0', `security: [{s: []}]\npaths: {/: {get: {operationId: get, ${OK}}}}`),
    ).rejects.toThrow(/s is not declared/);
  });
});
