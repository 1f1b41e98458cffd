// The jest environment for coverage: a vm context per test file, which evaluates all modules.
import { createRequire } from 'node:module';
import { constants } from 'node:vm';
import { childrenFolder } from './executedSources.ts';

const require = createRequire(import.meta.url);
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Interceptors make each access to a global slow: all labelled pairs take 147 s with them, 45 s without. */
export default class extends TestEnvironment {
  constructor(config, context) {
    // For the processes that a test starts; Node reads it at the start of a process.
    process.env.NODE_V8_COVERAGE = childrenFolder(context.testPath);
    const { createContext } = vm;
    vm.createContext = () => createContext(constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
    // For modules that test files may share: they have no state, and no test compares their classes.
    this.global.processModule = require;
  }
}
