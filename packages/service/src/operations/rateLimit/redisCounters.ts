// Rate limits in Redis. Loaded only if RATE_LIMIT_STORE has its URL.
import type { RequestRate } from '@stubwright/contract';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { CounterStore } from './sharedCounters.ts';

const TIMEOUT_MS = 1000;
const RECONNECT_MS = 500;

export class RedisCounters implements CounterStore {
  readonly #redis: Redis;

  constructor(url: URL) {
    this.#redis = new Redis(url.href, {
      ...{ connectTimeout: TIMEOUT_MS, commandTimeout: TIMEOUT_MS, lazyConnect: true },
      // A request is counted now, or not at all.
      ...{ enableOfflineQueue: false, autoResendUnfulfilledCommands: false },
      maxRetriesPerRequest: 0,
      retryStrategy: () => RECONNECT_MS,
    });
    // The next command reports it.
    this.#redis.on('error', () => {});
  }

  /** Afterwards the client connects again by itself. */
  async open(): Promise<void> {
    if (this.#redis.status === 'wait') await this.#redis.connect();
  }

  limiter({ requests, windowSeconds }: RequestRate): RateLimiterRedis {
    return new RateLimiterRedis({
      storeClient: this.#redis,
      keyPrefix: 'stubwright-rate-limit',
      ...{ points: requests, duration: windowSeconds },
      // A refused caller does not cause a command until its window ends.
      inMemoryBlockOnConsumed: requests,
    });
  }

  close(): Promise<void> {
    this.#redis.disconnect();
    return Promise.resolve();
  }
}
