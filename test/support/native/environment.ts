// A jest environment without a context of its own: tests and sources run as in any process of Node.
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

  /** What a file left changed would be seen by the next. */
  teardown(): void {
    this.fakeTimersModern.dispose();
    // What jest.setTimeout sets.
    Reflect.deleteProperty(globalThis, Symbol.for('TEST_TIMEOUT_SYMBOL'));
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) {
      if (!(name in this.#environment)) delete process.env[name];
    }
    Object.assign(process.env, this.#environment);
  }

  getVmContext(): null {
    return null;
  }
}
