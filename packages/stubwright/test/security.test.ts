// Security requirements: AND inside a requirement, OR across, with scopes and unavailable verifiers.
import { describe, expect, it } from '@jest/globals';
import { Contract, unavailable } from '@stubwright/contract';
import { mocked } from '@stubwright/mock/mocked';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { createEngine, type EngineOptions, type Principal } from '../src/internals.ts';
import { respond } from './support/engine.ts';

type Requirements = readonly Readonly<Record<string, readonly string[]>>[];
/** What the caller sends for a scheme, and what its verifier makes of it. */
type Sent = 'absent' | 'invalid' | 'unavailable' | readonly string[];
type SentBySchemes = Readonly<Record<string, Sent>>;

const SCHEMES = ['bearer', 'key', 'sid', 'authorized', '__proto__', 'x-extension-like'];

interface Result {
  readonly status: number;
  readonly challenge: string | undefined;
  readonly principal: Principal | undefined;
  readonly principals: Readonly<Record<string, Principal>>;
  /** How often each verifier was called. */
  readonly calls: Readonly<Record<string, number>>;
}

/** @returns the contract of one operation; the schemes are API keys in headers, but `bearer` */
function definitionOf(security: Requirements, names: readonly string[]): Contract {
  const securitySchemes = names.map((name) => [
    name,
    name === 'bearer'
      ? { type: 'oauth2', flows: {} }
      : { type: 'apiKey', in: 'header', name: `x-${name}` },
  ]);
  const responses = { 204: { description: 'ok' } };
  return new Contract({
    openapi: '3.1.0',
    components: { securitySchemes: Object.fromEntries(securitySchemes) },
    paths: { '/': { get: { operationId: 'get', security, responses } } },
  });
}

async function request(
  security: Requirements,
  sent: SentBySchemes,
  { isAsync = false, isMocked = false, authorization = 'Bearer t' } = {},
): Promise<Result> {
  const calls: Record<string, number> = {};
  const verifiers = SCHEMES.map((name) => {
    const verify = () => {
      calls[name] = (calls[name] ?? 0) + 1;
      const own = Object.hasOwn(sent, name) ? sent[name]! : 'absent';
      if (own === 'unavailable') throw unavailable('the issuer cannot be reached', 1);
      return own === 'invalid' ? undefined : { name, scopes: own as readonly string[] };
    };
    return [name, isAsync ? async () => verify() : verify];
  });
  let got: Result | undefined;
  const handler = ({ principal, principals }: Result) => {
    got = { principal, principals } as Result;
    return { status: 204 };
  };
  const options: EngineOptions<never> = {
    definition: definitionOf(security, SCHEMES),
    handlers: { get: isMocked ? mocked : handler },
    verifiers: Object.fromEntries(verifiers),
    realm: 'toys',
  };
  const headers = Object.entries(sent).flatMap(([name, own]) => {
    if (own === 'absent') return [];
    return [name === 'bearer' ? ['authorization', authorization] : [`x-${name}`, 't']];
  });
  const answer = await respond(options, { headers: Object.fromEntries(headers) });
  return {
    status: answer.status,
    challenge: answer.headers['WWW-Authenticate'],
    principal: got?.principal,
    principals: { ...got?.principals },
    calls,
  };
}

const READ = ['read'];
const ADMIN = ['admin'];

describe('one verifier for two security schemes', () => {
  const started = (security: Requirements, isShared = true) => {
    const names = [...new Set(security.flatMap(Object.keys))];
    const verify = () => ({ name: 'a' });
    const verifiers = names.map((name) => [name, isShared ? verify : () => verify()]);
    return createEngine({
      definition: definitionOf(security, names),
      handlers: { get: () => ({ status: 204 }) },
      verifiers: Object.fromEntries(verifiers),
    });
  };

  it.each<Requirements>([
    [{ a: READ }, { b: [] }],
    [{ b: [] }, { a: READ }],
    [{ a: READ }, { b: ADMIN }],
    [{ a: ['read', 'admin'] }, { b: READ }],
    [{ a: READ, c: [] }, { b: [] }],
    [{}, { a: READ }, { b: [] }],
  ])('is an error if one needs more scopes: %j', async (...security) => {
    await expect(started(security)).rejects.toThrow('have one verifier');
    await started(security, false);
  });

  it.each<Requirements>([
    [{ a: [] }, { b: [] }],
    [{ a: READ }, { b: READ }],
    [{ a: READ, b: [] }],
    [{ a: READ }, { a: ADMIN }],
  ])('is allowed otherwise: %j', async (...security) => {
    await started(security);
  });
});

describe('security requirements', () => {
  it('calls the verifier of a scheme once, however many requirements name it', async () => {
    const security = [{ bearer: READ, key: [] }, { bearer: ADMIN }, { bearer: [] }];
    expect((await request(security, { bearer: [], key: [] })).calls).toEqual({ bearer: 1, key: 1 });
  });

  it('calls no verifier with credentials of a wrong form', async () => {
    const { status, calls } = await request(
      [{ bearer: [] }],
      { bearer: [] },
      { authorization: 'Bearer two words' },
    );
    expect([status, calls]).toEqual([401, {}]);
  });

  it.each<[string, Requirements, SentBySchemes, string]>([
    [
      'the scopes that the nearest requirement lacks',
      [{ bearer: READ, key: [] }, { bearer: ['admin', 'write'] }],
      { bearer: READ },
      'Bearer realm="toys", error="insufficient_scope", scope="admin write"',
    ],
    [
      'an error for the invalid scheme only',
      [{ bearer: [], key: [] }],
      { bearer: [], key: 'invalid' },
      'Bearer realm="toys", ApiKey realm="toys", name="x-key", in="header"',
    ],
    [
      'every scheme once',
      [{ bearer: [] }, { bearer: [], key: [] }],
      { bearer: 'invalid' },
      'Bearer realm="toys", error="invalid_token", ApiKey realm="toys", name="x-key", in="header"',
    ],
  ])('challenges with %s', async (_, security, sent, challenge) => {
    expect((await request(security, sent)).challenge).toBe(challenge);
  });

  it.each<[Requirements, SentBySchemes, number]>([
    [[{ bearer: READ, key: [] }], { bearer: [], key: [] }, 204],
    [[{ bearer: READ, key: [] }], { bearer: [] }, 401],
    [[{ bearer: READ, key: [] }, { sid: [] }], { sid: [] }, 204],
    [[{ undeclared: [] }], {}, 204],
  ])('before a mock %j checks presence only: %j returns %i', async (security, sent, status) => {
    const result = await request(security, sent, { isMocked: true });
    expect([result.status, result.calls]).toEqual([status, {}]);
  });
});

describe('security requirements and a naive oracle', () => {
  // Few, so that a request has credentials for most of its requirements.
  const name = fc.constantFrom('bearer', 'key', 'authorized', '__proto__');
  const scopes = fc.subarray(['read', 'write', 'admin']);
  const requirements = fc.array(fc.dictionary(name, scopes, { maxKeys: 3 }), { maxLength: 4 });
  const sent = fc.dictionary(
    name,
    fc.oneof(fc.constantFrom<Sent>('absent', 'invalid', 'unavailable'), scopes),
  );

  const sentFor = (all: SentBySchemes, scheme: string): Sent =>
    Object.hasOwn(all, scheme) ? all[scheme]! : 'absent';

  function isMet(requirement: Requirements[number], all: SentBySchemes): boolean {
    return Object.entries(requirement).every(([scheme, required]) => {
      const own = sentFor(all, scheme);
      return typeof own !== 'string' && required.every((each) => own.includes(each));
    });
  }

  /** Replaces the outcome of some schemes, to ask what would happen then. */
  function assuming(all: SentBySchemes, replace: (own: Sent) => Sent): SentBySchemes {
    return Object.fromEntries(SCHEMES.map((each) => [each, replace(sentFor(all, each))]));
  }

  function expectedStatus(security: Requirements, all: SentBySchemes): number {
    const isPassed = (sent: SentBySchemes) =>
      security.length === 0 || security.some((each) => isMet(each, sent));
    const everyScope = ['read', 'write', 'admin'];
    if (isPassed(all)) return 204;
    if (isPassed(assuming(all, (own) => (own === 'unavailable' ? everyScope : own)))) return 503;
    const isForeseen = (own: Sent) => own === 'unavailable' || typeof own !== 'string';
    return isPassed(assuming(all, (own) => (isForeseen(own) ? everyScope : own))) ? 403 : 401;
  }

  it('agree on the status and on the principals', async () => {
    await fc.assert(
      fc.asyncProperty(requirements, sent, fc.boolean(), async (security, all, isAsync) => {
        const { status, principal, principals } = await request(security, all, { isAsync });
        expect(status).toBe(expectedStatus(security, all));
        const passed = security.find((each) => isMet(each, all) && Object.keys(each).length > 0);
        expect(Object.keys(principals).sort()).toEqual(Object.keys(passed ?? {}).sort());
        expect(principal?.name).toBe(passed && Object.keys(passed)[0]);
      }),
      { numRuns: runs(3000) },
    );
  });
});
