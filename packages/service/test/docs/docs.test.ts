// The contract as it is served, and the page's files, over HTTP.
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson } from '@stubwright/contract';
import { withFiles } from '@stubwright/test-support/contractFiles';
import { openConnection, parseAnswer, readAll } from '@stubwright/test-support/http';
import { startTestService, type TestService } from '@stubwright/test-support/service';
import { CONTRACT as CONTRACT_FILE } from '@stubwright/test-support/toyService';
import { parse, parseDocument } from 'yaml';

const SOURCE = readFileSync(CONTRACT_FILE, 'utf8');
const CONTRACT = ['/openapi.yaml', '/openapi.json'];
const PAGE = ['/docs', '/docs/page.js', '/docs/page.css', '/docs/scalar.js'];

let service: TestService;
let other: TestService | undefined;

beforeAll(async () => {
  service = await startTestService();
});
afterEach(async () => {
  await other?.remove();
  other = undefined;
});
afterAll(() => service.remove());

/** The text of a path of a service of its own. */
async function served(path: string, env: Record<string, string>): Promise<string> {
  other = await startTestService(env);
  return (await fetch(other.url + path)).text();
}

/** The same for a toy contract, mocked. @param files the contract first */
function servedToy(
  path: string,
  files: Record<string, string> | string,
  env = {},
): Promise<string> {
  const named = typeof files === 'string' ? { 'toy.yaml': files } : files;
  return withFiles(named, (_load, folder) =>
    served(path, { CONTRACT: `${folder}/${Object.keys(named)[0]}`, MOCK: 'all', ...env }),
  );
}

/** Starts a service of a toy contract, mocked, whose file is gone. */
async function startToy(toy: string): Promise<TestService> {
  other = await withFiles({ 'toy.yaml': toy }, (_load, folder) =>
    startTestService({ CONTRACT: `${folder}/toy.yaml`, MOCK: 'all' }),
  );
  return other;
}

const head = `openapi: 3.0.3\ninfo: {title: Toys, version: '1'}\n`;
const paths = `paths:
  /toys:
    get: {operationId: listToys, responses: {'200': {description: ok}}}
`;

describe('GET /openapi.yaml', () => {
  it('returns the source byte for byte when the contract equals it', async () => {
    const response = await fetch(`${service.url}/openapi.yaml`);
    expect(response.headers.get('content-type')).toBe('application/yaml');
    expect(await response.text()).toBe(SOURCE);
  });

  it('has the servers of BASE_URL and the rest of the source', async () => {
    const text = await served('/openapi.yaml', { BASE_URL: 'https://toys.example/api/v1/' });
    const [before, after] = SOURCE.split(/servers:\n(?: .*\n)+/);
    expect(text).toBe(`${before}servers:\n  - url: https://toys.example/api/v1\n${after}`);
  });

  it.each([
    ['no servers', `${head}# why\n${paths}`, '# why'],
    ['servers in one line', `${head}servers: [{url: /a}] # old\n# why\n${paths}`, '# why'],
    ['servers at the end', `${head}# why\n${paths}servers:\n  - url: /a`, '# why'],
    ['no info in front', `${paths}# why\n${head}`, '# why'],
    ['JSON in its file', `{"openapi":"3.0.3","info":{"title":"T","version":"1"},"paths":{}}`, ''],
    [
      'servers of an operation',
      `${head}paths:\n  /toys:\n    get: {operationId: a, servers: [{url: /b}], responses: {'200': {description: ok}}}`,
      '',
    ],
  ])('has the servers of BASE_URL for a contract with %s', async (_case, toy, kept) => {
    const text = await servedToy('/openapi.yaml', toy, { BASE_URL: 'https://h/x' });
    expect(text).toContain(kept);
    const { servers: _, ...rest } = parse(toy);
    delete rest.paths['/toys']?.get.servers;
    expect(parse(text)).toEqual({ ...rest, servers: [{ url: 'https://h/x' }] });
  });

  it('bundles several files into one, which YAML 1.1 and 1.2 read alike', async () => {
    const files = {
      'toy.yaml': `${head}paths:\n  /toys:\n    $ref: toys.yaml\n`,
      'toys.yaml': `get:\n  operationId: listToys\n  summary: 'no'\n  responses: {'200': {description: '2001-01-01', content: {application/json: {schema: {$ref: 'schemas/toy.json'}}}}}`,
      'schemas/toy.json':
        '{"title":"Toy","type":"object","properties":{"id":{"type":"integer","format":"int64","minimum":-9223372036854775808,"maximum":9223372036854775807}}}',
    };
    const text = await servedToy('/openapi.yaml', files);
    expect(text).not.toMatch(/toys\.yaml|toy\.json/);
    expect(text).toContain('minimum: -9223372036854775808\n');
    expect(text).toContain('maximum: 9223372036854775807\n');
    const { get } = parse(text).paths['/toys'];
    expect(get.summary).toBe('no');
    expect(parseDocument(text, { version: '1.1' }).toJS().paths['/toys'].get.summary).toBe('no');
    expect(get.responses['200'].content['application/json'].schema).toBeDefined();
  });

  it('returns the enforced contract after its file changes', async () => {
    await withFiles({ 'toy.yaml': head + paths }, async (_load, folder) => {
      const file = `${folder}/toy.yaml`;
      other = await startTestService({ CONTRACT: file, MOCK: 'all' });
      writeFileSync(file, (head + paths).replace('Toys', 'Changed'));
      const text = await (await fetch(`${other.url}/openapi.yaml`)).text();
      expect(parse(text).info.title).toBe('Toys');
    });
  });
});

describe('GET /openapi.json', () => {
  it('equals the YAML, in the same order', async () => {
    const text = await (await fetch(`${service.url}/openapi.json`)).text();
    expect(text).toBe(stringifyJson(parse(SOURCE, { intAsBigInt: true }), 2));
  });

  it('keeps every digit of an integer', async () => {
    const text = await servedToy('/openapi.json', {
      'toy.yaml': `${head}${paths}components:\n  schemas:\n    Id: {type: integer, format: int64, minimum: -9223372036854775808, example: 9007199254740993}\n`,
    });
    expect(text).toContain('"minimum": -9223372036854775808,');
    expect(text).toContain('"example": 9007199254740993');
  });
});

describe('a $ref inside an extension', () => {
  const toy = `${head}x-topics: [{title: Start, content: {$ref: ./docs/start.md}}, {$ref: '#/nowhere'}, {$ref: '#/info'}]\n${paths}components: {schemas: {x-Toy: {$ref: '#/components/schemas/Other'}, Other: {type: string, x-note: {$ref: other.yaml}}}}\n`;

  it.each(CONTRACT)('is omitted from %s when its target is in another file', async (path) => {
    const { info, 'x-topics': topics, components } = parse(await servedToy(path, toy));
    expect(topics).toEqual([{ title: 'Start' }, { $ref: '#/info' }]);
    expect(info.title).toBe('Toys');
    expect(components.schemas).toEqual({
      'x-Toy': { $ref: '#/components/schemas/Other' },
      Other: { type: 'string' },
    });
  });
});

describe.each([...CONTRACT, ...PAGE])('%s', (path) => {
  it('is sent once, and returns 304 while it is unchanged', async () => {
    const first = await fetch(service.url + path);
    const etag = first.headers.get('etag')!;
    const body = await first.text();
    expect(body.length).toBeGreaterThan(100);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await fetch(service.url + path, { headers: { 'If-None-Match': tags } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect(again.headers.get('etag')).toBe(etag);
    }
    const stale = await fetch(service.url + path, { headers: { 'If-None-Match': '"other"' } });
    expect([stale.status, await stale.text()]).toEqual([200, body]);
  });

  it('responds to HEAD like GET, without the body', async () => {
    const { status, headers, body } = await fetch(service.url + path, {
      method: 'HEAD',
      headers: { 'Accept-Encoding': 'identity' },
    });
    const whole = await (await fetch(service.url + path)).arrayBuffer();
    expect([status, body]).toEqual([200, null]);
    expect(headers.get('content-length')).toBe(String(whole.byteLength));
  });

  it('is compressed as the request accepts, under an ETag of its own', async () => {
    const whole = await (await fetch(service.url + path)).text();
    const etags = new Set<string>();
    for (const [accepted, encoding] of [
      ['gzip', 'gzip'],
      ['deflate, GZIP;q=0.5', 'gzip'],
      ['gzip;q=0.001, br', 'gzip'],
      ['*', 'gzip'],
      ['br, gzip;q=0', null],
      ['gzip; q=0.000', null],
      ['identity', null],
      ['xgzip', null],
    ] as const) {
      const headers = { 'Accept-Encoding': accepted };
      const answer = await fetch(service.url + path, { headers });
      expect([accepted, answer.headers.get('content-encoding')]).toEqual([accepted, encoding]);
      expect(answer.headers.get('vary')).toContain('Accept-Encoding');
      expect(await answer.text()).toBe(whole);
      const etag = answer.headers.get('etag')!;
      etags.add(etag);
      const known = { ...headers, 'If-None-Match': etag };
      expect((await fetch(service.url + path, { headers: known })).status).toBe(304);
      if (encoding === null) continue;
      const head = await fetch(service.url + path, { method: 'HEAD', headers });
      expect(Number(head.headers.get('content-length'))).toBeLessThan(Buffer.byteLength(whole));
    }
    expect(etags.size).toBe(2);
  });

  it('rejects other methods', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await fetch(service.url + path, { method });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
    const options = await fetch(service.url + path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it('is served at the root and under the path of BASE_URL', async () => {
    other = await startTestService({ BASE_URL: 'https://toys.example/api/v1' });
    const { origin } = new URL(other.url);
    const [atRoot, underPath] = await Promise.all(
      [path, `/api/v1${path}`].map((each) => fetch(origin + each)),
    );
    expect([atRoot!.status, underPath!.status]).toEqual([200, 200]);
    expect(await atRoot!.text()).toBe(await underPath!.text());
    // `/docs/` redirects to `/docs`.
    const slashed = path === '/docs' ? 200 : 404;
    expect((await fetch(`${origin}/api/v1${path}/`)).status).toBe(slashed);
    expect((await fetch(`${origin}${path}/`)).status).toBe(slashed);
    expect((await fetch(`${origin}/api${path}`)).status).toBe(404);
  });

  it('is served at the root and under the path of the server', async () => {
    const toy = `${head}servers: [{url: https://toys.example/v2}]\n${paths}`;
    const { url } = await startToy(toy);
    const { origin } = new URL(url);
    const statuses = [path, `/v2${path}`].map(async (each) => (await fetch(origin + each)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200]);
  });

  it('is absent with DOCS=off', async () => {
    other = await startTestService({ DOCS: 'off' });
    expect((await fetch(other.url + path)).status).toBe(404);
  });
});

describe.each(CONTRACT)('%s', (path) => {
  it('allows pages of other origins, also with 304', async () => {
    const { headers } = await fetch(service.url + path);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const known = { 'If-None-Match': headers.get('etag')! };
    const again = await fetch(service.url + path, { headers: known });
    expect(again.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('a contract that declares /docs itself', () => {
  it('serves it, and rejects other methods', async () => {
    const toy = `${head}paths:\n  /docs:\n    get: {operationId: docs, responses: {'200': {description: ok, content: {application/json: {schema: {enum: [mine]}}}}}}\n`;
    const { url } = await startToy(toy);
    expect(await (await fetch(`${url}/docs`)).text()).toBe('"mine"');
    expect((await fetch(`${url}/docs`, { method: 'PUT' })).status).toBe(405);
    expect((await fetch(`${url}/openapi.yaml`)).status).toBe(200);
  });
});

describe('a contract with a server path that declares a path of the documents at the root', () => {
  const response = (body: string) =>
    `responses: {'200': {description: ok, content: {application/json: {schema: {enum: [${body}]}}}}}`;
  const atRoot = 'servers: [{url: /}]';

  it.each([
    ['/docs', `/docs: {get: {${atRoot}, ${response('mine')}}}`],
    [
      '/{id}',
      `'/{id}': {get: {${atRoot}, parameters: [{name: id, in: path, required: true, schema: {type: string}}], ${response('mine')}}}`,
    ],
  ])(
    'serves its operation at the root, and the documents under the prefix: %s',
    async (_, item) => {
      const toy = `${head}servers: [{url: /v2}]\n${paths}  ${item}\n`;
      const { url } = await startToy(toy);
      const { origin } = new URL(url);
      expect(await (await fetch(`${origin}/docs`)).text()).toBe('"mine"');
      expect((await fetch(`${origin}/docs`, { method: 'PUT' })).status).toBe(405);
      const page = await fetch(`${origin}/v2/docs`);
      expect(page.headers.get('content-type')).toContain('text/html');
      expect((await fetch(`${origin}/docs/page.js`)).status).toBe(200);
    },
  );
});

describe('a path that only normalization turns into one of the documents', () => {
  const get = (target: string, url = service.url) =>
    readAll(
      openConnection(url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    ).then((text) => parseAnswer(text).status);

  it.each([
    '//x/docs',
    '//docs',
    '/x/../docs',
    '/./docs',
    '/%2e/docs',
    '/x/%2e%2e/docs',
    '/%64ocs',
    '/docs/../openapi.json',
    '/\\x/openapi.json',
    '/docs\\page.js',
    '/docs%2Fpage.js',
    'http://host//x/docs',
    'http://host/x/../docs',
  ])('gets 404: %s', async (target) => {
    expect(await get(target)).toBe(404);
  });

  it('gets 404 under the path of BASE_URL', async () => {
    other = await startTestService({ BASE_URL: 'https://toys.example/api/v1' });
    const { origin } = new URL(other.url);
    for (const target of [
      '/api/./v1/docs',
      '//x/api/v1/docs',
      '/api/v1/x/../docs',
      '/api/v1//docs',
      '/api/../docs',
    ]) {
      expect([target, await get(target, origin)]).toEqual([target, 404]);
    }
  });

  it.each(['/docs?', '/openapi.json?a=/../b', 'http://host/docs'])(
    'is none in %s',
    async (target) => {
      expect(await get(target)).toBe(200);
    },
  );
});

describe('GET /docs', () => {
  it('allows scripts from its own host only, and no inline scripts', async () => {
    const { headers } = await fetch(`${service.url}/docs`);
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy.split('; ').filter((each) => each.includes('unsafe'))).toEqual([
      "style-src 'self' 'unsafe-inline'",
    ]);
    expect(policy).toContain("connect-src 'self';");
  });

  it('allows requests to the issuers of the contract, and to no other host', async () => {
    const schemes = `components:
  securitySchemes:
    oauth:
      type: oauth2
      flows:
        authorizationCode: {authorizationUrl: 'https://login.example/a', tokenUrl: 'https://token.example:8443/t', refreshUrl: /refresh, scopes: {}}
        clientCredentials: {tokenUrl: 'javascript:alert(1)', scopes: {}}
        password: {tokenUrl: "https://t.example/;script-src 'unsafe-inline'", scopes: {}}
    oidc: {type: openIdConnect, openIdConnectUrl: 'https://oidc.example/.well-known/openid-configuration'}
`;
    const { url } = await startToy(head + paths + schemes);
    const { headers } = await fetch(`${url}/docs`);
    const policy = headers.get('content-security-policy')!.split('; ');
    expect(policy.filter((each) => each.startsWith('connect-src'))).toEqual([
      "connect-src 'self' https://login.example https://token.example:8443 https://t.example https://oidc.example",
    ]);
    expect(policy.filter((each) => each.startsWith('script-src'))).toEqual(["script-src 'self'"]);
  });

  it.each([
    'https://t.example;sandbox/t',
    'https://*/t',
    'https://*.example/t',
    'https://t.example,default-src/t',
    "https://'none'/t",
    'https://{tenant}.example/t',
  ])('allows no requests to an issuer whose host is no name: %s', async (issuer) => {
    const schemes = `components: {securitySchemes: {oidc: {type: openIdConnect, openIdConnectUrl: ${JSON.stringify(issuer)}}}}\n`;
    const { url } = await startToy(head + paths + schemes);
    const { headers } = await fetch(`${url}/docs`);
    expect(headers.get('content-security-policy')).toContain("; connect-src 'self'; base-uri");
  });

  it('links only files that are served', async () => {
    const text = await (await fetch(`${service.url}/docs`)).text();
    const links = [...text.matchAll(/(?:href|src)="(docs\/[^"]+)"/g)].map(([, path]) => path!);
    expect(links).toEqual(expect.arrayContaining(['docs/page.css', 'docs/page.js']));
    const sizes = links.map(async (path) => {
      const response = await fetch(new URL(path, `${service.url}/`));
      return [path, response.status, (await response.bytes()).length > 0];
    });
    expect(await Promise.all(sizes)).toEqual(links.map((path) => [path, 200, true]));
  });

  it('sends requests to its own origin, with any servers in the contract', async () => {
    const text = await served('/docs', { BASE_URL: 'https://toys.example/api/v1' });
    expect(text).toContain('data-server="/api/v1"');
  });

  it('has the title of the contract, with any characters', async () => {
    const toy = (head + paths).replace('title: Toys', `title: '<Toys & "more">'`);
    const text = await servedToy('/docs', toy);
    expect(text).toContain('<title>&#60;Toys &#38; &#34;more&#34;&#62;</title>');
  });
});

describe('the page', () => {
  const ask = (path: string, headers: Record<string, string>) =>
    fetch(service.url + path, { headers, redirect: 'manual' });

  it('has no Content-Type with 304, and returns 412 for an If-Match that fails', async () => {
    const first = await ask('/docs', {});
    expect(first.headers.get('content-type')).toMatch(/^text\/html/);
    const etag = first.headers.get('etag')!;
    expect((await ask('/docs', { 'If-None-Match': etag })).headers.get('content-type')).toBe(null);
    expect((await ask('/docs', { 'If-Match': '"other"' })).status).toBe(412);
    for (const tag of [etag, '*', `"other", ${etag}`])
      expect((await ask('/docs', { 'If-Match': tag })).status).toBe(200);
  });

  it.each([
    ['/docs/', '*/*', '/api/v1/docs'],
    ['/', 'text/html,application/xhtml+xml', '/api/v1/docs'],
    ['/', 'application/json', null],
    ['/', '*/*', null],
  ])('is where %s with Accept %s redirects to: %s', async (path, accept, location) => {
    other = await startTestService({ BASE_URL: 'https://toys.example/api/v1' });
    const headers = { Accept: accept };
    const { status, headers: sent } = await fetch(other.url + path, {
      headers,
      redirect: 'manual',
    });
    expect([status, sent.get('location')]).toEqual([location === null ? 404 : 302, location]);
  });
});
