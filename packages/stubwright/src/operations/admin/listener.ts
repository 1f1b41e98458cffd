// The admin listener: probes and metrics on an address of their own, never on the public port.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What must hold for the service to be sent requests, by name. None takes long, none rejects. */
export type Checks = Readonly<Record<string, () => boolean | Promise<boolean>>>;

export interface AdminOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly checks: Checks;
  /** The metrics in Prometheus' text format. */
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

/** A scraper, a kubelet and a few people. */
const MAX_CONNECTIONS = 64;
/** A probe sends its request with the connection. */
const TIMEOUTS = {
  headersTimeout: 1_500,
  requestTimeout: 1_500,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 500,
};
/** Longer than any check takes: only a client that does not read its answer reaches it. */
const INACTIVITY_MS = 5_000;
const TEXT = 'text/plain; charset=utf-8';
/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** @throws the system's error (`EADDRINUSE`, …) when the address cannot be listened on */
export async function listenForAdmin(options: AdminOptions): Promise<AdminListener> {
  const server = createServer(TIMEOUTS, (request, response) => {
    answer(request, options).then(
      (page) => send(response, page),
      (error: Error) => send(response, { status: 500, type: TEXT, body: `${error.message}\n` }),
    );
  });
  server.timeout = INACTIVITY_MS;
  limitConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Beyond the limit, the connection that waits longest for a request makes room for a new one. */
function limitConnections(server: Server): void {
  /** In the order in which they became idle; the busy ones are in the other set. */
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

async function answer({ method, url, headers }: IncomingMessage, options: AdminOptions) {
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
  const words = results.map(([name, isGood]) => [name, isGood ? 'ok' : 'failed'] as const);
  return {
    status: isReady ? 200 : 503,
    type: isJson ? 'application/json' : TEXT,
    body: isJson
      ? JSON.stringify({ ready: isReady, checks: Object.fromEntries(words) })
      : words.map(([name, result]) => `${name} ${result}\n`).join(''),
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
