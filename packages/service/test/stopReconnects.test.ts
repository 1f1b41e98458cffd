// Stops the service while clients reconnect for each exchange: no more connections are reset than wait to be accepted.
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { spawnService, TOKEN } from '@stubwright/test-support/service';
import { isTestAll } from '@stubwright/test-support/testAll';

const GOOD = `POST /toys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 19\r\n\r\n{"id":1,"name":"x"}`;
const CLIENTS = 20;
const EXCHANGES_BEFORE_STOP = 200;
/** Connections that the kernel has established, and the closing service has not yet accepted. */
const MAX_QUEUED = 2;
const STOPS = isTestAll ? 5 : 1;

/** `refused`: the connection was never established; `late`: it was closed as idle before the client wrote. */
type Outcome = 'answered' | 'refused' | 'reset' | 'late' | string;

/** A stopping service closes a connection that is idle for longer; clients of a busy machine are slower. */
const SETTLE_MS = 250;

/** While the client reads, or writes. */
const RESETS = ['ECONNRESET', 'EPIPE'];

/** Sends `count` requests at once on a new connection, and closes it after the responses. */
function exchange(port: number, count: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const startedMs = performance.now();
    let isConnected = false;
    let isLate = false;
    let text = '';
    socket.on('connect', () => {
      isConnected = true;
      isLate = performance.now() - startedMs > SETTLE_MS;
      socket.write(GOOD.repeat(count));
    });
    const answered = () => text.split('{"name":"x"}').length - 1;
    socket.on('data', (chunk) => {
      text += chunk;
      if (answered() === count) socket.end();
    });
    socket.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      const outcome = RESETS.includes(code) ? 'reset' : message;
      resolve(isConnected ? outcome : 'refused');
    });
    socket.on('close', () => {
      if (answered() === count) resolve('answered');
      else resolve(isLate ? 'late' : `${answered()} of ${count} answered`);
    });
  });
}

/** @returns the number of exchanges by outcome */
async function stopUnderLoad(count: number, env: Record<string, string>) {
  // Without load shedding: on a busy machine its 503 would count as an unanswered request.
  const service = spawnService({ API_TOKENS: TOKEN, LAG_LIMIT: '60000', ...env });
  const port = Number(new URL(await service.url).port);
  const outcomes: Record<Outcome, number> = { answered: 0, refused: 0, reset: 0, late: 0 };
  const client = async () => {
    let outcome: Outcome = '';
    while (outcome !== 'refused') {
      outcome = await exchange(port, count);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (outcomes['answered'] === EXCHANGES_BEFORE_STOP) service.child.kill('SIGTERM');
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await service.exited;
  return outcomes;
}

describe.each(isTestAll ? ['0', '1'] : ['0'])('a stop with SHUTDOWN_GRACE=%s', (graceSeconds) => {
  it.each([1, 4])(
    `answers or refuses ${CLIENTS} clients that reconnect, with %i requests per connection`,
    async (count) => {
      for (let stop = 0; stop < STOPS; stop++) {
        const outcomes = await stopUnderLoad(count, { SHUTDOWN_GRACE: graceSeconds });
        const { answered, reset, late, ...others } = outcomes;
        expect([stop, others]).toEqual([stop, { refused: CLIENTS }]);
        // Between the last look at the accept queue and the close the kernel may run other processes.
        expect(reset).toBeLessThanOrEqual(MAX_QUEUED);
        expect(answered).toBeGreaterThan(EXCHANGES_BEFORE_STOP);
      }
    },
    120_000,
  );
});
