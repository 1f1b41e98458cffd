// The environment in which coverage is measured: a context per test file, so that each executes the modules anew.
// The processes that a test starts write which code they execute.
import { createRequire } from 'node:module';
import { constants } from 'node:vm';
import { childrenFolder } from './executedSources.ts';

const require = createRequire(import.meta.url);
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Interceptors make each access to a global slow: all labelled pairs take 147 s with them, 45 s without. */
export default class extends TestEnvironment {
  constructor(config, context) {
    // Read at the start of a process, so this one is not concerned; spawn() passes it on.
    process.env.NODE_V8_COVERAGE = childrenFolder(context.testPath);
    const { createContext } = vm;
    vm.createContext = () => createContext(constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
    // For modules that test files may share: they keep no state, and their values are not compared by class.
    this.global.processModule = require;
  }
}
