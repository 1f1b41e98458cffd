// A jest environment without a vm context: tests and sources run with the globals of the process.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

export default class Native {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #environment = { ...process.env };
  readonly #exit = process.exit;

  constructor({ projectConfig: config }: { readonly projectConfig: never }) {
    this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
  }

  setup(): void {
    // jest's 100 lines, and its source maps, cost time where many errors are expected.
    Error.stackTraceLimit = 10;
    Reflect.deleteProperty(Error, 'prepareStackTrace');
  }

  /** The next file runs in the same process. */
  teardown(): void {
    // jest's reports a call, and would stand around that of each file before.
    process.exit = this.#exit;
    this.fakeTimersModern.dispose();
    // What jest.setTimeout sets.
    Reflect.deleteProperty(globalThis, Symbol.for('TEST_TIMEOUT_SYMBOL'));
    for (const name of Object.keys(process.env)) {
      if (!(name in this.#environment)) delete process.env[name];
    }
    Object.assign(process.env, this.#environment);
  }

  getVmContext(): null {
    return null;
  }
}
