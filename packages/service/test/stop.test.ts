// Stops the service under keep-alive load: no connection is reset, every request gets its response.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { spawnService, TOKEN } from '@stubwright/test-support/service';
import type { ServiceProcess } from '@stubwright/test-support/serviceProcess';
import { serviceProcesses } from '@stubwright/test-support/serviceProcesses';
import { isTestAll } from '@stubwright/test-support/testAll';

const HEAD = `POST /toys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
const GOOD = `${HEAD}Content-Length: 19\r\n\r\n{"id":1,"name":"x"}`;
const CONNECTIONS = 16;
const STOPS = isTestAll ? 15 : 1;

interface Lane {
  readonly socket: Socket;
  /** Sent requests and received responses. */
  sent: number;
  answered: number;
  /** Set by a response with `Connection: close`. */
  isLast: boolean;
  error: string | undefined;
  /** Resolves once the connection has closed. */
  readonly closed: Promise<void>;
}

/** Opens a connection; `next` is called after each response except the last. */
function openLane(url: string, next: (lane: Lane) => void): Lane {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  const lane: Lane = {
    socket,
    sent: 0,
    answered: 0,
    isLast: false,
    error: undefined,
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
  };
  socket.on('error', ({ message }) => {
    lane.error = message;
  });
  socket.on('data', (chunk) => {
    text += chunk;
    const answers = [...text.matchAll(/HTTP\/1\.1 200 OK\r\n([\s\S]*?)\r\n\r\n\{"name":"x"\}/g)];
    for (const [answer, headers] of answers) {
      text = text.slice(answer.length);
      lane.answered++;
      lane.isLast ||= /^connection: close$/im.test(headers!);
      if (!lane.isLast) next(lane);
    }
  });
  return lane;
}

function send(lane: Lane, requests = 1): void {
  if (lane.socket.writable) {
    lane.sent += requests;
    lane.socket.write(GOOD.repeat(requests));
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5);
}

/** @returns the requests of each connection that were reset or unanswered */
function defects(lanes: readonly Lane[]): string[] {
  return lanes.flatMap(({ sent, answered, error }, at) => [
    ...(error === undefined ? [] : [`connection ${at}: ${error}`]),
    ...(answered === sent ? [] : [`connection ${at}: ${sent - answered} unanswered`]),
  ]);
}

let service: ServiceProcess;

/** Without load shedding: on a busy machine its 503 would count as an unanswered request. */
const spawned = serviceProcesses((env: Record<string, string>) =>
  spawnService({ API_TOKENS: TOKEN, LAG_LIMIT: '60000', ...env }),
);

function start(env: Record<string, string> = {}): Promise<string> {
  service = spawned(env);
  return service.url;
}

/** Sends SIGTERM; resolves with the exit code once all lanes have closed. */
async function stopped(lanes: readonly Lane[]): Promise<number | null> {
  service.child.kill('SIGTERM');
  const { code } = await service.exited;
  await Promise.all(lanes.map(({ closed }) => closed));
  return code;
}

describe('a stop', () => {
  it(`resets none of 16 busy connections and answers every request, ${STOPS} times`, async () => {
    for (let stop = 0; stop < STOPS; stop++) {
      const url = await start();
      const lanes = Array.from({ length: CONNECTIONS }, () => openLane(url, send));
      for (const lane of lanes) send(lane);
      await until(() => lanes.every(({ answered }) => answered > 20));
      expect(await stopped(lanes)).toBe(0);
      expect([stop, defects(lanes)]).toEqual([stop, []]);
      // Each client received `Connection: close` in a response.
      expect(lanes.filter(({ isLast }) => !isLast)).toEqual([]);
    }
  }, 600_000);

  it('answers requests that arrive on silent and idle connections right after the signal', async () => {
    for (let stop = 0; stop < STOPS / 3; stop++) {
      const url = await start();
      const silent = Array.from({ length: CONNECTIONS }, () => openLane(url, () => {}));
      const idle = Array.from({ length: CONNECTIONS }, () => openLane(url, () => {}));
      for (const lane of idle) send(lane);
      await until(() => idle.every(({ answered }) => answered === 1));
      await until(() => silent.every(({ socket }) => !socket.connecting));
      const lanes = [...silent, ...idle];
      const end = stopped(lanes);
      for (const lane of lanes) {
        send(lane);
        await new Promise(setImmediate);
      }
      expect(await end).toBe(0);
      expect([stop, defects(lanes)]).toEqual([stop, []]);
    }
  }, 600_000);

  it('does not reset a connection that sent more than the last request', async () => {
    const url = await start();
    const lanes = Array.from({ length: CONNECTIONS }, () => openLane(url, () => {}));
    for (const lane of lanes) send(lane);
    await until(() => lanes.every(({ answered }) => answered === 1));
    const end = stopped(lanes);
    for (const lane of lanes) send(lane, 20);
    expect(await end).toBe(0);
    expect(lanes.map(({ error }) => error)).toEqual(lanes.map(() => undefined));
    const isComplete = ({ isLast, answered, sent }: Lane) => isLast || answered === sent;
    expect(lanes.map(isComplete)).toEqual(lanes.map(() => true));
  });

  it('answers a request whose headers arrive in parts', async () => {
    const url = await start();
    const lane = openLane(url, () => {});
    lane.sent = 1;
    lane.socket.write(GOOD.slice(0, 30));
    await until(() => lane.socket.bytesWritten > 0 && !lane.socket.connecting);
    await sleep(50);
    const end = stopped([lane]);
    await until(() => service.output().includes('draining'));
    await sleep(600);
    lane.socket.write(GOOD.slice(30));
    expect(await end).toBe(0);
    expect(defects([lane])).toEqual([]);
  });

  it('closes connections from the signal on, during SHUTDOWN_GRACE too', async () => {
    const url = await start({ SHUTDOWN_GRACE: '1' });
    const lane = openLane(url, () => {});
    send(lane);
    await until(() => lane.answered === 1);
    expect(lane.isLast).toBe(false);
    const end = stopped([lane]);
    await until(() => service.output().includes('not ready'));
    send(lane);
    await lane.closed;
    expect([lane.answered, lane.isLast]).toEqual([2, true]);
    const other = openLane(url, () => {});
    send(other);
    await other.closed;
    expect([other.answered, other.isLast, defects([lane, other])]).toEqual([1, true, []]);
    expect(await end).toBe(0);
  });
});
