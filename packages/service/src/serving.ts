// Serves the active contract, and shuts down.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Middleware } from 'koa';
import type { Recorder } from 'stubwright/recording';
import type { ActiveContract } from './activeContract.ts';
import type { AdminListener } from './operations/admin/listener.ts';
import type { TokenSet } from './operations/auth/tokens.ts';
import type { ServiceEmitter } from './operations/events.ts';
import type { Log } from './operations/log.ts';
import type { Shedding } from './operations/shedding.ts';
import type { Store } from './resources.ts';
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

/** The contract that is served, which `serve` replaces. */
export interface Slot {
  active: ActiveContract;
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

/** Listens with the engine and the documentation of the active contract. */
export async function serve(
  slot: Slot,
  state: State,
  { settings, events, shedding, draining, log, bounds, middleware, tokens }: Serving,
): Promise<HttpServer> {
  const app = createApp({
    engine: {
      handle: (exchange) => slot.active.engine.handle(exchange),
      reject: (error, exchange) => slot.active.engine.reject(error, exchange),
    },
    fallback: async (request) => slot.active.docs?.respond(request),
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
    errorResponse: (error) => slot.active.engine.reject(error),
  });
  return server;
}

interface Stopping {
  readonly settings: Settings;
  readonly log: Log;
  readonly shedding: Shedding;
  readonly draining: Draining;
  readonly server: HttpServer;
  readonly store: Store;
  readonly admin: AdminListener | undefined;
  readonly recorder: Recorder | undefined;
}

/** Shuts down in stages, each logged. */
export async function stop(
  state: State,
  { settings, log, shedding, draining, server, store, admin, recorder }: Stopping,
): Promise<void> {
  const graceSeconds = settings.shutdownGraceSeconds;
  state.isServing = false;
  state.isStopping = true;
  log.info({ graceSeconds }, 'not ready');
  await sleep(graceSeconds * 1000);
  log.info('draining');
  shedding.stop();
  draining.start();
  await server.drain();
  log.info('drained');
  await recorder?.close();
  await store.close();
  log.info('store closed');
  await admin?.close();
}
