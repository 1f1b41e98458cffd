// Composes the service.
import { Problem } from 'stubwright';
import { type Log, type Settings, startService } from 'stubwright/service';
import { Bookings, SailingFull } from './bookings.ts';
import { type Context, handlers } from './handlers.ts';

export function start(settings: Settings, tokens: readonly string[], log: Log) {
  return startService<Context>({
    settings,
    tokens,
    log,
    handlers,
    verifiers: (verify) => ({ oauth: verify }),
    async open() {
      const bookings = new Bookings(':memory:');
      const store = {
        isReady: async () => true,
        waiting: 0,
        close: async () => bookings.close(),
      };
      return { services: { bookings }, store };
    },
    toProblem: (error) =>
      error instanceof SailingFull ? new Problem(409, error.message) : undefined,
  });
}
