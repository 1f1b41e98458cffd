// How a body is read, without a connection.
import type { Reading } from '../../src/replies.ts';
import { limitTime } from '../../src/timeLimit.ts';

/** @returns the second argument of a reader */
export function testReading(): Reading {
  const limit = limitTime(undefined, 60_000);
  limit.end();
  return {
    ...{ limit, as: undefined, idleTimeoutMs: undefined },
    // Restarted by a stream until its first read.
    timeoutMs: 60_000,
    errorOf: (cause) => cause,
    undeclared: async (reason) => new Error(reason),
  };
}
