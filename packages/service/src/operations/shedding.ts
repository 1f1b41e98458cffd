// Load shedding: rejects requests with 503 while the commit queue or the event loop lag is too long.

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Problem, unavailable } from '@stubwright/contract';
import type { Store } from '../resources.ts';
import type { ServiceEmitter } from './events.ts';

export interface SheddingLimits {
  /** Requests are shed from this number of writes that wait for their commit. */
  readonly queueLength: number;
  /** Requests are shed above this event loop delay. */
  readonly lagMs: number;
}

const OVERLOAD = unavailable('more requests are waiting than can be served in time, try again', 1);

/** Tests may lower these. */
export const pace = {
  sampleMs: 50,
  /** Maximum rejections per sample, about 2 % of the time; further connections are paused. */
  refusedInSample: 50,
  /** Shedding ends after this number of samples without a rejection. */
  quietSamples: 10,
};

type Pace = Readonly<typeof pace>;

/**
 * A rejection costs about half of a POST. Clients that ignore `Retry-After` could use all the time of
 * the process. Therefore the number of rejections per sample is limited: further connections are
 * paused, and resumed in order. A request that waited on a paused connection is rejected too.
 */
export class Shedding {
  readonly #limits: SheddingLimits;
  readonly #store: Pick<Store, 'waiting'>;
  readonly #events: ServiceEmitter;
  readonly #pace: Pace;
  readonly #timer: NodeJS.Timeout;
  /** Paused connections, in the order of their rejection. */
  readonly #paused = new Set<Socket>();
  /** Connections resumed in this event loop iteration: their requests have waited. */
  readonly #stale = new Set<Socket>();
  #rejected = 0;
  #rejectedInSample = 0;
  #quietSamples = 0;
  #sampledAt = performance.now();
  #lagMs = 0;
  #isLagging = false;

  /** @param store has the number of writes that wait for their commit */
  constructor(
    limits: SheddingLimits,
    store: Pick<Store, 'waiting'>,
    events: ServiceEmitter,
    timing: Pace = pace,
  ) {
    this.#limits = limits;
    this.#store = store;
    this.#events = events;
    this.#pace = timing;
    this.#timer = setInterval(this.#sample, timing.sampleMs).unref();
  }

  /** @returns the error for a request that is shed; undefined to accept it. May pause the connection. */
  readonly rejection = (request: IncomingMessage): Problem | undefined => {
    const isOver = this.#isLagging || this.#store.waiting >= this.#limits.queueLength;
    if (isOver) this.#quietSamples = 0;
    else if (this.#stale.size === 0 || !this.#stale.has(request.socket)) return undefined;
    if (this.#rejected++ === 0) {
      const lagMs = Math.round(this.#lagMs);
      this.#events.emit('sheddingStarted', { queueLength: this.#store.waiting, lagMs });
    }
    if (isOver && ++this.#rejectedInSample > this.#pace.refusedInSample) this.#pause(request);
    return OVERLOAD;
  };

  /** Stops sampling and resumes all paused connections. */
  stop(): void {
    clearInterval(this.#timer);
    this.#resume(this.#paused.size);
  }

  // Pauses at the end of the request, before the next read: one event loop iteration reads all available
  // input.
  #pause(request: IncomingMessage): void {
    const { socket } = request;
    request.once('end', () => {
      if (socket.destroyed) return;
      this.#paused.add(socket);
      socket.pause();
    });
  }

  #sample = (): void => {
    const now = performance.now();
    const lagMs = now - this.#sampledAt - this.#pace.sampleMs;
    // A single late sample is a pause of the machine or of the garbage collector.
    this.#isLagging = Math.min(lagMs, this.#lagMs) > this.#limits.lagMs;
    this.#lagMs = lagMs;
    this.#sampledAt = now;
    this.#rejectedInSample = 0;
    if (this.#rejected === 0) return;
    const isQuiet = ++this.#quietSamples > this.#pace.quietSamples;
    if (this.#paused.size > 0)
      this.#resume(isQuiet ? this.#paused.size : this.#pace.refusedInSample);
    else if (isQuiet) this.#end();
  };

  #end(): void {
    this.#events.emit('sheddingEnded', { refusedRequests: this.#rejected });
    this.#rejected = 0;
  }

  #resume(count: number): void {
    const sockets = [...this.#paused].slice(0, count);
    for (const socket of sockets) {
      this.#paused.delete(socket);
      this.#stale.add(socket);
      socket.resume();
    }
    // The waiting requests are read in this event loop iteration.
    setImmediate(() =>
      setImmediate(() => sockets.forEach((socket) => void this.#stale.delete(socket))),
    );
  }
}
