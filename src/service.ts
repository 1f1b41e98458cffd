// The one place that puts the parts together: contract, store, tokens, engine, application, server.
// Knows no environment and no process; main.ts does.
import { createApp } from './app.ts';
import type { KeyTimes } from './auth/issuerKeys.ts';
import type { JwtVerifier } from './auth/jwt.ts';
import { newToken, TokenSet } from './auth/tokens.ts';
import { type Config, ConfigError, isLoopback } from './config.ts';
import { createEngine } from './contract/engine.ts';
import { loadContract } from './contract/loading/load.ts';
import { unavailable } from './contract/problem.ts';
import type { Verifier } from './contract/security.ts';
import { Site } from './docs/site.ts';
import { handlers } from './handlers/index.ts';
import type { Log } from './log.ts';
import { type PlantStore, StoreUnavailable } from './plants/store.ts';
import { type Limits, limits, listen } from './server.ts';
import { openStore, withoutSecrets } from './store/open.ts';

export interface Service {
  /** Where it listens, with the prefix of every route: `http://127.0.0.1:3000`. */
  readonly url: string;
  /** What it stores plants in, for people: without a password. */
  readonly database: string;
  /** The token made at start, where none was configured. */
  readonly madeToken: string | undefined;
  readonly tokens: TokenSet;
  /** A request that gets a success, as a curl line; undefined for a contract without operations. */
  curl(token: string): Promise<string | undefined>;
  /** @returns the path of a copy of the store; undefined for a store that is no file */
  backUp(): Promise<string | undefined>;
  /** Answers what is in flight, commits, closes the store. */
  stop(): Promise<void>;
}

/** What a test may put in place of what the configuration says. */
export interface ServiceParts {
  readonly bounds?: Limits;
  readonly plants?: PlantStore;
  readonly keyTimes?: KeyTimes;
}

/** Where every operation is mocked, nobody stores anything. */
const NO_STORE: PlantStore = {
  create: () => Promise.reject(new StoreUnavailable('every operation is mocked')),
  isReady: () => Promise.resolve(true),
  close: () => Promise.resolve(),
};

/** When a client that met a 503 may try again. */
const RETRY_AFTER_SECONDS = 1;
/** A contract with more of them is no news at every start. */
const WARNINGS_TOLD = 20;

/**
 * Starts the service.
 *
 * @param tokens the configured tokens, those of the file included
 * @throws {ConfigError} without tokens on a host that others reach
 * @throws {ContractFaults | StoreRefused} and the system's error for an address that is taken
 */
export async function startService(
  config: Config,
  tokens: readonly string[],
  log: Log,
  { bounds = limits, plants: opened, keyTimes }: ServiceParts = {},
): Promise<Service> {
  const jwt = await openJwt(config, log, keyTimes);
  const needsToken = tokens.length === 0 && jwt === undefined;
  const madeToken = needsToken ? tokenForLoopback(config.host) : undefined;
  const tokenSet = new TokenSet(madeToken === undefined ? tokens : [madeToken]);
  const { definition, warnings } = await loadContract(config.contract);
  for (const warning of atMost(WARNINGS_TOLD, warnings)) log.warn(warning);
  const isMocked = config.mock === 'all';
  const plants = opened ?? (isMocked ? NO_STORE : await openLogged(config.databaseUrl, log));
  let isStopping = false;
  try {
    const basePath = config.baseUrl?.pathname.replace(/\/+$/, '');
    const prefix = basePath ?? definition.operations[0]?.basePaths[0] ?? '';
    const { baseUrl, contract } = config;
    const site = config.docs === 'on' && new Site({ definition, contract, baseUrl, prefix });
    const engine = await createEngine({
      definition,
      handlers,
      services: { plants },
      verifiers: { bearerAuth: firstOf(tokenSet, jwt) },
      realm: 'plants',
      exposesFaults: !config.isProduction,
      mock: config.mock,
      basePath,
      toProblem: (error) =>
        error instanceof StoreUnavailable
          ? unavailable('the store cannot be reached, try again', RETRY_AFTER_SECONDS)
          : undefined,
    });
    const app = createApp({
      engine,
      beside: site ? (request) => site.answer(request) : undefined,
      log,
      bodyLimitBytes: config.bodyLimitBytes,
      lingerMs: bounds.lingerMs,
      isStopping: () => isStopping,
    });
    const server = await listen(app.callback(), {
      host: config.host,
      port: config.port,
      bounds,
      onRefusal: ({ status, message }) => log.info({ status, reason: message }, 'refused'),
    });
    const url = urlOf(server.address, prefix);
    return {
      url,
      database: isMocked ? 'none, every operation is mocked' : withoutSecrets(config.databaseUrl),
      madeToken,
      tokens: tokenSet,
      async curl(token) {
        const { exampleCurl } = await import('./contract/mock/exampleRequest.ts');
        return exampleCurl(definition, url, token);
      },
      backUp: async () => plants.backUp?.(),
      async stop() {
        isStopping = true;
        await server.drain();
        await plants.close();
      },
    };
  } catch (error) {
    await plants.close();
    throw error;
  }
}

function openLogged(databaseUrl: string, log: Log): Promise<PlantStore> {
  return openStore(databaseUrl, {
    onAway: (err) => log.error({ err }, 'the database is away'),
    onBack: (awayMs) => log.info({ awayMs: Math.round(awayMs) }, 'the database is back'),
  });
}

/** jose and the issuer's keys, where they are asked for: nobody else pays for loading them. */
async function openJwt(
  { jwt }: Config,
  log: Log,
  times?: KeyTimes,
): Promise<JwtVerifier | undefined> {
  if (jwt === undefined) return undefined;
  const { JwtVerifier } = await import('./auth/jwt.ts');
  const told = {
    keysNotFetched: (err: unknown) =>
      log.error({ err, jwksUrl: jwt.jwksUrl.href }, 'issuer keys not fetched'),
    refused: (code: string, reason: string) => log.debug({ code, reason }, 'token refused'),
  };
  const verifier = new JwtVerifier(jwt, told, times);
  // The first caller need not wait for them; an issuer that is away stops no start.
  verifier.ready();
  return verifier;
}

/** A static token is decided at once; only what is none is tried as a JWT. */
function firstOf(tokens: TokenSet, jwt: JwtVerifier | undefined): Verifier {
  if (jwt === undefined) return tokens.verify;
  return (token) => tokens.verify(token) ?? jwt.verify(token);
}

/** The first lines, and one more for how many are left. */
function atMost(count: number, lines: readonly string[]): readonly string[] {
  if (lines.length <= count) return lines;
  return [...lines.slice(0, count), `and ${lines.length - count} more`];
}

function tokenForLoopback(host: string): string {
  if (isLoopback(host)) return newToken();
  throw new ConfigError(
    `API_TOKENS: got none, expected at least one token (or JWKS_URL, JWT_ISSUER and JWT_AUDIENCE), since others reach HOST ${host}`,
  );
}

function urlOf(
  { address, family, port }: { address: string; family: string; port: number },
  path: string,
) {
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}${path}`;
}
