import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServiceEmitter } from '../../src/operations/events.ts';
import { pace, Shedding } from '../../src/operations/shedding.ts';

/** Result of the store, and the logged events. */
let waiting: number;
let emitted: string[];
let served: number;
let refused: number;
let shedding: Shedding;
let server: Server;
let sockets: Socket[];

beforeEach(async () => {
  waiting = served = refused = 0;
  emitted = [];
  sockets = [];
  shed();
  server = createServer((request, response) => {
    const problem = shedding.rejection(request);
    if (problem === undefined) served++;
    else refused++;
    response.writeHead(problem?.status ?? 200, { 'Content-Length': '0' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  shedding.stop();
  for (const socket of sockets) socket.destroy();
  server.close();
});

function shed({ refusedInSample = pace.refusedInSample, lagMs = 60_000 } = {}): void {
  const events: ServiceEmitter = new EventEmitter();
  events.on('sheddingStarted', () => emitted.push('begin'));
  events.on('sheddingEnded', ({ refusedRequests }) => emitted.push(`end ${refusedRequests}`));
  const store = {
    get waiting() {
      return waiting;
    },
  };
  const limits = { queueLength: 10, lagMs };
  shedding = new Shedding(limits, store, events, { ...pace, refusedInSample, quietSamples: 4 });
}

const REQUEST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody';

async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends a request, and @returns the status of the answer whenever it comes. */
async function ask(socket: Socket): Promise<number> {
  const answered = once(socket, 'data');
  socket.write(REQUEST);
  const [chunk] = await answered;
  return Number(String(chunk).slice(9, 12));
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5);
}

describe('shedding', () => {
  it('rejects at the queue limit, and serves again below it', async () => {
    const socket = await open();
    waiting = 9;
    expect(await ask(socket)).toBe(200);
    waiting = 10;
    expect(await ask(socket)).toBe(503);
    expect(emitted).toEqual(['begin']);
    waiting = 9;
    expect(await ask(socket)).toBe(200);
  });

  it('rejects while the event loop is late twice in a row, and serves afterwards', async () => {
    shedding.stop();
    shed({ lagMs: 300 });
    const socket = await open();
    const block = () => {
      const end = performance.now() + 400;
      while (performance.now() < end);
    };
    // A turn that is late once is no overload.
    block();
    await sleep(1);
    expect(await ask(socket)).toBe(200);
    const blocking = setInterval(block, 1);
    await until(() => {
      socket.write(REQUEST);
      return refused > 0;
    });
    clearInterval(blocking);
    while ((await ask(await open())) !== 200);
    expect(emitted[0]).toBe('begin');
  });

  it('leaves connections unread that are refused too often, and refuses what waited meanwhile', async () => {
    shedding.stop();
    shed({ refusedInSample: 0 });
    const [unread, other] = [await open(), await open()];
    waiting = 10;
    expect(await ask(unread)).toBe(503);
    waiting = 0;
    let late: number | undefined;
    const answered = ask(unread).then((status) => {
      late = status;
    });
    expect(await ask(other)).toBe(200);
    expect(late).toBeUndefined();
    await answered;
    expect(late).toBe(503);
    expect(await ask(unread)).toBe(200);
  });

  it('is reported when it starts, and when it ends with its number of requests', async () => {
    const socket = await open();
    waiting = 10;
    await ask(socket);
    await ask(socket);
    waiting = 0;
    await until(() => emitted.length === 2);
    expect(emitted).toEqual(['begin', 'end 2']);
    await ask(socket);
    expect(emitted).toHaveLength(2);
  });

  it('forgets a connection that closes while it is unread', async () => {
    shedding.stop();
    shed({ refusedInSample: 0 });
    waiting = 10;
    const all = await Promise.all(Array.from({ length: 20 }, open));
    await Promise.all(all.map(ask));
    for (const socket of all) socket.destroy();
    waiting = 0;
    await until(() => emitted.includes('end 20'));
    const connections = await new Promise((resolve) => server.getConnections((_, n) => resolve(n)));
    expect(connections).toBe(0);
  });
});
