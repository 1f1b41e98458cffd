// A jest test runner whose test files and sources Node imports, once in each worker.
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setGlobals } from './globals.ts';
import '../propertySeed.ts';

type Runtime = Record<string | symbol, unknown> & {
  requireModuleOrMock(from: string, name: string): Parameters<typeof setGlobals>[0];
};
type TestRunner = (...args: readonly unknown[]) => Promise<unknown>;

const require = createRequire(import.meta.url);
const runTests: TestRunner = require('jest-circus/runner').default;

registerHooks({
  resolve(specifier, context, next) {
    return specifier === '@jest/globals'
      ? {
          url: new URL('./globals.ts', import.meta.url).href,
          format: 'module-typescript',
          shortCircuit: true,
        }
      : next(specifier, context);
  },
});

/** The message of jest-worker that ends a worker. */
const END = 2;
/** While a file runs, jest reports a call of `process.exit`. */
const exit = process.exit.bind(process);

// Connections that tests keep alive would hold the worker for seconds.
if (process.send !== undefined) {
  process.on('message', ([type]: readonly unknown[]) => {
    if (type === END) exit();
  });
}

/** @throws {Error} for --watch: Node evaluates a module once in a process */
export default function run(
  globalConfig: { readonly watch: boolean; readonly watchAll: boolean },
  config: unknown,
  environment: unknown,
  runtime: Runtime,
  ...more: readonly unknown[]
): Promise<unknown> {
  if (globalConfig.watch || globalConfig.watchAll) {
    throw new Error('got --watch, expected a new process for each run: npm test -- FILE');
  }
  const methods = {
    requireInternalModule: evaluated,
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule(path: string) {
      setGlobals(runtime.requireModuleOrMock(path, '@jest/globals'));
      return import(pathToFileURL(path).href);
    },
  };
  const native = new Proxy(runtime, {
    get(target, name) {
      if (name in methods) return methods[name as keyof typeof methods];
      const value = target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return runTests(globalConfig, config, environment, native, ...more);
}

/** Evaluates the module of jest-circus that registers tests: each file has its own. */
function evaluated(path: string): unknown {
  Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
  delete require.cache[path];
  return require(path);
}
