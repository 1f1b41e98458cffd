// Composes the service.

import type { ServiceOptions } from '@stubwright/service';
import { Problem } from 'stubwright';
import { Bookings, SailingFull } from './bookings.ts';
import { type Context, handlers } from './handlers.ts';

export const service: ServiceOptions<Context> = {
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
};
