// Authentication of a service: static tokens, a generated token, JWTs of an issuer, and token introspection.

import { readFileSync, statSync } from 'node:fs';
import type { Verifier } from 'stubwright/internals';
import type { KeyTimes } from './operations/auth/jwt.ts';
import {
  generateToken,
  shortTokens,
  TOKEN_EXPECTATION,
  TokenSet,
  withEveryScope,
} from './operations/auth/tokens.ts';
import type { ServiceEmitter } from './operations/events.ts';
import type { Log } from './operations/log.ts';
import { ConfigError, isLoopback, parseTokens, type Settings } from './settings.ts';

/** The content of a token file that revokes all its tokens. An empty file is an error: it may be truncated. */
const NO_TOKENS = '(none)';
/** File mode: read and write permission for other users. */
const OTHERS = 0o006;

/**
 * @returns the tokens of API_TOKENS and of API_TOKENS_FILE, which is read at each call
 * @throws {ConfigError} if the file is unreadable, or contains no token or an invalid one
 */
export function configuredTokens(settings: Settings): string[] {
  if (settings.apiTokensFile === undefined) return [...settings.apiTokens];
  const lines = linesOf(settings.apiTokensFile);
  if (lines.join('').trim() === NO_TOKENS) return [...settings.apiTokens];
  const { tokens, badAt } = parseTokens(lines);
  if (tokens.length === 0) {
    throw new ConfigError(
      `API_TOKENS_FILE: got no token in ${settings.apiTokensFile}, expected one a line, or ${NO_TOKENS} to accept none`,
    );
  }
  if (badAt < 0) return [...settings.apiTokens, ...tokens];
  throw new ConfigError(
    `API_TOKENS_FILE: got a bad token ${badAt + 1} in ${settings.apiTokensFile}, expected ${TOKEN_EXPECTATION}`,
  );
}

/** Logs a warning for tokens that can be guessed, or that other users can read. */
export function warnOfTokens(settings: Settings, tokens: readonly string[], log: Log): void {
  const short = shortTokens(tokens);
  if (short.length > 0) log.warn({ tokens: short }, 'static tokens have under 16 characters');
  warnOfOpenFile(settings, log);
}

/** The group is ignored: Kubernetes mounts secrets for the group of the pod. */
function warnOfOpenFile({ apiTokensFile }: Settings, log: Log): void {
  if (apiTokensFile === undefined || process.platform === 'win32') return;
  const { mode } = statSync(apiTokensFile);
  if ((mode & OTHERS) === 0) return;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  log.warn({ file: apiTokensFile, mode: shown }, 'API_TOKENS_FILE is open to other users');
}

function linesOf(tokensFile: string): string[] {
  try {
    return readFileSync(tokensFile, 'utf8').split('\n');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `API_TOKENS_FILE: got ${JSON.stringify(tokensFile)} (${code}), expected the path of a file to read`,
    );
  }
}

export interface Authentication {
  readonly tokens: TokenSet;
  /** The token generated at start; undefined if tokens are configured. */
  readonly generatedToken: string | undefined;
  /** Of a security scheme; undefined for tokens that name none, JWTs and introspected tokens. */
  readonly verifierOf: (scheme?: string) => Verifier;
  /** @returns true once the keys of the issuer are fetched; undefined without an issuer */
  readonly hasKeys: (() => boolean) | undefined;
}

/**
 * @param tokens the configured tokens, including those of API_TOKENS_FILE
 * @param times tests may lower them
 * @throws {ConfigError} if no authentication is configured and the host is not a loopback address
 */
export async function openAuthentication(
  settings: Settings,
  tokens: readonly string[],
  events: ServiceEmitter,
  times?: KeyTimes,
): Promise<Authentication> {
  const jwt = settings.jwt && new (await jwtVerifiers()).JwtVerifier(settings.jwt, events, times);
  // Starts fetching the keys; the start does not depend on the issuer.
  jwt?.isReady();
  const introspection =
    settings.introspection &&
    new (await introspectionVerifiers()).IntrospectionVerifier(settings.introspection, events);
  const verifyIssued =
    introspection === undefined
      ? jwt?.verify
      : async (token: string, address: string | undefined) =>
          (await jwt?.verify(token)) ?? introspection.verify(token, address);
  // A token file without tokens revokes them: no token is generated.
  const isConfigured =
    jwt !== undefined || introspection !== undefined || settings.apiTokensFile !== undefined;
  const needsToken = tokens.length === 0 && !isConfigured;
  const generatedToken = needsToken ? tokenForLoopback(settings.host) : undefined;
  const tokenSet = new TokenSet(
    generatedToken === undefined ? tokens : [withEveryScope(generatedToken)],
  );
  return {
    tokens: tokenSet,
    generatedToken,
    verifierOf: (scheme) =>
      scheme === undefined
        ? tokenSet.verifier(undefined, verifyIssued)
        : tokenSet.verifier(generatedToken === undefined ? scheme : undefined),
    hasKeys: jwt && (() => jwt.isReady()),
  };
}

/** With jose and oauth4webapi, which few services need. */
const jwtVerifiers = () => import('./operations/auth/jwt.ts');
const introspectionVerifiers = () => import('./operations/auth/introspection.ts');

function tokenForLoopback(host: string): string {
  if (isLoopback(host)) return generateToken();
  throw new ConfigError(
    `API_TOKENS: got none, expected at least one token (or JWKS_URL, JWT_ISSUER and JWT_AUDIENCE, or INTROSPECTION_URL), since others reach HOST ${host}`,
  );
}
