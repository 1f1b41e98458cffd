// Who may call: the static tokens, one made at start where there are none, and the JWTs of an issuer.
import { readFileSync, statSync } from 'node:fs';
import type { KeyTimes } from '../operations/auth/jwks.ts';
import type { JwtVerifier } from '../operations/auth/jwt.ts';
import { newToken, TokenSet } from '../operations/auth/tokens.ts';
import type { ServiceEmitter } from '../operations/events.ts';
import type { Log } from '../operations/log.ts';
import type { Verifier } from '../security/security.ts';
import {
  ConfigError,
  isLoopback,
  parseTokens,
  type Settings,
  TOKEN_EXPECTATION,
} from './settings.ts';

/**
 * The one line of a file that revokes all its tokens. No token has parentheses, and an empty file is
 * refused: a truncated file does not revoke.
 */
const NO_TOKENS = '(none)';
/** Read and write for users who are neither the owner nor in the group. */
const OTHERS = 0o006;

/**
 * @returns the tokens of API_TOKENS and those of the file, read anew
 * @throws {ConfigError} for a file that cannot be read, holds none or a bad one
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

/**
 * Warns about a token file that every user of the machine can read or write. Its group is not
 * considered: Kubernetes mounts secrets for the group of the pod.
 */
export function warnOfOpenFile({ apiTokensFile }: Settings, log: Log): void {
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
  /** The token made at start, where nothing was configured. */
  readonly madeToken: string | undefined;
  readonly verify: Verifier;
  /** Whether the issuer's keys were ever fetched; undefined without an issuer. */
  readonly hasKeys: (() => boolean) | undefined;
}

/**
 * @param tokens the configured tokens, those of the file included
 * @param times a test may tighten them
 * @throws {ConfigError} when nobody could call, on a host that others reach
 */
export async function openAuthentication(
  settings: Settings,
  tokens: readonly string[],
  events: ServiceEmitter,
  times?: KeyTimes,
): Promise<Authentication> {
  const jwt = await openJwt(settings, events, times);
  // A file that revokes its tokens keeps them revoked over a restart.
  const isConfigured = jwt !== undefined || settings.apiTokensFile !== undefined;
  const needsToken = tokens.length === 0 && !isConfigured;
  const madeToken = needsToken ? tokenForLoopback(settings.host) : undefined;
  const tokenSet = new TokenSet(madeToken === undefined ? tokens : [madeToken]);
  if (jwt === undefined) {
    return { tokens: tokenSet, madeToken, verify: tokenSet.verify, hasKeys: undefined };
  }
  return {
    tokens: tokenSet,
    madeToken,
    // A static token is decided at once; only what is none is tried as a JWT.
    verify: (token) => tokenSet.verify(token) ?? jwt.verify(token),
    hasKeys: () => jwt.isReady(),
  };
}

/** jose and the issuer's keys, where they are asked for: nobody else pays for loading them. */
async function openJwt(
  { jwt }: Settings,
  events: ServiceEmitter,
  times?: KeyTimes,
): Promise<JwtVerifier | undefined> {
  if (jwt === undefined) return undefined;
  const { JwtVerifier } = await import('../operations/auth/jwt.ts');
  const verifier = new JwtVerifier(jwt, events, times);
  // The first caller need not wait for them; an issuer that is away stops no start.
  verifier.isReady();
  return verifier;
}

function tokenForLoopback(host: string): string {
  if (isLoopback(host)) return newToken();
  throw new ConfigError(
    `API_TOKENS: got none, expected at least one token (or JWKS_URL, JWT_ISSUER and JWT_AUDIENCE), since others reach HOST ${host}`,
  );
}
