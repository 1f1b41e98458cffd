// Token introspection against an endpoint with any answers; issuer.test.ts asks a real OpenID provider.
import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type IntrospectionSettings,
  IntrospectionVerifier,
  introspectionLimits,
} from '../../src/operations/auth/introspection.ts';
import type { ServiceEmitter } from '../../src/operations/events.ts';

interface Asked {
  readonly authorization: string | undefined;
  readonly token: string | null;
}

type Respond = (token: string, response: ServerResponse) => void;

let asked: Asked[];
let respond: Respond;
let failures: string[];
let refusals: string[];
let introspectionUrl: URL;

const server = createServer(async (request: IncomingMessage, response) => {
  const form = new URLSearchParams(await text(request));
  asked.push({ authorization: request.headers.authorization, token: form.get('token') });
  respond(form.get('token')!, response);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  introspectionUrl = new URL(`http://127.0.0.1:${port}/introspect?secret=1`);
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  asked = [];
  failures = [];
  refusals = [];
  answer({ active: true, sub: 'ada' });
});

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

function answer(body: object, status = 200): void {
  respond = (_token, response) => json(response, body, status);
}

function verifierWith(
  settings: Partial<IntrospectionSettings> = {},
  limits: Partial<typeof introspectionLimits> = {},
): IntrospectionVerifier {
  const events: ServiceEmitter = new EventEmitter();
  events.on('introspectionFailed', ({ introspectionUrl }) => failures.push(introspectionUrl));
  events.on('tokenRejected', ({ reason }) => refusals.push(reason));
  const own = { clientId: 'toys:a', clientSecret: 'ü+%', audience: undefined, cacheSeconds: 30 };
  return new IntrospectionVerifier({ introspectionUrl, ...own, ...settings }, events, {
    ...introspectionLimits,
    ...limits,
  });
}

const nowSeconds = () => Date.now() / 1000;
const refused = {
  ...{ status: 503, headers: { 'Retry-After': '1' } },
  message: 'the token issuer cannot be asked, try again',
};

describe('a token', () => {
  it('is asked about with the credentials of the service', async () => {
    await verifierWith().verify('opaque');
    // RFC 6749, section 2.3.1: both are form-encoded before base64.
    const basic = Buffer.from('toys%3Aa:%C3%BC%2B%25').toString('base64');
    expect(asked).toEqual([{ authorization: `Basic ${basic}`, token: 'opaque' }]);
  });

  it.each([
    [{ sub: 'ada', username: 'u', client_id: 'c' }, 'ada'],
    [{ username: 'u', client_id: 'c' }, 'username:u'],
    [{ client_id: 'c' }, 'client_id:c'],
    // No subject has the name of a client.
    [{ sub: 'client_id:c' }, 'sub:client_id:c'],
    [{ sub: 'sub:client_id:c' }, 'sub:sub:client_id:c'],
  ])('with %j has the name %s', async (claims, name) => {
    answer({ active: true, ...claims });
    const issuer = introspectionUrl.origin;
    expect(await verifierWith().verify('x')).toEqual({ name, issuer, scopes: [] });
  });

  it('has the issuer and the scopes that the issuer names', async () => {
    answer({ active: true, sub: 'ada', iss: 'https://a.example', scope: ' read  write' });
    const scopes = ['read', 'write'];
    const expected = { name: 'ada', issuer: 'https://a.example', scopes };
    expect(await verifierWith().verify('x')).toEqual(expected);
  });

  it.each([
    ['not active', { active: false, sub: 'ada' }],
    ['expired', { exp: nowSeconds() - 31 }],
    ['not valid yet', { nbf: nowSeconds() + 90 }],
    ['another audience', { aud: 'https://b.example' }],
    ['another audience', { aud: undefined }],
    ['no sub, username or client_id', { sub: undefined }],
    ['no sub, username or client_id', { sub: '' }],
  ])('is refused: %s', async (reason, claims) => {
    const audience = 'https://toys.example';
    answer({ active: true, sub: 'ada', aud: [audience], ...claims });
    expect(await verifierWith({ audience }).verify('x')).toBeUndefined();
    expect(refusals).toEqual([reason]);
  });

  it.each([
    { exp: nowSeconds() - 10 },
    { nbf: nowSeconds() + 10 },
    { aud: 'https://toys.example' },
    { aud: ['a', 'https://toys.example'] },
  ])('is accepted: %j', async (claims) => {
    const audience = 'https://toys.example';
    answer({ active: true, sub: 'ada', aud: audience, ...claims });
    expect(await verifierWith({ audience }).verify('x')).toMatchObject({ name: 'ada' });
  });
});

describe('an active token', () => {
  it('is remembered, each with its own principal', async () => {
    respond = (token, response) => json(response, { active: true, sub: `the owner of ${token}` });
    const { verify } = verifierWith();
    for (const token of ['a', 'b', 'a', 'b']) {
      expect(await verify(token)).toMatchObject({ name: `the owner of ${token}` });
    }
    expect(asked).toHaveLength(2);
  });

  it('is asked about once by concurrent requests', async () => {
    const { verify } = verifierWith();
    const found = await Promise.all(Array.from({ length: 20 }, () => verify('a')));
    expect(new Set(found.map((principal) => principal?.name))).toEqual(new Set(['ada']));
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['INTROSPECTION_CACHE', 0, {}],
    ['its exp', 30, { exp: nowSeconds() - 1 }],
  ])('is remembered for no longer than %s', async (_name, cacheSeconds, claims) => {
    answer({ active: true, sub: 'ada', ...claims });
    const { verify } = verifierWith({ cacheSeconds });
    await verify('a');
    await verify('a');
    expect(asked).toHaveLength(2);
  });

  it('is asked about again afterwards', async () => {
    const { verify } = verifierWith({ cacheSeconds: 0.02 });
    await verify('a');
    await sleep(40);
    answer({ active: false });
    expect(await verify('a')).toBeUndefined();
  });

  it('is forgotten first if it was used least recently', async () => {
    const { verify } = verifierWith({}, { maxTokens: 2 });
    for (const token of ['a', 'b', 'a', 'c']) await verify(token);
    await verify('a');
    expect(asked.map(({ token }) => token)).toEqual(['a', 'b', 'c']);
    await verify('b');
    expect(asked).toHaveLength(4);
  });
});

it('asks again about a token that was not active', async () => {
  answer({ active: false });
  const { verify } = verifierWith();
  await verify('a');
  answer({ active: true, sub: 'ada' });
  expect(await verify('a')).toMatchObject({ name: 'ada' });
});

describe('a token that the issuer does not answer for', () => {
  it.each<[string, Respond]>([
    ['400', (_token, response) => json(response, { error: 'invalid_request' }, 400)],
    ['404', (_token, response) => response.writeHead(404).end()],
    ['414', (_token, response) => response.writeHead(414).end()],
    ['no JSON', (_token, response) => response.writeHead(200).end('{')],
    ['no active', (_token, response) => json(response, { sub: 'ada' })],
    ['a redirection', (_token, response) => response.writeHead(302, { Location: '/' }).end()],
  ])('stops no other token, however many there are: %s', async (_name, broken) => {
    respond = (token, response) =>
      token.startsWith('good')
        ? json(response, { active: true, sub: token })
        : broken(token, response);
    const { verify } = verifierWith({}, { retryMs: 60_000 });
    for (let at = 0; at < 32; at++) {
      await expect(verify(`forged ${at}`)).rejects.toMatchObject(refused);
      expect(await verify(`good ${at}`)).toMatchObject({ name: `good ${at}` });
    }
    expect(failures).toHaveLength(1);
    const count = asked.length;
    await expect(verify('forged 0')).rejects.toMatchObject(refused);
    expect(asked).toHaveLength(count);
  });

  it('stops no other token if only it fails with 500', async () => {
    respond = (token, response) =>
      token === 'forged'
        ? response.writeHead(500).end()
        : json(response, { active: true, sub: 'ada' });
    const { verify } = verifierWith({}, { retryMs: 0 });
    for (let at = 0; at < 10; at++) await expect(verify('forged')).rejects.toMatchObject(refused);
    expect(await verify('good')).toMatchObject({ name: 'ada' });
  });

  it('leaves room for other callers while it is slow', async () => {
    const held: ServerResponse[] = [];
    respond = (token, response) =>
      token === 'good' ? json(response, { active: true, sub: 'ada' }) : held.push(response);
    const { verify } = verifierWith();
    const slow = Array.from({ length: 64 }, (_, at) => verify(`slow ${at}`, '192.0.2.1'));
    const settled = Promise.allSettled(slow);
    expect(await verify('good', '192.0.2.2')).toMatchObject({ name: 'ada' });
    await expect(verify('other', '192.0.2.1')).rejects.toMatchObject(refused);
    while (held.length < introspectionLimits.maxPendingPerCaller) await sleep(1);
    for (const response of held) json(response, { active: false });
    const outcomes = (await settled).map(({ status }) => status);
    expect(outcomes.filter((outcome) => outcome === 'fulfilled')).toHaveLength(
      introspectionLimits.maxPendingPerCaller,
    );
    expect(await verify('good', '192.0.2.1')).toMatchObject({ name: 'ada' });
  });
});

it.each([
  ['read write', ['read', 'write']],
  [
    ['read', 'write'],
    ['read', 'write'],
  ],
  [['read', 1, null], ['read']],
  [{ read: true }, []],
  [7, []],
  [null, []],
])('reads the scope %j as %j', async (scope, scopes) => {
  answer({ active: true, sub: 'ada', scope });
  expect(await verifierWith().verify('x')).toMatchObject({ scopes });
});

describe('an issuer that cannot be asked', () => {
  it.each<[string, Respond, number?]>([
    [
      'a wrong secret',
      (_token, response) =>
        response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end(),
    ],
    ['500', (_token, response) => response.writeHead(500).end()],
    ['too many requests', (_token, response) => response.writeHead(429).end()],
    ['silence', () => {}, 300],
  ])('is 503, and one event without the query: %s', async (_name, broken, timeoutMs = 60_000) => {
    respond = broken;
    const { verify } = verifierWith({}, { timeoutMs, retryMs: 60_000 });
    for (const token of ['a', 'b', 'c', 'd', 'e'])
      await expect(verify(token)).rejects.toMatchObject(refused);
    expect(failures).toEqual([introspectionUrl.origin + introspectionUrl.pathname]);
    expect(asked).toHaveLength(introspectionLimits.maxFailures);
  });

  it('is asked once while connections are closed', async () => {
    respond = (_token, response) => response.destroy();
    const { verify } = verifierWith({}, { retryMs: 60_000 });
    for (const token of ['a', 'b']) await expect(verify(token)).rejects.toMatchObject(refused);
    expect(failures).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });

  it('does not stop a token that is remembered', async () => {
    const { verify } = verifierWith({}, { retryMs: 0 });
    await verify('a');
    answer({}, 500);
    await expect(verify('b')).rejects.toMatchObject(refused);
    expect(await verify('a')).toMatchObject({ name: 'ada' });
    answer({ active: true, sub: 'bob' });
    expect(await verify('b')).toMatchObject({ name: 'bob' });
  });

  it('gets no more than so many requests at a time', async () => {
    const held: ServerResponse[] = [];
    respond = (_token, response) => held.push(response);
    const { verify } = verifierWith({}, { maxPending: 2 });
    const waiting = [verify('a'), verify('b')];
    await expect(verify('c')).rejects.toMatchObject(refused);
    while (held.length < 2) await sleep(1);
    for (const response of held) json(response, { active: false });
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    answer({ active: true, sub: 'ada' });
    expect(await verify('c')).toMatchObject({ name: 'ada' });
  });
});
