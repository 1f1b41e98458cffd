// An event emitter whose listeners cannot fail the code that emits.

import { EventEmitter } from 'node:events';
import { errorFrom, isThenable } from '@stubwright/contract';
import type { DeprecatedUsage } from '../deprecation/deprecations.ts';

interface Reporting<Events extends Record<keyof Events, unknown[]>> {
  /** The error of a listener, also of an async one, becomes the event `internalError`. */
  readonly events: EventEmitter<Events>;
  /** Emits `internalError`; without a listener, writes the error to stderr. Never throws. */
  readonly report: (error: Error) => void;
}

export function reportingEmitter<
  Events extends Record<keyof Events, unknown[]>,
>(): Reporting<Events> {
  const events = new EventEmitter<Events>();
  const report = (error: Error) => {
    if (!emit('internalError', error)) writeToStderr(error);
  };
  const emit = (name: string, ...values: unknown[]): boolean => {
    const failed = name === 'internalError' ? writeToStderr : report;
    const listeners = (events as EventEmitter).rawListeners(name);
    for (const listener of listeners) {
      try {
        const result: unknown = Reflect.apply(listener, events, values);
        if (isThenable(result)) {
          Promise.resolve(result).catch((thrown) => failed(errorFrom(thrown)));
        }
      } catch (thrown) {
        failed(errorFrom(thrown));
      }
    }
    return listeners.length > 0;
  };
  return { events: Object.assign(events, { emit }), report };
}

/** As Koa does for an application without an `error` listener. */
function writeToStderr(error: Error): void {
  try {
    console.error(error);
  } catch {
    // The error has a getter that throws.
  }
}

/** Payloads by event name, for a contract without a service. */
export interface ApiEvents {
  /** An operation, or a request that matches none, has a response. */
  responded: [response: ApiResponse];
  /**
   * An error that does not change a response: of a listener, of `toProblem`, of a format of errors, of a
   * body stream after its first chunk, of a handler after its time limit, or of the removal of an upload.
   * Without a listener, it is written to stderr.
   */
  internalError: [error: Error];
}

export type ApiEmitter = EventEmitter<ApiEvents>;

/** A response that an API has sent, without its body. */
export interface ApiResponse {
  /** A token (RFC 9110, section 9.1). */
  readonly method: string | undefined;
  /** The path template; undefined if no operation matches. */
  readonly route: string | undefined;
  readonly operationId: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** The error that caused a 500 or 503, or the violation of a reply that was sent; for the log only. */
  readonly cause: unknown;
  /** The message of an error if the declared response has no room for it. */
  readonly reason?: string | undefined;
  /** Undefined for a request without deprecated parts. */
  readonly deprecated?: DeprecatedUsage | undefined;
}
