// The admin listener: probes and metrics on an address of their own, never on the public port.
// Knows no plant, no contract; what it asks and shows is handed in.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
const TEXT = 'text/plain; charset=utf-8';
/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** @throws the system's error (`EADDRINUSE`, …) when the address cannot be listened on */
export async function listenForAdmin(options: AdminOptions): Promise<AdminListener> {
  const server = createServer((request, response) => {
    answer(request, options).then(
      (page) => send(response, page),
      (error: Error) => send(response, { status: 500, type: TEXT, body: `${error.message}\n` }),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
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
  const told = results.map(([name, isGood]) => [name, isGood ? 'ok' : 'failed'] as const);
  return {
    status: isReady ? 200 : 503,
    type: isJson ? 'application/json' : TEXT,
    body: isJson
      ? JSON.stringify({ ready: isReady, checks: Object.fromEntries(told) })
      : told.map(([name, result]) => `${name} ${result}\n`).join(''),
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
