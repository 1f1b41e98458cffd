// Starts a service: composes contract, tokens, store, engine, application and server.
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadedContract } from '../contract/bundle.ts';
import { loadContract } from '../contract/load.ts';
import type { EngineOptions } from '../engine/engine.ts';
import type { AdminListener } from '../operations/admin/listener.ts';
import type { AddMetrics } from '../operations/admin/metrics.ts';
import type { KeyTimes } from '../operations/auth/jwks.ts';
import type { TokenSet } from '../operations/auth/tokens.ts';
import { logEvents } from '../operations/eventLog.ts';
import type { ServiceEmitter } from '../operations/events.ts';
import type { Log } from '../operations/log.ts';
import { Shedding } from '../operations/shedding.ts';
import type { InSpan } from '../operations/trace.ts';
import type { Verifier } from '../security/security.ts';
import { createApp } from '../server/app.ts';
import { type Limits, limits, listen } from '../server/server.ts';
import { activate } from './activeContract.ts';
import { openAuthentication } from './authentication.ts';
import { openAdmin, openAuthFailures, openRateLimit, openTracing } from './optional.ts';
import { NO_STORE, type Resources } from './resources.ts';
import type { Settings } from './settings.ts';

export interface Service {
  /** Where it listens, with the prefix of every route: `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Where probes and metrics are served, if they are. */
  readonly adminUrl: string | undefined;
  /** The token made at start, where none was configured. */
  readonly madeToken: string | undefined;
  readonly tokens: TokenSet;
  /** A request that gets a success, as a curl line; undefined for a contract without operations. */
  curl(token: string): Promise<string | undefined>;
  /**
   * Replaces the contract that is served.
   *
   * @throws {ContractErrors} for one that the handlers do not fit; the present one stays
   */
  serve(contract: LoadedContract): Promise<void>;
  /**
   * Stops in stages, each logged: not ready, a grace period in which requests are served, then what is
   * in flight is answered, then the store is closed.
   */
  stop(): Promise<void>;
}

export interface ServiceOptions<Services> {
  readonly settings: Settings;
  /** The configured tokens, those of the file included. */
  readonly tokens: readonly string[];
  readonly log: Log;
  /** By operationId. */
  readonly handlers: EngineOptions<Services>['handlers'];
  /**
   * @param verify validates the configured tokens and the JWTs of the issuer
   * @returns verifiers by the names of security schemes; by default none
   */
  readonly verifiers?: ((verify: Verifier) => EngineOptions<Services>['verifiers']) | undefined;
  /** The protection space that challenges name (RFC 9110, section 11.5). */
  readonly realm: string;
  /**
   * Opens what the handlers use, once the contract has been loaded. By default `services` is undefined.
   *
   * @param inSpan does an act within a span; undefined where nothing is traced
   */
  readonly open?: ((inSpan: InSpan | undefined) => Promise<Resources<Services>>) | undefined;
  /** The Problem that an error of the services means, where it means one. */
  readonly toProblem?: EngineOptions<Services>['toProblem'] | undefined;
  /** Called if ADMIN_PORT is set. */
  readonly addMetrics?: AddMetrics | undefined;
  /** A test may tighten them. */
  readonly bounds?: Limits | undefined;
  readonly keyTimes?: KeyTimes | undefined;
}

/** Of the warnings of a contract, at each start. */
const LOGGED_WARNINGS = 20;

/**
 * Starts a service.
 *
 * @throws {ConfigError} without tokens on a host that others reach
 * @throws {ContractErrors} and the system's error for an address that is taken
 * @throws what `open` throws
 */
export async function startService<Services = undefined>(
  options: ServiceOptions<Services>,
): Promise<Service> {
  const { settings, tokens, log, handlers, realm, bounds = limits } = options;
  const events: ServiceEmitter = new EventEmitter();
  logEvents(events, log);
  const authentication = await openAuthentication(settings, tokens, events, options.keyTimes);
  const contract = await loadContract(settings.contract, { isMocked: settings.mock !== 'off' });
  for (const warning of atMost(LOGGED_WARNINGS, contract.warnings)) log.warn(warning);
  const tracing = await openTracing();
  const { services, store = NO_STORE } = await open(options, tracing?.inSpan);
  let isServing = false;
  let isStopping = false;
  let admin: AdminListener | undefined;
  try {
    const checks = {
      serving: () => isServing,
      store: () => store.isReady(),
      ...(authentication.hasKeys && { issuer: authentication.hasKeys }),
    };
    admin = await openAdmin(settings, store, checks, events, options.addMetrics);
    const authFailures = await openAuthFailures(settings);
    const verify = authFailures?.guard(authentication.verify) ?? authentication.verify;
    const parts = {
      handlers,
      services,
      verifiers: options.verifiers?.(verify) ?? {},
      realm,
      admit: await openRateLimit(settings),
      toProblem: options.toProblem ?? (() => undefined),
    };
    let active = await activate(contract, settings, parts, tracing);
    const shedding = new Shedding({
      ...settings.shedding,
      waiting: () => store.waiting,
      events,
    });
    const app = createApp({
      engine: { handle: (exchange) => active.engine.handle(exchange) },
      beside: async (request) => active.docs?.answer(request),
      events,
      shed: (req) => shedding.refusal(req),
      bodyLimitBytes: settings.bodyLimitBytes,
      bodyMemoryBytes: settings.bodyMemoryBytes,
      isStopping: () => isStopping,
    });
    const server = await listen(app.callback(), {
      host: settings.host,
      port: settings.port,
      maxConnections: settings.connectionLimit,
      maxConnectionsPerAddress: settings.connectionLimitPerAddress,
      events,
      bounds,
    });
    isServing = true;
    const url = urlOf(server.address, active.prefix);
    return {
      url,
      adminUrl: admin?.url,
      madeToken: authentication.madeToken,
      tokens: authentication.tokens,
      async curl(token) {
        const { exampleCurl } = await import('../mock/exampleRequest.ts');
        return exampleCurl(active.contract.definition, url, token);
      },
      async serve(changed) {
        active = await activate(changed, settings, parts, tracing);
      },
      async stop() {
        const graceSeconds = settings.shutdownGraceSeconds;
        isServing = false;
        isStopping = true;
        log.info({ graceSeconds }, 'not ready');
        await sleep(graceSeconds * 1000);
        log.info('draining');
        shedding.stop();
        await server.drain();
        log.info('drained');
        await store.close();
        log.info('store closed');
        await admin?.close();
      },
    };
  } catch (error) {
    await store.close();
    await admin?.close();
    throw error;
  }
}

function open<Services>(
  options: ServiceOptions<Services>,
  inSpan: InSpan | undefined,
): Promise<Resources<Services>> {
  // Only a service whose Services are undefined leaves it out.
  return options.open?.(inSpan) ?? Promise.resolve({ services: undefined as Services });
}

/** The first lines, and one more for how many are left. */
function atMost(count: number, lines: readonly string[]): readonly string[] {
  if (lines.length <= count) return lines;
  return [...lines.slice(0, count), `and ${lines.length - count} more`];
}

function urlOf(
  { address, family, port }: { address: string; family: string; port: number },
  path: string,
) {
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}${path}`;
}
