// The environment of the tests: that of jest, with a global object that accesses do not intercept.
import { createRequire } from 'node:module';
import { constants } from 'node:vm';
import { compileModulesOnce } from './compiledOnce.mjs';

const require = createRequire(import.meta.url);
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

let isFirst = true;

/** Interceptors make each access to a global slow: all labelled pairs take 147 s with them, 45 s without. */
export default class extends TestEnvironment {
  constructor(...options) {
    // Functions from a cache are covered less exactly.
    if (isFirst && !options[0].globalConfig.collectCoverage) compileModulesOnce(vm);
    isFirst = false;
    const { createContext } = vm;
    vm.createContext = () => createContext(constants.DONT_CONTEXTIFY);
    try {
      super(...options);
    } finally {
      vm.createContext = createContext;
    }
    // For modules that test files may share: they keep no state, and their values are not compared by class.
    this.global.processModule = require;
  }
}
