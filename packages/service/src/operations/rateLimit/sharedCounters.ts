// Counts the requests of all processes of a service in one store, and what to do while it is unavailable.
import { createHash } from 'node:crypto';
import { type RequestRate, unavailable } from '@stubwright/contract';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Log } from '../log.ts';
import { type CallerKey, type Counter, type Counters, consume, InMemory } from './counters.ts';
import { StoreAvailability } from './storeAvailability.ts';

/** `allow` counts nothing, `deny` responds with 503, `local` counts in the memory of each process. */
export type WhenUnavailable = 'allow' | 'deny' | 'local';

/** A connection to PostgreSQL or Redis. */
export interface CounterStore {
  /** Called again until it succeeds. */
  open(): Promise<void>;
  limiter(rate: RequestRate): Pick<RateLimiterAbstract, 'consume'>;
  close(): Promise<void>;
}

export interface RateLimitStoreSettings {
  /** Of PostgreSQL or Redis. */
  readonly url: URL;
  readonly whenUnavailable: WhenUnavailable;
}

/** Maximum time to count a request. */
const TIMEOUT_MS = 500;

export interface SharedCountersOptions {
  /** Separates the services that share a store. */
  readonly service: string;
  readonly whenUnavailable: WhenUnavailable;
  readonly log: Log;
}

export class SharedCounters implements Counters {
  readonly #store: CounterStore;
  readonly #options: SharedCountersOptions;
  readonly #availability: StoreAvailability;
  readonly #memory = new InMemory();
  #opened: Promise<void> | undefined;

  constructor(store: CounterStore, options: SharedCountersOptions) {
    this.#store = store;
    this.#options = options;
    this.#availability = new StoreAvailability(options.log, TIMEOUT_MS);
  }

  /** Connects. Without a connection it logs an error, and connects later. */
  async open(): Promise<void> {
    await this.#availability.attempt(() => this.#open());
  }

  counter(rate: RequestRate, name: readonly string[]): Counter {
    const limiter = this.#store.limiter(rate);
    const local = this.#memory.counter(rate);
    const { service, whenUnavailable } = this.#options;
    return {
      count: async (caller) => {
        // Names of callers have any length, and are nobody else's business.
        const key = digestOf([service, ...name, ...caller]);
        const counted = await this.#availability.attempt(async () => {
          await this.#open();
          return consume(limiter, key);
        });
        if (counted !== undefined || whenUnavailable === 'allow') return counted;
        if (whenUnavailable === 'local') return local.count(caller);
        throw unavailable('requests cannot be counted now, try again', 1);
      },
    };
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #open(): Promise<void> {
    this.#opened ??= this.#store.open().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}

function digestOf(parts: CallerKey): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
