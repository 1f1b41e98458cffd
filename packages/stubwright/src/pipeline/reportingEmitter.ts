// An event emitter whose listeners cannot fail the code that emits.

import { EventEmitter } from 'node:events';
import { errorFrom, isThenable } from '@stubwright/contract';

export interface Reporting<Events extends Record<keyof Events, unknown[]>> {
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
    if (!call(events, 'internalError', [error], writeToStderr)) writeToStderr(error);
  };
  const emit = (name: string, ...values: unknown[]) => call(events, name, values, report);
  return { events: Object.assign(events, { emit }), report };
}

/** @returns false without listeners */
function call(
  events: Pick<EventEmitter, 'rawListeners'>,
  name: string,
  values: unknown[],
  report: (error: Error) => void,
): boolean {
  const listeners = events.rawListeners(name);
  for (const listener of listeners) {
    try {
      const result: unknown = Reflect.apply(listener, events, values);
      if (isThenable(result)) {
        Promise.resolve(result).catch((thrown) => report(errorFrom(thrown)));
      }
    } catch (thrown) {
      report(errorFrom(thrown));
    }
  }
  return listeners.length > 0;
}

/** As Koa does for an application without an `error` listener. */
function writeToStderr(error: Error): void {
  try {
    console.error(error);
  } catch {
    // The error has a getter that throws.
  }
}
