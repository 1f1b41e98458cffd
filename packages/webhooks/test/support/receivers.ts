// Receivers of webhooks on real sockets, and what else ends after a test.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach } from '@jest/globals';

interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** @returns a function that starts receivers of a file of tests, and what is called after each test, the last first */
export function receivers() {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** Starts a receiver. @param answer by default 204 */
  async function receiver(answer: RequestListener = (_, res) => res.writeHead(204).end()) {
    const received: Received[] = [];
    const server = createServer(async (req, res) => {
      const body = await text(req);
      received.push({ url: req.url!, headers: req.headers, body });
      answer(req, res);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
  }

  return { receiver, ends };
}
