// The curl command of a started service, run by a shell.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { parse } from 'yaml';
import { loadContract, type Service } from '../src/index.ts';
import { startedServices } from './support/startedServices.ts';

const run = promisify(execFile);
const SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  digest: { type: 'http', scheme: 'digest' },
  headerKey: { type: 'apiKey', in: 'header', name: 'X-Key' },
  queryKey: { type: 'apiKey', in: 'query', name: 'key' },
  cookieKey: { type: 'apiKey', in: 'cookie', name: 'key' },
  oauth: {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: '/token', scopes: { read: '', 'admin:all': '' } } },
  },
  openId: { type: 'openIdConnect', openIdConnectUrl: '/.well-known/openid-configuration' },
};
const SECURED = { '/toys': { get: { security: [{ oauth: ['read', 'admin:all'] }] } } };

const startService = startedServices();
const folder = temporaryFolder();
afterAll(folder.remove);
let contracts = 0;

type Paths = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** @returns the path of a contract whose operations have the response 204 */
function writeContract(paths: Paths): string {
  const path = join(folder.path, `${++contracts}.json`);
  const items = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => {
      const responses = { 204: { description: 'ok' } };
      return [method, { responses, ...operation }];
    });
    return [path, Object.fromEntries(operations)];
  });
  const document = {
    openapi: '3.1.0',
    info: { title: 'Toys', version: '1' },
    servers: [{ url: '/v1' }],
    paths: Object.fromEntries(items),
    components: { securitySchemes: SCHEMES },
  };
  writeFileSync(path, JSON.stringify(document));
  return path;
}

/** The handlers return 204. */
async function serve(paths: Paths, env: Record<string, string> = {}): Promise<Service> {
  const CONTRACT = writeContract(paths);
  const { definition } = await loadContract(CONTRACT, { isMocked: false });
  const handlers = definition.operations.map(({ operationId }) => [
    operationId,
    () => ({ status: 204 }),
  ]);
  return startService(
    {
      handlers: Object.fromEntries(handlers),
      verifiers: (verify) => Object.fromEntries(Object.keys(SCHEMES).map((name) => [name, verify])),
      realm: 'toys',
    },
    { API_TOKENS: '', CONTRACT, ...env },
  );
}

/** @returns the command and the status of its response */
async function runCurl(service: Service, token = service.generatedToken!) {
  const command = await service.curl(token);
  const { stdout } = await run('sh', ['-c', `${command} -sS -w '%{http_code}'`], {
    timeout: 60_000,
  });
  return { command, status: Number(stdout.slice(-3)) };
}

const TEXT = '{type: string, minLength: 1}';
const RECORD = `{type: object, required: [a], properties: {a: ${TEXT}}}`;
const body = (type: string, schema: string) =>
  `{requestBody: {required: true, content: {${type}: {schema: ${schema}}}}}`;
const parameter = (where: string, schema: string, more = '') =>
  `{parameters: [{name: p, in: ${where}, required: true, schema: ${schema}${more}}]}`;

/** By what the command has: the operations of `/toys`, or of another path. */
const SUCCESSES: Readonly<Record<string, Readonly<Record<string, object>>>> = parse(`
without security: {get: {}}
bearer: {get: {security: [{bearer: []}]}}
HTTP basic: {get: {security: [{basic: []}]}}
OAuth2 with scopes: {get: {security: [{oauth: [read, 'admin:all']}]}}
OpenID Connect with scopes: {get: {security: [{openId: [toys]}]}}
an API key in a header: {get: {security: [{headerKey: []}]}}
an API key in the query: {get: {security: [{queryKey: []}]}}
an API key in a cookie: {get: {security: [{cookieKey: []}]}}
several schemes:
  get:
    security: [{oauth: [read], headerKey: [], cookieKey: [role]}]
    parameters: [{name: c, in: cookie, required: true, schema: ${TEXT}}]
schemes that need two Authorization headers, or one other scheme:
  {get: {security: [{basic: [], bearer: []}, {queryKey: []}]}}
a path parameter: {path: '/toys/{p}', get: ${parameter('path', `{const: "a/b '$&"}`)}}
a query parameter in brackets: {get: ${parameter('query', RECORD, ', style: deepObject')}}
a header: {get: ${parameter('header', '{const: x y}')}}
an empty header: {get: ${parameter('header', "{const: ''}")}}
a parameter that OpenAPI ignores:
  {get: {parameters: [{name: Accept, in: header, required: true, schema: ${TEXT}}]}}
JSON: {post: ${body('application/json', RECORD)}}
a form: {put: ${body('application/x-www-form-urlencoded', RECORD)}}
a multipart form with a file:
  post:
    requestBody:
      required: true
      content:
        multipart/form-data:
          schema:
            type: object
            required: [file, meta, tags]
            properties:
              file: {type: string, contentMediaType: image/png}
              meta: ${RECORD}
              tags: {type: array, minItems: 2, items: {const: '@a;type=b'}}
XML: {post: ${body('application/xml', RECORD)}}
text with @: {post: ${body('text/plain', `{const: "@it's"}`)}}
bytes: {post: ${body('application/octet-stream', '{}')}}
a GET with a body: {get: ${body('application/json', RECORD)}}
HEAD: {head: {}}
DELETE: {delete: {}}
OPTIONS: {options: {}}
a server of the operation: {get: {servers: [{url: '/v2/{x}', variables: {x: {default: y}}}]}}
`);

describe.each([
  ['by handlers', 'off'],
  ['by mocks', 'all'],
])('the curl command of a service whose operations are served %s', (_, MOCK) => {
  it.each(Object.entries(SUCCESSES))('gets a success: %s', async (_, { path, ...operations }) => {
    const service = await serve({ [String(path ?? '/toys')]: operations }, { MOCK });
    expect(await runCurl(service)).toMatchObject({ status: 204 });
  });
});

describe('the curl command of a service', () => {
  it('uses the path of BASE_URL', async () => {
    const service = await serve(SECURED, { BASE_URL: 'https://toys.example/api' });
    const { command, status } = await runCurl(service);
    expect(command).toContain('/api/toys ');
    expect(status).toBe(204);
  });
});

describe('a static token', () => {
  it.each([
    ['with the scopes', 'secret scope=read admin:all', 204],
    ['with every scope', 'secret scope=*', 204],
    ['with spaces around', ' secret  scope=admin:all  read ', 204],
    ['with one scope', 'secret scope=read', 403],
    ['with another scope', 'secret scope=reader admin:all', 403],
    ['without scopes', 'secret', 403],
  ])('%s, as in "%s", gets %s', async (_, entry, status) => {
    const service = await serve(SECURED, { API_TOKENS: `other scope=read,${entry}` });
    const answer = await runCurl(service, 'secret');
    expect(answer.status).toBe(status);
  });

  it('has the scopes of a replaced contract', async () => {
    const operation = (scope: string) => ({
      '/toys': { get: { security: [{ bearer: [scope] }] } },
    });
    const service = await serve(operation('play'));
    const { status: before } = await runCurl(service);
    await service.serve(await loadContract(writeContract(operation('build')), { isMocked: false }));
    const { status: after } = await runCurl(service);
    expect([before, after]).toEqual([204, 204]);
  });
});
