import { hash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestService, TOKEN } from '@stubwright/test-support/service';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { keyTimes } from '../../src/operations/auth/jwks.ts';
import { JwtVerifier } from '../../src/operations/auth/jwt.ts';
import type { ServiceEmitter } from '../../src/operations/events.ts';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'https://toys.example';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
type Header = { alg: string; typ?: string; kid?: string };

let rsa: Keys;
let ec: Keys;
/** Response of the issuer, and its number of requests. */
let published: { status: number; body: string; isHung: boolean };
let asked: number;
let failures: unknown[];
let refusals: string[];
let url: URL;
let tests = 0;
const server = createServer((request, response) => {
  // A fetch beside the requests may outlast its test.
  if (request.url === url.pathname) asked++;
  if (!published.isHung) response.writeHead(published.status).end(published.body);
});

beforeAll(async () => {
  rsa = await generateKeyPair('RS256', { extractable: true });
  ec = await generateKeyPair('ES256', { extractable: true });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`);
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(async () => {
  asked = 0;
  url = new URL(`/jwks/${++tests}`, url);
  failures = [];
  refusals = [];
  await publish({ rsa, ec });
});

async function publish(keys: Record<string, Keys>): Promise<void> {
  const entries = Object.entries(keys).map(async ([kid, { publicKey }]) => ({
    ...(await exportJWK(publicKey)),
    kid,
  }));
  const body = JSON.stringify({ keys: await Promise.all(entries) });
  published = { status: 200, body, isHung: false };
}

function verifierWith(times: Partial<typeof keyTimes> = {}): JwtVerifier {
  const events: ServiceEmitter = new EventEmitter();
  events.on('jwksFetchFailed', ({ error }) => failures.push(error));
  events.on('tokenRejected', ({ code }) => refusals.push(code));
  const settings = { jwksUrl: url, issuer: ISSUER, audience: AUDIENCE };
  return new JwtVerifier(settings, events, { ...keyTimes, ...times });
}

const now = () => Math.floor(Date.now() / 1000);

/** @returns a good access token but for what is given */
function token(claims: JWTPayload = {}, header: Partial<Header> = {}, key?: Keys['privateKey']) {
  const whole = { alg: 'RS256', typ: 'at+jwt', kid: 'rsa', ...header };
  return new SignJWT({
    ...{ iss: ISSUER, aud: AUDIENCE, sub: 'player', client_id: 'app', jti: '1' },
    ...{ iat: now(), exp: now() + 60 },
    ...claims,
  })
    .setProtectedHeader(whole)
    .sign(key ?? (whole.kid === 'ec' ? ec : rsa).privateKey);
}

function unsigned(header: Header): Promise<string> {
  const parts = [header, { iss: ISSUER, aud: AUDIENCE, sub: 'x', exp: now() + 60 }];
  return Promise.resolve(
    `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`,
  );
}

async function signedWithThePublicKey(): Promise<string> {
  const secret = Buffer.from(await exportSPKI(rsa.publicKey));
  return new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'x', exp: now() + 60 })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'rsa' })
    .sign(secret);
}

async function tampered(): Promise<string> {
  const [header, , signature] = (await token()).split('.');
  const [, payload] = (await token({ sub: 'somebody else' })).split('.');
  return `${header}.${payload}.${signature}`;
}

describe('an algorithm', () => {
  it.each([
    ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
    ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  ])('%s signs tokens', async (alg) => {
    const own = await generateKeyPair(alg, { extractable: true });
    await publish({ own });
    const signed = await token({}, { alg, kid: 'own' }, own.privateKey);
    expect(await verifierWith().verify(signed)).toMatchObject({ name: 'player' });
  });
});

describe('a JWT access token', () => {
  it.each<[string, () => Promise<string>]>([
    ['signed with RSA', () => token()],
    ['signed with an elliptic curve', () => token({}, { alg: 'ES256', kid: 'ec' })],
    ['of the type in full', () => token({}, { typ: 'application/at+jwt' })],
    ['of the type in capitals', () => token({}, { typ: 'AT+JWT' })],
    ['for several audiences', () => token({ aud: ['https://other.example', AUDIENCE] })],
    ['that expired within the clock skew', () => token({ exp: now() - 20 })],
    ['that begins within the clock skew', () => token({ nbf: now() + 20 })],
  ])('is accepted: %s', async (_, make) => {
    expect(await verifierWith().verify(await make())).toEqual({
      name: 'player',
      issuer: ISSUER,
      scopes: [],
    });
  });

  it('refuses a token whose key in the JWKS is malformed', async () => {
    for (const key of [{ n: '!', e: '' }, { n: 'AQAB' }, { kty: 'RSA', x5c: 1 }, { e: 5, n: 7 }]) {
      const keys = [{ kty: 'RSA', kid: 'rsa', alg: 'RS256', ...key }];
      published = { status: 200, body: JSON.stringify({ keys }), isHung: false };
      expect(await verifierWith().verify(await token())).toBeUndefined();
    }
    expect(refusals).toHaveLength(4);
  });

  it('provides its scopes', async () => {
    const principal = await verifierWith().verify(await token({ scope: 'toys:read  toys:write' }));
    expect(principal).toEqual({
      name: 'player',
      issuer: ISSUER,
      scopes: ['toys:read', 'toys:write'],
    });
  });

  it.each<[string, string, () => Promise<string>]>([
    ['no JWT', 'ERR_JWS_INVALID', async () => 'opaque'],
    [
      'without a signature',
      'ERR_JOSE_ALG_NOT_ALLOWED',
      () => unsigned({ alg: 'none', typ: 'at+jwt' }),
    ],
    ['an HMAC over the public key', 'ERR_JOSE_ALG_NOT_ALLOWED', signedWithThePublicKey],
    [
      'an algorithm that its key is not for',
      'ERR_JWKS_NO_MATCHING_KEY',
      () => token({}, { alg: 'ES256', kid: 'rsa' }, ec.privateKey),
    ],
    [
      'signed with another key',
      'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
      async () => token({}, {}, (await generateKeyPair('RS256')).privateKey),
    ],
    ['with claims exchanged', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED', tampered],
    ['an ID token', 'ERR_JWT_CLAIM_VALIDATION_FAILED', () => token({}, { typ: 'JWT' })],
    ['of another issuer', 'ERR_JWT_CLAIM_VALIDATION_FAILED', () => token({ iss: `${ISSUER}/` })],
    ['for another audience', 'ERR_JWT_CLAIM_VALIDATION_FAILED', () => token({ aud: 'other' })],
    [
      'without a subject',
      'ERR_JWT_CLAIM_VALIDATION_FAILED',
      () => token({ sub: undefined as never }),
    ],
    ...[1, null, true, {}, ['player']].map((sub): [string, string, () => Promise<string>] => [
      `for the subject ${JSON.stringify(sub)}`,
      'ERR_JWT_CLAIM_VALIDATION_FAILED',
      () => token({ sub: sub as never }),
    ]),
    ['without an end', 'ERR_JWT_CLAIM_VALIDATION_FAILED', () => token({ exp: undefined as never })],
    ['that expired', 'ERR_JWT_EXPIRED', () => token({ exp: now() - 40 })],
    ['that is not valid yet', 'ERR_JWT_CLAIM_VALIDATION_FAILED', () => token({ nbf: now() + 40 })],
  ])('is refused: %s', async (_, code, make) => {
    expect(await verifierWith().verify(await make())).toBeUndefined();
    expect(refusals).toEqual([code]);
  });
});

describe("the issuer's keys", () => {
  const UNAVAILABLE = { name: 'Problem', number: 50300, headers: { 'Retry-After': '1' } };

  it('are fetched once for many tokens', async () => {
    const verifier = verifierWith();
    const many = await Promise.all(Array.from({ length: 20 }, () => token()));
    await Promise.all(many.map(verifier.verify));
    expect(asked).toBe(1);
  });

  it('are fetched again for a key that they lack', async () => {
    const verifier = verifierWith({ cooldownMs: 0 });
    await verifier.verify(await token());
    const fresh = await generateKeyPair('RS256');
    await publish({ rsa, fresh });
    const principal = await verifier.verify(await token({}, { kid: 'fresh' }, fresh.privateKey));
    expect(principal?.name).toBe('player');
  });

  it('are not fetched again for each forged key id', async () => {
    const verifier = verifierWith();
    await verifier.verify(await token());
    for (const kid of ['a', 'b', 'c']) {
      expect(await verifier.verify(await token({}, { kid }))).toBeUndefined();
    }
    expect(asked).toBe(1);
  });

  it('remain in use when they are old and the issuer is unreachable', async () => {
    const verifier = verifierWith({ staleMs: 0, retryMs: 0 });
    await verifier.verify(await token());
    published.status = 500;
    expect((await verifier.verify(await token()))?.name).toBe('player');
    while (failures.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await verifier.verify(await token()))?.name).toBe('player');
  });

  it('lose the one that the issuer withdrew', async () => {
    const verifier = verifierWith({ staleMs: 0 });
    await verifier.verify(await token());
    await publish({ ec });
    const stale = await token();
    while ((await verifier.verify(stale)) !== undefined);
    expect(refusals).toEqual(['ERR_JWKS_NO_MATCHING_KEY']);
  });

  it.each<[string, () => void]>([
    ['answers with an error', () => Object.assign(published, { status: 500 })],
    ['answers with something else', () => Object.assign(published, { body: '<html>' })],
    ['answers with no key set', () => Object.assign(published, { body: '{"keys":1}' })],
    ['hangs', () => Object.assign(published, { isHung: true })],
  ])(
    'make an unknown key 503 while the issuer %s, and it is asked once in a while',
    async (_, harm) => {
      const verifier = verifierWith({ cooldownMs: 0, timeoutMs: 1_000 });
      await verifier.verify(await token());
      harm();
      const unknown = await token({}, { kid: 'unknown' });
      await expect(verifier.verify(unknown)).rejects.toMatchObject(UNAVAILABLE);
      await expect(verifier.verify(unknown)).rejects.toMatchObject(UNAVAILABLE);
      expect([asked, failures.length]).toEqual([2, 1]);
      expect((await verifier.verify(await token()))?.name).toBe('player');
    },
  );

  it('are ready once fetched, and the readiness check fetches them', async () => {
    const verifier = verifierWith({ retryMs: 0 });
    published.status = 500;
    expect(verifier.isReady()).toBe(false);
    while (failures.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    published.status = 200;
    while (!verifier.isReady()) await new Promise((resolve) => setTimeout(resolve, 5));
    published.status = 500;
    expect(verifier.isReady()).toBe(true);
  });
});

describe('a JWT whose sub is the name of a static token', () => {
  it('does not share the rate limit of that token', async () => {
    const service = await startTestService({
      RATE_LIMIT: '1/24h',
      JWKS_URL: url.href,
      JWT_ISSUER: ISSUER,
      JWT_AUDIENCE: AUDIENCE,
    });
    try {
      const toy = { id: 1, name: 'x' };
      const name = `static token ${hash('sha256', TOKEN).slice(0, 16)}`;
      const jwt = await token({ sub: name });
      const asJwt = () => service.create(toy, { headers: { Authorization: `Bearer ${jwt}` } });
      expect([(await asJwt()).status, (await asJwt()).status]).toEqual([200, 429]);
      expect((await service.create(toy)).status).toBe(200);
    } finally {
      await service.remove();
    }
  });
});
