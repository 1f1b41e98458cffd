// The names of static tokens: who calls, in log, metrics and recordings.
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadedContract } from '@stubwright/test-support/loadedContract';
import { spawnService } from '@stubwright/test-support/service';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { readSettings, type ServiceOptions, type ServiceVerifier } from '../src/index.ts';
import { generateToken, shortTokens, TokenSet } from '../src/operations/auth/tokens.ts';
import { requestsOf } from './support/logLines.ts';
import { startedServices } from './support/startedServices.ts';

const startService = startedServices();

const contract = loadedContract(`
paths:
  /toys:
    get:
      operationId: listToys
      security: [{bearer: [read]}, {key: [read]}, {basic: [read]}]
      responses: {'204': {description: none}}
  /open: {get: {operationId: open, responses: {'204': {description: none}}}}
components:
  securitySchemes:
    bearer: {type: http, scheme: bearer}
    basic: {type: http, scheme: basic}
    key: {type: apiKey, in: header, name: X-Key}
`);

const TOKENS = [
  'first-token-of-the-web name=web scope=read',
  `sha256:${hash('sha256', 'second-token-of-the-web')} name=web scope=read`,
  'token-of-the-jobs  name=nightly-jobs.2  scope=read',
  'token-without-a-name scope=read write',
  'token-without-scopes name=idle',
];

describe('a static token with a name', () => {
  const start = (env: Record<string, string>, listToys: object) =>
    startService(
      {
        contract,
        handlers: { listToys, open: () => ({ status: 204 }) },
        verifiers: (verify) => ({ bearer: verify, key: verify, basic: verify }),
      },
      { API_TOKENS: TOKENS.join(','), ...env },
    );

  it('names its caller in log, metrics, recording and handler, as bearer token, API key and password', async () => {
    const folder = temporaryFolder();
    const seen: unknown[] = [];
    const env = { ADMIN_PORT: '0', RECORD: join(folder.path, 'traffic.jsonl') };
    const service = await start(
      env,
      (request: { readonly principal?: { readonly name: string } }) => {
        seen.push(request.principal?.name);
        return { status: 204 };
      },
    );
    const call = (headers: Record<string, string>, path = '/toys') =>
      fetch(service.url + path, { headers }).then(({ status }) => status);
    const basic = Buffer.from('anyone:first-token-of-the-web').toString('base64');
    const statuses = [
      await call({ Authorization: 'Bearer first-token-of-the-web' }),
      await call({ 'X-Key': 'second-token-of-the-web' }),
      await call({ Authorization: `Basic ${basic}` }),
      await call({ 'X-Key': 'token-of-the-jobs' }),
      await call({ 'X-Key': 'token-without-a-name' }),
      await call({ 'X-Key': 'token-without-scopes' }),
      await call({ 'X-Key': 'wrong' }),
      await call({}, '/open'),
    ];
    expect(statuses).toEqual([204, 204, 204, 204, 204, 403, 401, 204]);
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    await service.stop();
    expect(requestsOf(service.lines).map(({ caller }) => caller)).toEqual([
      ...['web', 'web', 'web', 'nightly-jobs.2', undefined, undefined, undefined, undefined],
    ]);
    expect(metrics.match(/^http_caller_requests_total\{.*$/gm)).toEqual([
      'http_caller_requests_total{caller="web",status="204"} 3',
      'http_caller_requests_total{caller="nightly-jobs.2",status="204"} 1',
    ]);
    expect(seen).toEqual(['web', 'web', 'web', 'nightly-jobs.2', 'static token b25be88b8a40dd8e']);
    const recorded = readdirSync(folder.path)
      .map((file) => readFileSync(join(folder.path, file), 'utf8'))
      .join('');
    expect(recorded).toContain('"web"');
    for (const secret of ['first-token', 'second-token', 'token-of', 'token-without', 'sha256']) {
      expect(JSON.stringify(service.lines) + recorded + metrics).not.toContain(secret);
    }
    folder.remove();
  });

  it('shares its rate limit with the others of the name', async () => {
    const service = await start({ RATE_LIMIT: '1/1h' }, () => ({ status: 204 }));
    const call = async (key: string) =>
      (await fetch(`${service.url}/toys`, { headers: { 'X-Key': key } })).status;
    expect(await call('first-token-of-the-web')).toBe(204);
    expect(await call('second-token-of-the-web')).toBe(429);
    expect(await call('token-without-a-name')).toBe(204);
  });

  it('names only its own caller', () => {
    const tokens = new TokenSet(TOKENS);
    const names = (): unknown[] => [
      tokens.callerOf(undefined),
      tokens.callerOf({ name: 'web' }),
      tokens.callerOf({ name: 'web', issuer: 'https://id.example' }),
      tokens.callerOf({ name: 'static token b25be88b8a40dd8e' }),
    ];
    expect(names()).toEqual([undefined, 'web', undefined, undefined]);
    tokens.replace(['token-of-the-jobs']);
    expect(names()).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('a static token without a name', () => {
  it('keeps its identity when another one is removed', () => {
    const tokens = new TokenSet(['token-of-somebody-a', 'token-of-somebody-b']);
    const before = tokens.verify('token-of-somebody-b');
    const removed = tokens.verify('token-of-somebody-a');
    tokens.replace(['token-of-somebody-b']);
    expect(tokens.verify('token-of-somebody-b')).toEqual(before);
    expect(before?.name).not.toBe(removed?.name);
    const digest = hash('sha256', 'token-of-somebody-b');
    tokens.replace([`sha256:${digest.toUpperCase()}`]);
    expect(tokens.verify('token-of-somebody-b')).toEqual(before);
    expect(before?.name).toBe(`static token ${digest.slice(0, 16)}`);
  });
});

describe('two security schemes, of which one needs a scope', () => {
  const ofTwo = loadedContract(`
paths:
  /toys:
    post: {operationId: addToy, security: [{oauth: [write]}, {apiKey: []}], responses: {'204': {description: ''}}}
components:
  securitySchemes:
    oauth: {type: oauth2, flows: {}}
    apiKey: {type: apiKey, in: header, name: X-Key}
`);
  const start = (
    verifiers: NonNullable<ServiceOptions['verifiers']>,
    entries: readonly string[] = [],
  ) =>
    startService(
      { contract: ofTwo, handlers: { addToy: () => ({ status: 204 }) }, verifiers },
      { API_TOKENS: entries.join(',') },
    );
  const ofEach = (verify: ServiceVerifier) => ({
    oauth: verify,
    apiKey: verify.forScheme('apiKey'),
  });

  it('have credentials of their own', async () => {
    const service = await start(ofEach, [
      'token-without-any-scope',
      'token-with-the-scope scope=write',
      'key-of-the-warehouse scheme=apiKey',
    ]);
    const call = async (headers: Record<string, string>) =>
      (await fetch(`${service.url}/toys`, { method: 'POST', headers })).status;
    const statuses: Record<string, readonly number[]> = {};
    for (const token of ['token-without-any-scope', 'token-with-the-scope', 'key-of-the-warehouse'])
      statuses[token] = [
        await call({ Authorization: `Bearer ${token}` }),
        await call({ 'X-Key': token }),
      ];
    expect(statuses).toEqual({
      'token-without-any-scope': [403, 401],
      'token-with-the-scope': [204, 401],
      'key-of-the-warehouse': [401, 204],
    });
  });

  it('both accept the token that is generated at start', async () => {
    const service = await start(ofEach);
    const token = service.generatedToken!;
    for (const headers of [{ Authorization: `Bearer ${token}` }, { 'X-Key': token }]) {
      const { status } = await fetch(`${service.url}/toys`, { method: 'POST', headers });
      expect(status).toBe(204);
    }
  });

  it('are an error of the start with one verifier', async () => {
    await expect(start((verify) => ({ oauth: verify, apiKey: verify }))).rejects.toThrow(
      'security schemes oauth and apiKey have one verifier, and operation addToy requires scopes (write) of oauth alone: expected a verifier for each, with credentials of its own',
    );
  });
});

describe('an entry of API_TOKENS', () => {
  it.each([
    'TOKEN name=',
    'TOKEN name=a b',
    'TOKEN name=a name=b',
    'TOKEN name=-a',
    'TOKEN name="a"',
    `TOKEN name=${'a'.repeat(65)}`,
    'TOKEN scope=read name=web',
    'TOKEN scope=name=web',
    'TOKEN scope=read scheme=key',
    'TOKEN scheme=key name=web',
    'TOKEN scheme=',
    'name=web',
    'name=web TOKEN',
    'no good',
    'TOKEN scope=',
  ])('is refused without its text: %s', (entry) => {
    const read = () => readSettings({ API_TOKENS: `good,${entry}` });
    expect(read).toThrow(
      /^API_TOKENS: got "a bad entry 2", expected .* like TOKEN name=web scheme=apiKey scope=read write$/,
    );
    expect(() => new TokenSet([entry])).toThrow(TypeError);
  });

  it.each([
    'TOKEN',
    'TOKEN==  name=a',
    'TOKEN name=A.b_c-9 scope=*',
    'TOKEN scope=a=b names=web',
    'TOKEN name=web scheme=apiKey scope=read',
    `sha256:${'0'.repeat(64)} name=${'a'.repeat(64)}`,
  ])('is accepted: %s', (entry) => {
    expect(readSettings({ API_TOKENS: entry }).apiTokens).toEqual([entry]);
  });
});

describe('a static token of under 16 characters', () => {
  const short = 'a'.repeat(15);

  it('is found by its name or its position, and a digest is not', () => {
    const digest = `sha256:${hash('sha256', 'x')}`;
    expect(shortTokens([`${short}a`, short, `${short} name=web scope=*`, digest, 'x=='])).toEqual([
      2,
      'web',
      5,
    ]);
  });

  it('is logged at start and on SIGHUP', async () => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'tokens');
    writeFileSync(file, `${short} name=web\n`, { mode: 0o600 });
    const { child, url, output, exited } = spawnService({ API_TOKENS_FILE: file });
    await url;
    const warning = (tokens: unknown) =>
      `"tokens":${JSON.stringify(tokens)},"msg":"static tokens have under 16 characters"`;
    expect(output()).toContain(warning(['web']));
    writeFileSync(file, `${short}a\n${short}\n`);
    child.kill('SIGHUP');
    while (!output().includes(warning([2]))) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    child.kill('SIGTERM');
    await exited;
    expect(output()).not.toContain(short);
    folder.remove();
  });
});

it('a generated token has 192 random bits, and is never short', () => {
  const token = generateToken();
  expect(token).toMatch(/^[\w-]{32}$/);
  expect([shortTokens([token]), generateToken() === token]).toEqual([[], false]);
});
