// JWTs of a real OpenID provider, over HTTP; operations/jwt.test.ts has the single cases.
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Issuer, startIssuer } from '@stubwright/test-support/issuer';
import {
  call,
  createAt,
  json,
  spawnService,
  startTestService,
  type TestService,
} from '@stubwright/test-support/service';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { CONTRACT } from '@stubwright/test-support/toyService';
import { keyTimes } from '../src/operations/auth/jwt.ts';

let issuer: Issuer;
let service: TestService;

beforeEach(async () => {
  issuer = await startIssuer();
  service = await startTestService(issuer.env, {}, undefined, {
    keyTimes: { ...keyTimes, cooldownMs: 0, retryMs: 0 },
  });
});
afterEach(async () => {
  await service.remove();
  await issuer.kill();
});

function createWith(token: string, url = service.url) {
  return createAt(url, { id: 1, name: 'x' }, { headers: { Authorization: `Bearer ${token}` } });
}

describe('a token of an OpenID provider', () => {
  it('is accepted beside static tokens', async () => {
    expect((await createWith(await issuer.issue())).status).toBe(200);
    expect((await service.create({ id: 1, name: 'x' })).status).toBe(200);
  });

  it('is accepted after a rotation, and so is the one of before', async () => {
    const before = await issuer.issue();
    expect((await createWith(before)).status).toBe(200);
    await issuer.rotate();
    expect((await createWith(await issuer.issue())).status).toBe(200);
    expect((await createWith(before)).status).toBe(200);
  });
});

describe('an opaque token of an OpenID provider', () => {
  let asking: TestService;

  beforeEach(async () => {
    const env = { ...issuer.env, ...issuer.introspectionEnv, INTROSPECTION_CACHE: '0' };
    asking = await startTestService(env);
  });
  afterEach(() => asking.remove());

  it('is accepted beside JWTs and static tokens', async () => {
    expect((await createWith(await issuer.issueOpaque(), asking.url)).status).toBe(200);
    expect((await createWith(await issuer.issue(), asking.url)).status).toBe(200);
    expect((await asking.create({ id: 1, name: 'x' })).status).toBe(200);
  });

  it('is refused without introspection, when nobody issued it, and when it is revoked', async () => {
    const token = await issuer.issueOpaque();
    expect((await createWith(token)).status).toBe(401);
    expect((await createWith(`x${token}`, asking.url)).status).toBe(401);
    expect((await createWith(token, asking.url)).status).toBe(200);
    await issuer.revoke(token);
    const answer = await createWith(token, asking.url);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="toys", error="invalid_token"');
  });
});

describe('an OpenID provider that dies', () => {
  it('stops no token whose key is known; one of an unknown key is 503 until it is back', async () => {
    const known = await issuer.issue();
    expect((await createWith(known)).status).toBe(200);
    await issuer.rotate();
    const unknown = await issuer.issue();
    await issuer.kill();
    const refused = await createWith(unknown);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect((await createWith(known)).status).toBe(200);
    expect((await service.create({ id: 1, name: 'x' })).status).toBe(200);

    await issuer.revive();
    expect((await createWith(await issuer.issue())).status).toBe(200);
    // The revived provider has keys of its own: what the dead one signed is refused for good.
    expect((await createWith(unknown)).status).toBe(401);
  });
});

describe('a contract that asks for a scope', () => {
  const folder = temporaryFolder();
  const contract = `${folder.path}/openapi.yaml`;
  let scoped: TestService;

  beforeAll(() => {
    const text = readFileSync(CONTRACT, 'utf8')
      .replace('security:\n  - bearerAuth: []', 'security:\n  - bearerAuth: ["toys:write"]')
      .replace(
        /type: http\n\s+scheme: bearer\n/,
        'type: oauth2\n      flows: {clientCredentials: {tokenUrl: "https://issuer.example/token", scopes: {"toys:write": w}}}\n',
      )
      .replace(
        /( +)"409":\n/,
        '$1"403": {description: d, headers: {WWW-Authenticate: {$ref: "#/components/headers/Authenticate"}}, content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}}\n$&',
      );
    writeFileSync(contract, text);
  });
  beforeEach(async () => {
    scoped = await startTestService({ ...issuer.env, CONTRACT: contract });
  });
  afterEach(() => scoped.remove());
  afterAll(() => folder.remove());

  it('is 200 with it, and 403 insufficient_scope without', async () => {
    const withIt = await issuer.issue('toys:read toys:write');
    expect((await createWith(withIt, scoped.url)).status).toBe(200);
    const without = await fetch(`${scoped.url}/toys`, {
      method: 'POST',
      headers: {
        ...json,
        Authorization: `Bearer ${await issuer.issue('toys:read')}`,
        Connection: 'close',
      },
      body: '{"id":1,"name":"x"}',
    });
    expect(without.status).toBe(403);
    expect(without.headers.get('www-authenticate')).toBe(
      'Bearer realm="toys", error="insufficient_scope", scope="toys:write"',
    );
    expect(await without.json()).toMatchObject({ error: 40300 });
  });
});

describe('a service with JWT settings and no static token', () => {
  it('starts on any host, makes no token, and logs that the issuer is unavailable', async () => {
    await issuer.kill();
    const { url, output, child, exited } = spawnService({
      ...issuer.env,
      HOST: '0.0.0.0',
    });
    const local = (await url).replace('0.0.0.0', '127.0.0.1');
    while (!output().includes('issuer keys not fetched')) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const answer = await call(local, { headers: json, body: '{"id":1,"name":"x"}' });
    expect(answer.status).toBe(401);
    child.kill('SIGTERM');
    await exited;
    expect(output()).not.toContain('curl');
  });
});
