// The settings of a service: the default, the bounds and the error of each environment variable.
import { describe, expect, it } from '@jest/globals';
import { ConfigError, isLoopback, readSettings, type Settings } from '../src/settings.ts';

type Read = (settings: Settings) => unknown;

function errorOf(env: Record<string, string>): string {
  try {
    readSettings(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as ConfigError;
    expect(message).not.toContain('\n');
    return message;
  }
  return 'none';
}

it('are these by default', () => {
  expect(readSettings({})).toEqual({
    ...{ host: '127.0.0.1', port: 3000, admin: undefined, baseUrl: undefined },
    ...{ apiTokens: [], apiTokensFile: undefined, jwt: undefined },
    ...{ contract: 'generated/contract.json', contractFolders: [], mock: 'off', docs: 'on' },
    ...{ bodyLimitBytes: 1_048_576, bodyMemoryBytes: 67_108_864, cors: undefined },
    ...{ rateLimit: undefined, authFailureLimit: undefined },
    ...{ connectionLimit: 10_000, connectionLimitPerAddress: undefined },
    shedding: { queueLength: 512, lagMs: 500 },
    ...{ handlerTimeoutSeconds: 60, eventKeepAliveSeconds: 15, shutdownGraceSeconds: 0 },
    sunset: { refuses: false },
    ...{ record: undefined, logLevel: 'info', isProduction: false },
  });
});

describe('an integer', () => {
  it.each<[string, number, number, Read, Record<string, string>?]>([
    ['PORT', 0, 65_535, ({ port }) => port],
    ['ADMIN_PORT', 0, 65_535, ({ admin }) => admin?.port],
    ['BODY_LIMIT', 1, 268_435_456, ({ bodyLimitBytes }) => bodyLimitBytes],
    ['BODY_MEMORY', 2_097_152, 68_719_476_736, ({ bodyMemoryBytes }) => bodyMemoryBytes],
    ['BODY_MEMORY', 2000, 68_719_476_736, (all) => all.bodyMemoryBytes, { BODY_LIMIT: '1000' }],
    ['CONNECTION_LIMIT', 1, 1_000_000, ({ connectionLimit }) => connectionLimit],
    ['CONNECTION_LIMIT_PER_ADDRESS', 1, 1_000_000, (all) => all.connectionLimitPerAddress],
    ['QUEUE_LIMIT', 1, 1_000_000, ({ shedding }) => shedding.queueLength],
    ['LAG_LIMIT', 10, 60_000, ({ shedding }) => shedding.lagMs],
    ['HANDLER_TIMEOUT', 0, 3600, ({ handlerTimeoutSeconds }) => handlerTimeoutSeconds],
    ['EVENT_KEEP_ALIVE', 0, 3600, ({ eventKeepAliveSeconds }) => eventKeepAliveSeconds],
    ['SHUTDOWN_GRACE', 0, 3600, ({ shutdownGraceSeconds }) => shutdownGraceSeconds],
  ])('%s is from %d to %d', (name, min, max, read, env = {}) => {
    for (const value of [min, max]) {
      expect(read(readSettings({ ...env, [name]: String(value) }))).toBe(value);
    }
    expect(read(readSettings({ ...env, [name]: '' }))).toEqual(read(readSettings(env)));
    for (const text of [String(max + 1), ...(min > 0 ? [String(min - 1)] : []), '-1', '1.5', 'x']) {
      const expected = `${name}: got "${text}", expected an integer from ${min} to ${max}`;
      expect(errorOf({ ...env, [name]: text })).toBe(expected);
    }
  });

  it('BODY_MEMORY is at least two bodies by default', () => {
    const { bodyMemoryBytes } = readSettings({ BODY_LIMIT: '268435456' });
    expect(bodyMemoryBytes).toBe(536_870_912);
  });
});

describe('a choice', () => {
  it.each<[string, readonly string[], Read]>([
    ['MOCK', ['off', 'missing', 'all'], ({ mock }) => mock],
    ['DOCS', ['on', 'off'], ({ docs }) => docs],
    [
      'LOG_LEVEL',
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      ({ logLevel }) => logLevel,
    ],
  ])('%s is one of %j', (name, choices, read) => {
    for (const choice of choices) expect(read(readSettings({ [name]: choice }))).toBe(choice);
    const expected = `${name}: got "other", expected one of ${choices.join(', ')}`;
    expect(errorOf({ [name]: 'other' })).toBe(expected);
  });

  it('SUNSET serves or refuses', () => {
    const of = (SUNSET: string) => readSettings({ SUNSET }).sunset;
    expect(of('serve')).toEqual({ refuses: false });
    expect(of('refuse')).toEqual({ refuses: true });
    expect(errorOf({ SUNSET: 'brownout' })).toMatch(/expected one of serve, refuse$/);
  });

  it('CORS_CREDENTIALS is on or off, with CORS_ORIGINS', () => {
    const of = (CORS_CREDENTIALS: string) =>
      readSettings({ CORS_ORIGINS: 'https://a.b, https://c.d', CORS_CREDENTIALS }).cors;
    const origins = ['https://a.b', 'https://c.d'];
    expect(of('on')).toEqual({ origins, credentials: true });
    expect(of('off')).toEqual({ origins, credentials: false });
    expect(of('')).toEqual({ origins, credentials: undefined });
    expect(errorOf({ CORS_CREDENTIALS: 'on' })).toBe(
      'CORS_CREDENTIALS: got on, expected CORS_ORIGINS too',
    );
    expect(errorOf({ CORS_ORIGINS: 'https://a.b/path' })).toMatch(/^CORS_ORIGINS: /);
  });

  it('RECORD has the options of the recorder', () => {
    const env = { RECORD: 'a', RECORD_CALLER: 'x-c', RECORD_HASH_KEY: 'k' };
    expect(readSettings(env).record).toEqual({
      ...{ file: 'a', callerHeader: 'x-c', hashKey: 'k' },
    });
    expect(readSettings({ RECORD_CALLER: 'x-c' }).record).toBeUndefined();
  });
});

describe('a number of requests', () => {
  it.each<[string, number, number]>([
    ['100/1s', 100, 1],
    ['6000/2m', 6000, 120],
    ['1/24h', 1, 86_400],
    ['1/1d', 1, 86_400],
    ['1/596h', 1, 2_145_600],
  ])('is %s', (text, requests, windowSeconds) => {
    const { rateLimit, authFailureLimit } = readSettings({
      ...{ RATE_LIMIT: text, AUTH_FAILURE_LIMIT: text },
    });
    expect([rateLimit, authFailureLimit]).toEqual([
      { requests, windowSeconds },
      { requests, windowSeconds },
    ]);
  });

  it.each(['0/1s', '1/0s', '1/597h', '1', '1/s', '1/25d', 'x', '1/1s1'])('is not %s', (text) => {
    for (const name of ['RATE_LIMIT', 'AUTH_FAILURE_LIMIT']) {
      expect(errorOf({ [name]: text })).toBe(
        `${name}: got "${text}", expected requests per time, like 100/1s, 6000/1m or 100000/24h, at most 596h`,
      );
    }
  });
});

describe('a text', () => {
  it.each<[string, string, Read, unknown]>([
    ['HOST', '::', ({ host }) => host, '::'],
    ['API_TOKENS_FILE', 'a', ({ apiTokensFile }) => apiTokensFile, 'a'],
    ['CONTRACT', 'a.yaml', ({ contract }) => contract, 'a.yaml'],
    ['CONTRACT_FOLDERS', 'a,,b', ({ contractFolders }) => contractFolders, ['a', 'b']],
    ['NODE_ENV', 'production', ({ isProduction }) => isProduction, true],
    ['NODE_ENV', 'test', ({ isProduction }) => isProduction, false],
    ['BASE_URL', 'https://a.b/v1', ({ baseUrl }) => baseUrl?.href, 'https://a.b/v1'],
    ['BASE_URL', 'http://a.b', ({ baseUrl }) => baseUrl?.href, 'http://a.b/'],
    ['ADMIN_PORT', '1', ({ admin }) => admin, { host: '127.0.0.1', port: 1 }],
  ])('%s is %s', (name, text, read, expected) => {
    expect(read(readSettings({ [name]: text }))).toEqual(expected);
  });

  it('CURSOR_SECRET is one secret or several, and never in a message', () => {
    const [one, other] = ['a'.repeat(32), 'b'.repeat(32)] as const;
    expect(readSettings({ CURSOR_SECRET: one }).cursorSecrets).toEqual([one]);
    const rotated = readSettings({ CURSOR_SECRET: `${one}, ${other}` });
    expect(rotated.cursorSecrets).toEqual([one, other]);
    for (const bad of ['b'.repeat(31), '']) {
      expect(errorOf({ CURSOR_SECRET: `${one},${bad}` })).toBe(
        'CURSOR_SECRET: got "a bad entry 2", expected at least 32 characters in each, separated by commas',
      );
    }
  });

  it('ADMIN_HOST needs ADMIN_PORT', () => {
    expect(readSettings({ ADMIN_HOST: '::' }).admin).toBeUndefined();
    expect(readSettings({ ADMIN_HOST: '::', ADMIN_PORT: '1' }).admin?.host).toBe('::');
  });

  it.each([
    ['ftp://a.b', 'ftp://a.b'],
    ['https://u@a.b', 'https://***@a.b'],
    ['https://:p@a.b', 'https://***@a.b'],
    ['https://u:p@q@a.b', 'https://***@a.b'],
    ['https://a.b?c', 'https://a.b?c'],
    ['https://a.b#c', 'https://a.b#c'],
    ['x', 'x'],
  ])('BASE_URL is not %s', (text, shown) => {
    const expected = 'an http or https URL without user, password, query and fragment';
    expect(errorOf({ BASE_URL: text })).toBe(`BASE_URL: got "${shown}", expected ${expected}`);
  });
});

describe('the settings of JWTs', () => {
  const own = { JWT_ISSUER: 'i', JWT_AUDIENCE: 'a' };

  it.each(['https://a.b/k', 'http://127.0.0.1/k', 'http://[::1]/k', 'http://localhost:1/k'])(
    'have keys at %s',
    (JWKS_URL) => {
      const { jwt } = readSettings({ ...own, JWKS_URL });
      expect([jwt?.jwksUrl.href, jwt?.issuer, jwt?.audience]).toEqual([JWKS_URL, 'i', 'a']);
    },
  );

  it.each([
    ['http://a.b', 'http://a.b'],
    ['https://u@a.b', 'https://***@a.b'],
    ['https://:p@a.b', 'https://***@a.b'],
    ['https://u:s3/cr@et@a b/', 'https://***@a b/'],
    ['ftp://localhost', 'ftp://localhost'],
    ['', ''],
    ['x', 'x'],
  ])('have no keys at %j', (JWKS_URL, shown) => {
    const expected = 'an https URL, or an http one on a loopback host, without user and password';
    expect(errorOf({ ...own, JWKS_URL })).toBe(`JWKS_URL: got "${shown}", expected ${expected}`);
  });

  it('are complete', () => {
    const JWKS_URL = 'https://a.b';
    expect(errorOf({ JWKS_URL, JWT_AUDIENCE: 'a' })).toBe(
      'JWT_ISSUER: got "", expected the issuer of the tokens (iss)',
    );
    expect(errorOf({ JWKS_URL, JWT_ISSUER: 'i' })).toBe(
      'JWT_AUDIENCE: got "", expected whom tokens are for (aud)',
    );
    for (const name of ['JWT_ISSUER', 'JWT_AUDIENCE']) {
      expect(errorOf({ [name]: 'x' })).toMatch(/^JWKS_URL: got ""/);
    }
  });
});

describe('the settings of token introspection', () => {
  const INTROSPECTION_URL = 'https://a.b/introspect';
  const own = { INTROSPECTION_CLIENT_ID: 'toys', INTROSPECTION_CLIENT_SECRET: 's3cret' };

  it('are read', () => {
    const { introspection } = readSettings({ ...own, INTROSPECTION_URL });
    expect(introspection).toEqual({
      introspectionUrl: new URL(INTROSPECTION_URL),
      clientId: 'toys',
      clientSecret: 's3cret',
      audience: undefined,
      cacheSeconds: 30,
    });
    const more = { INTROSPECTION_AUDIENCE: 'a', INTROSPECTION_CACHE: '0' };
    expect(readSettings({ ...own, INTROSPECTION_URL, ...more }).introspection).toMatchObject({
      audience: 'a',
      cacheSeconds: 0,
    });
    expect(readSettings(more).introspection).toBeUndefined();
  });

  it.each(['http://a.b', 'https://u:p@a.b', ''])('have no endpoint at %j', (url) => {
    expect(errorOf({ ...own, INTROSPECTION_URL: url })).toMatch(
      /^INTROSPECTION_URL: got .* expected an https URL/,
    );
  });

  it('are complete, and a message has no secret', () => {
    const { INTROSPECTION_CLIENT_ID, INTROSPECTION_CLIENT_SECRET } = own;
    expect(errorOf({ INTROSPECTION_URL, INTROSPECTION_CLIENT_ID })).toBe(
      'INTROSPECTION_CLIENT_SECRET: got "", expected the secret of this service at the issuer',
    );
    expect(errorOf({ INTROSPECTION_URL, INTROSPECTION_CLIENT_SECRET })).toBe(
      'INTROSPECTION_CLIENT_ID: got "", expected the name of this service at the issuer',
    );
    expect(errorOf({ INTROSPECTION_CLIENT_SECRET })).not.toContain('s3cret');
  });
});

describe('a loopback host', () => {
  it.each(['localhost', '::1', '127.0.0.1', '127.255.0.12'])('is %s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each(['127.0.0', '128.0.0.1', 'localhost.b', '::', '1127.0.0.1', '127.0.0.1.b'])(
    'is not %s',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});
