import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ClosableConnections, Connections } from '../src/server/connections.ts';
import { limits } from '../src/server/server.ts';

/** A socket of which the kernel has accepted `sent` bytes. */
class FakeSocket extends EventEmitter {
  destroyed = false;
  writableEnded = false;
  bytesRead = 0;
  bytesWritten = 0;
  writableLength = 0;
  readonly _handle = { bytesWritten: 0, writeQueueSize: 0 };

  /** Node writes a response, of which `unsent` bytes do not fit into the kernel. */
  write(bytes: number, unsent = 0): void {
    this._handle.bytesWritten += bytes;
    this._handle.writeQueueSize = unsent;
    this.writableLength = unsent;
  }

  read(bytes: number): void {
    this._handle.writeQueueSize -= bytes;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const LARGE = 1024 ** 3;
const SECOND = 1_000;
const { stallMs, minBytesPerSecond, writeTimeoutMs } = limits;
let connections: Connections;
let closable: ClosableConnections;
let now: number;

beforeEach(() => {
  connections = new Connections(() => {});
  closable = new ClosableConnections(connections, limits);
  now = 0;
});

function connected(): FakeSocket {
  const socket = new FakeSocket();
  connections.add(socket as unknown as Socket);
  return socket;
}

function reader(): FakeSocket {
  const socket = connected();
  socket.write(2 * LARGE, LARGE);
  return socket;
}

/** Samples after each second. */
function pass(ms: number, each: () => void = () => {}): void {
  for (const end = now + ms; now < end; now += SECOND) {
    closable.sample(now);
    each();
  }
  closable.sample(now);
}

/** @returns the sockets in the order in which they are closed */
function closeAll(sockets: readonly FakeSocket[]): number[] {
  const closed: number[] = [];
  while (closable.closeOne()) {
    closed.push(sockets.findIndex(({ destroyed }, at) => destroyed && !closed.includes(at)));
  }
  return closed;
}

describe('the connection that is closed for another', () => {
  it('is the slowest reader, then the longest idle', () => {
    const rates = [2 * minBytesPerSecond, 0.5, 3 * minBytesPerSecond, 0.9, 0].map((rate) =>
      rate < 1 ? rate * minBytesPerSecond : rate,
    );
    const readers = rates.map(reader);
    const first = connected();
    pass(SECOND);
    const second = connected();
    pass(stallMs, () => {
      for (const [at, socket] of readers.entries()) socket.read(rates[at]!);
    });
    expect(closeAll([...readers, first, second])).toEqual([4, 1, 3, 5, 6]);
  });

  it('is one that was fast before', () => {
    const socket = reader();
    pass(stallMs, () => socket.read(1024 ** 2));
    expect(closable.closeOne()).toBe(false);
    pass(2 * stallMs);
    expect(closable.closeOne()).toBe(true);
  });

  it('is none whose client reads in large steps', () => {
    const socket = reader();
    // TCP reports a step for each third of the send buffer.
    const step = { seconds: 20, bytes: 20 * 2 * minBytesPerSecond };
    for (let at = 0; at < 3; at++) {
      pass(step.seconds * SECOND);
      socket.read(step.bytes);
      pass(0);
      expect(closable.closeOne()).toBe(false);
    }
  });

  it('is none that has read enough in the time', () => {
    const socket = reader();
    pass(SECOND);
    socket.read((2 * minBytesPerSecond * stallMs) / SECOND);
    pass(stallMs);
    expect(closable.closeOne()).toBe(false);
  });

  it('is none with a request in progress, a partial request or a request meanwhile', () => {
    const busy = connected();
    const request = { socket: busy, complete: false } as unknown as IncomingMessage;
    connections.onRequest(
      request,
      Object.assign(new EventEmitter(), {}) as unknown as ServerResponse,
    );
    connected().bytesRead = 1;
    const active = connected();
    pass(3 * stallMs, () => active.write(1));
    expect(closable.closeOne()).toBe(false);
  });

  it('is none that has changed since the sample', () => {
    const finished = reader();
    const begun = connected();
    const gone = reader();
    pass(stallMs);
    finished.writableLength = 0;
    begun.bytesRead = 1;
    gone.destroyed = true;
    expect(closable.closeOne()).toBe(false);
  });

  it('is none before it was slow or idle for the time', () => {
    reader();
    connected();
    pass(stallMs - SECOND);
    expect(closable.closeOne()).toBe(false);
  });
});

describe('a response without progress', () => {
  it('is closed after the time, and one with a byte of progress is not', () => {
    const [still, slow] = [reader(), reader()];
    pass(writeTimeoutMs - SECOND, () => slow.read(1));
    expect(still.destroyed).toBe(false);
    pass(SECOND);
    expect([still.destroyed, slow.destroyed]).toEqual([true, false]);
  });

  it('is seen without a handle of Node, where a chunk is sent', () => {
    const [still, slow] = [reader(), reader()];
    for (const socket of [still, slow]) {
      Object.defineProperty(socket, '_handle', { value: undefined });
      socket.bytesWritten = 2 * LARGE;
    }
    pass(writeTimeoutMs, () => {
      slow.writableLength -= 1;
    });
    expect([still.destroyed, slow.destroyed]).toEqual([true, false]);
  });
});
