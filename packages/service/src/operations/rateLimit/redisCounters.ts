// Rate limits in Redis. Loaded only if RATE_LIMIT_STORE has its URL.
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { CounterStore } from './sharedCounters.ts';

const TIMEOUT_MS = 1000;
const RECONNECT_MS = 500;

export function redisCounters(url: URL): CounterStore {
  const redis = new Redis(url.href, {
    ...{ connectTimeout: TIMEOUT_MS, commandTimeout: TIMEOUT_MS, lazyConnect: true },
    // A request is counted now, or not at all.
    ...{ enableOfflineQueue: false, autoResendUnfulfilledCommands: false },
    maxRetriesPerRequest: 0,
    retryStrategy: () => RECONNECT_MS,
  });
  // The next command reports it.
  redis.on('error', () => {});
  return {
    /** Afterwards the client connects again by itself. */
    async open() {
      if (redis.status === 'wait') await redis.connect();
    },
    limiter: ({ requests, windowSeconds }) =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: 'stubwright-rate-limit',
        ...{ points: requests, duration: windowSeconds },
        // A refused caller does not cause a command until its window ends.
        inMemoryBlockOnConsumed: requests,
      }),
    async close() {
      redis.disconnect();
    },
  };
}
