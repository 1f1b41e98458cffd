// A reverse proxy that validates requests and responses against a contract.
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { originOf } from 'stubwright/node';
import { Forwarder, type ForwarderOptions } from './forwarder.ts';
import { canUpgrade, isHandshake, MAX_HEADER_BYTES } from './upstream.ts';

export interface ProxyOptions extends ForwarderOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
}

export interface RunningProxy {
  /** `http://127.0.0.1:4010` */
  readonly url: string;
  /** Waits for requests in flight and their validation. */
  close(): Promise<void>;
}

/** Longer than the usual 60 s of load balancers. */
const KEEP_ALIVE_MS = 65_000;
/** Maximum wait for requests in flight at the end. */
const DRAIN_MS = 2_000;
/** A gateway does not forward CONNECT (RFC 9110, section 9.3.6). */
const NO_TUNNEL = 'HTTP/1.1 501 Not Implemented\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/** @throws {NodeJS.ErrnoException} `EADDRINUSE`, `EACCES`, … if it cannot listen on the address */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const forwarder = await Forwarder.create(options);
  const listener = (request: http.IncomingMessage, response: http.ServerResponse) =>
    void forwarder.handle(request, response);
  // Without requestTimeout: uploads may take any time.
  const server = http.createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      requestTimeout: 0,
      shouldUpgradeCallback: isHandshake,
    },
    listener,
  );
  if (canUpgrade) {
    server.on('upgrade', (request, socket, head) => void forwarder.upgrade(request, socket, head));
  }
  server.maxHeadersCount = 0;
  // The service decides about 100 Continue.
  server.on('checkContinue', listener).on('checkExpectation', listener);
  server.on('connect', (_request, socket) => socket.end(NO_TUNNEL));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    url: originOf(server.address() as AddressInfo),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      forwarder.closeTunnels();
      await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
      server.closeAllConnections();
      await closed;
      await forwarder.close();
    },
  };
}
