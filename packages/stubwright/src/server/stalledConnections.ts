// Limits the connections whose clients do not read their responses.
import type { Socket } from 'node:net';

export interface StallLimits {
  /** Interval between the timeouts of a connection without progress. */
  readonly intervalMs: number;
  /** A connection without progress for this long is closed. */
  readonly maxMs: number;
  /** Maximum number of stalled connections; beyond it, the one that stalled first is closed. */
  readonly maxConnections: number;
}

interface Stall {
  readonly sinceMs: number;
  /** The last timeout. A connection without a further one has made progress. */
  lastMs: number;
}

export class StalledConnections {
  readonly #limits: StallLimits;
  readonly #now: () => number;
  /** In the order of `sinceMs`. */
  readonly #stalls = new Map<Socket, Stall>();

  /** @param now a monotonic clock in milliseconds; for tests */
  constructor(limits: StallLimits, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Records that a response has made no progress for an interval.
   *
   * @returns a connection to destroy; undefined for none
   */
  timedOut(socket: Socket): Socket | undefined {
    const now = this.#now();
    const { intervalMs, maxMs, maxConnections } = this.#limits;
    this.#removeRecovered(now);
    const stall = this.#stalls.get(socket) ?? this.#add(socket, now - intervalMs);
    stall.lastMs = now;
    // Half an interval: timers are late.
    if (now - stall.sinceMs > maxMs - intervalMs / 2) return socket;
    // Sets the timer again.
    socket.setTimeout(intervalMs);
    if (this.#stalls.size <= maxConnections) return undefined;
    const [[first] = []] = this.#stalls;
    return first;
  }

  #add(socket: Socket, sinceMs: number): Stall {
    const stall = { sinceMs, lastMs: sinceMs };
    this.#stalls.set(socket, stall);
    socket.once('close', () => this.#stalls.delete(socket));
    return stall;
  }

  #removeRecovered(now: number): void {
    for (const [socket, { lastMs }] of this.#stalls) {
      if (now - lastMs > 1.5 * this.#limits.intervalMs) this.#stalls.delete(socket);
    }
  }
}
