// Security schemes that only a verifier can check: other HTTP schemes and client certificates.
import { describe, expect, it } from '@jest/globals';
import { mocked } from '@stubwright/mock/mocked';
import type { Verifier } from '../src/index.ts';
import { Problem } from '../src/index.ts';
import { type EngineOptions, mockWarnings } from '../src/internals.ts';
import { loadedContract } from './support/contract.ts';
import { respond } from './support/engine.ts';

const operation = (name: string) =>
  `/${name}: {get: {operationId: ${name}, security: [{${name}: []}], responses: {'204': {description: ok}}}}`;
const { definition } = loadedContract(`
components:
  securitySchemes:
    digest: {type: http, scheme: Digest}
    hoba: {type: http, scheme: HOBA}
    mtls: {type: mutualTLS}
    bearer: {type: http, scheme: bearer}
paths:
  ${['digest', 'hoba', 'mtls', 'bearer'].map(operation).join('\n  ')}
`);

interface Call {
  readonly authorization?: string;
  readonly verify?: Verifier;
  readonly isMocked?: boolean;
  readonly native?: unknown;
}

const nobody: Verifier = () => undefined;

async function request(name: string, { authorization, verify = nobody, ...rest }: Call = {}) {
  const { isMocked = false, native } = rest;
  const names = definition.operations.map(({ operationId }) => operationId);
  const each = isMocked ? mocked : () => ({ status: 204 });
  const options: EngineOptions<never> = {
    definition,
    handlers: Object.fromEntries(names.map((id) => [id, each])),
    verifiers: Object.fromEntries(names.map((id) => [id, verify])),
    realm: 'toys',
  };
  const head = { url: `/${name}`, headers: { ...(authorization && { authorization }) } };
  const { status, headers } = await respond(options, head, native);
  return { status, challenge: headers['WWW-Authenticate'] };
}

describe('a verifier', () => {
  it.each([
    ['digest', 'Digest username="a", response="b"', 'username="a", response="b"'],
    ['digest', 'dIGEST x', 'x'],
    ['hoba', 'HOBA result="c"', 'result="c"'],
    ['digest', 'Bearer x', ''],
    ['digest', undefined, ''],
    ['mtls', 'Bearer x', ''],
    ['mtls', undefined, ''],
  ])('of %s gets the parameters of %j: %j', async (name, authorization, credentials) => {
    const got: string[] = [];
    const verify: Verifier = (each) => {
      got.push(each);
      return { name: 'alice' };
    };
    expect(await request(name, { ...(authorization && { authorization }), verify })).toMatchObject({
      status: 204,
    });
    expect(got).toEqual([credentials]);
  });

  it('reads the client certificate of the connection', async () => {
    const verify: Verifier = (_, { native }) => {
      const { subject } = native as { subject: string };
      return subject === 'CN=alice' ? { name: subject } : undefined;
    };
    const statusOf = async (subject: string) =>
      (await request('mtls', { verify, native: { subject } })).status;
    expect([await statusOf('CN=alice'), await statusOf('CN=bob')]).toEqual([204, 401]);
  });

  it('may send a challenge of its own', async () => {
    const verify = () => {
      throw new Problem(401, 'x', { headers: { 'WWW-Authenticate': 'Digest nonce="own"' } });
    };
    expect(await request('digest', { verify })).toEqual({
      status: 401,
      challenge: 'Digest nonce="own"',
    });
  });
});

describe('without a principal', () => {
  it.each([
    ['digest', /^Digest realm="toys", qop="auth", algorithm=SHA-256, nonce="[0-9a-f]{32}"$/],
    ['hoba', /^HOBA realm="toys"$/],
    ['mtls', /^MutualTLS realm="toys"$/],
  ])('%s responds with 401', async (name, challenge) => {
    for (const authorization of ['', 'Bearer x', 'Digest', 'HOBA x']) {
      const response = await request(name, { authorization });
      expect(response).toEqual({ status: 401, challenge: expect.stringMatching(challenge) });
    }
  });
});

describe('a mock', () => {
  it.each([
    ['digest', 'Digest x', 204],
    ['digest', 'Bearer x', 401],
    ['digest', undefined, 401],
    ['hoba', undefined, 401],
    ['hoba', 'HOBA x', 204],
    ['mtls', undefined, 204],
  ])('of %s with %j responds with %i', async (name, authorization, status) => {
    const call = { isMocked: true, ...(authorization && { authorization }) };
    expect((await request(name, call)).status).toBe(status);
  });

  it('reports the schemes that it does not check', () => {
    const warnings = ['mocks do not check the security scheme mtls (mutualTLS)'];
    expect(mockWarnings(definition, () => true)).toEqual(warnings);
    expect(mockWarnings(definition, ({ operationId }) => operationId !== 'mtls')).toEqual([]);
  });
});
