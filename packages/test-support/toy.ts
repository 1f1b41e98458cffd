// A contract of a few lines, served: the real engine, Koa and a real socket, handlers of the test's.
import { EventEmitter } from 'node:events';
import { Contract } from '@stubwright/contract';
import { type MockMode, type MockOptions, mocked } from '@stubwright/mock/mocked';
import type Koa from 'koa';
import type { Verifier } from 'stubwright';
import { createEngine, type Engine } from 'stubwright/internals';
import { parse } from 'yaml';
import type { SentResponse, ServiceEmitter } from '../service/src/operations/events.ts';
import { Draining } from '../service/src/resources.ts';
import { createApp } from '../service/src/server/app.ts';
import { limits, listen } from '../service/src/server/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: a toy contract has no generated types
type ToyHandler = (request: any) => unknown;

export interface ToyOptions {
  readonly handlers?: Record<string, ToyHandler | typeof mocked>;
  readonly verifiers?: Record<string, Verifier>;
  readonly basePath?: string;
  readonly bodyLimitBytes?: number;
  readonly exposeErrors?: boolean;
  readonly mock?: MockMode;
  readonly mockOptions?: MockOptions | undefined;
  readonly report?: (error: Error) => void;
  readonly onResponse?: (response: SentResponse) => void;
}

export interface Toy {
  readonly url: string;
  /** What the handlers got, the last request first. */
  readonly got: Record<string, unknown>[];
  fetch(path: string, init?: RequestInit): Promise<ToyAnswer>;
  close(): Promise<void>;
}

export interface ToyAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** @param version `3.0.3` or `3.1.0` @param yaml the contract from `paths:` on */
export function serveToy(version: string, yaml: string, options: ToyOptions = {}): Promise<Toy> {
  const text = `openapi: ${version}\ninfo: {title: t, version: '1'}\n${yaml}`;
  return serveDefinition(new Contract(parse(text)), options);
}

/** @returns the application of a service without limits of load and without documentation */
export function appAround(
  engine: Engine,
  events: ServiceEmitter,
  { bodyLimitBytes = 100_000, bodyMemoryBytes = 64 * 1024 * 1024 },
): Koa {
  const served = { engine, docs: undefined };
  return createApp(
    { of: () => served, below: () => served },
    {
      settings: { bodyLimitBytes, bodyMemoryBytes },
      events,
      shedding: { rejection: () => undefined },
      draining: new Draining(limits),
      tokens: { callerOf: () => undefined },
      state: { isStopping: false },
      isLast: async () => false,
    },
  );
}

/** The same for a contract that has been loaded. */
export async function serveDefinition(
  definition: Contract,
  options: ToyOptions = {},
): Promise<Toy> {
  const got: Record<string, unknown>[] = [];
  const answering = (handler: ToyHandler | typeof mocked): ToyHandler | typeof mocked => {
    if (handler === mocked) return mocked;
    return (request: Record<string, unknown>) => {
      got.unshift(request);
      return handler(request);
    };
  };
  const handlers: Record<string, ToyHandler | typeof mocked> = Object.fromEntries(
    definition.operations.map(({ operationId }) => [
      operationId,
      answering(options.handlers?.[operationId] ?? (() => ({ status: 204 }))),
    ]),
  );
  const events: ServiceEmitter = new EventEmitter();
  if (options.onResponse) events.on('responded', options.onResponse);
  const engine = await createEngine({
    definition,
    handlers,
    verifiers: options.verifiers ?? {},
    realm: 'toys',
    exposeErrors: options.exposeErrors ?? true,
    mock: options.mock ?? 'off',
    mockOptions: options.mockOptions,
    report: options.report,
    basePath: options.basePath,
    hasMockCors: true,
    errors: 'numbered',
  });
  const app = appAround(engine, events, options);
  const server = await listen(app.callback(), {
    host: '127.0.0.1',
    port: 0,
    maxConnections: 100,
    bounds: { ...limits, settleMs: 5 },
  });
  const url = `http://127.0.0.1:${server.address.port}`;
  return {
    url,
    got,
    async fetch(path, init) {
      const response = await fetch(url + path, {
        redirect: 'manual',
        ...init,
        headers: { Connection: 'close', ...init?.headers },
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    close: () => server.drain(),
  };
}
