// Load shedding: requests beyond what can be served in time are refused at once, so that the others
// are served as fast as ever. Knows sockets and two figures; nothing of contracts or stores.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Problem, unavailable } from '../errors/problem.ts';
import type { ServiceEmitter } from './events.ts';

export interface SheddingLimits {
  /** Creates that wait for their commit, from which on requests are refused. */
  readonly queueLength: number;
  /** How late the event loop is, from which on they are. */
  readonly lagMs: number;
}

export interface SheddingOptions extends SheddingLimits {
  /** Creates that wait for their commit now. */
  readonly waiting: () => number;
  readonly events: ServiceEmitter;
}

const OVERLOAD = unavailable('more requests are waiting than can be served in time, try again', 1);

/** A test may tighten it. */
export const pace = {
  sampleMs: 50,
  /** How many connections may be refused in a sample and still be read: some 2 % of the time. */
  refusedInSample: 50,
  /** After so many samples without a refusal it is over. */
  quietSamples: 10,
};

type Pace = Readonly<typeof pace>;

/**
 * Refusing costs too: about half of a create. Clients that do not wait as `Retry-After` asks would
 * be refused again and again, until nothing else is done. So only so many are refused in a time; a
 * connection that is refused beyond that is not read until its turn comes. A request that waited
 * meanwhile is refused as well: what is served is served soon after it came.
 */
export class Shedding {
  readonly #options: SheddingOptions;
  readonly #pace: Pace;
  readonly #timer: NodeJS.Timeout;
  /** Connections that are not read, the first refused first. */
  readonly #unread = new Set<Socket>();
  /** Connections just read again: what they bring has waited. */
  readonly #stale = new Set<Socket>();
  #refused = 0;
  #refusedInSample = 0;
  #quietSamples = 0;
  #sampledAt = performance.now();
  #lagMs = 0;
  #isLagging = false;

  constructor(options: SheddingOptions, its: Pace = pace) {
    this.#options = options;
    this.#pace = its;
    this.#timer = setInterval(this.#sample, its.sampleMs).unref();
  }

  /** @returns why a request is to be refused, if it is; its connection may be left unread then */
  refusal(request: IncomingMessage): Problem | undefined {
    const isOver = this.#isLagging || this.#options.waiting() >= this.#options.queueLength;
    if (isOver) this.#quietSamples = 0;
    else if (this.#stale.size === 0 || !this.#stale.has(request.socket)) return undefined;
    if (this.#refused++ === 0) {
      const { events, waiting } = this.#options;
      const lagMs = Math.round(this.#lagMs);
      events.emit('sheddingStarted', { queueLength: waiting(), lagMs });
    }
    if (isOver && ++this.#refusedInSample > this.#pace.refusedInSample) this.#leaveUnread(request);
    return OVERLOAD;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#readAgain(this.#unread.size);
  }

  // An answered request is read to its end, and its body dropped. Then it is before the next read; a
  // later turn would be too late, since one turn reads on as long as there is something to read.
  #leaveUnread(request: IncomingMessage): void {
    const { socket } = request;
    request.once('end', () => {
      if (socket.destroyed) return;
      this.#unread.add(socket);
      socket.pause();
    });
  }

  #sample = (): void => {
    const now = performance.now();
    const lagMs = now - this.#sampledAt - this.#pace.sampleMs;
    // A single late turn is a pause of the machine or of the garbage collector.
    this.#isLagging = Math.min(lagMs, this.#lagMs) > this.#options.lagMs;
    this.#lagMs = lagMs;
    this.#sampledAt = now;
    this.#refusedInSample = 0;
    if (this.#refused === 0) return;
    const isQuiet = ++this.#quietSamples > this.#pace.quietSamples;
    if (this.#unread.size > 0)
      this.#readAgain(isQuiet ? this.#unread.size : this.#pace.refusedInSample);
    else if (isQuiet) this.#end();
  };

  #end(): void {
    this.#options.events.emit('sheddingEnded', { refusedRequests: this.#refused });
    this.#refused = 0;
  }

  #readAgain(count: number): void {
    const sockets = [...this.#unread].slice(0, count);
    for (const socket of sockets) {
      this.#unread.delete(socket);
      this.#stale.add(socket);
      socket.resume();
    }
    // What has waited is read in this turn of the event loop.
    setImmediate(() =>
      setImmediate(() => sockets.forEach((each) => void this.#stale.delete(each))),
    );
  }
}
