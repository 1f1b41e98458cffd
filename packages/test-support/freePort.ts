// Ports for servers that take their port as a setting, and may stop and start again on it.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the range that operating systems give to outgoing connections (Linux from 32768, others from
 * 49152): one of those would take the port while its server is stopped.
 */
const [FIRST, END] = [16_384, 32_768];

/** A TCP port that nothing listens on at 127.0.0.1. Rejects if no port can be opened there. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      server.close();
      await once(server, 'close');
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}
