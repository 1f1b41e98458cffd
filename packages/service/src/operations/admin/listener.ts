// The admin listener: health probes and metrics, on a separate port.

import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { originOf } from 'stubwright/internals';
import { createServer } from '../../nodeHttp.ts';

/** Readiness checks by name. They never reject, and take less than a second. */
export type Checks = Readonly<Record<string, () => boolean | Promise<boolean>>>;

export interface AdminOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly checks: Checks;
  /** @returns the metrics in the Prometheus text format */
  readonly metrics: () => Promise<string>;
}

export interface AdminListener {
  /** `http://127.0.0.1:9000` */
  readonly url: string;
  close(): Promise<void>;
}

interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Enough for a scraper, a kubelet and a few people. */
const MAX_CONNECTIONS = 64;
/** Milliseconds. A probe sends its request as soon as it is connected. */
const TIMEOUTS = {
  headersTimeout: 1_500,
  requestTimeout: 1_500,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 500,
};
const TEXT = 'text/plain; charset=utf-8';
/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Starts the admin listener.
 *
 * @throws {NodeJS.ErrnoException} `EADDRINUSE`, … if it cannot listen on the address
 */
export async function listenForAdmin(options: AdminOptions): Promise<AdminListener> {
  const server = createServer(TIMEOUTS, (request, response) => {
    respond(request, options).then(
      (page) => send(response, page),
      (error: Error) => send(response, { status: 500, type: TEXT, body: `${error.message}\n` }),
    );
  });
  limitConnections(server);
  await once(server.listen(options.port, options.host), 'listening');
  return {
    url: originOf(server.address() as AddressInfo),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Beyond the limit, a new connection closes the one that has been idle longest. */
function limitConnections(server: Server): void {
  /** In the order in which they became idle. */
  const idle = new Set<Socket>();
  const busy = new Set<Socket>();
  server.on('connection', (socket) => {
    if (idle.size + busy.size >= MAX_CONNECTIONS) {
      const [oldest] = idle.size > 0 ? idle : busy;
      idle.delete(oldest!);
      busy.delete(oldest!);
      oldest!.destroy();
    }
    idle.add(socket);
    socket.on('close', () => {
      idle.delete(socket);
      busy.delete(socket);
    });
  });
  server.on('request', ({ socket }, response) => {
    if (idle.delete(socket)) busy.add(socket);
    response.on('finish', () => {
      if (busy.delete(socket) && !socket.destroyed) idle.add(socket);
    });
  });
}

async function respond({ method, url, headers }: IncomingMessage, options: AdminOptions) {
  const [path] = (url ?? '').split('?');
  const pages: Readonly<Record<string, () => Promise<Page>>> = {
    '/livez': async () => ({ status: 200, type: TEXT, body: 'ok\n' }),
    '/readyz': () => readiness(options.checks, /\bapplication\/json\b/.test(headers.accept ?? '')),
    '/metrics': async () => ({ status: 200, type: METRICS_TYPE, body: await options.metrics() }),
  };
  const page = Object.hasOwn(pages, path!) ? pages[path!] : undefined;
  if (page === undefined) {
    return { status: 404, type: TEXT, body: `expected one of ${Object.keys(pages).join(', ')}\n` };
  }
  if (method === 'GET' || method === 'HEAD') return page();
  return { status: 405, type: TEXT, body: 'expected GET or HEAD\n' };
}

async function readiness(checks: Checks, isJson: boolean): Promise<Page> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await check()] as const),
  );
  const isReady = results.every(([, isGood]) => isGood);
  const entries = results.map(([name, isGood]) => [name, isGood ? 'ok' : 'failed'] as const);
  return {
    status: isReady ? 200 : 503,
    type: isJson ? 'application/json' : TEXT,
    body: isJson
      ? JSON.stringify({ ready: isReady, checks: Object.fromEntries(entries) })
      : entries.map(([name, result]) => `${name} ${result}\n`).join(''),
  };
}

function send(response: ServerResponse, { status, type, body }: Page): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...(status === 405 && { Allow: 'GET, HEAD' }),
  });
  response.end(body);
}
