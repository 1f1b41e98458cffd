// The settings of a service, from environment variables: defaults, bounds and validation.

import { type RequestRate, windowSecondsOf } from '@stubwright/contract';
import {
  type CorsOptions,
  corsViolation,
  MIN_SECRET_LENGTH,
  type SunsetPolicy,
} from 'stubwright/internals';
import type { RecorderOptions } from 'stubwright/recording';
import type { IntrospectionSettings } from './operations/auth/introspection.ts';
import type { JwtSettings } from './operations/auth/jwt.ts';
import { isTokenEntry, TOKEN_EXPECTATION } from './operations/auth/tokens.ts';
import type { SheddingLimits } from './operations/shedding.ts';

/** The settings of a service; readSettings reads them from the environment. */
export interface Settings {
  /** The address to listen on. */
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** The address of probes and metrics; undefined to disable them. */
  readonly admin: { readonly host: string; readonly port: number } | undefined;
  /** The public URL of the service; its path is the base path of all routes. */
  readonly baseUrl: URL | undefined;
  /** Tokens and `sha256:<hex>` digests, each perhaps with ` name=` and ` scope=` with its scopes. */
  readonly apiTokens: readonly string[];
  /** The path of a file with one such entry per line. */
  readonly apiTokensFile: string | undefined;
  /** The issuer whose JWT access tokens are accepted too. */
  readonly jwt: JwtSettings | undefined;
  /** The issuer that is asked about other access tokens. */
  readonly introspection?: IntrospectionSettings | undefined;
  /** The path of the contract. */
  readonly contract: string;
  /** Folders that references of OpenAPI files may lead to, besides the contract's own folder or repository. */
  readonly contractFolders: readonly string[];
  /** The operations that are mocked from examples and schemas. */
  readonly mock: 'off' | 'missing' | 'all';
  readonly docs: 'on' | 'off';
  /** Maximum size of one request body. */
  readonly bodyLimitBytes: number;
  /** Maximum total size of the request bodies that are being read or handled. */
  readonly bodyMemoryBytes: number;
  /** The origins that may call the service from a browser; undefined for those of the options. */
  readonly cors?: CorsOptions | undefined;
  /** Maximum requests per caller; undefined for no limit. */
  readonly rateLimit: RequestRate | undefined;
  /** Maximum failed authentications per client network; undefined for no limit. */
  readonly authFailureLimit: RequestRate | undefined;
  /** Maximum number of open connections. */
  readonly connectionLimit: number;
  /** Maximum number per client network; undefined for no limit. */
  readonly connectionLimitPerAddress: number | undefined;
  /** The thresholds of load shedding. */
  readonly shedding: SheddingLimits;
  /** Maximum time for a handler, and for a verifier; 0 for no limit. */
  readonly handlerTimeoutSeconds: number;
  /** The interval of comments in idle event streams; 0 for none. */
  readonly eventKeepAliveSeconds: number;
  /** Of requests that use a part with `x-sunset`. */
  readonly sunset: SunsetPolicy;
  /** Sign the cursors of pages: the first one signs, all verify. */
  readonly cursorSecrets?: readonly string[] | undefined;
  /** Who sends what; undefined to record nothing. */
  readonly record?: RecorderOptions | undefined;
  /** At shutdown, the time during which requests are served while the service is not ready. */
  readonly shutdownGraceSeconds: number;
  readonly logLevel: string;
  /** NODE_ENV=production: a 500 response has no details. */
  readonly isProduction: boolean;
}

/** An invalid setting. `message` is one line: the variable, its value unless secret, the expected values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const LARGEST_PORT = 65_535;
/** Below the maximum string length of V8. */
const LARGEST_BODY = 256 * 1024 * 1024;

/** An eighth of a 512 MiB container: with the copies during parsing, bodies use half of the memory. */
const DEFAULT_BODY_MEMORY = 64 * 1024 * 1024;
const LARGEST_BODY_MEMORY = 64 * 1024 * 1024 * 1024;

/**
 * Reads the settings of a service from environment variables.
 *
 * @throws {ConfigError} for the first invalid setting
 */
export function readSettings(env: Environment): Settings {
  const bodyLimitBytes = integer(env, 'BODY_LIMIT', 1024 * 1024, 1, LARGEST_BODY);
  return {
    host: env['HOST'] || '127.0.0.1',
    port: integer(env, 'PORT', 3000, 0, LARGEST_PORT),
    admin: admin(env),
    baseUrl: baseUrl(env),
    apiTokens: tokens(env),
    apiTokensFile: env['API_TOKENS_FILE'] || undefined,
    jwt: jwt(env),
    introspection: introspection(env),
    contract: env['CONTRACT'] || 'generated/contract.json',
    contractFolders: (env['CONTRACT_FOLDERS'] ?? '').split(',').filter(Boolean),
    mock: oneOf(env, 'MOCK', 'off', ['off', 'missing', 'all']),
    docs: oneOf(env, 'DOCS', 'on', ['on', 'off']),
    bodyLimitBytes,
    bodyMemoryBytes: bodyMemory(env, bodyLimitBytes),
    cors: cors(env),
    rateLimit: requestsPerTime(env, 'RATE_LIMIT'),
    authFailureLimit: requestsPerTime(env, 'AUTH_FAILURE_LIMIT'),
    connectionLimit: integer(env, 'CONNECTION_LIMIT', 10_000, 1, 1_000_000),
    connectionLimitPerAddress: env['CONNECTION_LIMIT_PER_ADDRESS']
      ? integer(env, 'CONNECTION_LIMIT_PER_ADDRESS', 0, 1, 1_000_000)
      : undefined,
    shedding: {
      queueLength: integer(env, 'QUEUE_LIMIT', 512, 1, 1_000_000),
      lagMs: integer(env, 'LAG_LIMIT', 500, 10, 60_000),
    },
    handlerTimeoutSeconds: integer(env, 'HANDLER_TIMEOUT', 60, 0, 3600),
    eventKeepAliveSeconds: integer(env, 'EVENT_KEEP_ALIVE', 15, 0, 3600),
    sunset: { refuses: oneOf(env, 'SUNSET', 'serve', ['serve', 'refuse']) === 'refuse' },
    cursorSecrets: cursorSecrets(env),
    record: record(env),
    shutdownGraceSeconds: integer(env, 'SHUTDOWN_GRACE', 0, 0, 3600),
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', LOG_LEVELS),
    isProduction: env['NODE_ENV'] === 'production',
  };
}

/** @returns true for `localhost`, `::1` and 127.0.0.0/8 */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** @returns the tokens without white space and empty entries; the index of the first invalid one, or -1 */
export function parseTokens(entries: readonly string[]): { tokens: string[]; badAt: number } {
  const tokens = entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
  return { tokens, badAt: tokens.findIndex((token) => !isTokenEntry(token)) };
}

/**
 * @returns an integer setting; `fallback` if it is not set
 * @throws {ConfigError} for a value that is not an integer from min to max
 */
export function integer(
  env: Environment,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw invalid(name, text, `an integer from ${min} to ${max}`);
}

/** The minimum holds one body of maximum size, with the overhead of its chunks. */
function bodyMemory(env: Environment, bodyLimitBytes: number): number {
  const minBytes = 2 * bodyLimitBytes;
  const defaultBytes = Math.max(DEFAULT_BODY_MEMORY, minBytes);
  return integer(env, 'BODY_MEMORY', defaultBytes, minBytes, LARGEST_BODY_MEMORY);
}

function oneOf<Choice extends string>(
  env: Environment,
  name: string,
  fallback: Choice,
  allowed: readonly Choice[],
): Choice {
  const text = env[name] || fallback;
  const choice = allowed.find((choice) => choice === text);
  if (choice !== undefined) return choice;
  throw invalid(name, text, `one of ${allowed.join(', ')}`);
}

function admin(env: Environment): Settings['admin'] {
  if (!env['ADMIN_PORT']) return undefined;
  const port = integer(env, 'ADMIN_PORT', 0, 0, LARGEST_PORT);
  return { host: env['ADMIN_HOST'] || '127.0.0.1', port };
}

function record(env: Environment): RecorderOptions | undefined {
  const callerHeader = env['RECORD_CALLER'] || undefined;
  const hashKey = env['RECORD_HASH_KEY'] || undefined;
  const file = env['RECORD'];
  return file ? { file, callerHeader, hashKey } : undefined;
}

function baseUrl(env: Environment): URL | undefined {
  const text = env['BASE_URL'];
  if (text === undefined || text === '') return undefined;
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    if (!hasCredentials(url)) return url;
  }
  const expected = 'an http or https URL without user, password, query and fragment';
  throw invalid('BASE_URL', withoutCredentials(text), expected);
}

function cors(env: Environment): CorsOptions | undefined {
  const text = env['CORS_ORIGINS'] ?? '';
  const choice = oneOf(env, 'CORS_CREDENTIALS', 'default', ['default', 'on', 'off']);
  if (text === '') {
    if (choice === 'default') return undefined;
    throw new ConfigError(`CORS_CREDENTIALS: got ${choice}, expected CORS_ORIGINS too`);
  }
  const credentials = choice === 'default' ? undefined : choice === 'on';
  const options = { origins: text.split(',').map((part) => part.trim()), credentials };
  const violation = corsViolation(options);
  if (violation === undefined) return options;
  throw new ConfigError(`CORS_ORIGINS: ${violation}`);
}

function requestsPerTime(env: Environment, name: string): RequestRate | undefined {
  const text = env[name];
  if (!text) return undefined;
  const [, requests, window] = /^(\d{1,9})\/(.*)$/.exec(text) ?? [];
  const windowSeconds = windowSecondsOf(window);
  if (Number(requests) > 0 && windowSeconds !== undefined) {
    return { requests: Number(requests), windowSeconds };
  }
  throw invalid(name, text, 'requests per time, like 100/1s, 6000/1m or 100000/24h, at most 596h');
}

function jwt(env: Environment): JwtSettings | undefined {
  const { JWKS_URL: url = '', JWT_ISSUER: issuer = '', JWT_AUDIENCE: audience = '' } = env;
  if (url === '' && issuer === '' && audience === '') return undefined;
  const jwksUrl = issuerUrl('JWKS_URL', url);
  if (issuer === '') throw invalid('JWT_ISSUER', issuer, 'the issuer of the tokens (iss)');
  if (audience === '') throw invalid('JWT_AUDIENCE', audience, 'whom tokens are for (aud)');
  return { jwksUrl, issuer, audience };
}

function introspection(env: Environment): IntrospectionSettings | undefined {
  const { INTROSPECTION_URL: url = '' } = env;
  const clientId = env['INTROSPECTION_CLIENT_ID'] ?? '';
  const clientSecret = env['INTROSPECTION_CLIENT_SECRET'] ?? '';
  const audience = env['INTROSPECTION_AUDIENCE'] || undefined;
  const cacheSeconds = integer(env, 'INTROSPECTION_CACHE', 30, 0, 3600);
  if (url === '' && clientId === '' && clientSecret === '') return undefined;
  const introspectionUrl = issuerUrl('INTROSPECTION_URL', url);
  if (clientId === '') {
    throw invalid('INTROSPECTION_CLIENT_ID', clientId, 'the name of this service at the issuer');
  }
  if (clientSecret === '') {
    throw invalid('INTROSPECTION_CLIENT_SECRET', '', 'the secret of this service at the issuer');
  }
  return { introspectionUrl, clientId, clientSecret, audience, cacheSeconds };
}

function issuerUrl(name: string, url: string): URL {
  const parsed = URL.parse(url);
  if (parsed !== null && isSafe(parsed) && !hasCredentials(parsed)) return parsed;
  const expected = 'an https URL, or an http one on a loopback host, without user and password';
  throw invalid(name, withoutCredentials(url), expected);
}

/** Without TLS, an attacker on the network can replace the keys, and read tokens. */
function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(unbracketed(hostname)));
}

/** BASE_URL is published and JWKS_URL is logged: neither may contain a secret. */
function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

/** Replaces everything up to the last `@`: a password in a malformed URL may contain any character. */
function withoutCredentials(url: string): string {
  return url.replace(/^([^:]*:\/*)?.*@/s, '$1***@');
}

function unbracketed(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

// The message does not contain a secret.
function cursorSecrets(env: Environment): string[] | undefined {
  const text = env['CURSOR_SECRET'];
  if (!text) return undefined;
  const secrets = text.split(',').map((part) => part.trim());
  const badAt = secrets.findIndex((secret) => secret.length < MIN_SECRET_LENGTH);
  if (badAt < 0) return secrets;
  const expected = `at least ${MIN_SECRET_LENGTH} characters in each, separated by commas`;
  throw invalid('CURSOR_SECRET', `a bad entry ${badAt + 1}`, expected);
}

// A token is a secret: the message contains only its position.
function tokens(env: Environment): string[] {
  const { tokens, badAt } = parseTokens((env['API_TOKENS'] ?? '').split(','));
  if (badAt < 0) return tokens;
  throw invalid('API_TOKENS', `a bad entry ${badAt + 1}`, TOKEN_EXPECTATION);
}

function invalid(name: string, got: string, expected: string): ConfigError {
  return new ConfigError(`${name}: got ${JSON.stringify(got)}, expected ${expected}`);
}
