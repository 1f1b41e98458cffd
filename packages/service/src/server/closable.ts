// Closes connections whose clients do not read, and at the limit those that make room for others.
import type { Socket } from 'node:net';
import type { Connections } from './connections.ts';
import type { Limits } from './limits.ts';

interface Sample {
  /** False for a connection without a request. */
  readonly isReading: boolean;
  readonly sinceMs: number;
  readonly sinceBytes: number;
  /** The last time at which `bytes` had changed. */
  progressMs: number;
  bytes: number;
}

interface Candidate {
  readonly socket: Socket;
  readonly sample: Sample;
  /** Infinite without a request. */
  readonly bytesPerSecond: number;
}

/**
 * Samples the connections whose responses wait for their clients, and those without a request.
 *
 * Node has sent a response that fits into the send buffer of the kernel: the connection of a client that
 * does not read it is one without a request.
 */
export class ClosableConnections {
  readonly #connections: Connections;
  readonly #bounds: Limits;
  readonly #samples = new WeakMap<Socket, Sample>();
  #sampledMs = 0;
  /** Of the last sample, once they are needed; the first to close is the last. */
  #candidates: Candidate[] | undefined;

  constructor(connections: Connections, bounds: Limits) {
    this.#connections = connections;
    this.#bounds = bounds;
  }

  /**
   * Closes connections whose responses made no progress for `writeTimeoutMs`.
   *
   * @param now a monotonic clock in milliseconds
   */
  sample(now: number): void {
    this.#sampledMs = now;
    this.#candidates = undefined;
    for (const socket of this.#connections.sockets()) {
      const isReading = socket.writableLength > 0;
      if (isReading || this.#connections.isIdle(socket)) this.#sampleOne(socket, isReading);
      else this.#samples.delete(socket);
    }
  }

  /** @returns true if a connection is closed for another: the slowest reader, else the one longest idle */
  closeOne(): boolean {
    this.#candidates ??= this.#candidatesOfSample();
    for (;;) {
      const candidate = this.#candidates.pop();
      if (candidate === undefined) return false;
      const { socket, sample } = candidate;
      const isSame = sample.isReading
        ? socket.writableLength > 0
        : this.#connections.isIdle(socket);
      if (socket.destroyed || !isSame) continue;
      // At once: the next connection needs the room. The kernel still sends what it has buffered.
      socket.destroy();
      return true;
    }
  }

  #sampleOne(socket: Socket, isReading: boolean): void {
    const bytes = bytesSent(socket);
    const sample = this.#samples.get(socket);
    const now = this.#sampledMs;
    const start = () => {
      const since = { isReading, sinceMs: now, sinceBytes: bytes, progressMs: now, bytes };
      this.#samples.set(socket, since);
    };
    if (sample?.isReading !== isReading) start();
    else if (bytes !== sample.bytes) {
      sample.progressMs = now;
      sample.bytes = bytes;
      // A request has come and gone, or the client reads.
      if (!isReading || this.#isFast(sample)) start();
    } else if (isReading && now - sample.progressMs >= this.#bounds.writeTimeoutMs) {
      socket.destroy();
    }
  }

  #isFast(sample: Sample): boolean {
    const { stallMs, minBytesPerSecond } = this.#bounds;
    return this.#ageMs(sample) >= stallMs && this.#rate(sample) >= minBytesPerSecond;
  }

  #ageMs({ sinceMs }: Sample): number {
    return this.#sampledMs - sinceMs;
  }

  #rate(sample: Sample): number {
    return (1000 * (sample.bytes - sample.sinceBytes)) / this.#ageMs(sample);
  }

  #candidatesOfSample(): Candidate[] {
    const candidates: Candidate[] = [];
    for (const socket of this.#connections.sockets()) {
      const sample = this.#samples.get(socket);
      if (sample === undefined || this.#ageMs(sample) < this.#bounds.stallMs) continue;
      if (sample.isReading && this.#isFast(sample)) continue;
      const bytesPerSecond = sample.isReading ? this.#rate(sample) : Number.POSITIVE_INFINITY;
      candidates.push({ socket, sample, bytesPerSecond });
    }
    return candidates.sort(closedLater);
  }
}

function closedLater(a: Candidate, b: Candidate): number {
  // Infinite numbers have no difference.
  if (a.bytesPerSecond !== b.bytesPerSecond) return b.bytesPerSecond - a.bytesPerSecond;
  return b.sample.sinceMs - a.sample.sinceMs;
}

/** @returns the bytes that the kernel has accepted; `bytesWritten` counts those that wait in libuv too */
function bytesSent(socket: Socket): number {
  const { _handle } = socket as {
    readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize?: number };
  };
  if (_handle?.writeQueueSize === undefined) return socket.bytesWritten - socket.writableLength;
  return _handle.bytesWritten - _handle.writeQueueSize;
}
