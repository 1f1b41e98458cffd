// What a verifier may return or throw: only a principal lets a request in.
import { describe, expect, it } from '@jest/globals';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { Problem, type Verifier } from '../src/index.ts';
import { loadedContract } from './support/contract.ts';
import { respond } from './support/engine.ts';

const HEADERS = { authorization: 'Bearer t', 'x-key': 'k', cookie: 'sid=s' };

/** The schemes and scopes of an operation without a body. */
const SECURED = {
  bearer: [{ oauth: [] }],
  scoped: [{ oauth: ['read'] }],
  optional: [{ oauth: [] }, { key: [] }],
  both: [{ oauth: [], sid: [] }],
};

const responses = { 204: { description: 'ok' } };
const { definition } = loadedContract({
  components: {
    securitySchemes: {
      oauth: { type: 'oauth2', flows: {} },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      sid: { type: 'apiKey', in: 'cookie', name: 'sid' },
    },
  },
  paths: Object.fromEntries(
    Object.entries(SECURED).map(([operationId, security]) => [
      `/${operationId}`,
      { get: { operationId, security, responses } },
    ]),
  ),
});

/** Untyped, as in an application written in JavaScript. */
type AnyVerifier = () => unknown;

function request(operationId: string, verify: AnyVerifier) {
  const verifier = verify as Verifier;
  const handlers = Object.keys(SECURED).map((id) => [id, () => ({ status: 204 })] as const);
  const verifiers = { oauth: verifier, key: verifier, sid: verifier };
  const options = { definition, handlers: Object.fromEntries(handlers), verifiers };
  return respond(options, { url: `/${operationId}`, headers: HEADERS });
}

const NO_PRINCIPALS: readonly [string, () => unknown][] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['false', () => false],
  ['true', () => true],
  ['0', () => 0],
  ['1', () => 1],
  ['an empty string', () => ''],
  ['a string', () => 'alice'],
  ['a bigint', () => 1n],
  ['a symbol', () => Symbol('alice')],
  ['an object without a name', () => ({ active: false })],
  ['a name that is no string', () => ({ name: 7 })],
  ['a String object as name', () => ({ name: new String('alice') })],
  ['an array', () => ['alice']],
  ['a function, which has a name', () => function alice() {}],
  ['an error, which has a name', () => new TypeError('expired')],
];

type Returning = (value: () => unknown) => () => unknown;
const thenable: Returning = (value) => () => ({
  then: (resolve: (value: unknown) => void) => resolve(value()),
});

describe.each<[string, Returning]>([
  ['at once', (value) => value],
  ['later', (value) => async () => value()],
  ['by a thenable', thenable],
])('a verifier that returns %s', (_, returning) => {
  it.each(NO_PRINCIPALS)('%s responds with 401', async (_, value) => {
    for (const operationId of Object.keys(SECURED)) {
      const response = await request(operationId, returning(value));
      expect([operationId, response.status]).toEqual([operationId, 401]);
      expect(response.headers['WWW-Authenticate']).toContain('realm="Toys"');
    }
  });

  it('a principal calls the handler', async () => {
    const principal = () => ({ name: '', scopes: ['read'] });
    for (const operationId of Object.keys(SECURED)) {
      expect((await request(operationId, returning(principal))).status).toBe(204);
    }
  });

  it.each([['read'], ['readonly'], [{ read: true }], [null]])(
    'the scopes %j does not grant a scope',
    async (scopes) => {
      const principal = { name: 'alice', scopes };
      const response = await request(
        'scoped',
        returning(() => principal),
      );
      expect([response.status, response.cause]).toEqual([500, expect.any(TypeError)]);
      const unscoped = await request(
        'bearer',
        returning(() => principal),
      );
      expect(unscoped.status).toBe(204);
    },
  );
});

describe('a verifier that throws', () => {
  const failure = new Error('the database is down');
  const fail = () => {
    throw failure;
  };
  const failingGetter = (name: string, more: object = {}) =>
    Object.defineProperty(more, name, { get: fail, enumerable: true });
  it.each<[string, () => unknown]>([
    ['at once', fail],
    ['later', () => Promise.reject(failure)],
    ['in a getter of the principal', () => failingGetter('name')],
    ['in a getter of the scopes', () => failingGetter('scopes', { name: 'alice' })],
    ['in the getter of then', () => failingGetter('then')],
    ['in then', () => ({ then: fail })],
  ])('%s responds with 500 and the cause', async (_, verify) => {
    const response = await request('scoped', verify);
    expect([response.status, response.cause]).toEqual([500, failure]);
  });

  it('a Problem responds with it', async () => {
    const response = await request('bearer', () => {
      throw new Problem(503, 'the issuer cannot be reached');
    });
    expect(response.status).toBe(503);
  });
});

describe('any value that a verifier returns', () => {
  it('calls the handler only if it is an object with a string name', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.anything(), fc.record({ name: fc.anything() }, { requiredKeys: [] })),
        async (value) => {
          const isPrincipal =
            typeof value === 'object' && value !== null && 'name' in value
              ? typeof value.name === 'string'
              : false;
          const { status } = await request('bearer', () => value);
          expect(status).toBe(isPrincipal ? 204 : 401);
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
