// Serves the active contract, and shuts down.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Middleware } from 'koa';
import type { ServedApis } from './apis.ts';
import type { TokenSet } from './operations/auth/tokens.ts';
import type { ServiceEmitter } from './operations/events.ts';
import type { Log } from './operations/log.ts';
import type { Shedding } from './operations/shedding.ts';
import type { Closers } from './resources.ts';
import { createApp } from './server/app.ts';
import type { Draining } from './server/draining.ts';
import type { Limits } from './server/limits.ts';
import { type HttpServer, listen } from './server/server.ts';
import type { Settings } from './settings.ts';

export interface State {
  /** Reported by the readiness probe. */
  isServing: boolean;
  isStopping: boolean;
}

interface Serving {
  readonly settings: Settings;
  readonly events: ServiceEmitter;
  readonly shedding: Shedding;
  readonly draining: Draining;
  readonly log: Log;
  readonly bounds: Limits;
  readonly middleware: readonly Middleware[] | undefined;
  readonly tokens: TokenSet;
}

/** Listens with the engines and the documentation of the contracts. */
export async function serve(
  apis: ServedApis,
  state: State,
  { settings, events, shedding, draining, log, bounds, middleware, tokens }: Serving,
): Promise<HttpServer> {
  const app = createApp({
    engine: {
      handle: (exchange) => apis.of(exchange).engine.handle(exchange),
      reject: (error, exchange) =>
        (exchange ? apis.of(exchange) : apis.first).engine.reject(error, exchange),
    },
    fallback: async (request) => apis.below(request).docs?.respond(request),
    events,
    shed: (req) => shedding.rejection(req),
    draining,
    log,
    middleware,
    callerOf: tokens.callerOf,
    bodyLimitBytes: settings.bodyLimitBytes,
    bodyMemoryBytes: settings.bodyMemoryBytes,
    closesAfter: (response) => (state.isStopping ? server.isLast(response) : undefined),
  });
  const server = await listen(app.callback(), {
    host: settings.host,
    port: settings.port,
    maxConnections: settings.connectionLimit,
    maxConnectionsPerAddress: settings.connectionLimitPerAddress,
    events,
    bounds,
    errorResponse: (error) => apis.first.engine.reject(error),
  });
  return server;
}

interface Stopping {
  readonly graceSeconds: number;
  readonly log: Log;
  readonly opened: Closers;
}

/** Shuts down in stages, each logged. */
export async function stop(state: State, { graceSeconds, log, opened }: Stopping): Promise<void> {
  state.isServing = false;
  state.isStopping = true;
  log.info({ graceSeconds }, 'not ready');
  await sleep(graceSeconds * 1000);
  log.info('draining');
  await opened.close();
}
